package audit

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Symptom is a problem that users notice, with the rules that may explain it.
type Symptom struct {
	What  string
	rules string // rule IDs, separated by blanks
}

// Rules returns the rules that may explain the symptom, the likeliest first.
func (s *Symptom) Rules() []*rule.Rule {
	var list []*rule.Rule
	for id := range strings.FieldsSeq(s.rules) {
		if r, ok := Lookup(id); ok {
			list = append(list, r)
		}
	}
	return list
}

// SymptomsWith returns the symptoms that contain all words, in upper or lower case. Without
// words, it returns all symptoms.
func SymptomsWith(words []string) []Symptom {
	var list []Symptom
next:
	for _, s := range symptoms {
		for _, w := range words {
			if !strings.Contains(strings.ToLower(s.What), strings.ToLower(w)) {
				continue next
			}
		}
		list = append(list, s)
	}
	return list
}

// symptoms are written for users who do not know the terms of the standard.
var symptoms = []Symptom{
	{"A page cannot be found by its URL", "WC126 WC106 WC221 WC223"},
	{"A page cannot be found by its URL, which is spelled differently in the file",
		"WC201 WC202 WC204 WC211 WC215"},
	{"A page or image cannot be found by its identifier", "WC303 WC302 WC301 WC304 WC305 WC126"},
	{"A key leads to nothing, or to the wrong page", "WC120 WC122 WC221 WC302"},
	{"A viewer says that the file is damaged, or hangs", "WC101 WC107 WC112 WC113 WC115"},
	{"Links between captured pages lead nowhere", "WC531 WC529 WC530"},
	{"After pdfcpu optimize or pdfcpu merge", "WC303 WC126 WC531"},
	{"After a tool joined two files", "WC126 WC102 WC110 WC521 WC522 WC306 WC606"},
	{"After pages were removed or copied to another file", "WC409 WC506 WC521 WC522 WC523"},
	{"The identifier does not match the captured content", "WC511 WC512 WC402 WC508"},
	{"A page cannot be updated from the web", "WC405 WC431 WC611 WC612"},
	{"The file contains private data", "WC701 WC702 WC704"},
	{"A signature may forbid a repair", "WC532"},
}
