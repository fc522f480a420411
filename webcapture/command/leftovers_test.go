package command

import (
	"bytes"
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

// A second rewrite in place tells files that it repaired before from those that never needed a repair.
func TestRepairedEarlier(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"in/keep": ""})
	writePDF(t, "in/broken.pdf", brokenKey)
	writePDF(t, "in/sound.pdf", uniqueNames)
	writePDF(t, "in/none.pdf", "catalog: << /Type /Catalog >>\n")
	const skipped = "webcap: 1 file skipped: not a PDF or an archive (-v lists them)\n"
	for _, tt := range []struct{ args, want string }{
		{"in", "3 files: 1 to be repaired, 1 with nothing to repair, 1 without a content database\n" +
			"This is the plan; nothing is written yet. Use -o FOLDER/ or --in-place to carry it out.\n"},
		{"in --in-place", "3 files: 1 written, 1 with nothing to repair, 1 without a content database\n"},
		{"in --in-place", "3 files: 1 repaired earlier, 1 with nothing to repair, 1 without a content database\n"},
		{"in", "3 files: 2 with nothing to repair, 1 without a content database\n"},
		{"in -o out", "3 files: 2 with nothing to repair, 1 without a content database\n" +
			"Not copied to out: 3 files without repairs\n"},
	} {
		var out bytes.Buffer
		code, stderr := run(nil, &out, append([]string{"rewrite"}, strings.Fields(tt.args)...)...)
		if code != exitClean || !strings.HasSuffix("\n\n"+out.String(), "\n\n"+tt.want) || stderr != skipped {
			t.Errorf("%s: exit %d, it says %q, output\n%swant\n%s", tt.args, code, stderr, out.String(), tt.want)
		}
	}
}
