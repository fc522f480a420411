package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// ofRun are the options that affect the exit code and the outputs of a run, but not its records. A run that joins
// the records has its own exit code and outputs.
var ofRun = []string{"exit-zero", "allow-empty", "fail-on", "output"}

// Join returns one head for the results of several readers, with all versions, configurations, sources, and rules.
// For each rule it uses the first definition; records of all readers refer to that definition afterwards. Join
// fails if a rule has different levels, because its findings would not be comparable.
func Join(readers []*Reader) (Head, error) {
	var h Head
	var versions []string
	apart := false // the paths of the results are relative to different folders
	rules := make(map[string]*rule.Rule)
	for _, r := range readers {
		if r.head.Directory != readers[0].head.Directory {
			apart = true
		}
		if v := r.head.Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
		for _, clause := range r.head.Configuration {
			option, _, _ := strings.Cut(clause, " ")
			if !slices.Contains(ofRun, option) && !slices.Contains(h.Configuration, clause) {
				h.Configuration = append(h.Configuration, clause)
			}
		}
		for _, s := range r.head.Sources {
			if !slices.ContainsFunc(h.Sources, s.same) {
				h.Sources = append(h.Sources, s)
			}
		}
		for _, rule := range r.head.Rules {
			first, ok := rules[rule.ID]
			switch {
			case !ok:
				rules[rule.ID] = rule
				h.Rules = append(h.Rules, rule)
			case first.Level != rule.Level:
				return Head{}, fmt.Errorf("rule %s is of level %v in some of the results, and %v in others", rule.ID, first.Level,
					rule.Level)
			}
		}
		r.rules = rules
	}
	h.Version = strings.Join(versions, ", ")
	for _, r := range readers {
		if apart {
			r.directory = r.head.Directory
		} else {
			h.Directory = r.head.Directory
		}
	}
	if len(readers) > 1 {
		slices.SortStableFunc(h.Rules, func(a, b *rule.Rule) int { return strings.Compare(a.ID, b.ID) })
	}
	return h, nil
}

// same reports whether s and t, from different audits, are the same source.
func (s Source) same(t Source) bool {
	return s.Name == t.Name && s.Files == t.Files && s.Kept == t.Kept && slices.Equal(s.Skipped, t.Skipped)
}
