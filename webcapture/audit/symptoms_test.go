package audit

import (
	"fmt"
	"strings"
	"testing"
)

// A symptom is what people notice, and the rules that may say why.
type symptom struct {
	what  string
	rules string // with a blank between
}

// symptoms are the index of docs/rules.md for those who do not know the standard's words.
var symptoms = []symptom{
	{"A page cannot be found by its URL", "WC126 WC109 WC106 WC105 WC221 WC223 WC225"},
	{"A page cannot be found by its URL, which is spelled differently in the file", "WC201 WC202 WC203 WC204 WC205 WC206 WC207 WC209 WC211 WC214 WC215"},
	{"A page or image cannot be found by its identifier", "WC303 WC302 WC301 WC304 WC305 WC126"},
	{"A key leads to nothing, or to the wrong page", "WC120 WC122 WC123 WC221 WC302"},
	{"A viewer says that the file is damaged, or hangs", "WC101 WC107 WC112 WC113 WC115 WC127"},
	{"Links between captured pages lead nowhere", "WC531 WC529 WC530"},
	{"After pdfcpu optimize or pdfcpu merge", "WC303 WC126 WC531"},
	{"After two files were joined", "WC109 WC110 WC306"},
	{"After pages were taken out, or copied to another file", "WC120 WC409 WC506 WC521 WC522 WC523"},
	{"The identifier is not that of what was captured", "WC511 WC512 WC402 WC508"},
	{"A page cannot be updated from the web", "WC404 WC405 WC430 WC612 WC614 WC618"},
	{"Something private is in the file", "WC701 WC702 WC703 WC704 WC705"},
	{"A rewrite may not be allowed", "WC532"},
}

// symptomIndex returns the index as Markdown.
func symptomIndex() string {
	var b strings.Builder
	b.WriteString("| what you see | rules that may say why |\n|---|---|\n")
	for _, s := range symptoms {
		var links []string
		for id := range strings.FieldsSeq(s.rules) {
			links = append(links, fmt.Sprintf("[%s](#%s)", id, id))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", s.what, strings.Join(links, " "))
	}
	return b.String()
}

func TestSymptomsNameRules(t *testing.T) {
	for _, s := range symptoms {
		seen := map[string]bool{}
		for id := range strings.FieldsSeq(s.rules) {
			if _, ok := Lookup(id); !ok || seen[id] {
				t.Errorf("%s: %s is not a rule, or there twice", s.what, id)
			}
			seen[id] = true
		}
	}
}
