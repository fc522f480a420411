package wacz

const (
	// maxNestedWACZ is the maximum nesting of WACZ files. Multi-WACZ packages have one level.
	maxNestedWACZ = 4

	// maxMultiWACZ is the maximum size of a list of WACZ files, of which each takes some hundred bytes.
	maxMultiWACZ = 4 << 20
)
