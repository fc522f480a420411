package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

const (
	setA = "20 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /SI << /AU (http://a/0) >> >>\n" +
		"10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n"
	setB = "21 0 obj << /S /SPS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 11 0 R ] /SI << /AU (http://a/0) >> >>\n" +
		"11 0 obj << /Type /Page /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> >>\n"
	idsOfBoth = "/IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >>"
	info      = "spiderinfo: << /V 1.25 >>\n"
)

// TestPlans compares the steps of plans, and the findings that they leave, with the lines that describe writes. In each
// case several steps change the same object, or something prevents a step.
func TestPlans(t *testing.T) {
	emptied, _ := audit.Lookup("WC407")
	alias, _ := audit.Lookup("WC224")
	removeEmpty := Options{Rules: append(audit.Select("ids"), emptied)}
	withoutURL := strings.Replace(setA, "/SI << /AU (http://a/0) >>", "/SI << >>", 1)
	emptySet := strings.Replace(setA, "[ 10 0 R ]", "[ ]", 1)
	fromB := strings.Replace(setB, "a/0", "b/0", 1)
	pdf2, ok := canon.Lookup("pdf2")
	if !ok {
		t.Fatal("no such profile")
	}
	for name, c := range map[string]struct {
		objects string
		opt     Options
		want    string
	}{
		"a pair without a key whose set has no URL, but an entry in IDS": {
			"names: << /URLS << /Names [ 12 20 0 R (http://a/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info +
				withoutURL + setB, Options{},
			"WC108: URLS, entry 1: restore-keys\n",
		},
		"a pair without a key whose set has no URL, and no entry in IDS": {
			"names: << /URLS << /Names [ 12 20 0 R (http://a/0) 21 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info + withoutURL + setB, Options{},
			"",
		},
		"a pair without a key whose set has no URL, and an entry in IDS that leads elsewhere": {
			"names: << /URLS << /Names [ 12 20 0 R (http://a/0) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 21 0 R ] >> >>\n" + info + withoutURL + setB, Options{Rules: audit.Select("trees")},
			"",
		},
		"half a pair whose set has no URL, but an entry in IDS": {
			"names: << /URLS << /Names [ (http://a/0) 21 0 R 20 0 R ] >> " + idsOfBoth + " >>\n" + info + withoutURL +
				setB, Options{},
			"",
		},
		"a set without members that shares its value, and would get a key": {
			"names: << /URLS << /Names [ (http://a/0) 30 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info +
				emptySet + setB + "30 0 obj [ 20 0 R 21 0 R ]", removeEmpty,
			"WC407: content set 20 0 R: remove-set 20 0 R is removed\n",
		},
		"an image set whose only image no page shows, of which nothing is left": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info +
				"20 0 obj << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /R 0 /SI << /AU (http://a/0) >> >>\n" +
				"10 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /Length 1 >>\nstream\nx\nendstream\n",
			Options{Rules: audit.Rules()},
			"WC103: URLS: remove-tree\nWC103: IDS: remove-tree\n" +
				"WC407: content set 20 0 R: remove-set 20 0 R is removed\n" +
				"WC421: content set 20 0 R, member 10 0 R: drop-member 10 0 R is removed\n",
		},
		"a set without members that has both its values to itself": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info +
				emptySet + fromB, removeEmpty,
			"WC407: content set 20 0 R: remove-set 20 0 R is removed\n",
		},
		"a pair without a key whose value is a page": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ 12 10 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 20 0 R ] >> >>\n" + info + setA, Options{Rules: audit.Select("trees")},
			"",
		},
		"a null in O of a set that stands in its tree, and stays there": {
			"names: << /URLS << /Names [ (http://a/0) << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ null 10 0 R ] /SI << /AU (http://a/0) >> >> ] >> >>\n" + info +
				"10 0 obj << /Type /Page >>\n", Options{Rules: audit.Select("WC408")},
			"",
		},
		"a null in O of a set that stands in its tree": {
			"names: << /URLS << /Names [ (http://a/0) << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ null 10 0 R ] /SI << /AU (http://a/0) >> >> ] >> >>\n" + info +
				"10 0 obj << /Type /Page >>\n", Options{Rules: append(audit.Select("WC408"), audit.Select("WC121")...)},
			"WC121: URLS, entry 1: own-object\nWC408: content set 13 0 R: drop-member null is removed\n",
		},
		"a pair without a key whose value cannot be read": {
			"names: << /URLS << /Names [ 12 20 0 R (http://a/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info +
				"20 0 obj << /S ]\n" + setB, Options{Rules: audit.Select("trees")},
			"",
		},
		"IDS that would be left empty, and nothing to make it from": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ (x) null ] >> >>\n" + info +
				strings.Replace(setA, "/ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O", "/O", 1), Options{},
			"WC120: IDS, entry 1: remove-entry (x) is removed\n",
		},
		"IDS that would be left empty": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ (x) null ] >> >>\n" + info + setA,
			Options{Rules: append(audit.Select("WC120"), audit.Select("WC523")...)},
			"WC523: IDS: build-ids 1 entry\nWC120: IDS, entry 1: remove-entry (x) is removed\n", // and WC305 is kept then
		},
		"no IDS, and a set under two URLs": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 20 0 R ] >> >>\n" + info + setA, Options{},
			"WC523: catalog: build-ids 1 entry\n",
		},
		"a base that is not absolute": {
			"names: << /URLS << /Names [ (b.html) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info + strings.Replace(setA, "http://a/0", "b.html", 1), Options{Base: "x/"},
			"",
		},
		"a key that a page of the set has as its ID": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 20 0 R ] >> >>\n" + info +
				strings.Replace(setA, "/Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>",
					"/Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>", 1), Options{},
			"",
		},
		"a key that a page has as its ID, which no set lists": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 30 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 21 0 R ] >> >>\n" +
				info + setA + fromB + "12 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>\n30 0 obj [ 21 0 R 22 0 R ]\n" +
				"22 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 10 0 R ] /SI << /AU (http://b/0) >> >>\n", Options{},
			"",
		},
		"a key that becomes that of an array with its set": {
			"names: << /URLS << /Names [ (http://a/0) 30 0 R (http://a:80/0) 20 0 R ] >> " + idsOfBoth + " >>\n" +
				info +
				setA + setB + "30 0 obj [ 20 0 R 21 0 R ]", Options{},
			"WC204: URLS, entry 2: change-key (http://a:80/0) becomes (http://a/0)\n",
		},
		"a key twice, once with an array": {
			"names: << /URLS << /Names [ (http://a/0) 30 0 R (http://a/0) 20 0 R ] >> " + idsOfBoth + " >>\n" + info +
				setA + setB + "30 0 obj [ 20 0 R 21 0 R ]", Options{},
			"WC110: URLS, entry 2: merge-entries (http://a/0) is removed\n",
		},
		"a key that is right for one set, and that the page of another has as its ID": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 30 0 R ] >> >>\n" + info +
				setA + strings.Replace(fromB, "/Page /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>",
				"/Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", 1) + "30 0 obj [ 20 0 R 21 0 R ]\n",
			Options{Rules: audit.Select("WC302")},
			"",
		},
		"a key that may be the ID of a set that cannot be read": {
			"names: << /URLS << /Names [ (http://a/0) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> [ 20 0 R 21 0 R ] ] >> >>\n" + info +
				"20 0 obj << /S /SPS /ID <a0 >>\n" + setB, Options{Rules: audit.Select("ids")},
			"",
		},
		"counts that are not those of the images": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info +
				"20 0 obj << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ null 10 0 R ] /R [ 1 ] /SI << /AU (http://a/0) >> >>\n" +
				"10 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\nstream\nx\nendstream",
			Options{},
			"",
		},
		"trees that share their root": {
			"names: << /URLS 9 0 R /IDS 9 0 R >>\n" + info +
				"9 0 obj << /Limits [ (a) (b) ] /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >>\n" + setA,
			Options{Rules: audit.Select("WC104")},
			"WC104: URLS: rewrite-tree\nWC104: IDS: rewrite-tree\n" +
				"left: WC202: URLS, entry 1 of node 23 0 R: The rule is not selected for repair.\n",
		},
		"a tree that shares its root with the destinations": {
			"names: << /URLS 9 0 R /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> /Dests 9 0 R >>\n" +
				info +
				"9 0 obj << /Names [ (HTTP://a/0) 20 0 R ] >>\n" + setA, Options{},
			"WC204: URLS, entry 1 of node 9 0 R: change-key (HTTP://a/0) becomes (http://a/0)\n",
		},
		"sets that nothing leads to, one for two IDs": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info +
				setA + setB + "22 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 12 0 R ] /SI << /AU (http://b/0) >> >>\n12 0 obj << /Type /Page >>\n" +
				"23 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 10 0 R ] /SI << /AU (http://c/0) >> >>", Options{Rebuild: true},
			": content set 21 0 R: rebuild (http://a/0) 21 0 R\n: content set 21 0 R: rebuild <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"no IDS, and nothing to build it from": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> >>\n" + info + strings.Replace(setA,
				"/SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "/SPS", 1), Options{},
			"",
		},
		"no IDS, and a content set that stays in URLS itself": {
			"names: << /URLS << /Names [ (http://a/0) << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 30 0 R ]" +
				" /SI << /AU (http://a/0) >> >> ] >> >>\n" + info + strings.Replace(setA, "20 0 obj", "40 0 obj", 1),
			Options{Rules: audit.Select("WC523")},
			"",
		},
		"what would only be noted, in a tree that cannot be written": {
			"names: << /URLS 9 0 R /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> /Dests 9 0 R >>\n" +
				info +
				"9 0 obj << /Names [ (http://a/0) 20 0 R ] >>\n" + strings.Replace(setA, "(http://a/0)",
				"<< /U (http://a/0) /C [ [ (http://r/0) (http://a/0) ] ] >>", 1), Options{Rules: []*rule.Rule{alias}},
			"WC224: content set 20 0 R: add-key (http://r/0) 20 0 R\n",
		},
		"a repeated key, once with a content set itself": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://a/0) << /S /SPS /ID " +
				"<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 11 0 R ] /SI << /AU (http://a/0) >> >> ] >> " +
				"/IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info + setA +
				"11 0 obj << /Type /Page /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> >>", Options{},
			"WC110: URLS, entry 2: merge-entries (http://a/0) is removed\nWC121: URLS, entry 2: own-object\n" +
				"WC305: content set 23 0 R: add-key <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 23 0 R\n",
		},
		"an absolute URL is not resolved": {
			"names: << /URLS << /Names [ (FTP://h/a/../x) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info +
				strings.Replace(setA, "http://a/0", "FTP://h/a/../x", 1),
			Options{Rules: audit.Select("WC204"), Base: "http://base/", Profile: pdf2},
			"WC204: URLS, entry 1: change-key (FTP://h/a/../x) becomes (ftp://h/x)\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.objects), c.opt)
			if got := describe(p); got != c.want {
				t.Errorf("the plan is\n%s\nshould be\n%s", got, c.want)
			}
			if !p.Empty() {
				checkRemoved(t, p, carryOut(t, p))
			}
			checkUnreadable(t, name, pdf(t, c.objects), c.opt)
		})
	}
}

