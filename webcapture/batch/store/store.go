// Package store finds objects in object stores, and copies them to temporary files.
//
//	for o, err := range store.Find(ctx, "s3://bucket/2024/") {
//		f, err := store.Download(ctx, o)
//		…
//	}
//
// It needs the build tag cloud. Without it, the package only recognizes names of objects, and Find returns an
// error.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// schemes are the URL schemes of the names of objects.
var schemes = []string{"azblob", "file", "gs", "mem", "s3"}

// IsName reports whether a path is the name of an object, or a prefix of names.
func IsName(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && slices.Contains(schemes, scheme)
}

// IsPrefix reports whether a name stands for all objects below it.
func IsPrefix(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	_, rest, _ := strings.Cut(name, "://")
	return !strings.Contains(rest, "/") || strings.HasSuffix(rest, "/")
}

// Object is one object of a store. It is safe for concurrent use.
type Object interface {
	// Name returns the name by which Find finds the object.
	Name() string

	// Size returns the number of bytes.
	Size() int64

	// Range returns n bytes from offset at.
	Range(ctx context.Context, at, n int64) (io.ReadCloser, error)
}

// ErrNotBuilt is the error of a program without support for object stores.
var ErrNotBuilt = errors.New("built without object stores: build with -tags cloud")

var errCutShort = errors.New("the file was cut short while it was read")

// maxSize is the maximum number of bytes of an object, the same as for a PDF file.
const maxSize = 9_999_999_999

// Download copies an object to a temporary file. The caller closes the file, which removes it.
func Download(ctx context.Context, o Object) (*tempfile.File, error) {
	f, err := tempfile.New()
	if err != nil {
		return nil, err
	}
	if err = Copy(ctx, f, o); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Copy writes the bytes of an object to w, in one request. If the context ends first, the error is its cause.
func Copy(ctx context.Context, w io.Writer, o Object) error {
	if o.Size() > maxSize {
		return fmt.Errorf("larger than the limit of %d bytes per object", int64(maxSize))
	}
	if o.Size() == 0 {
		return nil
	}
	body, err := o.Range(ctx, 0, o.Size())
	var n int64
	if err == nil {
		n, err = io.Copy(w, io.LimitReader(body, o.Size()))
		body.Close()
	}
	switch failed, ok := errors.AsType[*fs.PathError](err); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ok && failed.Op == "write":
		return fmt.Errorf("cannot copy %d bytes to %s: %w; set TMPDIR to a folder with more room",
			o.Size(), os.TempDir(), failed.Err)
	case err == nil && n < o.Size():
		return errCutShort
	}
	return err
}
