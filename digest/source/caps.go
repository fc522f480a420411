package source

const (
	// maxRedirects is the maximum number of redirects that Find follows. Browsers have such a limit too, of 20.
	maxRedirects = 10
)
