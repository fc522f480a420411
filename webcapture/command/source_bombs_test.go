//go:build linux

package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Each command with sources keeps the promise for each source, and reports if it has not read everything requested.
// See TestBombs.
func TestSourceBombs(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("takes minutes; needs WEBCAP_TEST_ALL")
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	resource := webcapturetest.Resource{URL: sourcetest.BombURL, MediaType: "text/html", Body: []byte("<p>")}
	pdf := write("site.pdf", webcapturetest.Site([]webcapturetest.Resource{resource},
		webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}))
	for _, b := range sourcetest.Bombs() {
		t.Run(b.Name, func(t *testing.T) {
			path := filepath.Join(dir, "bomb."+b.Kind)
			size := writeFile(t, path, b.Write)
			for _, args := range [][]string{
				{"audit", pdf, "--source"},
				{"digest", sourcetest.BombURL, "--source"},
			} {
				took, code, said := measure(t, 0, append(args, path)...)
				took.within(t, args, size, code, said)
				if args[0] == "audit" && code != b.Code {
					t.Errorf("%s exits with %d, want %d", args[0], code, b.Code)
				}
			}
		})
	}
}
