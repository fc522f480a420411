package digest_test

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Python computes the same identifiers and names, and notices a case that was changed.
func TestVectorsWithPython(t *testing.T) {
	const testdata = "../testdata"
	want := "digest/pages.tsv: 8 cases computed with hashlib\ndigest/names.tsv: 8 cases computed with hashlib\n"
	if out, code := webcapturetest.Vectors(t, testdata, "digest"); code != 0 || out != want {
		t.Errorf("exit code %d\n%swant\n%s", code, out, want)
	}
	for _, row := range []struct {
		file, old, new string
		code           int
		want           string
	}{
		{"pages.tsv", "335139d6", "335139d7", 1, "digest/pages.tsv, line 6: expected 335139d7"},
		{"names.tsv", "field-id\ttop", "field-id\tpot", 1, "digest/names.tsv, line 8: expected 746f70"},
		{"names.tsv", "field-id", "field", 2, "digest/names.tsv, line 8: KeyError('field')"},
	} {
		t.Run(row.new, func(t *testing.T) {
			dir := webcapturetest.CopyVectors(t, testdata, "digest", row.file,
				func(s string) string { return strings.Replace(s, row.old, row.new, 1) })
			if out, code := webcapturetest.Vectors(t, dir, "digest"); code != row.code || !strings.Contains(out, row.want) {
				t.Errorf("exit code %d, want %d; output %s want %s", code, row.code, out, row.want)
			}
		})
	}
}
