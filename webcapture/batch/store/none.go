//go:build !cloud

package store

import (
	"context"
	"iter"
)

// Find yields ErrNotBuilt.
func Find(ctx context.Context, name string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) { yield(nil, ErrNotBuilt) }
}
