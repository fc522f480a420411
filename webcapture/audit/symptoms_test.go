package audit

import (
	"fmt"
	"strings"
	"testing"
)

// symptomIndex returns the index of docs/rules.md by symptom, for readers who do not know the
// terms of the standard.
func symptomIndex() string {
	var b strings.Builder
	for _, s := range SymptomsWith(nil) {
		line := "- " + s.What + ":"
		for _, r := range s.Rules() {
			line += fmt.Sprintf(" [%s](%s)", r.ID, pageOf(r))
		}
		b.WriteString(wrapped(line, "  "))
	}
	return b.String()
}

func TestSymptomsNameRules(t *testing.T) {
	for _, s := range symptoms {
		seen := map[string]bool{}
		for id := range strings.FieldsSeq(s.rules) {
			if _, ok := Lookup(id); !ok || seen[id] {
				t.Errorf("%s: %s is not a rule, or there twice", s.What, id)
			}
			seen[id] = true
		}
	}
}

func TestSymptomsWith(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  int
	}{
		{"by its url", 2}, {"PDFCPU merge", 1}, {"merge pdfcpu", 1}, {"pdfcpu private", 0},
	} {
		t.Run(tt.words, func(t *testing.T) {
			if got := SymptomsWith(strings.Fields(tt.words)); len(got) != tt.want {
				t.Errorf("%q: %v, want %d", tt.words, got, tt.want)
			}
		})
	}
}
