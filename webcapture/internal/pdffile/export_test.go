package pdffile

import "github.com/webcap-tools/webcap/webcapture/webcapturetest"

// EachLayout calls do with the layouts of the tests, for those of other packages.
func EachLayout(do func(name string, l webcapturetest.Layout, password string)) {
	for _, l := range layouts {
		do(l.name, l.layout, l.password)
	}
}
