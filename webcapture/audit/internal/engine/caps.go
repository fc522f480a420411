package engine

// The caps of this package, each with its reason. What a cap leaves out is counted or
// named in the Result.

// MaxOfRule is how many findings of each rule are kept if there are too many: what people
// may want to look at, and enough to see what the rest is like.
const MaxOfRule = 1000

// maxSubjects is of how many findings of each rule it is said what they are about, and where: reports list
// as many at most, where people look at them.
const maxSubjects = 20

// maxSubjectRead is how many bytes of objects are read to say what findings are about.
const maxSubjectRead = 64 << 20

// maxEmbedded is how many embedded files are looked at: their names are kept, to be
// found by URL.
const maxEmbedded = 1 << 20
