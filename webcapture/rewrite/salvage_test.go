package rewrite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestOlderRevisionIsWrittenOnDemandOnly: the update of which the file has the
// beginning may have had a catalog of its own.
func TestOlderRevisionIsWrittenOnDemandOnly(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (HTTP://h/) 5 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>\nspiderinfo: << /V 1.25 >>\n" +
		"5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI << /AU (http://h/) >> >>\n6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n")
	if err != nil {
		t.Fatal(err)
	}
	first := len(d.Bytes(webcapturetest.Layout{}))
	d.Update()
	d.Add("<< /New true >>")
	path, out := filepath.Join(t.TempDir(), "cut.pdf"), filepath.Join(t.TempDir(), "out.pdf")
	if err := os.WriteFile(path, d.Bytes(webcapturetest.Layout{})[:first+30], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, salvage := range []bool{false, true} {
		p, err := rewrite.Open(path, rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.Empty() || len(p.Report.Unread) != 1 || !strings.Contains(p.Report.Unread[0].Err.Error(), "cut off after") {
			t.Fatalf("steps %v, unread %v", p.Steps, p.Report.Unread)
		}
		_, err = p.Install(context.Background(), rewrite.Target{Path: out, Full: true, Salvage: salvage})
		if _, missing := os.Stat(out); (err == nil) != salvage || !salvage && !errors.Is(err, rewrite.ErrSalvage) || (missing == nil) != salvage {
			t.Errorf("salvage %v: %v, %v", salvage, err, missing)
		}
	}
}
