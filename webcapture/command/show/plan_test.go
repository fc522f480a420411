package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// planned returns a plan with several kinds of steps, and with findings that remain.
func planned(t *testing.T) *Rewrite {
	t.Helper()
	one := func(id string) *rule.Rule {
		r, ok := audit.Lookup(id)
		if !ok {
			t.Fatalf("no rule %s", id)
		}
		return r
	}
	p := &rewrite.Plan{Path: "site\x1b[31m.pdf", Report: &audit.Report{
		Facts:  webcapture.Facts{Present: true, HasURLS: true, HasIDS: true, URLS: 30, IDS: 30},
		Counts: audit.Counts{PageSets: 20, ImageSets: 10},
	}}
	add := func(action rule.Action, tree, before, after string, at rule.Place, rules ...string) {
		p.Steps = append(p.Steps, rewrite.Step{Rules: rules, Action: action, Tree: tree, Place: &at, Old: before, New: after,
			Reason: "it is wrong"})
	}
	add(rule.RewriteTree, "URLS", "", "", rule.Place{Tree: "URLS"}, "WC106", "WC126")
	for i := range 25 {
		at := rule.Place{Tree: "IDS", Node: &rule.NodePlace{Ref: object.Ref{Num: 41}, Index: i}}
		add(rule.ChangeKey, "IDS", fmt.Sprintf("<%036d>", i), fmt.Sprintf("<%032d>", i), at, "WC303")
	}
	set := rule.Place{Set: object.Ref{Num: 12}}
	add(rule.AddKey, "URLS", "", "(http://a.example/a/long/path/to/a/page/index.html?rev=7) 12 0 R", set, "WC223")
	add(rule.DropMember, "", "99 0 R", "", rule.Place{Set: object.Ref{Num: 12}, Object: object.Ref{Num: 99}}, "WC409")
	add(rule.ChangeSource, "", "(HTTP://a\x07/)", "(http://a/)", set, "WC221")
	for range 3 {
		p.Left = append(p.Left, rewrite.Left{
			Finding: &rule.Finding{Rule: one("WC402"), Place: set, Message: "ID has 15 bytes"},
			Reason:  "An ID is never changed.",
		})
	}
	return &Rewrite{Plan: p}
}

func TestPlanGolden(t *testing.T) {
	for name, width := range map[string]int{"plan-60.txt": 60, "plan-120.txt": 120, "plan-piped.txt": 0} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := WritePlan(&out, planned(t), width); err != nil {
				t.Fatal(err)
			}
			layouttest.Golden(t, filepath.Join(golden, name), out.String())
			layouttest.Lines(t, out.String(), width)
		})
	}
}

func TestPlanJSON(t *testing.T) {
	r := planned(t)
	r.Output, r.Target.Full = "out.pdf", true
	r.Result = &audit.Report{Facts: webcapture.Facts{Present: true}}
	var out bytes.Buffer
	if err := WritePlanJSON(&out, r, "v1"); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema string
		Input  struct{ Path, Outcome string }
		Steps  []struct {
			Rules            []string
			Action, Tree     string
			Old, New, Reason string
			Place            struct{ Text string }
		}
		Left []struct {
			Rule, Level, Message, Reason string
		}
		Written struct {
			Path string
			Full bool
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "webcap.rewrite/1" || len(doc.Steps) != len(r.Plan.Steps) || len(doc.Left) != 3 {
		t.Errorf("schema %q, %d steps, %d left", doc.Schema, len(doc.Steps), len(doc.Left))
	}
	if s := doc.Steps[0]; len(s.Rules) != 2 || s.Action != "rewrite-tree" || s.Tree != "URLS" || s.Place.Text != "URLS" {
		t.Errorf("the first step is %+v", s)
	}
	if s := doc.Steps[len(doc.Steps)-1]; len(s.Rules) != 1 || s.Old != "(HTTP://a\x07/)" {
		t.Errorf("the last step is %+v", s)
	}
	if l := doc.Left[0]; l.Rule != "WC402" || l.Level != "error" || l.Message != "ID has 15 bytes" || l.Reason == "" {
		t.Errorf("what is left is %+v", l)
	}
	if w := doc.Written; w.Path != "out.pdf" || !w.Full {
		t.Errorf("written is %+v", w)
	}
}

// The result of a plan is one sentence in text, and the member written in JSON.
func TestPlanSaysWhatIsWritten(t *testing.T) {
	nothing := &Rewrite{Plan: &rewrite.Plan{Path: "a.pdf", Report: &audit.Report{}}}
	clean := &Rewrite{Plan: &rewrite.Plan{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}}
	written := planned(t)
	written.Output, written.Result = "out.pdf", &audit.Report{}
	anew := *written
	anew.Target.Full = true
	for _, tt := range []struct {
		name    string
		r       *Rewrite
		want    []string
		written bool
	}{
		{"no database", nothing, []string{"no Web Capture content database: nothing to rewrite", "there is nothing to do"},
			false},
		{"clean", clean, []string{"nothing to repair", "there is nothing to do"}, false},
		{"planned", planned(t), []string{"This is the plan"}, false},
		{"appended", written, []string{"Wrote out.pdf (the old file and an update)."}, true},
		{"anew", &anew, []string{"Wrote out.pdf (a new file)."}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table, doc bytes.Buffer
			if err := WritePlan(&table, tt.r, 0); err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(table.String(), want) {
					t.Errorf("%s: %q is not in\n%s", tt.name, want, table.String())
				}
			}
			if err := WritePlanJSON(&doc, tt.r, ""); err != nil {
				t.Fatal(err)
			}
			if got := !strings.Contains(doc.String(), `"written":null`); got != tt.written {
				t.Errorf("%s: written: %v\n%s", tt.name, got, doc.String())
			}
		})
	}
}

