package webcapture

// The caps of this package, each with its reason. Those of a walk, such as that over the
// page tree, stand beside it.

// The Budget of a file: something for any file, and more for each byte that is stored.
const (
	baseWork = 256 << 20 // of any file: what takes about a second
	byteWork = 128       // an honest file takes a tenth: about 500 for a content set, which is 67 bytes with its keys

	baseOutput = 64 << 20 // of any file
	byteOutput = 64       // a list of an honest file has ten bytes for each stored one, if all is in object streams

	baseRecords  = 1 << 18 // of any file: as many pairs take 15 MB
	recordBytes  = 24      // an honest tree has an entry for 67 bytes; one with five URLs of each set, for 25
	baseFindings = 1 << 18 // of any file: as many take 110 MB
	findingBytes = 192     // each takes 400 bytes with its message and fix

	// What nodes and keys of a tree add up to: in object streams they take a tenth of that.
	baseTree = 16 << 20
	byteTree = 64 // what needs more refers to the same objects again and again
)

// sideBySide is the size from which the two trees of a file are read side by side: to start a
// goroutine takes longer than to read those of a smaller one.
const sideBySide = 1 << 20
