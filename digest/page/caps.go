package page

// MaxSource is the number of bytes that HTML and style sheets may have for what
// they refer to to be looked for. Identifiers of larger files are computed all
// the same, from their data as they stream by.
const MaxSource = 64 << 20

const (
	maxDepth        = 8         // of files that refer to others, below the page
	maxNested       = 1000      // files of a page that are looked into
	maxNestedBytes  = 256 << 20 // of these files, and of the URLs in them
	maxFollowed     = 1 << 20   // references in these files, each time that one is followed, for each reading
	maxCombinations = 256       // of alternatives, for each reading
	maxTried        = 1 << 20   // identifiers in all of these combinations
)

const (
	maxReferences = 1 << 16 // of one source; later ones do not count
	maxURLs       = 1 << 24 // bytes of their URLs, which a long base makes long; the same
	maxAttributes = 1 << 8  // of one tag; the same
)

const (
	maxKnown  = 1 << 16 // URLs of which a Search remembers the files
	maxErrors = 100     // that it keeps; others are counted
)
