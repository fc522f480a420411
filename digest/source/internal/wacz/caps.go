package wacz

const (
	// maxNestedWACZ is the maximum nesting of WACZ files. Multi-WACZ packages have one level.
	maxNestedWACZ = 4

	// maxDataPackage is the maximum size of a list of files. Each file takes some hundred bytes in the list.
	maxDataPackage = 4 << 20
)
