//go:build !cloud

package store

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// errFileURL is the error for a file URL, which needs no store.
var errFileURL = errors.New("a file URL; name the file by its path")

// Find yields ErrNotBuilt. For a file URL, the error says what to use instead.
func Find(ctx context.Context, name string) iter.Seq2[Object, error] {
	err := ErrNotBuilt
	if strings.HasPrefix(name, "file:") {
		err = errFileURL
	}
	return func(yield func(Object, error) bool) { yield(nil, err) }
}
