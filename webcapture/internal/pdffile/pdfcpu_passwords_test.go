package pdffile

import (
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// pdfcpu reads the file anew with each password, which is paid.
func TestPdfcpuTriesFewPasswords(t *testing.T) {
	data := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 6, User: "secret", Owner: "owner"}})
	list := slices.Repeat([]string{"wrong"}, 20)
	for at, opens := range map[int]bool{14: true, 15: false} {
		list := slices.Clone(list)
		list[at] = "secret"
		f := &File{fileBytes: fileBytes{data: data, meter: meter.New(0), passwords: list}}
		_, err := f.readByPdfcpu()
		if opens && err != nil {
			t.Errorf("password %d: %v", at, err)
		}
		if !opens && err != (meter.Over{}) {
			t.Errorf("password %d: %v", at, err)
		}
	}
}
