package rewrite

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestStrayPairsWithValues: a round removes a pair without a key only if its value is null, a string that is a key, or
// content sets that keep some key. Half a pair goes only if its content set gets a key in the same tree.
func TestStrayPairsWithValues(t *testing.T) {
	const objects = "<< /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /SI << >> >>\n" +
		"10 0 obj << /Type /Page >>\n"
	for pair, want := range map[string]bool{
		"12 null":         true,
		"12 13":           false,
		"12 /Name":        false,
		"12 (http://b/0)": true,
		"12 (http://c/0)": false,
		"12 21 0 R":       true, // gets the key of its URL
		"12 20 0 R":       true, // has no URL, but a key in IDS
		"12 22 0 R":       false,
		"12 23 0 R":       false, // cannot be read
		"null 21 0 R":     true,
		"/Name 21 0 R":    true,
		"10 0 R 21 0 R":   false,
		"21 0 R":          true,
		"20 0 R":          false,
	} {
		t.Run(pair, func(t *testing.T) {
			f := opened(t, pdf(t, "names: << /URLS << /Names [ (http://b/0) 21 0 R "+pair+" ] >> "+idsOfBoth+" >>\n"+info+
				"20 0 obj "+objects+setB+"22 0 obj << /S /SPS /ID <c0> /SI << >> >>\n23 0 obj ]\n"), Options{})
			p, err := NewPlan(t.Context(), f, Options{Rules: audit.Select("trees")})
			if err != nil {
				t.Fatal(err)
			}
			d, err := planFor(p.rounds.before, Options{Rules: audit.Select("trees")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := false
			for _, s := range d.steps {
				got = got || s.Action == rule.RestoreKeys
			}
			if got != want {
				t.Errorf("the pair is removed: %v, want %v", got, want)
			}
		})
	}
}
