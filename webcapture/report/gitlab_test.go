package report

import (
	"encoding/json"
	"testing"
)

func TestGitLabIssues(t *testing.T) {
	o, records := allRecords(t)
	checkGitLab(t, o, records)
	checkGitLab(t, o, manyFindings(300))
}

func FuzzGitLab(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) { checkGitLab(t, Options{}, hostileRecords(s)) })
}

// checkGitLab checks that fingerprints are unique, because GitLab drops repeated ones, and that severities are
// among the five of GitLab.
func checkGitLab(t *testing.T, o Options, list []*Record) {
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(resultsIn(t, "gitlab", o, Interrupted, list...)), &issues); err != nil {
		t.Fatal(err)
	}
	want := 1 + oneIf(len(o.Configuration) > 0) // incomplete, and how the results were configured
	for _, r := range list {
		want += oneIf(r.Outcome() == Failed)
		if r.Report != nil {
			want += r.Report.Findings.Len() + len(r.Report.Unread) + oneIf(len(r.Report.Identities) > 0) +
				oneIf(len(r.Ignored) > 0)
		}
	}
	if len(issues) != want {
		t.Errorf("%.40q: %d issues, want %d", list[0].Path, len(issues), want)
	}
	severities := map[string]bool{"info": true, "minor": true, "major": true, "critical": true, "blocker": true}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] || len(i.Fingerprint) != 2*len(sum{}) || !severities[i.Severity] ||
			i.Location.Lines.Begin != 1 || i.Location.Path == "" {
			t.Errorf("issue %+v", i)
		}
		seen[i.Fingerprint] = true
	}
}
