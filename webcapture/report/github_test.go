package report

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// workflowCommand is a workflow command as the runner reads it.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]*,line=1,)?title=[^,:]*::.*$`)

// Each line is a command of webcap, or contains no text of files.
func FuzzGitHub(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) {
		log := resultsIn(t, "github", Options{}, Interrupted, hostileRecords(s)...)
		for line := range strings.Lines(log) {
			line = strings.TrimSuffix(line, "\n")
			if !workflowCommand.MatchString(line) && (strings.Contains(line, "::") || strings.Contains(line, "##[")) {
				t.Errorf("%.40q: line %q", s, line)
			}
		}
	})
}

func TestGitHubProperty(t *testing.T) {
	if got, want := property("a,b:c%d\n"), `a%2Cb%3Ac%25d\x0a`; got != want {
		t.Errorf("property %q, want %q", got, want)
	}
}

func TestGitHubAnnotatesTenOfEachLevel(t *testing.T) {
	rec := manyFindings(40)[0]
	change(rec, 15, func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC103", Problem: "A note", Level: rule.Note} })
	records := []*Record{rec}
	for i := range 12 {
		records = append(records, &Record{Path: fmt.Sprintf("%d.pdf", i), Err: errors.New("gone")})
	}
	log := resultsIn(t, "github", Options{}, Complete, records...)
	for want, n := range map[string]int{
		"title=WC302 A title::": 10, "title=WC103 A note::": 10, "title=input::": 12,
		"Not annotated: 15 errors, 5 notes. GitHub shows 10 of each level.\n": 1,
	} {
		t.Run(want, func(t *testing.T) {
			if got := strings.Count(log, want); got != n {
				t.Errorf("%q is there %d times, want %d:\n%s", want, got, n, log)
			}
		})
	}
}

// The first finding of each rule in a file is annotated before further ones.
func TestGitHubAnnotatesFirstOnes(t *testing.T) {
	for _, tt := range []struct{ files, each, firsts, others int }{{12, 3, 10, 0}, {3, 2, 3, 3}, {3, 5, 3, 7},
		{1, 20, 1, 9}} {
		t.Run(fmt.Sprint(tt.files), func(t *testing.T) {
			var records []*Record
			for i := range tt.files {
				rec := manyFindings(tt.each)[0]
				rec.Path = fmt.Sprintf("%d.pdf", i)
				records = append(records, rec)
			}
			log := resultsIn(t, "github", Options{}, Complete, records...)
			firsts := strings.Count(log, ": message 0\n")
			if all := strings.Count(log, ": message "); firsts != tt.firsts || all-firsts != tt.others {
				t.Errorf("%d files with %d findings: %d first ones and %d others are annotated, want %d and %d:\n%s", tt.files,
					tt.each, firsts, all-firsts, tt.firsts, tt.others, log)
			}
			if left := fmt.Sprintf("Not annotated: %d errors.",
				tt.files*tt.each-tt.firsts-tt.others); tt.files*tt.each > 10 != strings.Contains(log, left) {
				t.Errorf("%q is wrong of\n%s", left, log)
			}
		})
	}
}

// A job summary stays below the limit of GitHub, and names omitted inputs.
func TestGitHubSummaryIsCapped(t *testing.T) {
	var log, summary bytes.Buffer
	w := newGitHub(&log, Options{Summary: &summary})
	large, clean := manyFindings(400)[0], &Record{Path: "b.pdf",
		Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	const n = 500
	for range n {
		for _, r := range []*Record{large, clean} {
			if err := w.Add(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(Complete); err != nil {
		t.Fatal(err)
	}
	if summary.Len() > maxSummary || summary.Len() < maxSummary/2 {
		t.Errorf("the summary has %d bytes", summary.Len())
	}
	text := summary.String()
	m := regexp.MustCompile(`has room for 1 MiB: (\d+) inputs without details, (\d+) not listed`).FindStringSubmatch(text)
	if m == nil || m[1] == "0" || m[2] == "0" {
		t.Fatalf("it says %q of what is left out", m)
	}
	listed, detailed := strings.Count(text, "\n## `"), strings.Count(text, "| Level | Rule | Place | Finding |")
	short := listed - detailed
	if m[1] != strconv.Itoa(short) || m[2] != strconv.Itoa(n-listed) {
		t.Errorf("it says %q of what is left out, which is %d and %d", m, short, n-listed)
	}
	if want := "1000 files: 500 with errors, 500 clean"; !strings.Contains(text, want) {
		t.Errorf("%q is not there", want)
	}
}

// The log and the job summary begin with totals.
func TestGitHubBeginsWithTotals(t *testing.T) {
	outs := rendered(t, Format{New: format(newGitHub), Summary: true}, Options{}, Complete, outcomesOf(1)...)
	const inputs = "9 files: 1 with errors, 1 with warnings, "
	if log := outs[0].text; !strings.HasPrefix(log, inputs) || !strings.Contains(log, "; 1 error, 1 warning, 1 note\n") {
		t.Errorf("the log is\n%s", log)
	}
	if summary := outs[1].text; !strings.HasPrefix(summary, "# Web Capture audit\n\n"+inputs) {
		t.Errorf("the summary is\n%s", summary)
	}
}

// The log says that results are incomplete, also without a job summary.
func TestGitHubLogSaysThatItIsIncomplete(t *testing.T) {
	for _, end := range ends {
		log := resultsIn(t, "github", Options{}, end)
		if got := strings.Contains(log, "::error title=incomplete::"); got != (end != Complete) {
			t.Errorf("%v: the log says that it is incomplete: %v", end, got)
		}
	}
}

// The first part that could not be checked is annotated, with the number of further ones.
func TestGitHubCountsUnread(t *testing.T) {
	for n, want := range map[int]string{1: "torn\n", 3: "torn; and 2 more\n"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			rep := &audit.Report{Unread: slices.Repeat([]rule.Unread{{Place: rule.Place{Tree: "URLS"},
				Err: errors.New("torn")}}, n)}
			if log := resultsIn(t, "github", Options{}, Complete,
				&Record{Path: "a.pdf", Report: rep}); !strings.HasSuffix(log, want) {
				t.Errorf("the log of %d parts is %q, want %q at its end", n, log, want)
			}
		})
	}
}
