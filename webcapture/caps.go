package webcapture

// The caps of this package, each with its reason. Those of a walk, such as that over the
// page tree, stand beside it.

// A Budget: something for any file, and more for each byte that is stored.
const (
	// An honest file takes a tenth: a content set, which is some 40 bytes in an object
	// stream, takes about 500.
	baseWork = 256 << 20
	byteWork = 128

	// A set with both of its keys takes 67 bytes in object streams, so a tree may have
	// four times the entries of an honest one. As many as any file may have take 15 MB.
	baseRecords = 1 << 18
	recordBytes = 16

	// A million broken keys in a file of 67 MB, where a set with both of its keys takes
	// 67 bytes, are all kept. So many findings as any file may have take 25 MB.
	baseFindings = 1 << 16
	findingBytes = 32

	// What nodes and keys of a tree add up to. In object streams they take a tenth of that;
	// what needs more refers to the same objects again and again.
	baseTree = 16 << 20
	byteTree = 64
)
