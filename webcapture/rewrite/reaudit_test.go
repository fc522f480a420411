package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestPartialAuditIsTheWholeAudit: where few keys change in a large file, only what
// they lead to is audited again, and the Report says what an audit of the whole
// rewritten file says.
func TestPartialAuditIsTheWholeAudit(t *testing.T) {
	partial := 0
	for _, base := range audittest.Bases(t) {
		if !base.Generated {
			continue
		}
		for _, op := range webcapturetest.Sample(4, audittest.Mutations) {
			data, ok := base.Break(op)
			if !ok {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s %s", base.Name, op.Rule, op.Name), func(t *testing.T) {
				broken, err := breakKey(planOf(t, data, Options{}), 5)
				if err != nil {
					return
				}
				p := planOf(t, broken, Options{Rules: audit.Select("urls")})
				p.partial = partialAudit{entries: 0, oneIn: 1}
				if p.Empty() || p.touched() == nil {
					return
				}
				partial++
				out := opened(t, written(t, p), p.opt)
				rep, err := p.verifyFile(out)
				if err != nil {
					t.Fatal(err)
				}
				whole, err := audit.Run(out, audit.Options{})
				if err != nil {
					t.Fatal(err)
				}
				compareReports(t, rep, whole)
			})
		}
	}
	want := 100
	if testing.Short() {
		want /= 3
	}
	if partial < want {
		t.Errorf("%d files were audited in part, too few", partial)
	}
}

// compareReports makes sure that two audits found the same in the same order.
func compareReports(t *testing.T, got, want *audit.Report) {
	t.Helper()
	text := func(r *audit.Report) string {
		var b strings.Builder
		fmt.Fprintln(&b, r.Size, r.URLS, r.IDS, r.PageSets, r.ImageSets, r.OtherSets, r.DigestsVerified, r.DigestsDiffer, r.DigestsUnchecked)
		for _, f := range r.Findings.All() {
			fmt.Fprintln(&b, f)
		}
		for _, u := range r.Unread {
			fmt.Fprintln(&b, u.Place, u.Ref, u.Err)
		}
		return b.String()
	}
	if a, b := text(got), text(want); a != b {
		lines := strings.Split(b, "\n")
		for _, l := range strings.Split(a, "\n") {
			if !slices.Contains(lines, l) {
				t.Errorf("only in the partial audit: %s", l)
			}
		}
		t.Errorf("the partial audit says\n%s\nthe whole one\n%s", a, b)
	}
}

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

// TestNewSetsExcuseNoOthers: what is wrong with a content set that no entry led to before
// is not new; what is wrong with another one is.
func TestNewSetsExcuseNoOthers(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (http://b/0) 21 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n"+info+
		strings.Replace(setA, "/SPS", "/SPS /CT (xyz)", 1)+strings.Replace(setB, "a/0", "b/0", 1)), Options{Rebuild: true})
	out := string(carryOut(t, p))
	out = replaceSame(t, out, "/Page /ID <b0", "/Page /ID <ff")
	if _, err := p.verifyFile(opened(t, []byte(out), Options{})); err == nil || !strings.Contains(err.Error(), "[WC508]") {
		t.Errorf("the error is %v, should be about WC508", err)
	}
}

// replaceSame replaces the last occurrence of a text in a file by one of the same
// length.
func replaceSame(t *testing.T, file, old, new string) string {
	t.Helper()
	at := strings.LastIndex(file, old)
	if at < 0 || len(old) < len(new) {
		t.Fatalf("%q is not in the file, or %q is longer", old, new)
	}
	return file[:at] + new + strings.Repeat(" ", len(old)-len(new)) + file[at+len(old):]
}

// TestNewRulesAdmitNothing: a rule may have new findings after those actions only
// that it names, whatever its ID.
func TestNewRulesAdmitNothing(t *testing.T) {
	all := map[audit.Action]bool{}
	for a := range audit.Rebuild {
		all[a+1] = true
	}
	for _, r := range audit.Rules() {
		if future := (&audit.Rule{ID: r.ID}); mayFollow(future, all) {
			t.Errorf("a rule that does not say so may follow an action because of its ID %s", r.ID)
		}
	}
	r := &audit.Rule{MayFollow: []audit.Action{audit.RemoveEntry}}
	if !mayFollow(r, all) {
		t.Error("a rule may not follow an action that it names")
	}
	if delete(all, audit.RemoveEntry); mayFollow(r, all) {
		t.Error("a rule may follow actions that it does not name")
	}
}

// TestPartialAuditRefusesNewFindings: what is wrong with an entry that did not change
// is not an excuse for the same in one that did.
func TestPartialAuditRefusesNewFindings(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 30 0 R (http://b/0) 31 0 R ] >> "+idsOfBoth+" >>\n"+info+
		setA+setB+"30 0 obj [ 20 0 R 21 0 R ]\n31 0 obj [ 21 0 R 21 0 R ]"), Options{Rules: audit.Select("WC204")})
	p.partial = partialAudit{entries: 0, oneIn: 1}
	if p.touched() == nil {
		t.Fatal("the whole file is audited")
	}
	out := string(written(t, p))
	if _, err := p.verifyFile(opened(t, []byte(out), Options{})); err != nil {
		t.Fatal(err)
	}
	out = replaceSame(t, out, "[ 20 0 R 21 0 R ]", "[ 20 0 R 20 0 R ]")
	if _, err := p.verifyFile(opened(t, []byte(out), Options{})); err == nil || !strings.Contains(err.Error(), "[WC125]") {
		t.Errorf("the error is %v, should be about WC125", err)
	}
}

