package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestOneRuleAlone: what a rule says of a document that comes close to breaking it, or
// breaks it in an unusual way; other rules may find something, too.
func TestOneRuleAlone(t *testing.T) {
	const a, b, c = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>", "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	set := func(id, o, url string) string {
		return "<< /S /SPS /ID " + id + " /O [ " + o + " ] /SI << /AU (" + url + ") >> >>"
	}
	const pages = "\n6 0 obj << /Type /Page /ID " + a + " >>\n"
	for name, row := range map[string]struct{ rule, text, want string }{
		"a set that stands in URLS itself": {"WC304",
			"names: << /URLS << /Names [ (http://a.example/) " + set(a, "", "http://a.example/") + " ] >> /IDS << /Names [ " + b + " 5 0 R ] >> >>" + pages + "5 0 obj " + set(b, "6 0 R", "http://b.example/") + "\n",
			"ID " + a + " is not a key of IDS"},
		"a page whose set is not in IDS": {"WC521",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://c.example/) 7 0 R ] >> /IDS << /Names [ " + a + " 5 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n7 0 obj " + set(c, "6 0 R", "http://c.example/") + "\n13 0 obj << /Type /Page /ID " + c + " >>\n",
			""},
		"a page whose set is nowhere": {"WC521",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + a + " 5 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n13 0 obj << /Type /Page /ID " + c + " >>\n",
			"ID " + c + " is not a key of IDS"},
		"a page with the ID 0, and a set without one": {"WC521",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://c.example/) 7 0 R ] >> /IDS << /Names [ " + a + " 5 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n7 0 obj " + set("()", "6 0 R", "http://c.example/") + "\n13 0 obj << /Type /Page /ID <00000000000000000000000000000000> >>\n",
			"is not a key of IDS"},
		"two sources that were redirected from one URL": {"WC428",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>" + pages + "5 0 obj << /S /SPS /ID " + a + " /O [ 6 0 R ] /SI [ << /AU << /U (http://a.example/) /C [ [ (http://r.example/) ] ] >> >> << /AU << /U (http://b.example/) /C [ [ (http://r.example/) ] ] >> >> ] >>\n",
			""},
		"two sources without a URL": {"WC428",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>" + pages + "5 0 obj << /S /SPS /ID " + a + " /O [ 6 0 R ] /SI [ << /AU () >> << /AU () >> ] >>\n",
			""},
		"two sources with one URL, spelled in two ways": {"WC428",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>" + pages + "5 0 obj << /S /SPS /ID " + a + " /O [ 6 0 R ] /SI [ << /AU (http://a.example/x) >> << /AU (HTTP://A.example:80/x#y) >> ] >>\n",
			"sources 0 and 1 have the same URL, (http://a.example/x)"},
		"a value of which one set cannot be read": {"WC221",
			"names: << /URLS << /Names [ (http://x.example/) [ 5 0 R 7 0 R ] ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n7 0 obj << /S ] >>\n",
			""},
		"a value of which all sets can be read": {"WC221",
			"names: << /URLS << /Names [ (http://x.example/) [ 5 0 R 7 0 R ] ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n7 0 obj " + set(b, "6 0 R", "http://b.example/") + "\n",
			"key (http://x.example/) is not a URL of its content set, which comes from (http://a.example/)"},
		"an empty array": {"WC221", "names: << /URLS << /Names [ (http://x.example/) [ ] ] >> >>" + pages, ""},
		"the same URL, as Acrobat spells it": {"WC221",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example") + "\n", ""},
		"a name that is shorter than an identifier": {"WC531",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + a + " 5 0 R ] >> >>\n6 0 obj << /Type /Page /ID " + a + " /Annots [ << /Subtype /Link /Dest (short) >> << /Subtype /Link /Dest [ 6 0 R /Fit ] >> ] >>\n5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n", ""},
	} {
		rule, ok := Lookup(row.rule)
		if !ok {
			t.Fatalf("no rule %s", row.rule)
		}
		rep := auditText(t, row.text, plainLayout, Options{Rules: []*Rule{rule}})
		if n := rep.Findings.Len(); n > 1 || n == 1 != (row.want != "") || n == 1 && !strings.Contains(rep.Findings.At(0).Message, row.want) {
			t.Errorf("%s: %v, want %q", name, rep.Findings, row.want)
		}
	}
}

// TestWhatCannotBeReadIsNamed: a part that is not well formed is not checked, and
// somebody who is told so looks there.
func TestWhatCannotBeReadIsNamed(t *testing.T) {
	const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	const base = "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + id + " 5 0 R ] >> >>\n"
	const broken = "9 0 obj << /Broken ] >>\n"
	for name, row := range map[string]struct{ text, want string }{
		"nothing": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n", ""},
		"the ID of a page": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID 9 0 R >>\n" + broken,
			"object 6 0 R; page 1, 6 0 R"},
		"the annotations of a page": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " /Annots 9 0 R >>\n" + broken,
			"page 1, 6 0 R"},
		"an annotation": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " /Annots [ 9 0 R ] >>\n" + broken,
			"page 1, 9 0 R"},
		"the resources of a page": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " /Resources << /XObject << /Im 9 0 R >> >> >>\n" + broken,
			"object 9 0 R"},
		"a set": {base + "5 0 obj << /Broken ] >>\n", "content set 5 0 R"},
		"a member": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 9 0 R ] /SI << /AU (http://a.example/) >> >>\n" + broken,
			"object 9 0 R"},
		"the type of a member": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] /SI << /AU (http://a.example/) >> >>\n7 0 obj << /Type 9 0 R >>\n" + broken,
			"object 7 0 R"},
		"the date of a set": {base + "5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /TS 9 0 R /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n" + broken,
			"content set 5 0 R"},
		"SpiderInfo": {base + "spiderinfo: << /V 1.25 /C 9 0 R >>\n5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n" + broken,
			"SpiderInfo"},
		"the settings of engines": {base + "spiderinfo: << /V 1.25 /C [ 7 0 R ] >>\n5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n7 0 obj << /URL (http://a.example/) /S << /C 9 0 R >> >>\n" + broken,
			"SpiderInfo; SpiderInfo, command 0"},
		"the settings of one engine": {base + "spiderinfo: << /V 1.25 /C [ 7 0 R ] >>\n5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n7 0 obj << /URL (http://a.example/) /S << /C << /a:b:c:d 9 0 R >> >> >>\n" + broken,
			"SpiderInfo; SpiderInfo, command 0"},
		"a command": {base + "spiderinfo: << /V 1.25 /C [ 9 0 R ] >>\n5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page /ID " + id + " >>\n" + broken,
			"SpiderInfo, command 0"},
	} {
		for _, allUnresolved := range []bool{false, true} {
			rep := auditText(t, row.text, plainLayout, Options{allUnresolved: allUnresolved})
			var places []string
			for _, u := range rep.Unread {
				places = append(places, fmt.Sprint(u.Place))
			}
			if got := strings.Join(places, "; "); got != row.want && (row.want == "" || !strings.HasPrefix(got, row.want)) {
				t.Errorf("%s: unread %q, want %q", name, got, row.want)
			}
		}
	}
}

