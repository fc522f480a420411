package batch

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The steps of a long audit are reported in order, with the name of the file.
func TestPhases(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": webcapturetest.Sets(2,
		webcapturetest.Options{}).Bytes(webcapturetest.Layout{})})
	path := filepath.Join(dir, "a.pdf")
	var got []string
	opt := Options{
		Began: func(name string) { got = append(got, name) },
		Phase: func(name, what string) { got = append(got, name+": "+what) },
	}
	for range Run(t.Context(), Inputs(slices.Values([]string{path}), PathOptions{}), opt) {
	}
	want := []string{path}
	for _, what := range []string{
		"computing the SHA-256", "reading the name trees", "checking name trees", "checking keys", "checking content sets",
		"comparing entries with content sets", "checking pages and images", "comparing identifiers with sources",
		"sorting findings",
	} {
		t.Run(what, func(t *testing.T) {
			want = append(want, path+": "+what)
		})
	}
	if !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
