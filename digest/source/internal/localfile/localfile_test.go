package localfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestBeginning: the beginning of a file is the whole file up to the limit, and never more than the limit.
func TestBeginning(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef!"), BeginningSize/16)
	for _, size := range []int{0, 1, BeginningSize - 1, BeginningSize, BeginningSize + 1} {
		got := Beginning(sourcetest.WriteFile(t, string(data[:size]), t.TempDir(), "file"))
		if want := data[:min(size, BeginningSize)]; got == nil || !bytes.Equal(got, want) {
			t.Errorf("a file of %d bytes: %d bytes, want the first %d", size, len(got), len(want))
		}
	}
}

// TestRegular: only files that exist and have contents of their own are regular. Others have no beginning.
func TestRegular(t *testing.T) {
	file, dir := sourcetest.WriteFile(t, "x", t.TempDir(), "file"), t.TempDir()
	if err := Regular(file); err != nil {
		t.Errorf("a file: %v", err)
	}
	if err := Regular(dir); err == nil || err.Error() != "not a regular file" {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(dir, "missing")
	if err := Regular(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	for _, path := range []string{dir, missing, os.DevNull} {
		if got := Beginning(path); got != nil {
			t.Errorf("beginning of %s: %q", path, got)
		}
	}
}

// TestIsFile: only regular files below the folder are files.
func TestIsFile(t *testing.T) {
	file := sourcetest.WriteFile(t, "x", t.TempDir(), "file")
	if err := os.Mkdir(filepath.Join(filepath.Dir(file), "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]bool{"file": true, "folder/../file": true, "folder": false, ".": false,
		"missing": false, "": false, "file/x": false, "../" + filepath.Base(filepath.Dir(file)) + "/file": false} {
		if got := IsFile(root, name); got != want {
			t.Errorf("%q is a file: %v", name, got)
		}
	}
}

// TestMissing: a name that no file can have is missing. A disk that fails, or denies the permission, is not.
func TestMissing(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("x: %w", &fs.PathError{Op: "open", Path: "x", Err: err}) }
	windows := runtime.GOOS == "windows"
	for _, row := range []struct {
		err  error
		want bool
	}{
		{fs.ErrNotExist, true},
		{syscall.ENOENT, true},
		{errors.New("path escapes from parent"), true}, // of os.Root
		{fs.ErrInvalid, true},
		{syscall.EINVAL, true}, // a NUL in the name
		{syscall.ENOTDIR, true},
		{syscall.ENAMETOOLONG, !windows},
		{syscall.ELOOP, !windows},
		{syscall.EACCES, false},
		{syscall.EIO, false},
		{syscall.EMFILE, false},
		// Windows has its own numbers. Elsewhere they are other errors.
		{syscall.Errno(123), windows},
		{syscall.Errno(206), windows},
		{syscall.Errno(267), windows},
	} {
		for _, err := range []error{row.err, wrapped(row.err)} {
			if got := Missing(err); got != row.want {
				t.Errorf("%v means missing: %v", err, got)
			}
		}
	}
}

// TestOpenSize: an open file has a size. That of a closed file is unknown.
func TestOpenSize(t *testing.T) {
	f, err := os.Open(sourcetest.WriteFile(t, "12345", t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	if got := OpenSize(f); got != 5 {
		t.Errorf("a file of 5 bytes: %d", got)
	}
	f.Close()
	if got := OpenSize(f); got != 0 {
		t.Errorf("a closed file: %d", got)
	}
}

// TestPathError: the error of the file system is found in a chain. Other errors have none.
func TestPathError(t *testing.T) {
	disk := &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}
	for _, err := range []error{disk, fmt.Errorf("x: %w", disk), errors.Join(io.EOF, disk)} {
		if got := PathError(err); got != disk {
			t.Errorf("%v: %v", err, got)
		}
	}
	for _, err := range []error{nil, io.EOF, syscall.EIO} {
		if got := PathError(err); got != nil {
			t.Errorf("%v: %v, want nil", err, got)
		}
	}
}

// TestRemote: the protocol decides whether a URL is on another machine. Its letters may have any case.
func TestRemote(t *testing.T) {
	for url, want := range map[string]bool{"http://h/": true, "HTTPS://h/": true, "ftp://h/x": true, "s3://b/k": true,
		"gs://b/k": true, "azblob://b/k": true, "file:///x": false, "C:/x": false, "http:x": false, "shttp://h/": false,
		"x http://h/": false, "http.warc": false} {
		if got := Remote.MatchString(url); got != want {
			t.Errorf("%s is remote: %v", url, got)
		}
	}
}
