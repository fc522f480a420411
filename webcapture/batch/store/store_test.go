package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
