package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Tests with what other tools do to real files. They skip where the tools or the
// files are not there.

// refused skips a file that a tool is known to refuse, and fails for any other.
func refused(t *testing.T, path string, known []string, format string, args ...any) {
	t.Helper()
	if slices.ContainsFunc(known, func(name string) bool { return strings.Contains(filepath.Base(path), name) }) {
		t.Skipf(format, args...)
	}
	t.Fatalf(format, args...)
}

// repairFile repairs a file and returns the path of the repaired one, which is the
// file itself if there is nothing to do.
func repairFile(t *testing.T, path string) string {
	t.Helper()
	p, err := Open(t.Context(), path, Options{Passwords: []string{audittest.Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Empty() {
		return path
	}
	out := filepath.Join(t.TempDir(), "repaired.pdf")
	if _, err := p.Install(context.Background(), Target{Path: out}); err != nil {
		t.Fatal(err)
	}
	return out
}

// keysOf returns the keys of both trees of a file.
func keysOf(t *testing.T, path string) [webcapture.TreeCount][]nametree.Key {
	t.Helper()
	f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{audittest.Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var keys [webcapture.TreeCount][]nametree.Key
	for _, tree := range db.Trees() {
		for _, e := range tree.Entries() {
			keys[tree.Name] = append(keys[tree.Name], e.Key)
		}
	}
	return keys
}

// errorsOf returns the rules of error level that a file breaks, and how often.
func errorsOf(t *testing.T, path string) map[string]int {
	t.Helper()
	rep, err := audit.File(t.Context(), path, audit.Options{Passwords: []string{audittest.Password}})
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, f := range rep.Findings {
		if f.Level() == rule.Error {
			n[f.Rule.ID]++
		}
	}
	return n
}

// TestAfterPagesAreTakenOut: qpdf keeps the trees, with null for the pages that
// are gone. A rewrite takes these out of O, and loses no key.
func TestAfterPagesAreTakenOut(t *testing.T) {
	qpdf := webcapturetest.Program(t, "qpdf")
	for _, path := range webcapturetest.NeedCorpus(t, "real") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			taken := filepath.Join(t.TempDir(), "taken.pdf")
			if out, err := exec.Command(qpdf, "--password="+audittest.Password, path, "--pages", ".", "1", "--",
				taken).CombinedOutput(); err != nil {
				refused(t, path, []string{"pikepdf"}, "qpdf: %v: %s", err, out)
			}
			repaired := repairFile(t, taken)
			if was, is := keysOf(t, taken),
				keysOf(t, repaired); !slices.Equal(was[webcapture.URLS], is[webcapture.URLS]) ||
				!slices.Equal(was[webcapture.IDS], is[webcapture.IDS]) {
				t.Errorf("the keys are %v, were %v", is, was)
			}
			before := errorsOf(t, path)
			for id, n := range errorsOf(t, repaired) {
				if n > before[id] {
					t.Errorf("%d findings of %s, %d in the original", n, id, before[id])
				}
			}
			t.Logf("errors: %v in the original, %v without its pages, %v repaired", before, errorsOf(t, taken),
				errorsOf(t, repaired))
		})
	}
}

// TestAfterMerge: PDFBox puts the Names of two trees one after the other. A
// rewrite makes one tree of them, with the keys of both files.
func TestAfterMerge(t *testing.T) {
	paths := webcapturetest.NeedCorpus(t, "real")
	java := webcapturetest.Program(t, "java")
	jars := []string{"/usr/share/java/pdfbox.jar", "/usr/share/java/fontbox.jar", "/usr/share/java/commons-logging.jar"}
	for _, jar := range jars {
		webcapturetest.Program(t, jar)
	}
	other := paths[slices.IndexFunc(paths, func(p string) bool { return strings.Contains(p, "0000505") })]
	for _, path := range webcapturetest.Sample(8, paths) { // each starts Java
		t.Run(filepath.Base(path), func(t *testing.T) {
			merged := filepath.Join(t.TempDir(), "merged.pdf")
			if out, err := exec.Command(java, "-cp", strings.Join(jars, ":"), "org.apache.pdfbox.PDFMerger", path,
				other, merged).CombinedOutput(); err != nil {
				refused(t, path, []string{"pikepdf", "encrypted"}, "PDFBox: %v: %s", err, out)
			}
			repaired := repairFile(t, merged)
			is := keysOf(t, repaired)
			for _, from := range []string{path, other} {
				for name, keys := range keysOf(t, from) {
					for _, k := range keys {
						if !slices.Contains(is[name], k) {
							t.Errorf("key %v of %s is not in %s", k, filepath.Base(from), webcapture.TreeName(name))
						}
					}
				}
			}
			for id, n := range errorsOf(t, repaired) {
				if n > errorsOf(t, path)[id]+errorsOf(t, other)[id] {
					t.Errorf("%d findings of %s are left", n, id)
				}
			}
			t.Logf("errors: %v merged, %v repaired", errorsOf(t, merged), errorsOf(t, repaired))
		})
	}
}

// TestSignaturesStay: for each signed file with a content database, pdfsig reports the same about the signatures
// after a rewrite, including the signed ranges. A file with nothing to repair gets a key broken first, by an update.
func TestSignaturesStay(t *testing.T) {
	pdfsig := webcapturetest.Program(t, "pdfsig")
	onRequest, _ := audit.Lookup("WC421")
	signed := 0
	for _, path := range webcapturetest.NeedCorpus(t, "real") {
		opt := Options{Passwords: []string{audittest.Password}, Rules: append(audit.Select("trees"), onRequest)}
		p, err := Open(t.Context(), path, opt)
		if err != nil {
			t.Fatal(err)
		}
		isSigned, sound := p.Report.Signed(), p.Empty()
		p.Close()
		if !isSigned {
			continue
		}
		signed++
		if sound {
			path, opt.Rules = breakKeys(t, path), nil
		}
		if p, err = Open(t.Context(), path, opt); err != nil {
			t.Fatal(err)
		}
		if p.Empty() {
			t.Errorf("%s: there is nothing to repair", filepath.Base(path))
		}
		out := filepath.Join(t.TempDir(), "repaired.pdf")
		if _, err := p.Install(context.Background(), Target{Path: out}); err != nil {
			t.Fatal(err)
		}
		p.Close()
		before, after := signatures(t, pdfsig, path), signatures(t, pdfsig, out)
		if before != after || !strings.Contains(after, "Signed Ranges") {
			t.Errorf("%s: pdfsig says\n%s\nand said\n%s", filepath.Base(path), after, before)
		}
	}
	if signed == 0 {
		t.Error("no file of the corpus is signed")
	}
}

// signatures returns what pdfsig says of a file, without its name.
func signatures(t *testing.T, pdfsig, path string) string {
	t.Helper()
	out, err := exec.Command(pdfsig, "-nocert", path).Output()
	if err != nil {
		t.Fatalf("pdfsig: %v: %s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "\n")
	return rest
}

// TestOthersReadIt: qpdf finds nothing wrong with a rewritten file that was not
// wrong before, and mutool opens it.
func TestOthersReadIt(t *testing.T) {
	qpdf, mutool := webcapturetest.Program(t, "qpdf"), webcapturetest.Program(t, "mutool")
	for _, path := range webcapturetest.NeedCorpus(t, "real") {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/full=%v", filepath.Base(path), full), func(t *testing.T) {
				broken := breakKeys(t, path)
				p, err := Open(t.Context(), broken, Options{Passwords: []string{audittest.Password}})
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				out := filepath.Join(t.TempDir(), "repaired.pdf")
				if _, err := p.Install(context.Background(), Target{Path: out, Full: full, BreakSignatures: true}); err != nil {
					t.Fatal(err)
				}
				before, after := complaints(qpdf, broken), complaints(qpdf, out)
				for _, c := range after {
					if !slices.Contains(before, c) {
						t.Errorf("qpdf says: %s", c)
					}
				}
				if text, err := exec.Command(mutool, "show", "-p", audittest.Password, out,
					"trailer").CombinedOutput(); err != nil {
					t.Errorf("mutool: %v: %s", err, text)
				}
			})
		}
	}
}

