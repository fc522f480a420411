package page

// Limits for hostile sources. Parts beyond a cap do not count, unless a comment says otherwise.

// MaxSource is the maximum size of HTML and style sheets that are searched for references. Identifiers of larger
// files are still computed, from their data as a stream.
const MaxSource = 16 << 20

// Limits of one source.
const (
	maxReferences = 1 << 16 // real pages have some thousands
	maxURLs       = 1 << 24 // bytes of their URLs, which a long base makes long
	maxAttributes = 1 << 8  // of one tag
)

// Limits of a page whose files refer to others. Further files enter by their own MD5.
const (
	maxDepth       = 8        // below the page
	maxNested      = 1000     // files that are searched for references
	maxNestedBytes = 16 << 20 // total size of these files and of the URLs in them
	maxFollowed    = 1 << 20  // references followed in these files, counted each time and for each reading
)

// Limits of the alternatives for one identifier, for each reading.
const (
	maxChoices      = 64 // of one file
	maxCombinations = 256
	maxTried        = 1 << 20 // identifiers of files in all tried combinations
)

// Limits of a Search.
const (
	maxKnown      = 1 << 16 // remembered URLs and candidates; when exceeded, all are forgotten
	maxKnownFiles = 1 << 18 // files of these URLs
	// remembered targets of redirects, and candidates there, with their headers; when exceeded, all are forgotten
	maxBeyond = 1 << 5
	maxErrors = 100 // kept errors; more are only counted
)

// Limits of the work of a Search, in bytes of MD5 computation. Stored bytes allow more than an honest caller needs
// to read and decode each capture once.
const (
	baseWork   = 2 << 30  // without any data
	storedWork = 128      // for each byte that is read for the first time
	lookWork   = 16 << 10 // cost of looking at one capture
	pageWork   = 8        // cost of a byte that is searched for references
)
