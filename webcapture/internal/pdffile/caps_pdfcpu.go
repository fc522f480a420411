package pdfcpu

import "time"

const (
	maxNested = 128              // arrays and dictionaries in each other; pdfcpu stops at 100
	readTime  = 30 * time.Second // to read a file, with one password: every object is read
)
