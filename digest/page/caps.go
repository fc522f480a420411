package page

// Limits for hostile sources. Parts beyond a limit do not count, unless a comment says otherwise.

// MaxSource is the maximum size of HTML and style sheets that are searched for references. Identifiers of larger
// files are still computed, from their data as a stream.
const MaxSource = 16 << 20

// Limits of one source.
const (
	maxReferences = 1 << 16 // real pages have some thousands
	maxURLs       = 1 << 24 // total bytes of the URLs; a long base lengthens each of them
	maxAttributes = 1 << 8  // attributes of one tag
)

// Limits of a Search.
const (
	maxKnown  = 1 << 16 // remembered places; when exceeded, all are forgotten
	maxErrors = 100     // kept errors; more are only counted
)

// Limits of the work of a Search. The unit is the work of one byte of MD5 computation. storedWork exceeds the work
// that an honest caller needs to read and decode each capture once.
const (
	baseWork   = 2 << 30  // work allowed at the start
	storedWork = 128      // work added for each byte that is read for the first time
	lookWork   = 16 << 10 // cost of looking at one capture
	pageWork   = 8        // cost of searching one byte for references
)
