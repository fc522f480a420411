package object

// maxDepth bounds how deep arrays and dictionaries may nest. Acrobat's own
// limit is lower; what is deeper was made to hurt.
const maxDepth = 256

// maxHops bounds a chain of references to references. The standard has no such
// chains; two or three are seen in damaged files.
const maxHops = 16
