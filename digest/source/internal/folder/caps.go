package folder

const (
	// maxManifestLine is the maximum size of a line of a list of files.
	maxManifestLine = 1 << 20

	// maxManifestLines is the maximum number of lines in a list of files. Each line takes some hundred bytes in memory,
	// and an access to the disk.
	maxManifestLines = 1 << 20

	// maxPathEnds is the maximum number of ends of the path of a file: URL to try as names below a folder, longest
	// first. Each try needs an access to the disk.
	maxPathEnds = 64

	// maxNamed is the maximum number of files of a folder to try for a URL only because of their names. A page has some
	// dozens of files, and two of them may have the same name.
	maxNamed = 64

	// maxNamedLooks is the maximum number of files to compare in order to choose the best maxNamed files.
	maxNamedLooks = 1024

	// maxFolderFiles is the maximum number of files of a folder to index by name. Each file takes some hundred bytes in
	// memory.
	maxFolderFiles = 1 << 21

	// maxMarks is the maximum number of pages in a folder to search for the URL from which they were saved. A
	// collection of pages saved by hand has some hundreds of pages.
	maxMarks = 10_000

	// markSize is the number of bytes of a page to search for its URL. Programs write the URL before the content.
	markSize = 4 << 10
)
