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

// Windows of searches for misplaced data.
const (
	headerWindow    = 1_024   // where %PDF- must start: the limit of Acrobat (PDF Reference 1.7, appendix H, note 13)
	nearby          = 1_024   // distance from startxref to a section that it misses: some tools change line ends
	headerReach     = 4_096   // length of "n g obj", including white space and comments
	trailerAttempts = 64      // trailers to try when a file is searched
	trailerWindow   = 1 << 16 // length of such a trailer, or of the dictionary of a misplaced section
	maxCutHeader    = 32      // length of an incomplete "n g obj" at the end of a cut-off file
	typeWindow      = 512     // bytes searched for Type in the dictionary of a stream, which may be malformed
)
