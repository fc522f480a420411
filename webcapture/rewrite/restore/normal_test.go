package restore

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestNormalOfLongStreams: a stream that is too long to be compared is not equal to another one that begins in the same
// way.
func TestNormalOfLongStreams(t *testing.T) {
	for n, want := range map[int]bool{maxNormal: true, maxNormal + 1: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			doc := &webcapturetest.Document{}
			doc.Root = doc.Add("<< /Type /Catalog >>")
			ref := object.Ref{Num: uint32(doc.AddStream("<< >>", bytes.Repeat([]byte("a"), n)))}
			f, err := webcapture.New(context.Background(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			text, ok, err := normal(f.NewReader(), object.MakeRef(ref))
			if err != nil || ok != want || ok && len(text) < maxNormal {
				t.Errorf("%d bytes, %v, %v; want %v", len(text), ok, err, want)
			}
		})
	}
}
