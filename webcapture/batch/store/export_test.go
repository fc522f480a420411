//go:build cloud

package store

import "context"

// Watch has do called as watch is, until stop is called.
func Watch(do func(ctx context.Context, bytes int) error) (stop func()) {
	watch = do
	return func() { watch = nil }
}
