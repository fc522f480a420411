package source

const (
	// maxRedirects is the maximum number of redirects that Find follows. Browsers stop at 20.
	maxRedirects = 10
)
