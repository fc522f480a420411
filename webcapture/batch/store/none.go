//go:build !cloud

package store

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// errFileURL is for what is there without any store.
var errFileURL = errors.New("a file URL; name the file by its path")

// Find yields ErrNotBuilt, or for the URL of a file what to do instead.
func Find(ctx context.Context, name string) iter.Seq2[Object, error] {
	err := ErrNotBuilt
	if strings.HasPrefix(name, "file:") {
		err = errFileURL
	}
	return func(yield func(Object, error) bool) { yield(nil, err) }
}
