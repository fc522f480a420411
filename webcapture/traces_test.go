package webcapture_test

import (
	"context"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestTraces: only what Web Capture writes is a trace, in each layout, and only if the trees have no entries.
func TestTraces(t *testing.T) {
	const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	for _, row := range []struct {
		name, objects string
		want          webcapture.Traces
	}{
		{"pages", "6 0 obj << /Type /Page /ID " + id + " /PZ 1 >>\n7 0 obj << /Type /Page /PZ 1.5 >>",
			webcapture.Traces{Pages: 1, Zooms: 1}},
		{"references", "6 0 obj << /Type /Page /ID 7 0 R >>\n7 0 obj " + id, webcapture.Traces{Pages: 1}},
		{"image", "6 0 obj << /Type /XObject /Subtype /Image /ID " + id + " >> stream\nx\nendstream",
			webcapture.Traces{Images: 1}},
		{"links", "6 0 obj << /Subtype /Link /Dest [ 9 0 R /Fit ] /PA << /S /URI >> >>\n" +
			"7 0 obj << /Subtype /Link /A << /S /GoTo >> /PA << /S /URI >> >>", webcapture.Traces{Links: 2}},
		{"sets", "6 0 obj << /S /SPS /O [ ] >>\n7 0 obj << /S /SIS /SI << /AU (x) >> >>", webcapture.Traces{Sets: 2}},
		{"beyond the head", "6 0 obj << /S /SIS /X (" + string(make([]byte, 70_000)) + ") /O [ ] >>",
			webcapture.Traces{Sets: 1}},

		{"trees", "names: << /URLS << /Names [ (x) 7 0 R ] >> >>\n6 0 obj << /Type /Page /ID " + id + " >>",
			webcapture.Traces{}},
		{"other IDs", "6 0 obj << /Type /Page /ID (short) >>\n7 0 obj << /Type /StructElem /S /P /ID " + id + " >>\n" +
			"8 0 obj << /Type /Page /ID [ " + id + " ] >>", webcapture.Traces{}},
		{"other links", "6 0 obj << /Subtype /Link /A 7 0 R /PA 7 0 R >>\n7 0 obj << /S /URI /URI (x) >>\n" +
			"8 0 obj << /Subtype /Text /Dest [ ] /PA 7 0 R >>", webcapture.Traces{}},
		{"other sets", "6 0 obj << /S /SPS /ID " + id + " >>\n7 0 obj << /Type /Page /S /SPS >>", webcapture.Traces{}},
		{"unreadable", "6 0 obj << /S /SPS /O ] >>\n7 0 obj << /Type /Page /ID 7 0 R >>", webcapture.Traces{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			d, err := webcapturetest.Parse(row.objects)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 3}} {
				f, err := webcapture.New(context.Background(), d.Bytes(l), webcapture.Options{})
				if err != nil {
					t.Fatal(err)
				}
				db, err := f.Database()
				if err != nil || db.Traces != row.want {
					t.Errorf("%+v: %+v, %v, want %+v", l, db.Traces, err, row.want)
				}
			}
		})
	}
}
