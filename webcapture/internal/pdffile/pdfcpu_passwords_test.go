package pdffile

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// pdfcpu reads the file anew with each password.
func TestPdfcpuTriesFewPasswords(t *testing.T) {
	data := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 6, User: "secret", Owner: "owner"}})
	list := slices.Repeat([]string{"wrong"}, 20)
	for at, opens := range map[int]bool{maxPdfcpuPasswords - 1: true, maxPdfcpuPasswords: false} {
		list := slices.Clone(list)
		list[at] = "secret"
		_, _, err := readAll(t.Context(), data, list, 16<<20)
		if opens && err != nil {
			t.Errorf("password %d: %v", at, err)
		}
		if !opens && (!errors.Is(err, ErrPassword) || !strings.HasSuffix(err.Error(), "tried only the first 16 of "+
			"20 passwords")) {
			t.Errorf("password %d: %v, want ErrPassword and how many were tried", at, err)
		}
	}
}
