package wacz

const (
	// maxNestedWACZ is the number of WACZ files that may be nested in one another. Packages of
	// several have one level.
	maxNestedWACZ = 4

	// maxMultiWACZ is the number of bytes that are read of a list of WACZ files, each of which
	// takes some hundred.
	maxMultiWACZ = 4 << 20
)
