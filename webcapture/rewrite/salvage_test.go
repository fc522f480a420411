package rewrite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// cutOff writes a capture of two revisions, of which the second ends early: before
// its catalog, or after it.
func cutOff(t *testing.T, withCatalog bool) string {
	t.Helper()
	d := webcapturetest.Sets(3, webcapturetest.Options{})
	d.Update()
	added := d.Add("(added)")
	if withCatalog {
		d.Set(d.Root, d.Body(d.Root))
	}
	d.Add("(lost)")
	data := d.Bytes(webcapturetest.Layout{})
	end := bytes.LastIndex(data, []byte("(lost)"))
	if added == 0 || end < 0 {
		t.Fatal("the sample is not what it should be")
	}
	path := filepath.Join(t.TempDir(), "cut.pdf")
	if err := os.WriteFile(path, data[:end], 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCutOffFileIsSaved: a file that was cut off is written anew as a sound one, with
// what is there, though there is nothing to repair in its database.
func TestCutOffFileIsSaved(t *testing.T) {
	p, err := Open(t.Context(), cutOff(t, true), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := filepath.Join(t.TempDir(), "out.pdf")
	target := Target{Path: out, Full: true}
	if !p.Empty() || !p.Worthwhile(target) || p.Worthwhile(Target{Path: out}) {
		t.Fatalf("%d steps, worthwhile %v and without Full %v", len(p.Steps), p.Worthwhile(target),
			p.Worthwhile(Target{Path: out}))
	}
	if _, err := p.Install(context.Background(), target); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.File(out, audit.Options{})
	if err != nil || rep.Repaired || len(rep.Unread) > 0 || rep.URLS != 3 || rep.IDS != 3 || rep.PageSets != 3 {
		t.Errorf("%v, %+v", err, rep)
	}
}

// TestOlderCatalogIsNotWrittenUnasked: if the catalog of the newest revision is lost, Install requires Salvage,
// because the new file would be an older revision.
func TestOlderCatalogIsNotWrittenUnasked(t *testing.T) {
	path := cutOff(t, false)
	p, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := filepath.Join(t.TempDir(), "out.pdf")
	if _, err := p.Install(context.Background(), Target{Path: out, Full: true}); !errors.Is(err, ErrSalvage) {
		t.Fatalf("got %v, want ErrSalvage", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	if _, err := p.Install(context.Background(), Target{Path: out, Full: true, Salvage: true}); err != nil {
		t.Fatal(err)
	}
	if rep, err := audit.File(out, audit.Options{}); err != nil || rep.Repaired || rep.URLS != 3 {
		t.Errorf("%v, %+v", err, rep)
	}
}

// TestWhatLedToLostObjectsIsLeftOut: a content set that cannot be read is not in the new file, and neither are the
// entries that would lead to nothing there.
func TestWhatLedToLostObjectsIsLeftOut(t *testing.T) {
	data := webcapturetest.Sets(3, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	cut := regexp.MustCompile(`\(Page 0\)[^>]*>>\s+endobj`)
	data = cut.ReplaceAll(data, []byte("(Page"))
	path := filepath.Join(t.TempDir(), "in.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := filepath.Join(t.TempDir(), "out.pdf")
	res, err := p.Install(t.Context(), Target{Path: out, Full: true, Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := audit.File(out, audit.Options{})
	if err != nil || rep.Worst() > rule.Warning || rep.URLS != 2 || rep.IDS != 2 {
		t.Errorf("%v, %v, %d URLS, %d IDS; want 2 of each and no errors", err, rep.Findings, rep.URLS, rep.IDS)
	}
	if len(res.Lost) != 1 || len(res.Steps) != 2 {
		t.Errorf("%d objects are lost, %d steps leave out more; want 1 and 2", len(res.Lost), len(res.Steps))
	}
}
