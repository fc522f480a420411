package audit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
)

// A report keeps nothing of its file: when the next file stands where that one stood in memory, it
// says what it said before.
func TestReportsKeepNothingOfTheirFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "case.pdf")
	for _, name := range caseFiles(t) {
		c, err := readCase(name)
		if err != nil {
			t.Fatal(err)
		}
		data := c.pdf(t, plainLayout)
		if err := writeAndOpen(t, path, data); err != nil {
			t.Fatal(err)
		}
		opt := caseOptions
		opt.Outline, opt.Entries = true, true
		rep, err := File(path, opt)
		if err != nil {
			t.Fatal(err)
		}
		before := reportText(rep)
		if err := writeAndOpen(t, path, bytes.Repeat([]byte("x"), len(data))); !errors.Is(err, webcapture.ErrNotPDF) {
			t.Fatal(err)
		}
		if after := reportText(rep); after != before {
			t.Errorf("%s: after another file was opened\n%s\nbefore\n%s", c.name, after, before)
		}
	}
}

// writeAndOpen writes a file, and returns what opening it returns.
func writeAndOpen(t *testing.T, path string, data []byte) error {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.Open(path, webcapture.Options{})
	if err == nil {
		f.Close()
	}
	return err
}

// reportText returns all that a report says.
func reportText(rep *Report) string {
	text := findingLines(rep) + unreadLines(rep)
	for _, f := range rep.Findings.All() {
		text += fmt.Sprintf("%+v %+v\n", f.Place, f.Fix)
	}
	return text + fmt.Sprintf("%+v %v %+v %+v %q %q", rep.Facts, rep.Subjects, *rep.Outline, *rep.Entries, rep.Producer, rep.Creator)
}
