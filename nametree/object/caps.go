package object

// The limits of parsing and resolving. Data that exceed a limit give a *Malformed error.
const (
	// MaxDepth bounds the nesting of arrays and dictionaries, because the parser is recursive. Acrobat's own limit is
	// lower. It also bounds other trees, such as the page tree.
	MaxDepth = 256

	// maxHops bounds a chain of references to references, which may be circular. The standard does not allow such
	// chains; damaged files have chains of two or three.
	maxHops = 16
)

// MaxNumber is the largest object number (ISO 32000-1:2008, annex C, table C.1). References to larger ones are
// null.
const MaxNumber = 8_388_607
