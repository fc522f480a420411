package folder

const (
	// maxLine is the maximum size of a line of a list of files. A line must fit into memory.
	maxLine = 1 << 20

	// maxURL is the maximum size of the URL in a U file of WWWOFFLE. A URL must fit into memory.
	maxURL = 1 << 16
)