func TestWriteErrorsAreReturned(t *testing.T) {
	if err := WritePlan(fullDisk{}, planned(t), 0); !errors.Is(err, errFull) {
		t.Errorf("table: %v", err)
	}
	if err := WritePlanJSON(fullDisk{}, planned(t), ""); !errors.Is(err, errFull) {
		t.Errorf("JSON: %v", err)
	}
	if err := NewText(fullDisk{}, 0).Add(&CanonResult{}); !errors.Is(err, errFull) {
		t.Errorf("table of URLs: %v", err)
	}
	if err := NewJSON(fullDisk{}).Add(&Digest{}); !errors.Is(err, errFull) {
		t.Errorf("JSON of identifiers: %v", err)
	}
}

// Without steps, a file with damaged cross-reference data can still be written anew.
func TestPlanEndings(t *testing.T) {
	for _, tt := range []struct {
		steps, damaged, full, written bool
		want                          string
	}{
		{false, false, false, false, "Nothing is written: there is nothing to do."},
		{false, false, true, false, "Nothing is written: there is nothing to do."},
		{false, true, false, false, "Nothing is written: there is nothing to do."},
		{false, true, true, false,
			"Nothing is written yet. Use -o FILE or --in-place to write it with new cross-reference data."},
		{true, false, false, false,
			"This is the plan; nothing is written yet. Use -o FILE or --in-place to carry it out."},
		{true, false, false, true,
			"Wrote out.pdf (the old file and an update). Its audit: 0 errors, 0 warnings, 0 notes."},
		{false, true, true, true, "Wrote out.pdf (a new file). Its audit: 0 errors, 0 warnings, 0 notes."},
	} {
		r := planned(t)
		if !tt.steps {
			r.Plan.Steps = nil
		}
		r.Plan.Report.WithoutXRef, r.Target.Full, r.Output = tt.damaged, tt.full, "out.pdf"
		if tt.written {
			r.Result = &audit.Report{}
		}
		if got := r.ending(); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// The cause of a step is its rules, or else an option. --prefer is named if it decided.
func TestCausesOfSteps(t *testing.T) {
	for _, tt := range []struct {
		step rewrite.Step
		want string
	}{
		{rewrite.Step{Rules: []string{"WC1", "WC2"}, Action: rule.Restore}, "WC1 WC2"},
		{rewrite.Step{Action: rule.Restore}, "--from"},
		{rewrite.Step{Action: rule.Rebuild}, "--rebuild"},
		{rewrite.Step{Rules: []string{"WC1"}, Chosen: true}, "WC1 --prefer"},
		{rewrite.Step{Action: rule.ChangeKey}, ""},
	} {
		if got := causeOf(&tt.step); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.step, got, tt.want)
		}
	}
}

// Of many steps with the same cause, twenty are listed, and the others counted.
func TestPlanCountsSteps(t *testing.T) {
	for n, want := range map[int]string{20: "", 21: "change-key  … and 1 more; ", 25: "change-key  … and 5 more; "} {
		r := planned(t)
		r.Plan.Steps, r.Plan.Left = nil, nil
		for range n {
			r.Plan.Steps = append(r.Plan.Steps, rewrite.Step{Action: rule.ChangeKey, Place: &rule.Place{}})
		}
		var out bytes.Buffer
		if err := WritePlan(&out, r, 0); err != nil {
			t.Fatal(err)
		}
		if rows := strings.Count(out.String(), "change-key  catalog"); rows != 20 || !strings.Contains(out.String(), want) ||
			want == "" && strings.Contains(out.String(), "…") {
			t.Errorf("%d steps, %d rows:\n%s", n, rows, out.String())
		}
	}
}
