package rewrite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestIsBackup: only a hard link and a copy with the same bytes are a backup. Any other file is in the way, also if it
// is as long, differs only at its end, or is a link to a copy.
func TestIsBackup(t *testing.T) {
	long := bytes.Repeat([]byte{'x'}, 2*bufferSize) // its end is also the end of a piece
	longer := append(bytes.Clone(long), "yz"...)
	changed := func(b []byte, i int) []byte {
		b = bytes.Clone(b)
		b[i] = '-'
		return b
	}
	short := []byte("copy.pdf") // as long as its name, so that a symbolic link to it is as long
	write := func(data []byte) func(in, bak string) error {
		return func(_, bak string) error { return os.WriteFile(bak, data, 0o600) }
	}
	for name, c := range map[string]struct {
		data []byte
		make func(in, bak string) error
		want bool
		ok   bool
	}{
		"no file":                      {short, func(_, _ string) error { return nil }, false, true},
		"a hard link":                  {short, os.Link, true, true},
		"a copy":                       {short, write(short), true, true},
		"an empty copy":                {nil, write(nil), true, true},
		"a long copy":                  {long, write(long), true, true},
		"a longer copy":                {longer, write(longer), true, true},
		"other bytes":                  {short, write(changed(short, 0)), false, false},
		"another byte in a late piece": {long, write(changed(long, len(long)-1)), false, false},
		"another byte at the end":      {longer, write(changed(longer, len(longer)-1)), false, false},
		"the beginning":                {longer, write(long), false, false},
		"more bytes":                   {long, write(longer), false, false},
		"a folder":                     {short, func(_, bak string) error { return os.Mkdir(bak, 0o700) }, false, false},
		"a symbolic link to a copy": {short, func(_, bak string) error {
			return errors.Join(write(short)("", filepath.Join(filepath.Dir(bak), "copy.pdf")), os.Symlink("copy.pdf", bak))
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			in := filepath.Join(t.TempDir(), "in.pdf")
			put(t, in, c.data)
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
			got, err := isBackup(osFiles{}, in, in+bakSuffix, was)
			if got != c.want || (err == nil) != c.ok {
				t.Errorf("it is a backup: %v, and the error is %v", got, err)
			}
		})
	}
}

// TestIsBackupFails: if the file or its copy cannot be read, isBackup returns the error. It does not read hard links.
func TestIsBackupFails(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.pdf")
	put(t, in, oldBytes)
	put(t, in+bakSuffix, oldBytes)
	was, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	intact := &faultyFiles{}
	if got, err := isBackup(intact, in, in+bakSuffix, was); !got || err != nil {
		t.Fatalf("a copy is a backup: %v, and the error is %v", got, err)
	}
	for at := range intact.done {
		files := &faultyFiles{at: at + 1}
		if got, err := isBackup(files, in, in+bakSuffix, was); got || !errors.Is(err, errFault) {
			t.Errorf("%s fails: it is a backup: %v, and the error is %v", intact.done[at], got, err)
		}
	}
	if err := errors.Join(os.Remove(in+bakSuffix), os.Link(in, in+bakSuffix)); err != nil {
		t.Fatal(err)
	}
	linked := &faultyFiles{at: 2}
	if got, err := isBackup(linked, in, in+bakSuffix, was); !got || err != nil {
		t.Errorf("a hard link is a backup: %v, and the error is %v", got, err)
	}
}
