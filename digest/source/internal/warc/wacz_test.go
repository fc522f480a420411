package warc

import (
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestWACZUnpacksSoMuch: the entries of a WACZ file and of nested WACZ files share one budget.
func TestWACZUnpacksSoMuch(t *testing.T) {
	one, two := []byte(sourcetest.PageRecord("http://a/", "one")), []byte(sourcetest.PageRecord("http://b/", "two"))
	inner := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/b.warc", Data: two})
	name := sourcetest.WriteFile(t,
		string(sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc", Data: one},
			sourcetest.ZipEntry{Name: "b.wacz", Data: inner})), t.TempDir(), "a.wacz")
	for more, over := range map[int]bool{0: false, -1: true} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			file, err := zipfile.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			file.Meter.Limit(int64(3*partWork+more), 1<<20)
			_, err = collect(file, Part{Path: name, Size: file.Size}, 0, &capture.Tally{})
			if errors.Is(err, meter.Over{}) != over {
				t.Errorf("%d bytes more than there are: %v", more, err)
			}
		})
	}
}
