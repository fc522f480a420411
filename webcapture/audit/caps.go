package audit

// Limits of this package, each with its reason. The Report counts or names everything that a limit omits.

// packedRows is the number of bytes of Entries that are compressed together. It is large enough for a good compression,
// and small enough to save memory.
const packedRows = 256 << 10

// maxListedURL is the maximum number of bytes of a URL in Entries; longer URLs are left out. Thousands of entries may
// have the same content set, and each stores the URL.
const maxListedURL = 8 << 10
