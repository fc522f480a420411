package webcapture

// The caps of this package, each with its reason. Caps of walks, such as that of the page tree, are next to the
// walk.

// The Budget of a file: a base for any file, and a share for each stored byte.
const (
	baseWork = 256 << 20 // about a second
	byteWork = 128       // an honest file needs a tenth: about 500 for a content set, which has 67 bytes with its keys

	baseOutput = 64 << 20 // for any file
	byteOutput = 64       // a list of an honest file has ten, if all objects are in object streams

	baseRecords  = 1 << 18 // for any file: as many pairs take 15 MB
	recordBytes  = 24      // an honest tree has an entry for 67 bytes; one with five URLs of each set, for 25
	baseFindings = 1 << 18 // for any file: as many take 110 MB
	findingBytes = 192     // each takes 400 bytes with its message and fix

	// Sum of the nodes and keys of a tree, which take a tenth of that in object streams.
	baseTree = 16 << 20
	byteTree = 64 // trees that need more refer to the same objects repeatedly
)

// sideBySide is the size from which the two trees of a file are read in parallel: for smaller ones, starting a
// goroutine takes longer than reading.
const sideBySide = 1 << 20