// TestEntriesAreAsPlanned: an entry of the rewritten file that has another key, or another value, is not installed.
func TestEntriesAreAsPlanned(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 21 0 R ] >> "+idsOfBoth+" >>\n"+info+
		setA+strings.Replace(setB, "http://a/0", "http://b/0", 1)), Options{})
	out := string(written(t, p))
	for old, new := range map[string]string{"(http://a/0) 20 0 R": "(http://a/0) 21 0 R", "(http://a/0)": "(http://a/1)"} {
		_, err := p.verifyFile(opened(t, []byte(replaceSame(t, out, old, new)), Options{}))
		if err == nil || !strings.Contains(err.Error(), "entry 0 of URLS is ") {
			t.Errorf("%s for %s: %v", new, old, err)
		}
	}
}

// TestPartialAuditKeepsWhatIsUnread: what could not be read before is told where it
// stands now, once.
func TestPartialAuditKeepsWhatIsUnread(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (HTTP://c/0) 22 0 R (http://b/0) 21 0 R (http://b/1) 21 0 R (http://b/2) 23 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n"+
		info+setA+"21 0 obj << /S /SPS /ID ]\n22 0 obj << /S ]\n23 0 obj << /S /SIS ]\n"), Options{Rules: audit.Select("WC204")})
	p.partial = partialAudit{entries: 0, oneIn: 1}
	out := opened(t, written(t, p), Options{})
	rep, err := p.verifyFile(out)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := audit.Run(out, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.touched() == nil || len(whole.Unread) != 3 {
		t.Fatalf("audited again: %v, not read: %v", p.touched(), whole.Unread)
	}
	compareReports(t, rep, whole)
}

// TestPartialAuditIsForFewKeysOfMany: a second audit looks at the whole file unless
// the trees are large, few entries changed, and nothing but their keys did.
func TestPartialAuditIsForFewKeysOfMany(t *testing.T) {
	const trees = "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + setB
	const wrongIDs = "names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ (x) 20 0 R <c0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info + setA + setB
	for name, c := range map[string]struct {
		objects, rules string
		partial        partialAudit
		want           bool
	}{
		"small":                            {trees, "WC204", usualPartialAudit, false},
		"large enough":                     {trees, "WC204", partialAudit{4, 4}, true},
		"a key after others":               {strings.NewReplacer("(HTTP://a/0) 20", "(http://a/0) 21", "(http://b/0) 21", "(http://b/0#x) 20").Replace(trees), "WC203", partialAudit{4, 4}, true},
		"one entry short":                  {trees, "WC204", partialAudit{5, 4}, false},
		"too many changes":                 {trees, "WC204", partialAudit{4, 5}, false},
		"a key is added":                   {strings.Replace(trees, "(HTTP://a/0) 20 0 R", "", 1), "WC223", partialAudit{0, 1}, false},
		"a key that is not an ID":          {wrongIDs, "WC301", partialAudit{0, 1}, true},
		"a key that may be that of a page": {wrongIDs, "WC302", partialAudit{0, 1}, false},
		"a value that stands in the tree":  {strings.Replace(trees, "20 0 R (http", "[ 20 0 R ] (http", 1), "WC204", partialAudit{0, 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.objects), Options{Rules: audit.Select(c.rules)})
			p.partial = c.partial
			if p.Empty() {
				t.Fatal("there is nothing to do")
			}
			touched := p.touched()
			if got := touched != nil; got != c.want {
				t.Errorf("a part is audited: %v, should be %v", got, c.want)
			}
			for num := range uint32(100) {
				if want := c.want && num == 20; touched != nil && touched.Has(object.Ref{Num: num}) != want {
					t.Errorf("%d 0 R is audited again: %v, should be content set 20 only", num, !want)
				}
			}
		})
	}
}

// TestWhatIsLostIsNotNew: an entry that led to what nobody could read leads to nothing
// in a file that was written anew.
func TestWhatIsLostIsNotNew(t *testing.T) {
	data := pdf(t, "names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 50 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n"+info+
		setA+"50 0 obj << /S [ >> %\n")
	p := planOf(t, []byte(strings.Replace(string(data), "/S [ >> %\nendobj", "/S [ >> %\nendxxx", 1)), Options{})
	var b bytes.Buffer
	if err := p.update.WriteFull(&b); err != nil {
		t.Fatal(err)
	}
	if lost := p.update.Lost(); len(lost) != 1 || lost[0].Num != 50 {
		t.Fatalf("%v are lost", lost)
	}
	rep, err := p.verifyFile(opened(t, b.Bytes(), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rep.Findings.String(), "[WC120]") {
		t.Errorf("nothing tells that the entry leads nowhere: %v", rep.Findings)
	}
}
