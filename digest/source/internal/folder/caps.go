package folder

const (
	// maxManifestLine is the maximum size of a line of a list of files.
	maxManifestLine = 1 << 20

	// maxManifestLines is the maximum number of lines in a list of files. Each takes some hundred bytes in memory, and
	// an access to the disk.
	maxManifestLines = 1 << 20

	// maxPathEnds is the maximum number of ends of the path of a file: URL that are tried as names below a folder, the
	// longest first. Each needs an access to the disk.
	maxPathEnds = 64

	// maxNamed is the maximum number of files of a folder that are tried for a URL only because of their names. A page
	// has some dozens of files, of which two may have the same name.
	maxNamed = 64

	// maxNamedLooks is the number of files from which the best maxNamed are chosen.
	maxNamedLooks = 1024

	// maxFolderFiles is the maximum number of files of a folder that are indexed by name. Each takes some hundred bytes
	// in memory.
	maxFolderFiles = 1 << 21

	// maxMarks is the maximum number of pages in a folder that are searched for the URL from which they were saved. A
	// collection of pages saved by hand has some hundreds.
	maxMarks = 10_000

	// markSize is the number of bytes of a page that are searched for its URL: programs write it before the content.
	markSize = 4 << 10
)
