package wacz

const (
	// maxNestedWACZ is the maximum nesting of WACZ files. Multi-WACZ packages have one level.
	maxNestedWACZ = 4

	// maxMultiWACZ is the maximum size of a list of WACZ files. Each file takes some hundred bytes in the list.
	maxMultiWACZ = 4 << 20
)
