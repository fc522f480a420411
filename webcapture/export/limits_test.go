package export

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// If the records are too much output for the size of the file, they end with the one that exceeds the meter.
func TestOutputIsLimited(t *testing.T) {
	const image, sets = 200_000, 500
	doc := &webcapturetest.Document{}
	data := []byte(strings.Repeat("0123456789", image/10))
	stream := doc.AddStream("/Type /XObject /Subtype /Image /Filter /DCTDecode", data)
	var keys strings.Builder
	for range sets {
		num := doc.Add(fmt.Sprintf("<< /S /SIS /ID <%x> /O [ %d 0 R ] /TS (D:2003) /SI << /AU (http://a/) >> >>",
			md5.Sum(data), stream))
		fmt.Fprintf(&keys, "(%d) %d 0 R ", num, num)
	}
	pages := doc.Add("<< /Type /Pages /Kids [ ] /Count 0 >>")
	doc.Root = doc.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << /URLS << /Names [ %s] >> >> >>", pages,
		keys.String()))
	f, err := webcapture.New(t.Context(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(f, db, Options{Plain: true, Local: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	work, _ := f.Meter().Budget()
	if n := r.records.Len(); n < image || outputPrice*n > work {
		t.Errorf("%d images with %d bytes", r.Images, n)
	}
	if r.Images == sets || len(r.Unread()) != 1 || !errors.Is(r.Unread()[0].Err, meter.Over{}) {
		t.Errorf("%d images, and unread parts %v, want %v", r.Images, r.Unread(), meter.Over{})
	}
}

// If the data of a record change after they were measured, the record is invalid, and write fails.
func TestChangedSize(t *testing.T) {
	for _, plain := range []bool{false, true} {
		for _, now := range []string{"longer", "tiny"} {
			text := "short"
			r := &record{target: "http://a/", block: func(w io.Writer) error {
				_, err := io.WriteString(w,
					text)
				return err
			}}
			if err := r.measure(); err != nil {
				t.Fatal(err)
			}
			if err := r.write(io.Discard, plain); err != nil {
				t.Errorf("an unchanged record: %v", err)
			}
			text = now
			if err := r.write(io.Discard, plain); err == nil || !strings.Contains(err.Error(),
				"the size changed from 5 to") {
				t.Errorf("%q instead of a text of 5 bytes: %v", now, err)
			}
		}
	}
}
