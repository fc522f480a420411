package audit

// The caps of this package, each with its reason. What a cap leaves out is counted or
// named in the Report.

// packedRows is how many bytes of Entries are packed at a time: enough to pack them well, and
// little memory for a file that has many.
const packedRows = 256 << 10

// maxListedURL is how long a URL of a set is that Entries have: thousands of entries may
// lead to one set, and each has its URL.
const maxListedURL = 8 << 10
