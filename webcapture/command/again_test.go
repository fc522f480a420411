package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// damaged writes captures to a folder, each whole, cut off, partly zeroed, and without cross-reference data. If the
// corpus is next to the repository, damaged does the same with its files.
func damaged(t *testing.T) (dir string) {
	t.Helper()
	files := map[string][]byte{
		"plain.pdf": webcapturetest.Sets(40,
			webcapturetest.Options{Images: 3, Leaf: 8}).Bytes(webcapturetest.Layout{}),
		"streams.pdf": webcapturetest.Sets(40,
			webcapturetest.Options{Images: 3}).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream,
			ObjectStreams: 20}),
	}
	for _, path := range webcapturetest.Corpus("real", "negative") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	dir = t.TempDir()
	for name, data := range files {
		n := len(data)
		zeroed := bytes.Clone(data)
		clear(zeroed[n/2 : min(n/2+512, n)])
		for how, b := range map[string][]byte{
			"whole": data, "half": data[:n/2], "less-60": data[:max(n-60, 1)], "zeroed": zeroed,
			"no-xref": []byte(strings.NewReplacer("xref", "xerf", "trailer", "trialer").Replace(string(data))),
		} {
			if err := os.WriteFile(filepath.Join(dir, how+"-"+name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// made is the part of a page with the date and the command line.
var made = regexp.MustCompile(`(?s)<dl class="made">.*?</dl>`)

// TestSameBytesEachRun: repeated runs over damaged files write the same bytes, in all formats.
func TestSameBytesEachRun(t *testing.T) {
	dir := damaged(t)
	t.Setenv(passwordVariable, "1234")
	once := func() map[string]string {
		var stdout, stderr bytes.Buffer
		out := t.TempDir()
		args := []string{"webcap", "audit", "--config", "none", dir}
		for _, f := range format.All() {
			args = append(args, "--output", filepath.Join(out, "out"+extensionOf(f.Name)))
		}
		if code := Run(args, nil, &stdout, &stderr); code != exitFailed {
			t.Fatalf("exit %d, want %d: %s", code, exitFailed, &stderr)
		}
		texts := map[string]string{"stderr": strings.ReplaceAll(stderr.String(), out, "")}
		for _, f := range format.All() {
			text := readFile(t, filepath.Join(out, "out"+extensionOf(f.Name)))
			if len(text) == 0 {
				t.Fatalf("%s: nothing is written", f.Name)
			}
			texts[f.Name] = made.ReplaceAllString(text, "")
		}
		return texts
	}
	first, runs := once(), 2
	if webcapturetest.All() {
		runs = 6
	}
	for run := 2; run <= runs; run++ {
		again := once()
		for name, text := range first {
			if text == again[name] {
				continue
			}
			a, b := strings.Split(text, "\n"), strings.Split(again[name], "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("run %d: %s, line %d:\n%.300s\n%.300s", run, name, i+1, a[i], b[i])
					break
				}
			}
		}
	}
}
