package audit

// Limits of this package, each with its reason. The Report counts or names everything that a limit omits.

// packedRows is the number of bytes of Entries that are compressed together. It is large enough for a good compression,
// and small enough to save memory.
const packedRows = 256 << 10

// maxListedURL is the maximum number of bytes of a content set's URL in Entries. Thousands of entries may have one
// content set, and its URL is stored for each of them.
const maxListedURL = 8 << 10
