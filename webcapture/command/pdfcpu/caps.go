package pdfcpu

const (
	maxNested = 128 // arrays and dictionaries in each other; pdfcpu stops at 100
)
