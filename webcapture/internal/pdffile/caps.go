package pdffile

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The caps of this package, in one place. A file that needs more was made to
// hurt. What a cap cuts off is reported, as damage or as a malformed object.

// What the cross-reference data may say.
const (
	maxObjectNumber  = object.MaxNumber
	maxSections      = 4_096   // along /Prev; a file saved every day for ten years has fewer
	maxStreamObjects = 1 << 20 // in one object stream; writers put 100 to 200 there
	maxFilters       = 8       // of one stream; more than two are not seen in files
	maxNestedEncrypt = 8       // references in each other in an encryption dictionary; three are needed
)

// How far is looked for what is not where it should be.
const (
	headerWindow    = 1_024   // for %PDF-: so far Acrobat looks (PDF Reference 1.7, appendix H, note 13)
	nearby          = 1_024   // for a section that startxref misses: tools change some line ends
	headerReach     = 4_096   // in which "n g obj" ends, white space and comments included
	trailerAttempts = 64      // trailers that are tried when a file is searched
	trailerWindow   = 1 << 16 // in which such a trailer, or the dictionary of a misplaced section, ends
	maxCutHeader    = 32      // in which the start of "n g obj" ends that a file may be cut off in
	maxPageDepth    = 16      // of a page tree, for its first page in a file without header and trailer
	maxSlackSearch  = 1 << 28 // bytes in which objects of slack are searched for that are not where those of the file are
	typeWindow      = 512     // for Type in the dictionary of a stream, which may be too broken to be parsed
)

// How many passwords are tried on a file: what takes about two seconds.
const (
	maxPasswords       = 1 << 15 // up to revision 4, where each takes 50 MD5 sums
	maxHashedPasswords = 1 << 10 // from revision 5 on, where each takes a millisecond and more
	maxPdfcpuPasswords = 1 << 4  // by pdfcpu, which begins anew with each
)

// What is read, and kept.
const (
	smallFile   = 1 << 20       // is read, not mapped: faults cost more than copying
	maxMapped   = 9_999_999_999 // bytes of a file: so far the offsets of a cross-reference table reach (7.5.4)
	cacheBytes  = 8 << 20       // decoded object streams that one Reader keeps: some dozens
	outputPiece = 1 << 18       // is written at once

	copiedAtOnce = 64 << 20 // by the system; then the context is asked again
	ownBlock     = 1 << 15  // that copies of objects share
)

// The work that a file may ask for: a number of bytes, and a factor times the
// size of the file.
const (
	maxDecoded    = 256 << 20 // from all streams; and as much again of what has left the cache, or stands in that of another Reader
	decodedFactor = 48
	maxScanned    = 256 << 20 // in vain, for the ends of objects that are not closed, and of streams without a length
	scannedFactor = 64
	maxEntries    = 4 * (maxObjectNumber + 1) // of cross-reference sections, and one for each byte
	copiedFactor  = 4                         // copied into a file that is written anew: objects that overlap are copied more than once
)

// What one stream may become follows what it is for. Of a cross-reference stream no more
// is decoded than it has entries, and embedded files are not held.
const (
	maxObjectStream  = 16 << 20 // and a part of the file's size; each Reader that reads from it holds it
	objectStreamPart = 8
	decodedPiece     = 1 << 16 // in which an object stream is decoded before its size is known: most need one
	maxRow           = 1 << 20 // of a predictor, in columns: two rows are held
)

// What pdfcpu may do.
const (
	maxPdfcpuNested = 128              // arrays and dictionaries in each other; pdfcpu stops at 100
	pdfcpuTime      = 30 * time.Second // to read a file, with one password: every object is read
)
