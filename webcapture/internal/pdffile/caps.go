package pdffile

import (
	"time"

	"github.com/webcap-tools/webcap/nametree/object"
)

// The caps of the reader, in one place. A file that needs more was made to
// hurt; what a cap cuts off is reported as damage with the cap's name.
const (
	maxObjectNumber  = object.MaxNumber
	maxSections      = 4_096   // cross-reference sections along /Prev
	maxStreamObjects = 1 << 20 // objects in one object stream
	maxFilters       = 8       // filters of one stream
	headerWindow     = 1_024   // where %PDF- may start
	startxrefWindow  = 4_096   // where the last startxref is looked for first
	nearby           = 1_024   // how far startxref may be off
	headerReach      = 4_096   // how far "n g obj" may reach, white space and comments included
	repairTime       = 30 * time.Second
	smallFile        = 1 << 20 // read whole instead of mapped
	cacheBytes       = 8 << 20 // decoded object streams that one Reader keeps

	maxPiped        = 1 << 30 // of an input that is no regular file
	trailerAttempts = 64      // trailers that are tried when a file is searched
	trailerWindow   = 1 << 16 // how far the dictionary of such a one, or of a misplaced section, may reach

	// What is decoded from one file, counting what is decoded again because the
	// cache was too small, and what one stream decodes to: these, and the factor
	// times the file's size.
	maxDecoded      = 512 << 20
	decodedFactor   = 256
	maxStream       = 64 << 20
	streamFactor    = 64
	maxStreamAtAll  = 512 << 20
	maxScanned      = 256 << 20 // in vain, for the ends of objects that are not closed
	scannedFactor   = 64
	maxScratchBytes = 8 << 20 // of a buffer that is kept between streams

	// What is looked through of a file that is written anew, times its size:
	// objects that overlap are copied more than once.
	copiedFactor = 4
)
