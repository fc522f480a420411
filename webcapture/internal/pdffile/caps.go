package pdffile

import "github.com/webcap-tools/webcap/nametree/object"

// The limits of this package, in addition to the meter. Only a file made to cause harm exceeds them. Parts beyond a
// limit are reported as damage or as a malformed object.
const (
	maxObjectNumber  = object.MaxNumber
	maxFilters       = 8       // filters of one stream; real files have at most two
	maxStreamEntry   = 1_024   // length of a stream's Length, of a filter, or of parameters, outside of its dictionary
	maxNestedEncrypt = 8       // nested references in an encryption dictionary; three are needed
	maxPageDepth     = 16      // levels of a page tree searched for its first page, in a file without header and trailer
	maxRow           = 1 << 20 // of a predictor, in columns: two rows are in memory
	maxPdfcpuNested  = 128     // nested arrays and dictionaries; pdfcpu stops at 100
)
