package command

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// recipe returns a script of docs/archives.md as a file, and the program that runs it.
func recipe(t *testing.T, language, program string) []string {
	t.Helper()
	webcapturetest.Program(t, program)
	page, err := os.ReadFile(root + "/docs/archives.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no %s", language)
	}
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, m[1], 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{program, file}
}

// Archivematica gets a Python literal that contains only strings, and an exit code of 0.
func TestRecipeForArchivematica(t *testing.T) {
	script := recipe(t, "python", "python3")
	dir := t.TempDir()
	hostile := filepath.Join(dir, "it's \"not\" a PDF\n.pdf")
	if err := os.WriteFile(hostile, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	const parse = `
import ast, sys
d = ast.literal_eval(sys.stdin.read())
assert set(d) == {"eventOutcomeInformation", "eventOutcomeDetailNote"} and all(isinstance(v, str) for v in d.values())
print(d["eventOutcomeInformation"])
print(d["eventOutcomeDetailNote"])`
	for _, tc := range []struct{ file, outcome, note string }{
		{root + "/testdata/site.pdf", "pass", "clean"},
		{root + "/testdata/site-optimized.pdf", "fail", "WC126"},
		{hostile, "fail", "error; not a PDF"},
	} {
		t.Run(tc.file, func(t *testing.T) {
			out, err := exec.Command(script[0], script[1], tc.file).Output()
			if err != nil {
				t.Fatalf("%s: %v", tc.file, err)
			}
			c := exec.Command("python3", "-c", parse)
			c.Stdin = strings.NewReader(string(out))
			parsed, err := c.CombinedOutput()
			outcome, note, _ := strings.Cut(string(parsed), "\n")
			if err != nil || outcome != tc.outcome || !strings.Contains(note, tc.note) {
				t.Errorf("%s: %v, outcome %q, note %q, want %q and %q", tc.file, err, outcome, note, tc.outcome,
					tc.note)
			}
		})
	}
}

// The bag stays valid: its payload does not change, and the tag manifest matches.
func TestRecipeForBags(t *testing.T) {
	script := recipe(t, "sh", "sh")
	webcapturetest.Program(t, "sha256sum")
	bag := t.TempDir()
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(bag, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:]) + "  " + name + "\n"
	}
	payload, err := os.ReadFile(root + "/testdata/site-optimized.pdf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(bag, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	tags := write("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
	tags += write("manifest-sha256.txt", write("data/a.pdf", string(payload)))
	write("tagmanifest-sha256.txt", tags)
	for range 2 { // again does no harm
		out, err := exec.Command(script[0], script[1], bag).CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitFindings {
			t.Fatalf("%v: %s", err, out)
		}
		for manifest, n := range map[string]int{"manifest-sha256.txt": 1, "tagmanifest-sha256.txt": 3} {
			c := exec.Command("sha256sum", "--check", "--strict", manifest)
			c.Dir = bag
			out, err := c.CombinedOutput()
			if err != nil || strings.Count(string(out), ": OK\n") != n {
				t.Errorf("%s: %v\n%s", manifest, err, out)
			}
		}
	}
}
