package object

// The caps of parsing and of resolving. What is beyond one of them is a *Malformed error.
const (
	// maxDepth bounds how deep arrays and dictionaries may nest, since the parser
	// calls itself for each level. Acrobat's own limit is lower.
	maxDepth = 256

	// maxHops bounds a chain of references to references, which may be a circle.
	// The standard has no such chains; damaged files have two or three.
	maxHops = 16
)

// MaxNumber is the largest number that an object can have (ISO 32000-1:2008, annex
// C, table C.1). References to larger ones lead to nothing.
const MaxNumber = 8_388_607
