package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/store"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		path           string
		isName, prefix bool
	}{
		{"s3://bucket/key.pdf", true, false},
		{"s3://bucket", true, true},
		{"s3://bucket/", true, true},
		{"gs://bucket/a/", true, true},
		{"azblob://c/a/?domain=x/y", true, true},
		{"azblob://c/a.pdf?domain=x/", true, false},
		{"file:///a/b.pdf", true, false},
		{"mem://b/a/b.pdf", true, false},
		{"https://example.com/a.pdf", false, false},
		{"s3:/bucket/key.pdf", false, false},
		{"a/s3://b", false, false},
		{"S3://b/k", false, false},
		{"", false, false},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if got := store.IsName(tt.path); got != tt.isName {
				t.Errorf("IsName(%q) = %v", tt.path, got)
			}
			if got := store.IsPrefix(tt.path); tt.isName && got != tt.prefix {
				t.Errorf("IsPrefix(%q) = %v", tt.path, got)
			}
		})
	}
}

// object is an Object with data, which may be shorter than its size.
type object struct {
	size int64
	data string
}

func (object) Name() string { return "mem://b/x.pdf" }

func (o object) Size() int64 { return o.size }

func (o object) Range(context.Context, int64, int64) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(o.data)), nil
}

func TestDownload(t *testing.T) {
	for _, data := range []string{"", "%PDF"} {
		t.Run(data, func(t *testing.T) {
			f, err := store.Download(t.Context(), object{int64(len(data)), data})
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != data {
				t.Errorf("%q, %v, want %q", got, err, data)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// fullDisk is a writer to a file system without room.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
}

func TestCopyFails(t *testing.T) {
	canceled, cancel := context.WithCancelCause(t.Context())
	errEnd := errors.New("no more time")
	cancel(errEnd)
	for _, tt := range []struct {
		name string
		ctx  context.Context
		o    object
		w    io.Writer
		want string
	}{
		{"cut short", t.Context(), object{5, "%PDF"}, new(bytes.Buffer), "the file was cut short while it was read"},
		{"canceled", canceled, object{4, "%PDF"}, new(bytes.Buffer), "no more time"},
		{"too large", t.Context(), object{1e10, ""}, new(bytes.Buffer),
			"larger than the limit of 9999999999 bytes per object"},
		{"full disk", t.Context(), object{4, "%PDF"}, fullDisk{}, fmt.Sprintf(
			"cannot copy 4 bytes to %s: %v; set TMPDIR to a folder with more room", os.TempDir(),
			syscall.ENOSPC)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := store.Copy(tt.ctx, tt.w, tt.o); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// remote is an Object that counts its requests, and whose bodies are closed or not.
type remote struct {
	object
	err            error // of a request
	opened, closed int
}

func (r *remote) Range(context.Context, int64, int64) (io.ReadCloser, error) {
	if r.opened++; r.err != nil {
		return nil, r.err
	}
	return &remoteBody{strings.NewReader(r.data), r}, nil
}

type remoteBody struct {
	io.Reader
	of *remote
}

func (b *remoteBody) Close() error { b.of.closed++; return nil }

// failingWriter fails with its error.
type failingWriter struct{ error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.error }

// TestCopy: one request, whose body is closed, copies as many bytes as the object has.
func TestCopy(t *testing.T) {
	lost := errors.New("lost")
	read := &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}
	for _, tt := range []struct {
		name   string
		size   int64
		data   string
		err    error     // of the request
		w      io.Writer // nil for memory
		want   string
		failed error
		opened int
	}{
		{"all bytes", 4, "%PDF", nil, nil, "%PDF", nil, 1},
		{"more bytes", 4, "%PDF-1.4", nil, nil, "%PDF", nil, 1},
		{"no bytes", 0, "%PDF", nil, nil, "", nil, 0},
		{"a failed request", 4, "", lost, nil, "", lost, 1},
		{"the largest size", 9_999_999_999, "", lost, nil, "", lost, 1},
		{"a writer that fails", 4, "%PDF", nil, failingWriter{lost}, "", lost, 1},
		{"a disk that cannot be read", 4, "%PDF", nil, failingWriter{read}, "", read, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &remote{object: object{tt.size, tt.data}, err: tt.err}
			var b bytes.Buffer
			w := tt.w
			if w == nil {
				w = &b
			}
			if err := store.Copy(t.Context(), w, o); err != tt.failed || b.String() != tt.want {
				t.Errorf("%q, %v; want %q, %v", b.String(), err, tt.want, tt.failed)
			}
			if o.opened != tt.opened || tt.err == nil && o.closed != o.opened {
				t.Errorf("%d requests, want %d; %d bodies closed", o.opened, tt.opened, o.closed)
			}
		})
	}
	if err := store.Copy(t.Context(), io.Discard, object{10_000_000_000, ""}); err == nil {
		t.Error("an object over the limit is copied")
	}
}

// TestDownloadFails: the error is returned, and no temporary file is left open.
func TestDownloadFails(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it closes files
	lost := errors.New("lost")
	if f, err := store.Download(t.Context(), &remote{object: object{4, ""}, err: lost}); f != nil || err != lost {
		t.Errorf("%v, %v; want only the error", f, err)
	}
	fds, _ := filepath.Glob("/proc/self/fd/*")
	for _, fd := range fds {
		if to, _ := os.Readlink(fd); strings.HasPrefix(to, dir) {
			t.Errorf("%s is open", to)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); left != nil {
		t.Errorf("%q is left", left)
	}
	gone := filepath.Join(dir, "gone")
	t.Setenv("TMPDIR", gone)
	t.Setenv("TMP", gone)
	o := &remote{object: object{4, "%PDF"}}
	if f, err := store.Download(t.Context(), o); f != nil || err == nil || o.opened != 0 {
		t.Errorf("without a folder for temporary files: %v, %v, %d requests", f, err, o.opened)
	}
}
