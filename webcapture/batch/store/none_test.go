//go:build !cloud

package store_test

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/store"
)

// TestFindInAProgramWithoutStores: there is one result, an error that says what to do.
func TestFindInAProgramWithoutStores(t *testing.T) {
	for name, want := range map[string]string{"s3://b/a.pdf": store.ErrNotBuilt.Error(),
		"gs://b/":       store.ErrNotBuilt.Error(),
		"file:///a.pdf": "a file URL; name the file by its path"} {
		t.Run(name, func(t *testing.T) {
			n := 0
			for o, err := range store.Find(t.Context(), name) {
				if n++; o != nil || err == nil || err.Error() != want {
					t.Errorf("object %v, error %v; want only %q", o, err, want)
				}
			}
			if n != 1 {
				t.Errorf("%d results, want 1", n)
			}
		})
	}
}
