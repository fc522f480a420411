package object

// The caps of this package. What is beyond one of them is a *Malformed error.
const (
	// maxDepth bounds how deep arrays and dictionaries may nest, since the parser
	// calls itself for each level. Acrobat's own limit is lower.
	maxDepth = 256

	// maxHops bounds a chain of references to references, which may be a circle.
	// The standard has no such chains; damaged files have two or three.
	maxHops = 16
)
