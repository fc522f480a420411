package pdffile_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// optimize runs what the command "pdfcpu optimize" runs.
func optimize(t *testing.T, in, out, password string) bool {
	t.Helper()
	api.DisableConfigDir()
	conf := model.NewDefaultConfiguration()
	conf.UserPW, conf.OwnerPW = password, password
	if err := api.OptimizeFile(in, out, conf); err != nil {
		t.Logf("pdfcpu does not optimize it: %v", err)
		return false
	}
	return true
}

// eachOptimized runs do for each real file of the corpus, and for a generated one, with a copy made by pdfcpu
// optimize. It skips files of two writers, which pdfcpu refuses.
func eachOptimized(t *testing.T, do func(t *testing.T, path, optimized, password string)) {
	t.Helper()
	made := filepath.Join(t.TempDir(), "made.pdf")
	d := webcapturetest.Sets(300, webcapturetest.Options{Leaf: 16, IndirectKeys: true, Images: 3, LiteralIDs: true})
	if err := os.WriteFile(made, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := webcapturetest.Corpus("real")
	for _, path := range append(paths, made) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			password := ""
			if strings.Contains(path, "encrypted") {
				password = "1234"
			}
			optimized := filepath.Join(t.TempDir(), "optimized.pdf")
			if !optimize(t, path, optimized, password) {
				if name := filepath.Base(path); strings.Contains(name, "OpenPDF") || strings.Contains(name, "pikepdf") {
					t.Skip("pdfcpu refuses it")
				}
				t.Fatal("pdfcpu refuses it")
			}
			do(t, path, optimized, password)
		})
	}
}

// TestAuditNamesWhatOptimizeBreaks: pdfcpu writes the keys of IDS as text. The audit reports each key that is no
// longer the ID of its set as WC303, and otherwise only consequences of that.
func TestAuditNamesWhatOptimizeBreaks(t *testing.T) {
	eachOptimized(t, func(t *testing.T, path, out, password string) {
		before, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{password}})
		if err != nil {
			t.Fatal(err)
		}
		broken, total := brokenKeys(t, out, password)
		after, err := audit.File(t.Context(), out, audit.Options{Passwords: []string{password}})
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, f := range after.Findings {
			count[f.Rule.ID]++
		}
		if got := count["WC303"]; got != broken {
			t.Errorf("WC303 reported %d times, want %d", got, broken)
		}
		delete(count, "WC303")
		// Text does not sort as bytes do, and Limits are keys too.
		delete(count, "WC106")
		delete(count, "WC126")
		delete(count, "WC531") // names of destinations are keys of a tree as well, and broken like the others
		delete(count, "WC606") // pdfcpu drops empty trees
		for _, f := range before.Findings {
			count[f.Rule.ID]--
		}
		for id, n := range count {
			if n > 0 {
				t.Errorf("%s reported %d times more than before", id, n)
			}
		}
		t.Logf("%d of %d keys are broken, and reported", broken, total)
	})
}

var update = flag.Bool("update", false, "write the files that the repository ships anew")

// TestShippedFiles: the two files of the README are a capture, and the same capture after pdfcpu optimize.
func TestShippedFiles(t *testing.T) {
	const site, optimized = "../../../testdata/site.pdf", "../../../testdata/site-optimized.pdf"
	want := webcapturetest.Sets(3, webcapturetest.Options{IndirectKeys: true, Images: 1, Commands: 1}).
		Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 50})
	if *update {
		if err := os.WriteFile(site, want, 0o644); err != nil {
			t.Fatal(err)
		}
		if !optimize(t, site, optimized, "") {
			t.Fatal("not optimized")
		}
	}
	got, err := os.ReadFile(site)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what webcapturetest writes; run the test with -update", site)
	}
	if broken, total := brokenKeys(t, site, ""); broken != 0 || total != 6 {
		t.Errorf("%s: %d of %d keys are broken, want 0 of 6", site, broken, total)
	}
	if broken, total := brokenKeys(t, optimized, ""); broken != 6 || total != 6 {
		t.Errorf("%s: %d of %d keys are broken, want 6 of 6", optimized, broken, total)
	}
}

// brokenKeys counts the keys of IDS that are not the ID of their set, without the audit.
func brokenKeys(t *testing.T, path, password string) (broken, total int) {
	t.Helper()
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{password}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	if db.IDS == nil {
		return 0, 0
	}
	r := f.NewReader()
	for _, e := range db.IDS.Entries() {
		var set webcapture.ContentSet
		if err := r.Read(e.Value, &set); err != nil {
			t.Fatal(err)
		}
		total++
		if string(set.ID.Bytes) != string(e.Key) {
			broken++
		}
	}
	return broken, total
}
