//go:build !cloud

package batch

import (
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/store"
)

// Without support for stores, the names of objects are not taken for paths of files.
func TestObjectsInAProgramWithoutStores(t *testing.T) {
	const name, prefix = "s3://bucket/a.zip", "s3://bucket/folder/"
	for _, tt := range []struct {
		name   string
		inputs []*Input
		want   []string
	}{
		{"paths", slices.Collect(Inputs(slices.Values([]string{name, prefix, name + "!1.pdf"}), PathOptions{})),
			[]string{name, prefix, name + "!1.pdf"}},
		{"refs", slices.Collect(Resolve(t.TempDir(), []Ref{{Name: name}, {Name: name + "!1.pdf", Archive: name},
			{Name: name + "!2.pdf", Archive: name, At: byName}}, nil)), []string{name, name + "!1.pdf", name + "!2.pdf"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, in := range tt.inputs {
				if names = append(names, in.Name); in.Err != store.ErrNotBuilt {
					t.Errorf("%s: %v, want %v", in.Name, in.Err, store.ErrNotBuilt)
				}
			}
			if !slices.Equal(names, tt.want) {
				t.Errorf("inputs %q, want %q", names, tt.want)
			}
		})
	}
}
