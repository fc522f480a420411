package engine

// Limits of this package, each with its reason. The Result counts or names everything that a limit omits.

// MaxOfRule is the number of findings kept for each rule if there are too many. People rarely look at more, and these
// show what the rest is like.
const MaxOfRule = 1000

// maxSubjects is the number of findings of each rule that get a subject and a position. Reports for people list at most
// as many.
const maxSubjects = 20

// maxSubjectRead is the maximum number of bytes read to describe the subjects of findings.
const maxSubjectRead = 64 << 20

// maxEmbedded is the maximum number of embedded files that are indexed by name and URL.
const maxEmbedded = 1 << 20
