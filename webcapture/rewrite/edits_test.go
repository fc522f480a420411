package rewrite

import (
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestMakeIndirect: a direct content set that becomes an object gets its keys in each tree with entries. In a tree that
// has an equal set, it only gets the key that the entry has.
func TestMakeIndirect(t *testing.T) {
	const (
		id     = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
		urls   = "/URLS << /Names [ %s ] >> "
		ids    = "/IDS << /Names [ %s ] >>"
		direct = "<< /S /SPS /ID " + id + " /O [ 10 0 R ] /SI %s >>"
		setOfB = "(http://b/0) 21 0 R"
		both   = "[(http://a/0)] [" + id + "]"
		other  = "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R "
	)
	fromA := fmt.Sprintf(direct, "<< /AU (http://a/0) >>")
	fromCAndA := fmt.Sprintf(direct, "[ << /AU (http://c/0) >> << /AU (http://a/0) >> ]")
	relative := fmt.Sprintf(direct, "<< /AU (a/0) >>")
	for name, c := range map[string]struct {
		urls, ids string
		tree      webcapture.TreeName
		want      string // the new keys of URLS and IDS
	}{
		"a set in URLS":             {"(http://a/0) " + fromA, other, webcapture.URLS, both},
		"a set of two URLs":         {"(http://a/0) " + fromCAndA, other, webcapture.URLS, both},
		"a set that IDS also has":   {"(http://a/0) " + fromA, id + fromA, webcapture.URLS, "[(http://a/0)] []"},
		"a set in IDS":              {setOfB, id + fromA, webcapture.IDS, both},
		"a set of two URLs in IDS":  {setOfB, id + fromCAndA, webcapture.IDS, "[(http://c/0) (http://a/0)] [" + id + "]"},
		"a relative URL":            {setOfB, id + relative, webcapture.IDS, "[] [" + id + "]"},
		"no entries in URLS":        {"", id + fromA, webcapture.IDS, "[] [" + id + "]"},
		"no entries in IDS":         {"(http://a/0) " + fromA, "", webcapture.URLS, "[(http://a/0)] []"},
		"an array with another set": {"(http://a/0) [ 21 0 R " + fromA + " ]", other, webcapture.URLS, both},
	} {
		t.Run(name, func(t *testing.T) {
			p := plannerOf(t, "names: << "+fmt.Sprintf(urls, c.urls)+fmt.Sprintf(ids, c.ids)+" >>\n"+info+setB+
				"10 0 obj << /Type /Page >>\n", Options{})
			if err := p.makeIndirect(p.trees[c.tree], 0); err != nil {
				t.Fatal(err)
			}
			keys := func(name webcapture.TreeName) []nametree.Key {
				list := []nametree.Key{}
				for _, a := range p.trees[name].added {
					list = append(list, a.key)
				}
				return list
			}
			if got := fmt.Sprint(keys(webcapture.URLS), keys(webcapture.IDS)); got != c.want {
				t.Errorf("the new keys are %s, want %s", got, c.want)
			}
			if !p.trees[c.tree].indirect[0] || !p.trees[c.tree].touched {
				t.Error("the value of the entry stays direct")
			}
		})
	}
}

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
			d, err := planFor(p.repair.before, Options{Rules: audit.Select("trees")}, nil)
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

// TestNothingLostBefore: the content set of a removed entry is not lost if a later entry leads to it.
func TestNothingLostBefore(t *testing.T) {
	const rest = idsOfBoth + " >>\n" + info + setA + setB
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 20 0 R ] >> "+rest),
		Options{Rules: audit.Select("WC204")})
	e := p.repair.last.from.db.URLS.Edit()
	e.Remove(0)
	p.repair.last.expect[webcapture.URLS] = &expectation{edit: e}
	f := opened(t, pdf(t, "names: << /URLS << /Names [ (http://b/0) 20 0 R ] >> "+rest), Options{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.repair.last.verifyTrees(f, db); err != nil {
		t.Error(err)
	}
}