// checkRemoved makes sure that no entry of a rewritten file leads to a content set
// that was to leave the database.
func checkRemoved(t *testing.T, p *Plan, out []byte) {
	t.Helper()
	removed := map[string]bool{}
	for _, s := range p.Steps {
		removed[s.Old] = removed[s.Old] || s.Action == rule.RemoveSet
	}
	after := planOf(t, out, p.opt).rounds.before
	for _, tree := range after.db.Trees() {
		for _, e := range tree.Entries() {
			for _, forms := range formsIn(after.file.NewReader(), e.Value) {
				if removed[forms[0]] {
					t.Errorf("key %v of %s leads to %s, which was removed", e.Key, tree.Name, forms[0])
				}
			}
		}
	}
}

// TestTidiedSetsKeepTheirCounts: when content sets that stand in a tree become
// objects, a null leaves O with its count, and counts of images that stay, stay.
func TestTidiedSetsKeepTheirCounts(t *testing.T) {
	const image = " obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream\n"
	p := planOf(t, pdf(t, "names: << /IDS << /Names ["+
		" <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /R 5 /SI << /AU (http://a/0) >> >>"+
		" <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ null 11 0 R ] /R [ 6 7 ] /SI << /AU (http://b/0) >> >>"+
		" <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> << /S /SIS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ null 12 0 R ] /R [ 8 ] /SI << /AU (http://c/0) >> >>"+
		" <d0d1d2d3d4d5d6d7d8d9dadbdcdddedf> << /S /SIS /ID <d0d1d2d3d4d5d6d7d8d9dadbdcdddedf> /O [ 13 0 R null 13 0 R 14 0 R ] /R [ 1 2 3 4 ] /SI << /AU (http://d/0) >> >>"+
		" ] >> >>\n"+info+"10 0"+image+"11 0"+image+"12 0"+image+"13 0"+image+"14 0"+image), Options{})
	if !slices.ContainsFunc(p.Left, func(l Left) bool { return l.Finding.Rule.ID == "WC408" }) {
		t.Errorf("the plan leaves no WC408:\n%s", describe(p))
	}
	f := opened(t, carryOut(t, p), Options{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"[10 0 R ] 5", "[11 0 R ] [7 ]", "[null 12 0 R ] [8 ]", "[13 0 R 14 0 R ] [1 4 ]"}
	for i, e := range db.IDS.Entries() {
		var cs webcapture.ContentSet
		if err := f.NewReader().Read(e.Value, &cs); err != nil {
			t.Fatal(err)
		}
		if got := string(cs.O.AppendNormal(nil)) + " " + string(cs.R.AppendNormal(nil)); got != want[i] ||
			e.Value.Kind() != object.Reference {
			t.Errorf("set %d, %v: O and R are %s, want %s", i, e.Value, got, want[i])
		}
	}
}

// TestMergeByKey carries out the example that is drawn in merge.go.
func TestMergeByKey(t *testing.T) {
	objects := "names: << /URLS << /Names [ (HTTP://a.example/) 5 0 R (http://a.example/) 30 0 R (http://a.example:80/) 6 0 R (http://b.example/) 8 0 R ] >>\n" +
		"/IDS << /Names [ <00112233445566778899aabbccddee05> 5 0 R <00112233445566778899aabbccddee06> 6 0 R <00112233445566778899aabbccddee07> 7 0 R" +
		" <00112233445566778899aabbccddee08> 8 0 R <00112233445566778899aabbccddee09> 9 0 R ] >> >>\n" + info +
		"30 0 obj [ 6 0 R 7 0 R ]\n"
	for i, host := range []string{5: "a", 6: "a", 7: "a", 8: "b", 9: "c"} {
		t.Run(host, func(t *testing.T) {
			if host != "" {
				objects += fmt.Sprintf("%d 0 obj << /S /SPS /ID <00112233445566778899aabbccddee%02d> /O [ %d 0 R ] /SI << /AU (http://%s.example/) >> >>\n", i, i, i+10, host) +
					fmt.Sprintf("%d 0 obj << /Type /Page /ID <00112233445566778899aabbccddee%02d> >>\n", i+10, i)
			}
		})
	}
	f := opened(t, carryOut(t, planOf(t, pdf(t, objects), Options{})), Options{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range db.URLS.Entries() {
		line := e.Key.String()
		for o, err := range f.NewReader().Values(e.Value) {
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(o.Append(nil))
		}
		got = append(got, line)
	}
	want := []string{"(http://a.example/) 5 0 R 6 0 R 7 0 R", "(http://b.example/) 8 0 R", "(http://c.example/) 9 0 R"}
	if !slices.Equal(got, want) {
		t.Errorf("URLS is %q, expected %q", got, want)
	}
}

// TestLeftSaysWhy: a finding of a rule without a repair is left with the reason of the rule, if it gives one.
func TestLeftSaysWhy(t *testing.T) {
	p := planOf(t, pdf(t, "names: << /URLS << /Names [ (C:/a) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n"+info+
		strings.Replace(setA, "/S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "/S /XXX /ID (short)", 1)), Options{})
	got := map[string]string{}
	for _, l := range p.Left {
		got[l.Finding.Rule.ID] = l.Reason
	}
	for id, want := range map[string]string{"WC401": "There is no repair.", "WC402": "The ID is kept: nothing in the file proves the right one.",
		"WC202": "The key is kept."} {
		t.Run(id, func(t *testing.T) {
			if got[id] != want {
				t.Errorf("%s is left because %q, expected %q", id, got[id], want)
			}
		})
	}
}
