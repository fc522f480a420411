package pdffile

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The limits of this package. Only a file made to cause harm exceeds them. Parts beyond a limit are reported as
// damage or as a malformed object.

// Limits of cross-reference data.
const (
	maxObjectNumber  = object.MaxNumber
	maxSections      = 4_096   // along /Prev; a file saved every day for ten years has fewer
	maxStreamObjects = 1 << 20 // objects in one object stream; writers use 100 to 200
	maxFilters       = 8       // filters of one stream; real files have at most two
	maxStreamEntry   = 1_024   // length of a stream's Length, of a filter, or of parameters, outside of its dictionary
	maxNestedEncrypt = 8       // nested references in an encryption dictionary; three are needed
)

// Limits of searches for misplaced data.
const (
	headerWindow    = 1_024   // where %PDF- must start: the limit of Acrobat (PDF Reference 1.7, appendix H, note 13)
	nearby          = 1_024   // distance from startxref to a section that it misses: some tools change line ends
	headerReach     = 4_096   // length of "n g obj", including white space and comments
	trailerAttempts = 64      // trailers to try when a file is searched
	trailerWindow   = 1 << 16 // length of such a trailer, or of the dictionary of a misplaced section
	maxCutHeader    = 32      // length of an incomplete "n g obj" at the end of a cut-off file
	maxPageDepth    = 16      // levels of a page tree searched for its first page, in a file without header and trailer
	maxSlackSearch  = 1 << 28 // bytes searched for misplaced copies of the objects in slack
	typeWindow      = 512     // bytes searched for Type in the dictionary of a stream, which may be malformed
)

// The number of passwords to try: about two seconds.
const (
	maxPasswords       = 1 << 15 // up to revision 4: each password needs 50 MD5 sums
	maxHashedPasswords = 1 << 10 // from revision 5 on: each password takes a millisecond or more
	maxPdfcpuPasswords = 1 << 4  // for pdfcpu, which reads the file again for each password
)

// Limits on memory and on single operations.
const (
	smallFile   = 1 << 20       // a smaller file is read, not mapped: page faults cost more than copying
	maxMapped   = 9_999_999_999 // largest file in bytes: the limit of a cross-reference table (7.5.4)
	cacheBytes  = 8 << 20       // decoded object streams in one Reader: some dozens
	outputPiece = 1 << 18       // size of a write

	copiedAtOnce = 64 << 20 // bytes that the system copies between two checks of the context
	ownBlock     = 1 << 15  // block shared by copies of objects
)

// Limits on the work for a file: each is a number of bytes plus a factor times the size of the file.
const (
	maxDecoded    = 256 << 20 // bytes decoded from all streams; repeated decoding has the same limit again
	decodedFactor = 48
	maxScanned    = 256 << 20 // bytes searched in vain for the ends of unclosed objects and of streams without a length
	scannedFactor = 64
	maxEntries    = 4 * (maxObjectNumber + 1) // entries of all cross-reference sections, plus one per byte
	copiedFactor  = 4                         // by WriteFull: overlapping objects are copied repeatedly
)

// Limits of single streams, by purpose. A cross-reference stream is decoded only up to its number of entries, and
// embedded files are not kept in memory.
const (
	maxObjectStream  = 16 << 20 // plus a share of the file's size; each Reader of the stream keeps the decoded data
	objectStreamPart = 8
	decodedPiece     = 1 << 16 // piece of an object stream of unknown size: one is enough for most
	maxRow           = 1 << 20 // of a predictor, in columns: two rows are in memory
)

// Limits of pdfcpu.
const (
	maxPdfcpuNested = 128              // nested arrays and dictionaries; pdfcpu stops at 100
	pdfcpuTime      = 30 * time.Second // time to read a file with one password: pdfcpu reads all objects
)
