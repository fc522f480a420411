package urlkey

import (
	"path/filepath"
	"testing"
)

// TestFileURL: the URL of a file has its absolute path, with escapes.
func TestFileURL(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := filepath.Abs(".") // as the system names it
	if err != nil {
		t.Fatal(err)
	}
	here := FileURL(dir)
	for file, want := range map[string]string{"a b#c%": here + "/a%20b%23c%25", filepath.Join(dir, "x"): here + "/x"} {
		t.Run(file, func(t *testing.T) {
			if got := FileURL(file); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if filepath.Separator == '/' {
		if got := FileURL("/a/b"); got != "file:///a/b" {
			t.Errorf("%q", got)
		}
	}
}
