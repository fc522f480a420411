package wwwoffle

const (
	// maxSpooledURL is the maximum size of the URL in a U file of WWWOFFLE.
	maxSpooledURL = 1 << 16
)
