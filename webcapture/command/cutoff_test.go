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

// TestCutOffFilesAreNotWithoutDatabase: the capture was added by an update, of which the file has only the first
// object. No command reports that there is no database.
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
			for _, args := range [][]string{{"audit", path}, {"list", path}, {"find", "http://no.example/", path}, {"rewrite", path},
				{"diff", path, path}} {
				var out bytes.Buffer
				code, stderr := run(nil, &out, args...)
				if code != exitFailed || !strings.Contains(out.String()+stderr, "cut off after") {
					t.Errorf("%d bytes: %s: exit %d\n%s%s", size, args[0], code, out.String(), stderr)
				}
			}
		})
	}
}

// TestUnreadableObjectStreams: an unreadable object stream changes the exit code only if it may hide the database.
func TestUnreadableObjectStreams(t *testing.T) {
	data := []byte("%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n" +
		"4 0 obj\n<</Type/ObjStm/First 4/Length 7>>\nstream\n3 0 (a)\nendstream\nendobj\n")
	entries := []byte{0, 0, 0, 0}
	for num := 1; num <= 5; num++ {
		at := bytes.Index(data, fmt.Appendf(nil, "\n%d 0 obj", num)) + 1
		switch num {
		case 3:
			entries = append(entries, 2, 0, 4, 0) // in the stream 4
			continue
		case 5:
			at = len(data)
		}
		entries = append(entries, 1, byte(at>>8), byte(at), 0)
	}
	start := len(data)
	data = fmt.Appendf(data, "5 0 obj\n<</Type/XRef/Root 1 0 R/Size 6/W[1 2 1]/Length %d>>\nstream\n%s\nendstream\nendobj\n",
		len(entries), entries)
	path := filepath.Join(t.TempDir(), "x.pdf")
	for name, want := range map[string]struct{ start, code int }{
		"a catalog without a database": {start, exitNothing},
		"a search for objects":         {start + 2000, exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, fmt.Appendf(bytes.Clone(data), "startxref\n%d\n%%%%EOF\n", want.start),
				0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if code, stderr := run(nil, &out, "audit", path); code != want.code {
				t.Errorf("exit %d, want %d\n%s%s", code, want.code, out.String(), stderr)
			}
		})
	}
}
