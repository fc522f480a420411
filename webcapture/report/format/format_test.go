package format

import (
	"io"
	"regexp"
	"testing"

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
		for _, file := range append(f.Files, f)[:max(1, len(f.Files))] {
			if err := file.New(io.Discard, report.Options{}).Close(report.Complete); err != nil {
				t.Errorf("%s without records: %v", file.Name, err)
			}
		}
		if got, ok := Lookup(f.Name); !ok || got.Name != f.Name {
			t.Errorf("Lookup(%q) = %q, %v", f.Name, got.Name, ok)
		}
	}
	if _, ok := Lookup("JSON"); ok {
		t.Error("Lookup finds a name in upper case")
	}
}
