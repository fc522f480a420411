package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestCutOffFilesAreNotWithoutDatabase: the capture was added by an update, of which
// the file has the first object. No command says that there is nothing.
func TestCutOffFilesAreNotWithoutDatabase(t *testing.T) {
	d, err := webcapturetest.Parse("catalog: << /Type /Catalog >>\n")
	if err != nil {
		t.Fatal(err)
	}
	first := len(d.Bytes(webcapturetest.Layout{}))
	d.Update()
	d.Add("<< /S /SPS >>")
	data := d.Bytes(webcapturetest.Layout{})
	path := filepath.Join(t.TempDir(), "cut.pdf")
	for _, size := range []int{first + 4, first + 25} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			if err := os.WriteFile(path, data[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"audit", path}, {"list", path}, {"rewrite", path}, {"name", "find", path},
				{"diff", path, path}} {
				var out bytes.Buffer
				code, stderr := run(nil, &out, args...)
				if code != exitFailed || !strings.Contains(stderr, "cut off after") {
					t.Errorf("%d bytes: %s: exit %d\n%s%s", size, args[0], code, out.String(), stderr)
				}
			}
		})
	}
}
