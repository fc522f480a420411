package wacz

import (
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/warc"
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
	for more, want := range map[int]string{0: "", -1: "1 " + warc.ReasonBomb} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			file, err := zipfile.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			z := newWACZ(file)
			z.unpacked.most = int64(len(one) + len(two) + more)
			a, err := z.archive(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := sourcetest.SkipLine(a); got != want || want != "" && !a.Counts.Skipped[0].Capped {
				t.Errorf("%d bytes more than there are: skipped %q, want %q", more, got, want)
			}
			sourcetest.ExpectLookup(t, a, "http://a/", "http://a/ (text/html) stored \"one\"\n")
			a.Zip = z
			a.Close()
		})
	}
}
