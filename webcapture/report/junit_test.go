package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

func readJUnit(t testing.TB, doc string) []junitSuite {
	t.Helper()
	var all struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(doc), &all); err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return all.Suites
}

// checkSuites checks that the counts of a suite match its tests, and that each test has at most one outcome.
func checkSuites(t *testing.T, suites []junitSuite) {
	t.Helper()
	for _, s := range suites {
		failures, errs, skipped := 0, 0, 0
		for _, c := range s.Cases {
			n := failures + errs + skipped
			if c.Failure != nil {
				failures++
			}
			if c.Error != nil {
				errs++
			}
			if c.Skipped != nil {
				skipped++
			}
			if failures+errs+skipped > n+1 || c.Suite != s.Name || c.Name == "" {
				t.Errorf("%s: test %+v", s.Name, c)
			}
		}
		if got, want := [...]int{len(s.Cases), failures, errs, skipped},
			[...]int{s.Tests, s.Failures, s.Errors, s.Skipped}; got != want {
			t.Errorf("%s has %v, and says %v", s.Name, got, want)
		}
	}
}

func TestJUnitCounts(t *testing.T) {
	o, records := allRecords(t)
	o.Verbose = true
	suites := readJUnit(t, resultsIn(t, "junit", o, Complete, records...))
	checkSuites(t, suites)
	if len(suites) != len(records)+1 {
		t.Fatalf("%d suites for %d inputs", len(suites), len(records))
	}
	for i, r := range records {
		s := suites[i]
		bad := map[string]bool{}
		if r.Report != nil {
			for _, f := range r.Report.Findings {
				if f.Level() == rule.Error {
					bad[f.Rule.ID] = true
				}
			}
		}
		outcome := r.Outcome()
		got := fmt.Sprint(s.Failures, s.Errors, s.Skipped)
		want := fmt.Sprint(len(bad), oneIf(outcome == Failed || outcome == Partial), oneIf(outcome == Nothing))
		if got != want {
			t.Errorf("%s: failures, errors, skipped are %s, want %s", r.Path, got, want)
		}
	}
}

func FuzzJUnit(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) {
		checkSuites(t, readJUnit(t, resultsIn(t, "junit", Options{}, Complete, hostileRecords(s)...)))
	})
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestJUnitFailsFromLevel: --fail-on decides what is a failure, and clean files have tests only with Verbose.
func TestJUnitFailsFromLevel(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: rule.Findings{
		rule.Finding{Rule: &rule.Rule{ID: "WC900", Title: "A warning.", Level: rule.Warning}, Message: "it may be wrong"}}}
	clean := &Record{Path: "clean.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	for _, tt := range []struct {
		o                Options
		suites, failures int
	}{
		{Options{}, 2, 0},
		{Options{FailOn: rule.Error}, 2, 0},
		{Options{FailOn: rule.Warning}, 2, 1},
		{Options{FailOn: rule.Note}, 2, 1},
		{Options{FailOn: rule.Error, Verbose: true}, 3, 0},
	} {
		t.Run(fmt.Sprint(tt.o.FailOn, tt.o.Verbose), func(t *testing.T) {
			out := resultsIn(t, "junit", tt.o, Complete, &Record{Path: "a.pdf", Report: rep}, clean)
			suites := readJUnit(t, out)
			checkSuites(t, suites)
			if len(suites) != tt.suites || suites[0].Failures != tt.failures {
				t.Errorf("%d suites, want %d with %d failures:\n%s", len(suites), tt.suites, tt.failures, out)
			}
			if !strings.Contains(out, "it may be wrong") {
				t.Errorf("the warning is lost:\n%s", out)
			}
		})
	}
}

// All findings of a rule are in one failure, with a line for each; notes are not failures.
func TestJUnitFailures(t *testing.T) {
	rec := manyFindings(30)[0]
	note := &rule.Rule{ID: "WC103", Title: "A note.", Level: rule.Note}
	last := rec.Report.Findings[29]
	last.Rule = note
	rec.Report.Findings.DeleteFunc(func(i int, _ rule.Finding) bool { return i == 29 })
	rec.Report.Findings = append(rec.Report.Findings, last)
	rec.Ignored = []Ignored{{rec.Report.Findings[3], "known & <agreed>"}}
	suite := readJUnit(t, resultsIn(t, "junit", Options{}, Complete, rec))[0]
	checkSuites(t, []junitSuite{suite})
	failed, noted := suite.Cases[1], suite.Cases[2]
	if failed.Failure == nil || failed.Failure.Level != "error" || failed.Failure.Message != "29 findings" ||
		strings.Count(failed.Failure.Lines, "\n") != 28 {
		t.Errorf("failure %+v", failed.Failure)
	}
	if want := "ignored (known & <agreed>): URLS, entry 4: message 3"; failed.Output.Lines != want {
		t.Errorf("output %q, want %q", failed.Output, want)
	}
	if noted.Failure != nil || noted.Output.Lines != "URLS, entry 30: message 29" {
		t.Errorf("note %+v", noted)
	}
}

func TestJUnitSaysThatItIsComplete(t *testing.T) {
	for _, end := range ends {
		suites := readJUnit(t, resultsIn(t, "junit", Options{}, end, &Record{Path: "a", Err: errors.New("x")}))
		last := suites[len(suites)-1]
		if last.Name != "webcap" || last.Tests != 1 || (last.Errors == 0) != (end == Complete) {
			t.Errorf("%v: the last suite is %+v", end, last)
		}
		checkSuites(t, slices.Clone(suites))
	}
}

// A rule with only ignored findings is a skipped test.
func TestJUnitSkipsIgnored(t *testing.T) {
	rec := manyFindings(2)[0]
	for i := range 2 {
		rec.Ignored = append(rec.Ignored, Ignored{rec.Report.Findings[i], "known"})
	}
	rec.Report.Findings = rule.Findings{}
	suites := readJUnit(t, resultsIn(t, "junit", Options{}, Complete, rec))
	checkSuites(t, suites)
	if c := suites[0].Cases[1]; suites[0].Skipped != 1 || c.Skipped == nil || c.Skipped.Message != "2 findings ignored" ||
		!strings.HasPrefix(c.Skipped.Lines, "ignored (known): URLS, entry 1: ") {
		t.Errorf("%+v", suites[0])
	}
}