// TestSetsWithoutIdentifierHaveAURL: somebody who looks for the source of such a set
// is told where it came from.
func TestSetsWithoutIdentifierHaveAURL(t *testing.T) {
	rep := auditText(t, "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID (short) /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page >>\n", plainLayout, Options{Embedded: true})
	if len(rep.Identities) != 1 || rep.Identities[0].URL != "http://a.example/" || rep.Identities[0].Reason != "the set has no identifier of 16 bytes" {
		t.Errorf("%+v", rep.Identities)
	}
}

// TestRulesReadWhatTheyAskFor: pages and members are not read for rules that do not look
// at them, so what is wrong there does not make such an audit incomplete.
func TestRulesReadWhatTheyAskFor(t *testing.T) {
	const text = "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ 6 0 R 9 0 R ] >>\n6 0 obj << /Type /Page /ID 9 0 R >>\n9 0 obj << /Broken ] >>\n"
	for id, want := range map[string]int{"WC201": 0, "WC101": 0, "WC401": 0, "WC501": 3, "WC521": 1, "WC526": 3, "WC529": 1} {
		rule, ok := Lookup(id)
		if !ok {
			t.Fatalf("no rule %s", id)
		}
		text := text
		if id == "WC526" || id == "WC529" {
			text = strings.Replace(text, "/SPS", "/SIS", 1) // whose members are images
		}
		if rep := auditText(t, text, plainLayout, Options{Rules: []*Rule{rule}}); len(rep.Unread) != want {
			t.Errorf("%s: %v could not be read, want %d", id, rep.Unread, want)
		}
		if rep := auditText(t, text, plainLayout, Options{Rules: []*Rule{rule}, Only: func(object.Ref) bool { return false }}); len(rep.Unread) != 0 {
			t.Errorf("%s, of no set: %v could not be read", id, rep.Unread)
		}
	}
}
