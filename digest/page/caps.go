package page

// MaxSource is the maximum size of HTML and style sheets that are searched for references, which takes several times
// their size in memory. Identifiers of larger files are still computed, from their data as a stream.
const MaxSource = 16 << 20

// searchWork is the price of searching one byte for references.
const searchWork = 8

// Limits of one source. Parts beyond a limit do not count.
const (
	maxReferences = 1 << 16 // real pages have some thousands
	maxURLs       = 1 << 24 // total bytes of the URLs, which are kept in memory; a long base lengthens each of them
)

// maxErrors is the number of kept errors of a Search; more are only counted. They are messages for a reader.
const maxErrors = 100
