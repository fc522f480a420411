package audit

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// noMutation maps each rule of error or warning level without a mutation operator to the reason.
var noMutation = map[string]string{
	"WC114": "it is about trees too deep or too large to be read, which the edit of an entry does not make",
	"WC511": "it is about the data of images, which no operator edits",
	"WC512": "it is about sources outside the database",
}

func byRule(rep *Report) map[string]int {
	n := map[string]int{}
	for _, f := range rep.Findings {
		n[f.Rule.ID]++
	}
	return n
}

// Results of TestMutation for the generated databases, for docs/rules.md.
const (
	mutantsMade   = 546
	mutantsCaught = 546
)

// TestMutation: each operator breaks one invariant, and the rule of that invariant reports it. Without an operator, a
// base has no errors or warnings that its file does not have.
func TestMutation(t *testing.T) {
	applied := map[string]bool{}
	var made, caught, madeHere, caughtHere int
	for _, base := range audittest.Bases(t) {
		name := base.Name
		rep := auditBytes(t, base.Encode(), Options{})
		before, known := byRule(rep), map[string]bool{}
		for _, f := range rep.Findings {
			known[f.String()] = true
		}
		var ofFile map[string]int
		if !base.Generated {
			file, err := File(t.Context(), base.Path, Options{Passwords: []string{audittest.Password}, now: auditTime})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got, want := counts(rep), counts(file); got != want {
				t.Errorf("%s: the base has %s, its file has %s", name, got, want)
			}
			ofFile = byRule(file)
		}
		for id, n := range before {
			if r, _ := Lookup(id); r.Level >= rule.Warning && n > ofFile[id] {
				t.Errorf("%s: the base has %d findings of %s, its file has %d", name, n, id, ofFile[id])
			}
		}
		if len(rep.Unread) > 0 {
			t.Errorf("%s: could not check: %v", name, rep.Unread)
		}
		for data := range base.Neutral {
			for id, n := range byRule(auditBytes(t, data, Options{})) {
				if r, _ := Lookup(id); r.Level >= rule.Warning && n > before[id] {
					t.Errorf("%s: a change that breaks nothing is found by %s", name, id)
				}
			}
		}
		for _, op := range audittest.Mutations {
			data, ok := base.Break(op)
			if !ok {
				continue
			}
			r, ok := Lookup(op.Rule)
			if !ok {
				t.Fatalf("no rule %s", op.Rule)
			}
			applied[op.Rule] = applied[op.Rule] || base.Generated // the corpus may be absent
			made++
			after := auditBytes(t, data, Options{Rules: []*rule.Rule{r}})
			hit := false // a real file may have another finding of the rule in the same place
			for _, f := range after.Findings {
				hit = hit || !known[f.String()]
			}
			if hit {
				caught++
			} else {
				t.Errorf("%s: %s: %s is not caught; %d findings before, %v", name, op.Rule, op.Name, before[op.Rule],
					after.Findings)
			}
			if base.Generated {
				madeHere++
				if hit {
					caughtHere++
				}
			}
		}
	}
	if made == madeHere {
		t.Log("mutation: no file of the corpus was there")
	}
	rules := 0
	for _, r := range Rules() {
		if r.Level < rule.Warning {
			continue
		}
		rules++
		if why := noMutation[r.ID]; (why != "") == applied[r.ID] {
			t.Errorf("%s: an operator of audittest/mutations.go was applied: %v; the reason for none in noMutation: %q", r.ID, applied[r.ID], why)
		}
	}
	t.Logf("mutation: caught %d of %d mutants, %d operators, %d rules of error or warning level", caught, made,
		len(audittest.Mutations), rules)
	t.Logf("mutation: caught %d of %d mutants of the generated databases alone", caughtHere, madeHere)
	if madeHere != mutantsMade || caughtHere != mutantsCaught {
		t.Errorf("mutantsCaught and mutantsMade are %d and %d, should be %d and %d", mutantsCaught, mutantsMade,
			caughtHere, madeHere)
	}
}
