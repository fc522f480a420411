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
	for _, row := range []struct {
		command, want string
		code          int
	}{
		{"qpdf --object-streams=generate --linearize IN OUT", "qpdf damaged 0 of 12 keys; 0 are back.", exitClean},
		{"qpdf IN --pages . 1-2 -- OUT", "qpdf damaged 2 of 12 keys; 0 are back.", exitFindings},
		{"mutool clean -gggg IN OUT", "mutool damaged 0 of 12 keys; 0 are back.", exitClean},
		{"mutool clean IN OUT 1-2", "mutool damaged 12 of 12 keys; 8 are back.", exitFindings},
		{"pdftk IN cat output OUT", "pdftk damaged 12 of 12 keys; 12 are back.", exitClean},
		{"gs -q -o OUT -sDEVICE=pdfwrite IN", "gs damaged 12 of 12 keys; 0 are back.", exitFindings},
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
			if !strings.HasPrefix(said.String(), row.want) || code != row.code {
				t.Errorf("exit %d: %s%s", code, said.String(), stderr)
			}
		})
	}
}
