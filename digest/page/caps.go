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

// Limits of a page whose files refer to other files. Beyond a limit, a file counts by its own MD5.
const (
	maxDepth       = 8        // levels below the page
	maxNested      = 1000     // files that are searched for references
	maxNestedBytes = 16 << 20 // total size of these files and of the URLs in them
	maxFollowed    = 1 << 20  // references followed in these files; repeated ones count again, as does each reading
)

// Limits of the alternatives for one identifier, for each reading.
const (
	maxChoices      = 64 // alternatives for one file
	maxCombinations = 256
	maxTried        = 1 << 20 // total identifiers of files in all tried combinations
)

// Limits of a Search.
const (
	maxKnown      = 1 << 16 // remembered URLs and candidates; when exceeded, all are forgotten
	maxKnownFiles = 1 << 18 // files of these URLs
	// remembered targets of redirects and their candidates, with headers; when exceeded, all are forgotten
	maxBeyond = 1 << 5
	maxErrors = 100 // kept errors; more are only counted
)

// Limits of the work of a Search. The unit is the work of one byte of MD5 computation. storedWork exceeds the work
// that an honest caller needs to read and decode each capture once.
const (
	baseWork   = 2 << 30  // work allowed at the start
	storedWork = 128      // work added for each byte that is read for the first time
	lookWork   = 16 << 10 // cost of looking at one capture
	pageWork   = 8        // cost of searching one byte for references
)
