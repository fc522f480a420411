package folder

const (
	// maxManifestLine is the maximum size of a line of a list of files.
	maxManifestLine = 1 << 20

	// maxManifestLines is the maximum number of lines in a list of files. Each line takes some hundred bytes in memory,
	// and an access to the disk.
	maxManifestLines = 1 << 20

	// maxMarks is the maximum number of pages in a folder to search for the URL from which they were saved. A
	// collection of pages saved by hand has some hundreds of pages.
	maxMarks = 10_000

	// markSize is the number of bytes of a page to search for its URL. Programs write the URL before the content.
	markSize = 4 << 10

	// maxSpooledURL is the maximum size of the URL in a U file of WWWOFFLE.
	maxSpooledURL = 1 << 16
)
