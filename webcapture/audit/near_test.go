package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestOneRuleAlone checks one rule on documents that come close to breaking it, or break it in an unusual way.
func TestOneRuleAlone(t *testing.T) {
	const a, b, c = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>",
		"<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	set := func(id, o, url string) string {
		return "<< /S /SPS /ID " + id + " /O [ " + o + " ] /SI << /AU (" + url + ") >> >>"
	}
	const pages = "\n6 0 obj << /Type /Page /ID " + a + " >>\n"
	dests := func(dests, link string) string {
		return "catalog: << /Type /Catalog /Pages 10 0 R /Names << /IDS << /Names [ " + a + " 5 0 R ] >> /Dests << " + dests + " >> >> >>\n10 0 obj << /Type /Pages /Kids [ 6 0 R ] /Count 1 >>\n" +
			"5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n6 0 obj << /Type /Page /ID " + a + " /Annots [ << /Subtype /Link " + link + " >> ] >>\n"
	}
	pageTree := func(kids string) string {
		return "catalog: << /Type /Catalog /Pages 10 0 R /Names << /IDS << /Names [ " + a + " 5 0 R ] >> >> >>\n10 0 obj << /Type /Pages /Kids [ " + kids + " ] /Count 1 >>\n" +
			"5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n6 0 obj << /Type /Page /Parent 10 0 R /ID " + a + " >>\n"
	}
	swapped := func(first, second string) string {
		return "names: << /IDS << /Names [ " + first + " [ 9 0 R 7 0 R ] " + second + " 5 0 R ] >> >>\n5 0 obj " + set(idA, "", "http://a.example/") + "\n7 0 obj " + set(idB, "", "http://b.example/") + "\n9 0 obj << /S /SPS /ID 10 0 R >>\n10 0 obj ]\n"
	}
	retained := func(key, uri string) string {
		return "names: << /URLS << /Names [ " + key + " 5 0 R ] >> >>\n5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n6 0 obj << /Type /Page /ID " + a + " /Annots [ << /Subtype /Link /PA << /S /URI /URI " + uri + " >> >> ] >>\n"
	}
	from := func(c string) string {
		return "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\nspiderinfo: << /V 1.25 " + c + " >>" + pages +
			"5 0 obj << /S /SPS /ID " + a + " /O [ 6 0 R ] /SI << /AU (http://a.example/) /S 0 /C 7 0 R >> >>\n7 0 obj << /URL (http://a.example/) >>\n8 0 obj << /URL (http://a.example/) >>\n"
	}
	settings := func(s string) string {
		return from("/C [ 12 0 R ]") + "12 0 obj << /URL (http://a.example/) /S " + s + " >>\n"
	}
	twoSettings := func(second string) string {
		return from("/C [ 12 0 R 13 0 R ]") +
			"12 0 obj << /URL (http://a.example/) /S 14 0 R >>\n13 0 obj << /URL (http://a.example/) /S << " + second +
			" >> >>\n14 0 obj << /G << /AU true >> >>\n"
	}
	for name, row := range map[string]struct{ rule, text, want string }{
		"a set that stands in URLS itself": {"WC304",
			"names: << /URLS << /Names [ (http://a.example/) " + set(a, "", "http://a.example/") + " ] >> /IDS << /Names [ " + b + " 5 0 R ] >> >>" + pages + "5 0 obj " + set(b, "6 0 R", "http://b.example/") + "\n",
			"ID " + a + " is not a key of IDS (14.10.3.3); repair WC121 first"},
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
			"key (http://x.example/) is not a URL of its content set (14.10.3.2), which comes from (http://a.example/)"},
		"an empty array": {"WC221", "names: << /URLS << /Names [ (http://x.example/) [ ] ] >> >>" + pages, ""},
		"the same URL, as Acrobat spells it": {"WC221",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example") + "\n", ""},
		"a name that is shorter than an identifier": {"WC531",
			"names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + a + " 5 0 R ] >> >>\n6 0 obj << /Type /Page /ID " + a + " /Annots [ << /Subtype /Link /Dest (short) >> << /Subtype /Link /Dest [ 6 0 R /Fit ] >> ] >>\n5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n", ""},
		"a set that stands in IDS itself": {"WC223",
			"names: << /URLS << /Names [ (http://b.example/) 5 0 R ] >> /IDS << /Names [ " + a + " " + set(a, "", "http://a.example/") + " ] >> >>" + pages + "5 0 obj " + set(b, "6 0 R", "http://b.example/") + "\n",
			"(http://a.example/)"},
		"a value beyond all objects": {"WC120",
			"names: << /URLS << /Names [ (http://a.example/) 8388608 0 R ] >> >>" + pages, "8388608 0 R"},
		"a value that is the last possible object": {"WC120",
			"names: << /URLS << /Names [ (http://a.example/) 8388607 0 R ] >> >>" + pages, "8388607 0 R"},
		"a key of URLS that is an ID taken for text": {"WC303",
			"names: << /URLS << /Names [ <feff00a000a100a200a300a400a500a600a700a800a900aa00ab00ac00ad00ae00af> 5 0 R ] >> >>" +
				pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") + "\n", ""},
		"a link that may be in a part of Dests that cannot be read": {"WC531",
			dests("/Kids [ 8 0 R 9 0 R ]", "/Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61>") +
				"8 0 obj << /Names [ (a) [ ] ] >>\n9 0 obj << /Broken ] >>\n", ""},
		"a link that may be in the old Dests, which cannot be read": {"WC531",
			strings.Replace(dests("/Names [ (a) [ ] ]", "/Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61>"), "/Pages",
				"/Dests 9 0 R /Pages", 1) + "9 0 obj << /Broken ] >>\n", ""},
		"a page that may be in a part of the page tree that cannot be read": {"WC506",
			pageTree("9 0 R") + "9 0 obj << /Broken ] >>\n", ""},
		"a page that is not in the page tree": {"WC506", pageTree(""),
			"is not in the page tree"},
		"a page in the page tree": {"WC506", pageTree("6 0 R"), ""},
		"a link to a name that Dests has": {"WC531",
			dests("/Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61> [ ] ]", "/Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61>"), ""},
		"a link to a name that Dests has not": {"WC531",
			dests("/Names [ (a) [ ] ]", "/Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61>"), "begins with the ID"},
		"a link to a page": {"WC531",
			dests("/Names [ (a) [ ] ]", "/A << /S /GoTo /D [ 6 0 R /Fit ] >>"), ""},
		"an action that is not of a link": {"WC531",
			dests("/Names [ (a) [ ] ]", "/A << /S /GoToR /D <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61> >>"), ""},
		"a link to a URL whose key is not canonical": {"WC529",
			retained("(HTTP://a.example/)", "(http://a.example/)"), ""},
		"a link to another URL, where a key is not canonical": {"WC529",
			retained("(HTTP://a.example/)", "(http://b.example/)"), "is not a key of URLS"},
		"a link to a URL with a slash, where the key has none": {"WC529",
			retained("(http://a.example)", "(http://a.example/)"), "is not a key of URLS"},
		"keys of IDS out of order": {"WC126", swapped(idB, idA), "comes after"},
		"keys of IDS out of order, taken for text": {"WC126",
			swapped("<feff00b000b100b200b300b400b500b600b700b800b900ba00bb00bc00bd00be00bf>",
				"<feff00a000a100a200a300a400a500a600a700a800a900aa00ab00ac00ad00ae00af>"), "misses 1 of 2 keys, the first is <feff00b0"},
		"keys of URLS out of order, of which one is an ID taken for text": {"WC126",
			strings.Replace(swapped("<feff00b000b100b200b300b400b500b600b700b800b900ba00bb00bc00bd00be00bf>", idA), "/IDS",
				"/URLS", 1), "comes after"},
		"a long key of a set whose member has another ID": {"WC301",
			"names: << /IDS << /Names [ (long) 5 0 R ] >> >>\n5 0 obj " + set(a, "8 0 R", "http://a.example/") +
				"\n8 0 obj << /Type /Page /ID " + b + " >>" + pages, "a member has the ID " + b},
		"a set that stands in IDS itself, under a wrong key": {"WC302",
			"names: << /IDS << /Names [ " + a + " " + set(b, "6 0 R", "http://a.example/") + " ] >> >>" + pages,
			"is not the ID of its content set, " + b},
		"a key that may be zeros taken for text, of a set without ID": {"WC303",
			"names: << /IDS << /Names [ <feff" + strings.Repeat("0000", 16) +
				"> 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ 6 0 R ]" + fromA + " >>" + pages, ""},
		"a URL whose last byte was taken for text": {"WC221",
			"names: << /URLS << /Names [ (http://a/\\344) 5 0 R ] >> >>\n5 0 obj " + set(a, "6 0 R", "http://a/\\303\\244") + pages,
			"the URL is the key, stored as UTF-8"},
		"two equal keys before one that a search misses": {"WC126",
			"names: << /URLS << /Names [ (a) 5 0 R (a) 6 0 R (c) 5 0 R (b) 5 0 R ] >> >>" + pages,
			"misses 1 of 4 keys, the first is (b)"},
		"a leaf without Limits, after an empty one": {"WC106",
			"names: << /URLS << /Kids [ 10 0 R 11 0 R ] >> >>" + pages + "5 0 obj " + set(a, "6 0 R", "http://a.example/") +
				"\n10 0 obj << /Names [ ] >>\n11 0 obj << /Names [ (http://a.example/) 5 0 R ] >>\n", "Limits is missing"},
		"a command, where there is no SpiderInfo": {"WC431",
			strings.Replace(from(""), "spiderinfo: << /V 1.25  >>\n", "", 1), "which is not in C"},
		"settings that others refer to, after settings of their own": {"WC628",
			twoSettings("/G 15 0 R") + "15 0 obj << >>\n16 0 obj << /X 15 0 R >>\n",
			"S: 15 0 R belongs to the settings, but 16 0 R also refers to it"},
		"settings that refer to others, and are referred to": {"WC628",
			twoSettings("/A 14 0 R /G 15 0 R") + "15 0 obj << >>\n16 0 obj << /X 15 0 R >>\n", "there are 2 such references"},
		"settings that name an object twice, and one that others name": {"WC628",
			twoSettings("/A 15 0 R /B 15 0 R /G 17 0 R") + "15 0 obj << >>\n16 0 obj << /X 17 0 R >>\n17 0 obj << >>\n",
			"S: 17 0 R belongs to the settings, but 16 0 R also refers to it"},
		"a URL as a key of IDS, of two sets": {"WC221",
			"names: << /IDS << /Names [ (http://a.example/) [ 5 0 R 7 0 R ] ] >> >>\n5 0 obj " +
				set(a, "6 0 R", "http://a.example/") + "\n7 0 obj " + set(b, "", "http://b.example/") + pages, ""},
		"a link with PA and another action, after one with a destination": {"WC527",
			dests("", "/PA << /S /URI /URI (http://a.example/) >> /Dest [ 6 0 R /Fit ] >> "+
				"<< /Subtype /Link /PA << /S /URI /URI (http://a.example/) >> /A << /S /URI >>"), "S of its action is a name /URI"},
		"settings of engines that are a stream": {"WC611",
			settings("<< /C 9 0 R >>") + "9 0 obj << /a:b:c:d 7 >> stream\nx\nendstream\n",
			"S: C is 9 0 R, a stream, not a dictionary"},
		"settings that are a stream": {"WC627",
			settings("9 0 R") + "9 0 obj << /C << /name << >> >> >> stream\nx\nendstream\n", ""},
		"a link with PA and another action, after a link": {"WC527",
			dests("", "/Dest [ 6 0 R /Fit ] >> << /Subtype /Link /PA << /S /URI /URI (http://a.example/) >> /A << /S /URI >>"),
			"S of its action is a name /URI"},
		"a source of which two URLs are empty": {"WC405",
			strings.Replace(from(""), "/AU (http://a.example/)", "/AU << /U () /C [ [ () ] ] >>", 1), "a URL is empty"},
		"a command that is not in C": {"WC431", from("/C [ 8 0 R ]"),
			"which is not in C"},
		"a command, where there is no C":     {"WC431", from(""), "which is not in C"},
		"a command in C":                     {"WC431", from("/C [ 8 0 R 7 0 R ]"), ""},
		"a command, where C is not an array": {"WC431", from("/C 7"), ""},
		"a command, where C cannot be read": {"WC431",
			from("/C 9 0 R") + "9 0 obj << /Broken ] >>\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, ok := Lookup(row.rule)
			if !ok {
				t.Fatalf("no rule %s", row.rule)
			}
			rep := auditText(t, row.text, plainLayout, Options{Rules: []*rule.Rule{r}})
			if n := len(rep.Findings); n > 1 || n == 1 != (row.want != "") ||
				n == 1 && !strings.Contains(rep.Findings[0].Message, row.want) {
				t.Errorf("%s: %v, want %q", name, rep.Findings, row.want)
			}
		})
	}
}

