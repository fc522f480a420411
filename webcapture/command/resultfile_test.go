package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file for results that cannot be installed under its name is an error, and the temporary file is removed.
func TestInstallResult(t *testing.T) {
	writeOld := func(path string) error { return os.WriteFile(path, []byte("old results"), 0o600) }
	makeFolder := func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o777) }
	for name, tt := range map[string]struct {
		before, during func(path string) error
		fails          bool
	}{
		"new":          {},
		"old":          {before: writeOld},
		"now a folder": {during: makeFolder, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.json")
			if tt.before != nil && tt.before(path) != nil {
				t.Fatal("cannot write the old file")
			}
			r, err := createResult(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.drop()
			if tt.during != nil && tt.during(path) != nil {
				t.Fatal("cannot make the folder")
			}
			io.WriteString(r.buf, "results")
			if err := r.install(); (err != nil) != tt.fails {
				t.Errorf("install: %v", err)
			}
			r.drop()
			if b, err := os.ReadFile(path); !tt.fails && (err != nil || string(b) != "results") {
				t.Errorf("the file holds %q, %v", b, err)
			}
			if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
				t.Errorf("the folder has %v, %v", list, err)
			}
		})
	}
}

// Outputs that cannot be created are known before anything is audited: then standard output has no results.
func TestOutputsThatCannotBeCreated(t *testing.T) {
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 300) + ".json" // the name of the temporary file would be short enough
	for output, want := range map[string]string{
		long: "cannot write " + long + ": ", "file/a.json": "cannot write file/a.json: ",
		"gone/a.ndjson": "cannot write gone/a.ndjson: the folder gone ",
	} {
		t.Run(output, func(t *testing.T) {
			var out strings.Builder
			code, stderr := run(nil, &out, "audit", "--config", "none", site, "-f", "table", "-o", output)
			if code != exitFailed || !strings.HasPrefix(stderr, "webcap: "+want) || strings.Count(stderr, "\n") != 1 ||
				out.Len() > 0 {
				t.Errorf("exit %d, it says %q, want %q, output %q", code, stderr, want, out.String())
			}
			if list, err := os.ReadDir("."); err != nil || len(list) != 1 {
				t.Errorf("the folder has %v, %v", list, err)
			}
		})
	}
}
