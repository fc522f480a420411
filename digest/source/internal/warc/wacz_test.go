package warc

import (
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestWACZUnpacksSoMuch: the entries of a WACZ file and of nested WACZ files share one limit of decompressed data.
// Entries within the limit are read.
func TestWACZUnpacksSoMuch(t *testing.T) {
	one, two := []byte(sourcetest.PageRecord("http://a/", "one")), []byte(sourcetest.PageRecord("http://b/", "two"))
	inner := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/b.warc", Data: two, Deflated: true})
	name := sourcetest.WriteFile(t,
		string(sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc", Data: one, Deflated: true},
			sourcetest.ZipEntry{Name: "b.wacz", Data: inner})), t.TempDir(), "a.wacz")
	for more, want := range map[int]string{0: "", -1: "1 " + ReasonBomb} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			file, err := zipfile.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			r := &waczReader{t: &capture.Tally{}, unpacked: &unpackedFile{}, most: int64(len(one) + len(two) + more)}
			if err := r.collect(container{file, Part{Path: name, Size: file.Size}, 0}); err != nil {
				t.Fatal(err)
			}
			a, err := capture.Open(r.parts, r.t)
			if err != nil {
				t.Fatal(err)
			}
			if got := sourcetest.SkipLine(a); got != want || want != "" && !a.Stats().Skipped[0].Capped {
				t.Errorf("%d bytes more than there are: skipped %q, want %q", more, got, want)
			}
			sourcetest.ExpectLookup(t, a, "http://a/", "http://a/ (text/html) stored \"one\"\n")
			a.Close()
		})
	}
}