// breakKeys returns a copy of a file with a key of URLS that is not canonical, by
// an update of its own.
func breakKeys(t *testing.T, path string) string {
	t.Helper()
	p, err := Open(t.Context(), path, Options{Passwords: []string{audittest.Password}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	data, err := breakKey(p, 0)
	if err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "broken.pdf")
	if err := os.WriteFile(out, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// breakKey returns the file of a plan with an update after which entry i of URLS
// has a key that is not canonical. The error says that there is no such entry, or
// that the file does not take an update of it.
func breakKey(p *Plan, i int) ([]byte, error) {
	from := p.rounds.last.state
	if err := from.file.Appendable(); err != nil {
		return nil, err
	}
	if from.db.URLS == nil || from.db.URLS.Len() <= i {
		return nil, errors.New("URLS does not have the entry")
	}
	again := newPlanner(from, Options{})
	e := from.db.URLS.Edit()
	e.SetKey(i, nametree.Key(strings.Replace(string(from.db.URLS.Entry(i).Key), "http", "HTTP", 1))+"#fragment")
	names, err := again.write("URLS", e, from.db.URLS.Root, func(Step) bool { return false })
	if err == nil {
		err = again.putNames(names)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = again.update.WriteIncrement(&out)
	return out.Bytes(), err
}

// complaints returns the lines of qpdf --check that speak of something wrong,
// without the file's name and offsets.
func complaints(qpdf, path string) []string {
	out, _ := exec.Command(qpdf, "--password="+audittest.Password, "--check", path).CombinedOutput()
	var list []string
	for line := range strings.Lines(strings.ReplaceAll(string(out), path, "FILE")) {
		if strings.Contains(line, "WARNING") || strings.Contains(line, "ERROR") || strings.Contains(line, "error") {
			list = append(list, regexp.MustCompile(`\d+`).ReplaceAllString(strings.TrimSpace(line), "N"))
		}
	}
	return list
}
