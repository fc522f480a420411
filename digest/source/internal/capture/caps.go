package capture

const (
	// MaxKept is the maximum number of captures, including redirects, that Find returns for one URL. It is enough for a
	// page captured every day for two years. The search for a page tries each of its captures with each capture of its
	// files.
	MaxKept = 1000
)
