package page

// What one hostile source can make this package do. What is over a cap does not
// count, but for what a comment says.

// MaxSource is the number of bytes that HTML and style sheets may have for what
// they refer to to be looked for. Identifiers of larger files are computed all
// the same, from their data as they stream by.
const MaxSource = 16 << 20

// Of one source.
const (
	maxReferences = 1 << 16 // real pages have some thousands
	maxURLs       = 1 << 24 // bytes of their URLs, which a long base makes long
	maxAttributes = 1 << 8  // of one tag
)

// Of a page whose files refer to others. Files beyond enter by their own MD5.
const (
	maxDepth       = 8        // below the page
	maxNested      = 1000     // files that are looked into
	maxNestedBytes = 16 << 20 // of these files, and of the URLs in them
	maxFollowed    = 1 << 20  // references in these files, each time that one is followed, for each reading
)

// Of the alternatives for one identifier, under each reading.
const (
	maxChoices      = 64 // of one file
	maxCombinations = 256
	maxTried        = 1 << 20 // identifiers of files in all of these combinations
)

// Of a Search.
const (
	maxKnown      = 1 << 16 // URLs whose files it remembers, and candidates; then it begins anew
	maxKnownFiles = 1 << 18 // files of these URLs
	// URLs that redirects lead to, and candidates there, with their headers; then it begins anew
	maxBeyond = 1 << 5
	maxErrors = 100 // that it keeps; others are counted
)

// Of the work of a Search, in bytes whose MD5 is computed. What is stored gives as much
// as an honest caller needs that reads and decodes each thing once, and some.
const (
	baseWork   = 2 << 30  // without any data
	storedWork = 128      // that each byte adds that is read for the first time
	lookWork   = 16 << 10 // to look at one thing that is kept
	pageWork   = 8        // of a byte in which references are looked for
)
