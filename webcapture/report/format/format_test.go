package format

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func TestFormats(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, f := range All() {
		if !name.MatchString(f.Name) || seen[f.Name] || f.Doc == "" {
			t.Errorf("format %q, %q: want a name of its own in lower case, and a few words", f.Name, f.Doc)
		}
		seen[f.Name] = true
		if err := f.New(io.Discard, report.Options{}).Close(report.Complete); err != nil {
			t.Errorf("%s without records: %v", f.Name, err)
		}
		if got, ok := Lookup(f.Name); !ok || got.Name != f.Name {
			t.Errorf("Lookup(%q) = %q, %v", f.Name, got.Name, ok)
		}
	}
	if _, ok := Lookup("JSON"); ok {
		t.Error("Lookup finds a name in upper case")
	}
}

// A format says whether it shows the SHA-256, which is computed only for those that do.
func TestFormatsWithSHA256(t *testing.T) {
	rec := &report.Record{Path: "a.pdf", Size: 1, SHA256: strings.Repeat("5eed", 16), Report: &audit.Report{Path: "a.pdf"}}
	for _, f := range All() {
		var b bytes.Buffer
		w := f.New(&b, report.Options{})
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(report.Complete); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(b.String(), rec.SHA256); shown != f.SHA256 {
			t.Errorf("%s shows the SHA-256: %v, and says %v", f.Name, shown, f.SHA256)
		}
	}
}
