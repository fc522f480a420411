package pdffile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestPlansIgnoreSlack: a rewrite of a file with an old catalog in the slack after its last revision repairs what
// it repairs without the slack, and keeps all bytes.
func TestPlansIgnoreSlack(t *testing.T) {
	const slack = "0 R>>\nendobj\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
	dir := t.TempDir()
	data := bytes.Replace(webcapturetest.Sets(6,
		webcapturetest.Options{Leaf: 3, Images: 2}).Bytes(webcapturetest.Layout{}),
		[]byte("/Limits"), []byte("/Limitx"), 1)
	steps := map[string]int{}
	for name, data := range map[string][]byte{"whole": data, "with slack": append(bytes.Clone(data), slack...)} {
		path, out := filepath.Join(dir, name+".pdf"), filepath.Join(dir, name+" out.pdf")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := rewrite.Open(t.Context(), path, rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		steps[name] = len(p.Steps)
		if _, err := p.Install(t.Context(), rewrite.Target{Path: out}); err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(out)
		if err != nil || !bytes.HasPrefix(written, data) {
			t.Errorf("%s: the old bytes are not kept: %v", name, err)
		}
		rep, err := audit.File(t.Context(), out, audit.Options{})
		if err != nil || rep.URLS != 9 || len(rep.Unread) > 0 || len(rep.Notices) > 0 {
			t.Errorf("%s: the new file has %d URLS, unread %v, notices %q: %v", name, rep.URLS, rep.Unread, rep.Notices,
				err)
		}
	}
	if steps["whole"] == 0 || steps["whole"] != steps["with slack"] {
		t.Errorf("steps %v", steps)
	}
}
