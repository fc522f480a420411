package report

import (
	"io"
	"regexp"
	"testing"
)

func TestFormats(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+$`)
	seen := map[string]bool{}
	for _, f := range Formats() {
		if !name.MatchString(f.Name) || seen[f.Name] || f.Doc == "" {
			t.Errorf("format %q, %q: want a name of its own in lower case, and a few words", f.Name, f.Doc)
		}
		seen[f.Name] = true
		if got, ok := LookupFormat(f.Name); !ok || got.Name != f.Name {
			t.Errorf("LookupFormat(%q) = %q, %v", f.Name, got.Name, ok)
		}
	}
	for _, f := range allFormats() {
		if err := f.New(io.Discard, Options{}).Close(Complete); err != nil {
			t.Errorf("%s without records: %v", f.Name, err)
		}
	}
	if _, ok := LookupFormat("JSON"); ok {
		t.Error("LookupFormat finds a name in upper case")
	}
}
