package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestNewFindingsAreRefused: a rewritten file that has a finding that the file did
// not have is not installed, unless a step may have led to it. Each case changes what
// was written, as a mistake of the rewrite would.
func TestNewFindingsAreRefused(t *testing.T) {
	const objects = "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info +
		"20 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R null ] /SI << /AU (http://a/0) >> /CT (xyz) >>\n" +
		"10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n" +
		"21 0 obj << /S /SPS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 11 0 R ] /SI << /AU (http://b/0) >> /CT (y/z) >>\n" +
		"11 0 obj << /Type /Page /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> >>\n22 0 obj << /S /SPS >>\n"
	for name, c := range map[string]struct {
		rule     string // whose findings are repaired
		old, new []string
		want     string // in the error; empty if the file is installed
	}{
		"no change":                              {"WC204", nil, nil, ""},
		"a set":                                  {"WC204", []string{"/O [ 11 0 R ]"}, []string{"/O [ 22 0 R ]"}, "content set 21 0 R, member 22 0 R: error: the member of a page set is a dictionary"},
		"a page":                                 {"WC204", []string{"/Page /ID <b0"}, []string{"/Page /ID <ff"}, "[WC508]"},
		"SpiderInfo":                             {"WC204", []string{"/V 1.25"}, []string{"/V (xy)"}, "SpiderInfo"},
		"a finding that another set had":         {"WC204", []string{"(xyz)", "(y/z)"}, []string{"(u/v)", "(w) "}, "content set 21 0 R: warning: CT"},
		"what cannot be read":                    {"WC204", []string{"(y/z) >>"}, []string{"(y/z) ]]"}, "a part of the rewritten file could not be checked"},
		"a source, where a key changed":          {"WC204", []string{"/AU (http://b/0)"}, []string{"/AU (http://b/9)"}, ""},
		"a source, where a member was taken out": {"WC408", []string{"/AU (http://b/0)"}, []string{"/AU (http://b/9)"}, "[WC221]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, objects), Options{Rules: audit.Select(c.rule)})
			out := string(written(t, p))
			for i, old := range c.old {
				out = replaceSame(t, out, old, c.new[i])
			}
			_, err := p.verifyFile(opened(t, []byte(out), Options{}))
			if got := fmt.Sprint(err); (err != nil) != (c.want != "") || !strings.Contains(got, c.want) && err != nil {
				t.Errorf("the error is %v, should speak of %q", err, c.want)
			}
		})
	}
}

// TestNewSetsExcuseNoOthers: findings about a content set that had no entry before are not new; those about another
// one are.
func TestNewSetsExcuseNoOthers(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (http://b/0) 21 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n"+info+
		strings.Replace(setA, "/SPS", "/SPS /CT (xyz)", 1)+strings.Replace(setB, "a/0", "b/0", 1)), Options{Rebuild: true})
	out := string(carryOut(t, p))
	out = replaceSame(t, out, "/Page /ID <b0", "/Page /ID <ff")
	if _, err := p.verifyFile(opened(t, []byte(out), Options{})); err == nil ||
		!strings.Contains(err.Error(), "[WC508]") {
		t.Errorf("the error is %v, expected one about WC508", err)
	}
}

// replaceSame replaces the last occurrence of a text in a file, and pads the new text to the same length.
func replaceSame(t *testing.T, file, old, new string) string {
	t.Helper()
	at := strings.LastIndex(file, old)
	if at < 0 || len(old) < len(new) {
		t.Fatalf("%q is not in the file, or %q is longer", old, new)
	}
	return file[:at] + new + strings.Repeat(" ", len(old)-len(new)) + file[at+len(old):]
}

// TestNewRulesAdmitNothing: a rule may have new findings only after the actions in its MayFollow, for any ID.
func TestNewRulesAdmitNothing(t *testing.T) {
	all := map[rule.Action]bool{}
	for a := range rule.Rebuild {
		all[a+1] = true
	}
	for _, r := range audit.Rules() {
		if future := (&rule.Rule{ID: r.ID}); mayFollow(future, all) {
			t.Errorf("a rule that does not say so may follow an action because of its ID %s", r.ID)
		}
	}
	r := &rule.Rule{MayFollow: []rule.Action{rule.RemoveEntry}}
	if !mayFollow(r, all) {
		t.Error("a rule may not follow an action that it names")
	}
	if delete(all, rule.RemoveEntry); mayFollow(r, all) {
		t.Error("a rule may follow actions that it does not name")
	}
}

// TestEntriesAreAsPlanned: a rewritten file in which an entry has another key or value is rejected.
func TestEntriesAreAsPlanned(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 21 0 R ] >> "+idsOfBoth+" >>\n"+info+
		setA+strings.Replace(setB, "http://a/0", "http://b/0", 1)), Options{})
	out := string(written(t, p))
	for old, new := range map[string]string{"(http://a/0) 20 0 R": "(http://a/0) 21 0 R", "(http://a/0)": "(http://a/1)"} {
		t.Run(old, func(t *testing.T) {
			_, err := p.verifyFile(opened(t, []byte(replaceSame(t, out, old, new)), Options{}))
			if err == nil || !strings.Contains(err.Error(), "entry 0 of URLS changed to ") {
				t.Errorf("%s for %s: %v", new, old, err)
			}
		})
	}
}
