package rewrite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// repairedOtherwise are the mutations whose repair does not bring the original
// back, by rule and name, and why.
var repairedOtherwise = map[string]string{
	"LibrePDF+OpenPDF__indirect_object_in_rectangle__09b02848.pdf WC120 IDS: a value 999999 0 R": "nothing else leads to the set, as URLS of this file is broken",
	"WC126 a small key at the end":               "it adds an entry",
	"WC126 two keys of IDS exchanged":            "each key and each ID is valid, so both stay",
	"WC204 URLS: a key (file://localhost/a.txt)": "the key that was there is not in the file",
	"WC223 a second source that is not a key":    "it adds a source",
	"WC305 an ID on the page that is not a key":  "it adds a content set",
}

// undecided are the mutations that no witness in the file decides, by rule and name, and why.
var undecided = map[string]string{
	"WC221 URLS: a key (http://elsewhere.example/x)":   "the key, or the URL of the set, may be wrong",
	"WC221 a set of another URL next to the right one": "the key, or the URL of the set, may be wrong",
	"WC221 a key in UTF-8 of a URL in Latin-1":         "the key, or the URL of the set, may be wrong",
	"WC223 a set under its ID but not under its URL":   "one of two sets with an ID and a page is a copy",
	"WC304 an ID that is not a key, nor on the page":   "the page carries another ID",
}

// mutantsRepaired is how many mutants of the generated databases have a repair.
const mutantsRepaired = 170

// TestMutants breaks databases and repairs them: mutants with a repair become equal to the original.
func TestMutants(t *testing.T) {
	repaired, left := map[string]int{}, map[string]int{}
	used, unrepaired := map[string]bool{}, map[string]bool{}
	total := 0
	for _, base := range audittest.Bases(t) {
		if !webcapturetest.All() && !base.Generated {
			continue
		}
		original := base.Encode()
		before := planOf(t, original, Options{})
		for _, op := range audittest.Mutations {
			data, ok := base.Break(op)
			if !ok {
				continue
			}
			name := fmt.Sprintf("%s %s", op.Rule, op.Name)
			t.Run(fmt.Sprintf("%s/%s", base.Name, name), func(t *testing.T) {
				p, out := checkRewrite(t, data)
				if !hasRepair(p, before, op.Rule) {
					left[op.Rule]++
					unrepaired[name] = true
					return
				}
				if why, ok := undecided[name]; ok {
					t.Errorf("%s is repaired, although %s", name, why)
				}
				repaired[op.Rule]++
				if base.Generated {
					total++
				}
				difference := differences(t, original, out)
				if here := base.Name + " " + name; repairedOtherwise[here] != "" {
					name = here
				}
				if _, known := repairedOtherwise[name]; known {
					used[name] = used[name] || difference != ""
				} else if difference != "" {
					t.Errorf("the repaired database is another one:\n%s\nsteps: %v", difference, p.Steps)
				}
			})
		}
	}
	for name := range repairedOtherwise {
		if corpus := strings.Contains(name, ".pdf"); !used[name] && !corpus {
			t.Errorf("%q is repaired to the original", name)
		}
	}
	for name := range undecided {
		if !unrepaired[name] {
			t.Errorf("%q is not among the mutations that are left", name)
		}
	}
	if total != mutantsRepaired {
		t.Errorf("%d mutants of generated databases were repaired, should be %d", total, mutantsRepaired)
	}
	for _, id := range slices.Sorted(maps.Keys(repaired)) {
		r, _ := audit.Lookup(id)
		t.Logf("%s: %d mutants repaired, %d left (%s)", id, repaired[id], left[id], r.Repair)
	}
}

// hasRepair reports whether the mutant has a repair: there are findings of the rule
// that the original has not, and none of them is left.
func hasRepair(p, before *Plan, rule string) bool {
	n := 0
	for _, f := range p.Report.Findings {
		if f.Rule.ID == rule && f.Fix != nil && !f.Rule.OnRequest {
			n++
		}
	}
	for _, f := range before.Report.Findings {
		if f.Rule.ID == rule {
			n--
		}
	}
	return n > 0 && !slices.ContainsFunc(p.Left, func(l Left) bool { return l.Finding.Rule.ID == rule })
}

// differences returns how two databases differ; empty if they do not.
func differences(t *testing.T, a, b []byte) string {
	t.Helper()
	var files [2]*webcapture.File
	for i, data := range [][]byte{a, b} {
		f, err := webcapture.New(context.Background(), data,
			webcapture.Options{Passwords: []string{audittest.Password}})
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	res, err := diff.Compare(files[0], files[1])
	if err != nil {
		t.Fatal(err)
	}
	var b2 strings.Builder
	for _, c := range res.Changes {
		if c.Place.Part == diff.RetainedLink {
			continue // a rewrite adds nothing to links
		}
		fmt.Fprintf(&b2, "%v %v: %s, %s\n", c.Kind, c.Place, c.A, c.B)
	}
	return b2.String()
}
