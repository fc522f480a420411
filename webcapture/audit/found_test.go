package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// faulty returns a document with n sets, each of which breaks several rules, and keys
// that break one each.
func faulty(t *testing.T, n int) []byte {
	var b, keys strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "(http://a.example/%06d) %d 0 R ", n-i, 10+i)
		fmt.Fprintf(&b, "%d 0 obj << /S /SPS /ID (short) /O [ %d 0 R ] /SI << /AU (x) /TS 1 >> /CT 1 /TS 1 >> endobj\n", 10+i, 10+2*n+i)
	}
	doc, err := webcapturetest.Parse("names: << /URLS << /Names [ " + keys.String() + "] >> >>\n" + b.String())
	if err != nil {
		t.Fatal(err)
	}
	return doc.Bytes(plainLayout)
}

// If there are more findings than the budget allows, the first of each rule are kept, and the others are counted,
// whichever goroutine finds them first.
func TestTooManyFindingsAreCounted(t *testing.T) {
	data := faulty(t, 2*engine.Chunk+100)
	whole := auditWith(t, 1, data, Options{})
	if len(whole.Omitted) > 0 || whole.OverBudget() != nil {
		t.Fatalf("%d rules are omitted within the budget", len(whole.Omitted))
	}
	var want []string
	n, kept, omitted := map[string]int{}, 0, map[string]int{}
	for _, f := range whole.Findings {
		if n[f.Rule.ID]++; n[f.Rule.ID] <= rule.MaxOfRule {
			want = append(want, f.String())
			kept++
		} else {
			omitted[f.Rule.ID]++
		}
	}
	if len(omitted) < 4 || kept%rule.MaxOfRule == 0 {
		t.Fatalf("%d findings of %d rules, too few to tell anything", kept, len(omitted))
	}
	for _, procs := range webcapturetest.Sample(3, []int{4, 1, 4}) {
		rep := auditWith(t, procs, data, Options{findings: int64(len(whole.Findings)) - 1})
		var got []string
		for _, f := range rep.Findings {
			got = append(got, f.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d cores: %d findings are not the first of each rule, which are %d", procs, len(got), len(want))
		}
		if len(rep.Omitted) != len(omitted) {
			t.Errorf("%d cores: %d rules are omitted, want %d", procs, len(rep.Omitted), len(omitted))
		}
		for _, o := range rep.Omitted {
			if o.Count != omitted[o.Rule.ID] {
				t.Errorf("%d cores: %d findings of %s are omitted, want %d", procs, o.Count, o.Rule.ID, omitted[o.Rule.ID])
			}
		}
		for l := rule.Note; l <= rule.Error; l++ {
			if rep.Count(l) != whole.Count(l) {
				t.Errorf("%d cores: %d findings are %v, want %d", procs, rep.Count(l), l, whole.Count(l))
			}
		}
		if rep.OverBudget() == nil || len(rep.Unread) != len(whole.Unread)+1 {
			t.Errorf("%d cores: nothing says that findings are omitted: %s", procs, unreadLines(rep))
		}
	}
}

// Of the findings at one place, the first by message are kept, in any order of arrival. Findings beyond the limit are
// never kept.
func TestTooManyFindingsAtOnePlaceAreCounted(t *testing.T) {
	const twice = 5*rule.MaxOfRule + 7
	doc, err := webcapturetest.Parse("names: << /URLS << /Names [ (http://a.example/) 10 0 R ] >> >>\n" +
		"10 0 obj << /S /SPS /O [ " + strings.Repeat("11 0 R ", 1+twice) + "] /SI << /AU (http://a.example/) >> >> endobj\n")
	if err != nil {
		t.Fatal(err)
	}
	data := doc.Bytes(plainLayout)
	messages := func(rep *Report) (all []string) {
		for _, f := range rep.Findings {
			if f.Rule == checks.MemberTwice {
				all = append(all, f.Message)
			}
		}
		return all
	}
	whole, some := auditBytes(t, data, Options{}), auditBytes(t, data, Options{findings: rule.MaxOfRule})
	want, got := messages(whole), messages(some)
	if len(want) != twice {
		t.Fatalf("%d findings within the budget, want %d", len(want), twice)
	}
	if !slices.Equal(got, want[:rule.MaxOfRule]) {
		t.Errorf("%d findings are not the first %d", len(got), rule.MaxOfRule)
	}
	if some.Count(rule.Error) != whole.Count(rule.Error) {
		t.Errorf("%d errors are counted, want %d", some.Count(rule.Error), whole.Count(rule.Error))
	}
}

// If the findings are exactly as many as the budget allows, all are kept.
func TestFindingsWithinTheBudgetAreKept(t *testing.T) {
	data := faulty(t, engine.Chunk)
	whole := auditWith(t, 1, data, Options{})
	rep := auditWith(t, 4, data, Options{findings: int64(len(whole.Findings) + len(whole.Unread))})
	sameReport(t, whole, rep)
	if len(rep.Omitted) > 0 {
		t.Errorf("%d rules are omitted", len(rep.Omitted))
	}
}

// Parts that cannot be read also count toward the budget of findings.
func TestTooManyUnreadPartsAreCounted(t *testing.T) {
	var b strings.Builder
	const n = 2*rule.MaxOfRule + 5
	for i := range n {
		fmt.Fprintf(&b, "(http://a.example/%06d) %d 0 R ", i, 10+i)
	}
	text := "names: << /URLS << /Names [ " + b.String() + "] >> >>\n"
	for i := range n {
		text += fmt.Sprintf("%d 0 obj << oops endobj\n", 10+i)
	}
	doc, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	rep := auditBytes(t, doc.Bytes(plainLayout), Options{findings: 10})
	if len(rep.Unread) != rule.MaxOfRule+1 ||
		!strings.Contains(unreadLines(rep), "parts that could not be checked are only counted") {
		t.Errorf("%d parts are unread: %.300s", len(rep.Unread), unreadLines(rep))
	}
}
