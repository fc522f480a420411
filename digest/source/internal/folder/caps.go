package folder

const (
	// maxManifestLine is the maximum size of a line of a list of files. A line must fit into memory.
	maxManifestLine = 1 << 20

	// maxSpooledURL is the maximum size of the URL in a U file of WWWOFFLE. A URL must fit into memory.
	maxSpooledURL = 1 << 16
)
