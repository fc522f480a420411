package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// What tools do to a real capture is repaired, except what they drop: the pages that were not asked for, images that
// are encoded again, and all of Ghostscript's objects, which it writes anew.
func TestKeepWithTools(t *testing.T) {
	in, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ command, want string }{
		{"qpdf --object-streams=generate --linearize IN OUT", "qpdf damaged no keys. 6 of 6 captures are found as before.\n"},
		{"qpdf IN --pages . 1-2 -- OUT", "qpdf damaged 2 keys; 0 are back. 5 of 6 captures are found as before.\n"},
		{"mutool clean -gggg IN OUT", "mutool damaged no keys. 6 of 6 captures are found as before.\n"},
		{"mutool clean IN OUT 1-2", "mutool damaged 12 keys; 8 are back. 4 of 6 captures are found as before.\n"},
		{"pdftk IN cat output OUT", "pdftk damaged 12 keys; all 12 are back. 6 of 6 captures are found as before.\n"},
		{"gs -q -o OUT -sDEVICE=pdfwrite IN", "gs damaged 12 keys; 0 are back. 0 of 6 captures are found as before.\n"},
	} {
		t.Run(row.command, func(t *testing.T) {
			words := strings.Fields(row.command)
			webcapturetest.Program(t, words[0])
			out := filepath.Join(t.TempDir(), "out.pdf")
			for i, w := range words {
				words[i] = strings.NewReplacer("IN", in, "OUT", out).Replace(w)
			}
			var said strings.Builder
			code, stderr := run(strings.NewReader(""), &said, append([]string{"keep", in, out, "--"}, words...)...)
			if said.String() != row.want || (code == exitClean) != strings.Contains(row.want, "6 of 6") {
				t.Errorf("exit %d: %s%s", code, said.String(), stderr)
			}
		})
	}
}
