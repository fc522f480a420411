package warc

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestWACZUnpacksSoMuch: the entries of a WACZ file and of nested WACZ files share one budget.
func TestWACZUnpacksSoMuch(t *testing.T) {
	one, two := []byte(sourcetest.PageRecord("http://a/", "one")), []byte(sourcetest.PageRecord("http://b/", "two"))
	inner := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/b.warc", Data: two})
	data := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc", Data: one},
		sourcetest.ZipEntry{Name: "b.wacz", Data: inner})
	for more, over := range map[int]bool{0: false, -1: true} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			m := &meter.Meter{}
			m.Limit(int64(3*partWork+more), 1<<20)
			_, err := collect(bytes.NewReader(data), Part{Size: int64(len(data))}, m, &capture.Stats{})
			if errors.Is(err, meter.Over{}) != over {
				t.Errorf("%d bytes more than there are: %v", more, err)
			}
		})
	}
}

// TestDeepWACZ: the budget of the file limits how deep WACZ files are nested.
func TestDeepWACZ(t *testing.T) {
	var data []byte
	for range 3000 {
		data = sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a.wacz", Data: data})
	}
	m := &meter.Meter{}
	m.Limit(2000*partWork, 1<<30)
	_, err := collect(bytes.NewReader(data), Part{Size: int64(len(data))}, m, &capture.Stats{})
	if !errors.Is(err, meter.Over{}) {
		t.Error(err)
	}
}
