package audit

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// examplesData is generated from the cases in testdata/audit. examples_test.go checks that it is current.
//
//go:embed examples.txtar
var examplesData []byte

// Example is a small document that violates or keeps a rule.
type Example struct {
	Comment string // special property of the example; sentences
	Objects string // entries of the catalog, and objects, one or more lines each; "" if there is no example
}

// Examples are the examples of a rule.
type Examples struct {
	Broken  Example // empty if a violation needs a very large document, or other options
	Finding string  // findings of the rule in Broken, one or more lines
	Kept    Example
}

// ExamplesOf returns the examples of a rule.
func ExamplesOf(r *rule.Rule) Examples { return allExamples()[r.ID] }

var allExamples = sync.OnceValue(func() map[string]Examples { return parseExamples(examplesData) })

// The sections of the archive, after the ID of the rule and a slash.
const (
	brokenSection  = "broken"
	findingSection = "finding"
	keptSection    = "kept"
)

func parseExamples(data []byte) map[string]Examples {
	all := map[string]Examples{}
	for _, f := range txtar.Parse(data).Files {
		id, section, _ := strings.Cut(f.Name, "/")
		e, text := all[id], string(f.Data)
		comment, objects, _ := strings.Cut(text, "\n")
		switch section {
		case brokenSection:
			e.Broken = Example{comment, objects}
		case findingSection:
			e.Finding = text
		case keptSection:
			e.Kept = Example{comment, objects}
		}
		all[id] = e
	}
	return all
}
