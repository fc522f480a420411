package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestIsBackup: only a hard link is a backup. Any other file is in the way, also a copy.
func TestIsBackup(t *testing.T) {
	data := []byte("copy.pdf") // as long as its name, so that a symbolic link to it is as long
	copied := func(_, bak string) error { return os.WriteFile(bak, data, 0o600) }
	for name, c := range map[string]struct {
		make func(in, bak string) error
		want bool
		ok   bool
	}{
		"no file":     {func(_, _ string) error { return nil }, false, true},
		"a hard link": {os.Link, true, true},
		"a copy":      {copied, false, false},
		"a folder":    {func(_, bak string) error { return os.Mkdir(bak, 0o700) }, false, false},
		"a symbolic link to a copy": {func(_, bak string) error {
			return errors.Join(copied("", filepath.Join(filepath.Dir(bak), "copy.pdf")), os.Symlink("copy.pdf", bak))
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := filepath.Join(t.TempDir(), "in.pdf")
			put(t, in, data)
			err := c.make(in, in+bakSuffix)
			if _, isLink := errors.AsType[*os.LinkError](err); isLink && runtime.GOOS == "windows" {
				t.Skipf("symbolic links take a privilege: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			was, err := os.Stat(in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := isBackup(osFiles{}, in+bakSuffix, was)
			if got != c.want || (err == nil) != c.ok {
				t.Errorf("it is a backup: %v, and the error is %v", got, err)
			}
		})
	}
}
