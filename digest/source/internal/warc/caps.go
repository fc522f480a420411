package warc

// maxRecordHeader is the maximum size of the header of a WARC or ARC record. A header must fit into a buffer. The Meter
// of the file limits everything else.
const maxRecordHeader = 64 << 10