// TestWhatCannotBeReadIsNamed: a malformed part is not checked, and the report
// names its place.
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
		t.Run(name, func(t *testing.T) {
			for _, allDeferred := range []bool{false, true} {
				rep := auditText(t, row.text, plainLayout, Options{allDeferred: allDeferred})
				var places []string
				for _, u := range rep.Unread {
					places = append(places, fmt.Sprint(u.Place))
				}
				if got := strings.Join(places, "; "); got != row.want && (row.want == "" || !strings.HasPrefix(got, row.want)) {
					t.Errorf("%s: unread %q, want %q", name, got, row.want)
				}
			}
		})
	}
}

// TestSetsWithoutIdentifierHaveAURL: the report names the URL of such a set, so that
// users find its source.
func TestSetsWithoutIdentifierHaveAURL(t *testing.T) {
	rep := auditText(t, "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID (short) /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n6 0 obj << /Type /Page >>\n", plainLayout, Options{Source: noSource})
	if len(rep.Identities) != 1 || rep.Identities[0].URL != "http://a.example/" ||
		rep.Identities[0].Reason != "the set has no ID of 16 bytes" {
		t.Errorf("%+v", rep.Identities)
	}
}

// TestRulesReadWhatTheyAskFor: pages and members are not read for rules that do not look
// at them, so what is wrong there does not make such an audit incomplete.
func TestRulesReadWhatTheyAskFor(t *testing.T) {
	const text = "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ 6 0 R 9 0 R ] >>\n6 0 obj << /Type /Page /ID 9 0 R >>\n9 0 obj << /Broken ] >>\n"
	for id, want := range map[string]int{"WC201": 0, "WC101": 0, "WC401": 0, "WC501": 3, "WC521": 1, "WC527": 1} {
		t.Run(id, func(t *testing.T) {
			r, ok := Lookup(id)
			if !ok {
				t.Fatalf("no rule %s", id)
			}
			text := text
			if id == "WC527" {
				text = strings.Replace(text, "/SPS", "/SIS", 1) // whose members are images
			}
			if rep := auditText(t, text, plainLayout, Options{Rules: []*rule.Rule{r}}); len(rep.Unread) != want {
				t.Errorf("%s: %v could not be read, want %d", id, rep.Unread, want)
			}
		})
	}
}

