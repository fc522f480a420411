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

// TestNormalOfLongLists: nothing is added to a text that is too long, so the value cannot be compared.
func TestNormalOfLongLists(t *testing.T) {
	const marks = len("[() ") // before the second element
	for n, want := range map[int]bool{maxNormal - marks: true, maxNormal - marks + 1: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			doc := &webcapturetest.Document{}
			doc.Root = doc.Add("<< /Type /Catalog >>")
			list := fmt.Sprintf("[ %d 0 R 1 ]", doc.AddStream("<< >>", bytes.Repeat([]byte("a"), n)))
			ref := object.Ref{Num: uint32(doc.Add(list))}
			f, err := webcapture.New(context.Background(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, err := normal(f.NewReader(), object.MakeRef(ref)); err != nil || ok != want {
				t.Errorf("whole: %v, %v; want %v", ok, err, want)
			}
		})
	}
}

// TestNormalOfUndecodableStreams: a stream that cannot be decoded has no normal form, so it is not equal to an empty
// one.
func TestNormalOfUndecodableStreams(t *testing.T) {
	doc := &webcapturetest.Document{}
	doc.Root = doc.Add("<< /Type /Catalog >>")
	ref := object.Ref{Num: uint32(doc.AddStream("<< /Filter /New >>", []byte("a")))}
	f, err := webcapture.New(context.Background(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text, ok, err := normal(f.NewReader(), object.MakeRef(ref)); err == nil && ok {
		t.Errorf("it has the form %q", text)
	}
}
