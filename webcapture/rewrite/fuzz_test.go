package rewrite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// FuzzRewrite repairs any file that can be opened: there is a plan, the output matches it, nothing is lost, and a
// second plan is empty.
func FuzzRewrite(f *testing.F) {
	cases, err := filepath.Glob("../../testdata/audit/WC[1-4]*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for i, path := range cases {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		doc, err := webcapturetest.Parse(string(archive.Files[0].Data))
		if err != nil {
			f.Fatal(err)
		}
		layout := webcapturetest.Layout{}
		if i%3 == 0 {
			layout = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 5,
				ObjectStreamFilter: webcapturetest.Plain}
		}
		f.Add(doc.Bytes(layout))
	}
	if site, err := os.ReadFile("../../testdata/site-optimized.pdf"); err == nil {
		f.Add(site)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip()
		}
		file, err := webcapture.New(context.Background(), data, webcapture.Options{})
		if err != nil {
			t.Skip()
		}
		p, err := NewPlan(t.Context(), file, Options{})
		if webcapture.IsDamage(err) {
			t.Skip() // another way of opening may mend it
		}
		if object.IsMalformed(err) && file.WithoutXRef() {
			return // which is the answer: no way of opening finds a catalog that can be read
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Empty() {
			return
		}
		write, full := p.rounds.last.update.WriteIncrement, file.Appendable() != nil
		if full {
			write = p.rounds.last.update.WriteFull
		}
		var b bytes.Buffer
		if err := write(&b); err != nil {
			if !full {
				t.Errorf("cannot be written: %v", err)
			}
			return
		}
		rewritten, err := webcapture.New(context.Background(), b.Bytes(), webcapture.Options{})
		if err != nil {
			t.Fatalf("the rewritten file does not open: %v", err)
		}
		if _, err := p.verifyFile(rewritten); err != nil {
			// Not installed. Some damage hides other damage, but entries are never lost.
			if _, isNew := errors.AsType[*newFinding](err); !isNew && !full {
				t.Errorf("refused: %v; steps: %v", err, p.Steps)
			}
			return
		}
		if full {
			return // the cross-reference data of a damaged file may be one of its content sets
		}
		again, err := NewPlan(t.Context(), rewritten, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range again.Steps {
			// Content sets that were not audited before may have findings of their own.
			if len(p.rounds.unseen) == 0 {
				t.Errorf("left for a second time: %v", s)
			}
		}
		checkNothingLost(t, p, again)
	})
}