// TestOneRuleNamesWhatItCannotRead: a rule that alone is asked for names what it needs, and cannot read.
func TestOneRuleNamesWhatItCannotRead(t *testing.T) {
	for name, row := range map[string]struct{ rule, text string }{
		"a member, by which an ID is judged": {"WC301",
			"names: << /IDS << /Names [ (long) 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idA +
				" /O [ 9 0 R ] >>\n9 0 obj << /Broken ] >>\n"},
		"a command of a source": {"WC431", inURLS + "5 0 obj << /S /SPS /ID " + idA +
			" /O [ ] /SI << /AU (http://a.example/) /C 8 0 R >> >>\n8 0 obj << /Broken ] >>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, ok := Lookup(row.rule)
			if !ok {
				t.Fatalf("no rule %s", row.rule)
			}
			if rep := auditText(t, row.text, plainLayout, Options{Rules: []*rule.Rule{r}}); len(rep.Unread) != 1 {
				t.Errorf("%v could not be read, want one part", rep.Unread)
			}
		})
	}
}

// TestWithoutDestinations: a dead link is reported even if the file has no destinations. Then it has no fix.
func TestWithoutDestinations(t *testing.T) {
	rep := auditText(t, "catalog: << /Type /Catalog /Pages 10 0 R /Names << /IDS << /Names [ "+idA+" 5 0 R ] >> >> >>\n10 0 obj << /Type /Pages /Kids [ 6 0 R ] /Count 1 >>\n"+
		"5 0 obj << /S /SPS /ID "+idA+" /O [ 6 0 R ] >>\n6 0 obj << /Type /Page /ID "+idA+" /Annots [ << /Subtype /Link /Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf61> >> ] >>\n", plainLayout, Options{Rules: []*rule.Rule{checks.NameMissing}})
	if len(rep.Findings) != 1 || rep.Findings[0].Fix != nil {
		t.Errorf("%v, with the fix %v", rep.Findings, rep.Findings[0].Fix)
	}
}
