package webcapture

// The limits of this package, each with its reason. Limits of walks, such as the walk over the page tree, are next
// to the walk.

// The Budget of a file: a base for each file, and a share for each stored byte.
const (
	baseWork = 256 << 20 // about a second
	byteWork = 128       // real files need a tenth: about 500 for a content set, which takes 67 bytes with its keys

	baseOutput = 64 << 20 // for each file
	byteOutput = 64       // a list of a real file needs ten, if all objects are in object streams

	baseRecords  = 1 << 18 // for each file; so many pairs take 15 MB
	recordBytes  = 24      // a real tree has one entry per 67 bytes, or per 25 bytes with five URLs for each set
	baseFindings = 1 << 18 // for each file; so many findings take 110 MB
	findingBytes = 192     // a finding takes 400 bytes with its message and fix

	// Limit of the sum of the nodes and keys of a tree. They take a tenth of that in object streams.
	baseTree = 16 << 20
	byteTree = 64 // trees that need more refer to the same objects repeatedly
)

// sideBySide is the minimum size for reading the two trees of a file in parallel. For smaller files, starting a
// goroutine takes longer than reading.
const sideBySide = 1 << 20
