package pdffile

import "time"

// The caps of the reader, in one place. A file that needs more was made to
// hurt; what a cap cuts off is reported as damage with the cap's name.
const (
	maxObjectNumber  = 8_388_607 // ISO 32000-1:2008, annex C, table C.1
	maxSections      = 4_096     // cross-reference sections along /Prev
	maxInflated      = 512 << 20 // bytes of one decoded stream
	maxStreamObjects = 1 << 20   // objects in one object stream
	maxFilters       = 8         // filters of one stream
	headerWindow     = 1_024     // where %PDF- may start
	startxrefWindow  = 4_096     // where the last startxref is looked for first
	nearby           = 1_024     // how far startxref may be off
	repairTime       = 30 * time.Second
	smallFile        = 1 << 20 // read whole instead of mapped
	cacheBytes       = 8 << 20 // decoded object streams that one Reader keeps

	// All that is decoded from one file, counting what is decoded again because
	// the cache was too small: this, and decodedFactor times the file's size.
	maxDecoded    = 4 << 30
	decodedFactor = 64
)
