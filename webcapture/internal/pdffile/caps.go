package pdffile

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The caps of this package. A file that exceeds them was made to cause harm. Parts beyond a cap are reported, as
// damage or as a malformed object.

// Limits of cross-reference data.
const (
	maxObjectNumber  = object.MaxNumber
	maxSections      = 4_096   // along /Prev; a file saved every day for ten years has fewer
	maxStreamObjects = 1 << 20 // in one object stream; writers use 100 to 200
	maxFilters       = 8       // of one stream; real files have at most two
	maxNestedEncrypt = 8       // nested references in an encryption dictionary; three are needed
)

// Limits of searches for misplaced data.
const (
	headerWindow    = 1_024   // for %PDF-: the limit of Acrobat (PDF Reference 1.7, appendix H, note 13)
	nearby          = 1_024   // for a section that startxref misses: some tools change line ends
	headerReach     = 4_096   // length of "n g obj", including white space and comments
	trailerAttempts = 64      // trailers to try when a file is searched
	trailerWindow   = 1 << 16 // length of such a trailer, or of the dictionary of a misplaced section
	maxCutHeader    = 32      // length of the start of "n g obj" at which a file may be cut off
	maxPageDepth    = 16      // of a page tree, down to its first page, in a file without header and trailer
	maxSlackSearch  = 1 << 28 // bytes searched for misplaced copies of the objects in slack
	typeWindow      = 512     // for Type in the dictionary of a stream, which may be malformed
)

// The number of passwords to try: about two seconds.
const (
	maxPasswords       = 1 << 15 // up to revision 4, where each needs 50 MD5 sums
	maxHashedPasswords = 1 << 10 // from revision 5 on, where each takes a millisecond or more
	maxPdfcpuPasswords = 1 << 4  // by pdfcpu, which starts over for each
)

// Limits of memory and of single operations.
const (
	smallFile   = 1 << 20       // read, not mapped: faults cost more than copying
	maxMapped   = 9_999_999_999 // bytes of a file: the limit of a cross-reference table (7.5.4)
	cacheBytes  = 8 << 20       // decoded object streams in one Reader: some dozens
	outputPiece = 1 << 18       // size of a write

	copiedAtOnce = 64 << 20 // by the system; then the context is checked again
	ownBlock     = 1 << 15  // shared by copies of objects
)

// Limits of work for a file: a number of bytes, and a factor times the size of the file.
const (
	maxDecoded    = 256 << 20 // from all streams, and again for streams not in the cache of the Reader
	decodedFactor = 48
	maxScanned    = 256 << 20 // without success, for the ends of unclosed objects and of streams without a length
	scannedFactor = 64
	maxEntries    = 4 * (maxObjectNumber + 1) // of cross-reference sections, plus one per byte
	copiedFactor  = 4                         // copied by WriteFull: overlapping objects are copied more than once
)

// Limits of single streams, by purpose. A cross-reference stream is decoded only up to its number of entries, and
// embedded files are not kept in memory.
const (
	maxObjectStream  = 16 << 20 // plus a share of the file's size; each Reader that reads from it keeps it
	objectStreamPart = 8
	decodedPiece     = 1 << 16 // size of a piece for decoding an object stream of unknown size: most need one
	maxRow           = 1 << 20 // of a predictor, in columns: two rows are in memory
)

// Limits of pdfcpu.
const (
	maxPdfcpuNested = 128              // nested arrays and dictionaries; pdfcpu stops at 100
	pdfcpuTime      = 30 * time.Second // to read a file with one password: it reads all objects
)
