package command

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeFiles writes files to the working directory, and makes their folders.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for path, data := range files {
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(data), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Before a rewrite writes a file, it removes what killed runs have left next to it, and says so. A plan removes
// nothing, and neither does output to standard output.
func TestLeftoversAreRemoved(t *testing.T) {
	for _, tt := range []struct{ args, removed string }{
		{"in/a.pdf", ""},
		{"in/a.pdf -o -", ""},
		{"in/a.pdf -o out/b.pdf", "out/.b.pdf.1.tmp"},
		{"in/a.pdf -o out", "out/.a.pdf.1.tmp"},
		{"in/a.pdf --in-place", "in/.a.pdf.1.tmp"},
		{"in", ""},
		{"in --in-place", "in/.a.pdf.1.tmp in/.b.pdf.1.tmp"},
		{"in -o out", "out/.a.pdf.1.tmp out/.b.pdf.1.tmp"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			leftovers := []string{"in/.a.pdf.1.tmp", "in/.b.pdf.1.tmp", "out/.a.pdf.1.tmp", "out/.b.pdf.1.tmp"}
			for _, path := range leftovers {
				writeFiles(t, map[string]string{path: "x"})
			}
			writePDF(t, "in/a.pdf", brokenKey)
			_, stderr := run(nil, io.Discard, append([]string{"rewrite"}, strings.Fields(tt.args)...)...)
			removed := strings.Fields(tt.removed)
			for _, path := range leftovers {
				want := slices.Contains(removed, path)
				if _, err := os.Stat(path); (err != nil) != want {
					t.Errorf("%s is removed: %v", path, !want)
				}
				says := "webcap: removed " + filepath.FromSlash(path) + ", left by a killed run\n"
				if strings.Count(stderr, says) != map[bool]int{true: 1}[want] {
					t.Errorf("it says %q", stderr)
				}
			}
		})
	}
}
