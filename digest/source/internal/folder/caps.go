package folder

const (
	// maxManifestLine is the size of a line of a list of files.
	maxManifestLine = 1 << 20

	// maxManifestLines is the number of lines that count in a list of files. Each
	// takes some hundred bytes in memory, and a look at the disk.
	maxManifestLines = 1 << 20

	// maxPathEnds is the number of ends of the path of a file: URL that are tried as
	// names below a folder, the longest first. Each takes a look at the disk.
	maxPathEnds = 64

	// maxNamed is the number of files of a folder that are tried for a URL because of their
	// names alone. A page has some dozens of files, of which two may have one name.
	maxNamed = 64

	// maxNamedLooks is the number of files among which the best maxNamed are found.
	maxNamedLooks = 1024

	// maxFolderFiles is the number of files of a folder that are looked up by their names.
	// Each takes some hundred bytes in memory.
	maxFolderFiles = 1 << 21

	// maxMarks is the number of pages in a folder that are read to know whether they say of
	// what URL they are. Whoever saves pages by hand has some hundreds.
	maxMarks = 10_000

	// markSize is how much of a page is read to find where it was saved from: programs say
	// so before what the page has.
	markSize = 4 << 10
)
