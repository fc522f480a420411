package rewrite

import (
	"crypto/md5"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// treesOf returns the entries of both trees: keys, and what they lead to.
func treesOf(t *testing.T, data []byte) string {
	t.Helper()
	f := opened(t, data, Options{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, tree := range db.Trees() {
		fmt.Fprintln(&b, tree.Name)
		for _, e := range tree.Entries() {
			fmt.Fprintf(&b, "%v", e.Key)
			for o, err := range f.NewReader().Values(e.Value) {
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, " %s", o.AppendNormal(nil))
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

// TestRepairedTrees: what the trees hold after a repair.
func TestRepairedTrees(t *testing.T) {
	onRequest := func(ids ...string) Options {
		var opt Options
		for _, id := range ids {
			r, _ := audit.Lookup(id)
			opt.Rules = append(opt.Rules, r)
		}
		return opt
	}
	const idsText = "IDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n"
	fromB := strings.Replace(setB, "a/0", "b/0", 1)
	twin := strings.NewReplacer("<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>", "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>").Replace(fromB)
	const inTree = "<< /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /SI << /AU (http://a/0) >> >>"
	const counted = "<< /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /R 3 /SI << /AU (http://a/0) >> >>"
	inTreeB := strings.Replace(inTree, "a/0", "b/0", 1)
	rebuildToo := onRequest("WC103")
	rebuildToo.Rebuild = true
	pdf2, ok := canon.Lookup("pdf2")
	if !ok {
		t.Fatal("no such profile")
	}
	for name, c := range map[string]struct {
		objects string
		opt     Options
		want    string
	}{
		"a tree without entries goes on request": {
			"names: << /URLS << >> " + idsOfBoth + " >>\n" + info + setA + fromB, onRequest("WC103"), idsText,
		},
		"trees without entries do not go if they get some": {
			"names: << /URLS << >> /IDS << >> >>\n" + info + setA + fromB, rebuildToo,
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"a set without an ID stays where the others of its value go": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ (x) 30 0 R ] >> >>\n" + info + setA +
				strings.Replace(fromB, "/ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O", "/O", 1) + "30 0 obj [ 20 0 R 21 0 R ]\n", Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n(x) 20 0 R 21 0 R\n",
		},
		"sets with two IDs part": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ (x) 30 0 R ] >> >>\n" + info + setA + fromB + "30 0 obj [ 20 0 R 21 0 R ]\n", Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n(x) 20 0 R 21 0 R\n",
		},
		"an added key is canonical by the profile": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + strings.Replace(setB, "(http://a/0)", "(http://b/../0)", 1), Options{Profile: pdf2},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"a relative key gets the base": {
			"names: << /URLS << /Names [ (b.html) 21 0 R (http://a/0) 20 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + strings.Replace(setB, "(http://a/0)", "(b.html)", 1), Options{Base: "http://base/x/"},
			"URLS\n(http://a/0) 20 0 R\n(http://base/x/b.html) 21 0 R\n" + idsText,
		},
		"sets that are found again": {
			"names: << >>\n" + info + setA + fromB, Options{Rebuild: true},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"an object that only looks like a set does not matter": {
			"names: << >>\n" + info + setA + fromB + "24 0 obj << /S /GoTo /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 11 0 R ] /SI << /AU (http://b/0) >> >>\n", Options{Rebuild: true},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"a set whose members are not pages any more stays lost": {
			"names: << >>\n" + info + setA + strings.Replace(fromB, "/Type /Page", "/Type /Old", 1), Options{Rebuild: true},
			"URLS\n(http://a/0) 20 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
		"a set next to a pair without a key gets its own": {
			"names: << /URLS << /Names [ 12 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + fromB, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"IDS that would be left empty is made from URLS": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ (x) null ] >> >>\n" + info + setA + fromB, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"only what stands in a tree gets keys when it becomes an object": {
			"names: << /URLS << /Names [ (http://b/0) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> [ 20 0 R ] <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info + setA + fromB, onRequest("WC121"),
			"URLS\n(http://b/0) 21 0 R\n" + idsText,
		},
		"a set that is found again may have faults of its own": {
			"names: << >>\n" + info + setA + strings.Replace(fromB, "/S /SPS", "/S /SPS /CT (x) /TS (y)", 1), Options{Rebuild: true},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"what stands in a tree gets its keys in both when it becomes an object": {
			"names: << /URLS << /Names [ (http://b/0) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] /SI << /AU (http://a/0) >> >> <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" +
				info + "10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n" + fromB, Options{},
			"URLS\n(http://a/0) 24 0 R\n(http://b/0) 21 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 24 0 R\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"a set that is found again gets no keys for redirects": {
			"names: << >>\n" + info + setA + strings.Replace(fromB, "(http://b/0)", "<< /U (http://b/0) /C [ [ (http://x/0) ] ] >>", 1), Options{Rebuild: true},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"a set without an ID gets no key in IDS": {
			"names: << /URLS << /Names [ 12 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ 12 20 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info +
				strings.Replace(setA, "/SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "/SPS", 1) + fromB,
			Options{Rules: audit.Select("trees")},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"what comes to have one key keeps its order": {
			"names: << /URLS << /Names [ (HTTP://a/0) 22 0 R (http://a/0) 20 0 R (http://a:80/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + setB +
				"22 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 12 0 R ] /SI << /AU (http://a/0) >> >>\n12 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>\n", Options{},
			"URLS\n(http://a/0) 22 0 R 20 0 R 21 0 R\n" + idsText + "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 22 0 R\n",
		},
		"a set joins the entry that has its URL, which becomes canonical": {
			"names: << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> " + idsOfBoth + " >>\n" + info + strings.Replace(setA+setB, "(http:", "(HTTP:", 2), Options{},
			"URLS\n(http://a/0) 20 0 R 21 0 R\n" + idsText,
		},
		"a set gets its URL in the form of the profile as key": {
			"names: << /URLS << /Names [ (http://a/../0) 20 0 R ] >> " + idsOfBoth + " >>\n" + info + strings.ReplaceAll(setA+setB, "(http://a/0)", "(http://a/../0)"), Options{Profile: pdf2},
			"URLS\n(http://a/../0) 20 0 R\n(http://a/0) 21 0 R\n" + idsText,
		},
		"an ID that looks like a URL is added as it is": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info +
				strings.ReplaceAll(setA, "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "(HTTP://A:80/x#yz)") + fromB, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n(HTTP://A:80/x#yz) 20 0 R\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"an entry alone keeps what it has": {
			"names: << /URLS << /Names [ (HTTP://c/0) 30 0 R (http://a/0) 31 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + setB + "30 0 obj [ 20 0 R null 21 0 R 20 0 R ]\n31 0 obj [ 20 0 R 21 0 R ]\n", onRequest("WC204"),
			"URLS\n(http://a/0) 20 0 R 21 0 R\n(http://c/0) 20 0 R null 21 0 R 20 0 R\n" + idsText,
		},
		"sets that stand in an array, one of them twice": {
			"names: << /URLS << /Names [ (http://b/0) [ " + inTreeB + " " + inTreeB + " 21 0 R ] ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info +
				"10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n" + fromB, onRequest("WC121", "WC125"),
			"URLS\n(http://b/0) <</S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [10 0 R ] /SI <</AU (http://b/0) >> >> <</S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [10 0 R ] /SI <</AU (http://b/0) >> >> 21 0 R\nIDS\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"a set that stands in both trees, of which one shares its root with Dests": {
			"names: << /URLS 9 0 R /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> " + inTree + " ] >> /Dests 9 0 R >>\n" + info +
				"9 0 obj << /Names [ (http://a/0) " + inTree + " ] >>\n10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n", Options{},
			"URLS\n(http://a/0) 13 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 13 0 R\n",
		},
		"a set that stands in a tree is not another one with its ID": {
			"names: << /URLS << /Names [ (http://a/0) " + inTree + " ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info + strings.Replace(setA, "/SPS", "/SPS /T (another)", 1), Options{},
			"URLS\n(http://a/0) <</S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [10 0 R ] /SI <</AU (http://a/0) >> >>\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
		"a key that stays if it is right for one of its sets": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> [ 20 0 R 21 0 R ] ] >> >>\n" + info + setA + fromB, onRequest("WC302"),
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 20 0 R 21 0 R\n",
		},
		"a set after a reference in an array gets its keys when it becomes an object": {
			"names: << /URLS << /Names [ (http://b/0) [ 21 0 R " + inTreeB + " ] ] >> /IDS << /Names [ <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> >>\n" + info +
				"10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n" + fromB, onRequest("WC121"),
			"URLS\n(http://b/0) 21 0 R <</S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [10 0 R ] /SI <</AU (http://b/0) >> >>\nIDS\n<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R\n",
		},
		"a set that becomes a reference keeps the wrong count of its image": {
			"names: << /URLS << /Names [ (http://a/0) " + counted + " ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info + "20 0 obj " + counted +
				"\n10 0 obj << /Type /XObject /Subtype /Image /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n", Options{},
			"URLS\n(http://a/0) 20 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
		"no tree is made for a new object": {
			"names: << /URLS << /Names [ (http://a/0) " + inTree + " ] >> >>\n" + info + "10 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n", onRequest("WC121"),
			"URLS\n(http://a/0) 13 0 R\n",
		},
		"a key too short for an ID, though a page has it": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ (x) 20 0 R ] >> >>\n" + info + strings.Replace(setA, "/Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "/Page /ID (x)", 1), Options{},
			"URLS\n(http://a/0) 20 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
		"a pair of nothing": {
			"names: << /URLS << /Names [ 12 null (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + info + setA + fromB, onRequest("WC108"),
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n" + idsText,
		},
		"two sets with one ID get it as their key": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ (x) null ] >> >>\n" + info + setA + twin, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n",
		},
		"IDS is made of two sets with one ID": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> >>\n" + info + setA + twin, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\n",
		},
		"two sets with one ID next to a pair without a key": {
			"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> /IDS << /Names [ 12 20 0 R 13 21 0 R ] >> >>\n" + info + setA + twin, Options{},
			"URLS\n(http://a/0) 20 0 R\n(http://b/0) 21 0 R\nIDS\n",
		},
		"IDS is repaired though URLS cannot be": {
			"names: << /URLS 9 0 R /IDS << /Names [ (x) 20 0 R ] >> /Dests 9 0 R >>\n" + info + "9 0 obj << /Names [ (HTTP://a/0) 20 0 R ] >>\n" + setA, Options{},
			"URLS\n(http://a/0) 20 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
		"a leaf of both trees is not written": {
			"names: << /URLS << /Kids [ 9 0 R ] >> /IDS << /Kids [ 9 0 R ] >> >>\n" + info +
				"9 0 obj << /Limits [ (x) (x) ] /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >>\n" + setA, Options{Rules: audit.Select("WC106")},
			"URLS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\nIDS\n<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.objects), c.opt)
			out := carryOut(t, p)
			if got := treesOf(t, out); got != c.want {
				t.Errorf("the plan\n%s\ngives\n%s\nshould give\n%s", describe(p), got, c.want)
			}
			again := planOf(t, out, c.opt)
			if len(p.Left) == 0 && !again.Empty() {
				t.Errorf("left for a second time:\n%s", describe(again))
			}
			checkUnreadable(t, name, pdf(t, c.objects), c.opt)
		})
	}
}

// TestRepairedSets: what content sets hold after a repair, and what is not written
// again.
func TestRepairedSets(t *testing.T) {
	const image = " obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\nstream\nx\nendstream\n"
	const trees = "names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info
	images := func(o, r string) string {
		return trees + "20 0 obj << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ " + o + " ] /R " + r + " /SI << /AU (http://a/0) >> >>\n10 0" + image + "11 0" + image
	}
	for name, c := range map[string]struct {
		objects string
		opt     Options
		want    []string // in the text of set 20; none if it is not written
	}{
		"a count for all stays":                    {images("10 0 R 11 0 R null", "5"), Options{}, []string{"/O [10 0 R 11 0 R]", "/R 5"}},
		"the count of what went goes":              {images("null", "5"), Options{}, []string{"/O []", "/R []"}},
		"a count of each goes with its image":      {images("10 0 R null 11 0 R", "[ 1 2 3 ]"), Options{}, []string{"/O [10 0 R 11 0 R]", "/R [1 3]"}},
		"counts that are an object of their own":   {images("10 0 R null 11 0 R", "60 0 R") + "60 0 obj [ 1 2 3 ]\n", Options{}, []string{"/O [10 0 R 11 0 R]", "/R [1 3]"}},
		"the second of the same goes":              {images("10 0 R 11 0 R 10 0 R", "[ 1 2 3 ]"), Options{}, []string{"/O [10 0 R 11 0 R]", "/R [1 2]"}},
		"a set that leaves the database, as it is": {trees + strings.Replace(setA, "[ 10 0 R ]", "[ ]", 1), Options{Rules: audit.Select("WC407")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			data := pdf(t, c.objects)
			out := carryOut(t, planOf(t, data, c.opt))
			rewritten := strings.Contains(string(out[len(data):]), "20 0 obj")
			if rewritten != (c.want != nil) {
				t.Errorf("the content set is written: %v, expected %v", rewritten, c.want != nil)
			}
			set, err := opened(t, out, Options{}).NewReader().Get(object.Ref{Num: 20})
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(strings.ReplaceAll(string(set.AppendNormal(nil)), " ]", "]"), "[ ", "[")
			if missing := slices.DeleteFunc(slices.Clone(c.want),
				func(s string) bool { return strings.Contains(text, s) }); len(missing) > 0 {
				t.Errorf("the set is %s, without %s", text, missing)
			}
			checkUnreadable(t, name, data, c.opt)
		})
	}
}

// TestRenamedDestinations: a destination gets its name back if nothing but that name
// may have become the key, and only one destination has the key.
func TestRenamedDestinations(t *testing.T) {
	const (
		id    = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
		utf8  = "c2a0c2a1c2a2c2a3c2a4c2a5c2a6c2a7c2a8c2a9c2aac2abc2acc2adc2aec2af" // the ID, as UTF-8
		fit   = " [ 6 0 R /Fit ] "
		names = "616263"
	)
	renamed := func(name string) string {
		return fmt.Sprintf("WC531: Dests: rename-destination <%s%s> becomes <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf%[2]s>\n", utf8, name)
	}
	left := func(num int, reason string) string {
		return fmt.Sprintf("left: WC531: page 1, %d 0 R: %s\n", num, reason)
	}
	const several, twice = "Several names may have become this one, or the file does not have this name exactly once.",
		"name tree not written: two entries have the key <" + utf8 + "61>"
	for name, c := range map[string]struct{ dests, want string }{
		"each once": {"<" + utf8 + "61>" + fit + "<" + utf8 + "62>" + fit + "<" + utf8 + "63>" + fit,
			renamed("61") + renamed("62") + renamed("63")},
		"the first twice": {"<" + utf8 + "61>" + fit + "<" + utf8 + "61>" + fit + "<" + utf8 + "62>" + fit + "<" +
			utf8 + "63>" + fit, left(7, several) + left(8, twice) + left(9, twice)},
		"one, and twice": {"<" + utf8 + "61>" + fit + "<" + utf8 + "61>" + fit, left(7, several)},
	} {
		t.Run(name, func(t *testing.T) {
			objects := "names: << /URLS << /Names [ (http://a/0) 5 0 R ] >> /IDS << /Names [ " + id + " 5 0 R ] >> /Dests << /Names [ " + c.dests + " ] >> >>\n" + info +
				"5 0 obj << /S /SPS /ID " + id + " /O [ 6 0 R ] /SI << /AU (http://a/0) >> >>\n" +
				"6 0 obj << /Type /Page /ID " + id + " /Annots [ 7 0 R 8 0 R 9 0 R ] >>\n"
			for i := range 3 {
				objects += fmt.Sprintf("%d 0 obj << /Type /Annot /Subtype /Link /Rect [ 0 0 1 1 ] /Dest <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf%s> >>\n", 7+i, names[2*i:2*i+2])
			}
			p := planOf(t, pdf(t, objects), Options{Rules: audit.Select("WC531")})
			if got := describe(p); got != c.want {
				t.Errorf("the plan is\n%s\nshould be\n%s", got, c.want)
			}
			if !p.Empty() {
				if again := planOf(t, carryOut(t, p), p.opt); !again.Empty() {
					t.Errorf("left for a second time:\n%s", describe(again))
				}
			}
			checkUnreadable(t, name, pdf(t, objects), Options{})
		})
	}
}

// TestFewObjectsAreWritten: an update has what changed, and nothing else.
func TestFewObjectsAreWritten(t *testing.T) {
	for name, c := range map[string]struct {
		objects string
		opt     Options
		want    []string // the objects of the update
	}{
		"a key in a root that is an object": {
			"names: << /URLS 9 0 R /IDS 8 0 R >>\n" + info + setA + "9 0 obj << /Names [ (HTTP://a/0) 20 0 R ] >>\n8 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >>\n",
			Options{}, []string{"9 0 obj"},
		},
		"a key whose value is an array": {
			"names: << /URLS 9 0 R /IDS 8 0 R >>\n" + info + setA + setB + "30 0 obj [ 20 0 R 21 0 R ]\n9 0 obj << /Names [ (HTTP://a/0) 30 0 R ] >>\n" +
				"8 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >>\n",
			Options{}, []string{"9 0 obj"},
		},
		"a key in a name dictionary that is an object": {
			"catalog: << /Type /Catalog /SpiderInfo << /V 1.25 >> /Names 50 0 R >>\n" + setA + "50 0 obj << /URLS << /Names [ (HTTP://a/0) 20 0 R ] >> /IDS 8 0 R >>\n8 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >>\n",
			Options{}, []string{"50 0 obj", "52 0 obj"},
		},
		"a name dictionary that is not there": {
			"catalog: << /Type /Catalog /SpiderInfo << /V 1.25 >> /Names 50 0 R >>\n" + setA, Options{Rebuild: true}, []string{"21 0 obj", "22 0 obj", "23 0 obj"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.objects), c.opt)
			carryOut(t, p)
			var got []string
			for _, header := range objectHeader.FindAll(updateOf(t, p), -1) {
				got = append(got, string(header))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the update has %q, should have %q", got, c.want)
			}
		})
	}
}

// TestBase: a base URL makes relative keys and sources absolute, in one plan. It changes no absolute URL, and makes no
// key that is not the URL of its content set.
func TestBase(t *testing.T) {
	pdf2, _ := canon.Lookup("pdf2")
	const au = "/SI << /AU %s >>"
	for name, c := range map[string]struct {
		urls, source string // of content set 20; it has no key if urls is empty
		base         string
		profile      *canon.Profile
		key, becomes string // the key and AU after the repair; empty if nothing changes
	}{
		"both relative": {"(b.html)", "(b.html)", "http://h/x/", nil, "(http://h/x/b.html)",
			"(http://h/x/b.html)"},
		"both relative, not alike": {"(b.html)", "(/x/b.html#top)", "http://h/x/", nil, "(http://h/x/b.html)",
			"(http://h/x/b.html)"},
		"both relative, no base":  {"(b.html)", "(b.html)", "", nil, "", ""},
		"both relative, two URLs": {"(b.html)", "(c.html)", "http://h/x/", nil, "", ""},
		"both empty":              {"()", "()", "http://h/x/", nil, "(http://h/x/)", "(http://h/x/)"},
		"both text": {"<efbbbf622e68746d6c>", "<feff0062002e00680074006d006c>", "http://h/x/", nil,
			"(http://h/x/b.html)", "(http://h/x/b.html)"},
		"by the profile": {"(;b)", "(;b)", "http://h/x/c", pdf2, "(http://h/x/;b)", "(http://h/x/;b)"},
		"an alias": {"(b)", "<< /U (b) /C [ [ (a) (b) ] ] >>", "http://h/", nil, "(http://h/b)",
			"<</U (http://h/b) /C [[(http://h/a) (http://h/b) ] ] >>"},
		"only the key, and no base": {"(b.html)", "(http://i/b.html)", "", nil, "(http://i/b.html)", "(http://i/b.html)"},
		"only the key, another base": {"(b.html)", "(http://i/b.html)", "http://h/x/", nil, "(http://i/b.html)",
			"(http://i/b.html)"},
		"only AU, the key":          {"(http://h/x/b)", "(b)", "http://h/x/", nil, "(http://h/x/b)", "(http://h/x/b)"},
		"only AU, another key":      {"(http://i/b)", "(b)", "http://h/x/", nil, "", ""},
		"AU without a key":          {"", "(b)", "http://h/x/", nil, "(http://h/x/b)", "(http://h/x/b)"},
		"absolute":                  {"(mailto:a/../b)", "(mailto:a/../b)", "http://h/x/", pdf2, "", ""},
		"a base that resolves none": {"(b)", "(b)", "mailto:x", nil, "(mailto:b)", "(mailto:b)"},
	} {
		t.Run(name, func(t *testing.T) {
			urls := c.urls + " 20 0 R"
			if c.urls == "" {
				urls = "(http://a/0) 21 0 R"
			}
			objects := "names: << /URLS << /Names [ " + urls + " ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>\n" + info +
				strings.Replace(setA, "/SI << /AU (http://a/0) >>", fmt.Sprintf(au, c.source), 1)
			if c.urls == "" {
				objects += setB
			}
			p := planOf(t, pdf(t, objects), Options{Base: c.base, Profile: c.profile})
			if c.key == "" {
				if !p.Empty() {
					t.Errorf("the plan is\n%s", describe(p))
				}
				return
			}
			data := carryOut(t, p)
			if got := treesOf(t, data); !strings.Contains(got, "\n"+c.key+" 20 0 R\n") {
				t.Errorf("the trees are\n%s", got)
			}
			f := opened(t, data, Options{})
			set, err := f.NewReader().Get(refTo(20))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(set.AppendNormal(nil)); !strings.Contains(got, "/AU "+c.becomes) {
				t.Errorf("the content set is %s", got)
			}
			if c.urls != "" {
				rep, err := audit.Bytes(t.Context(), "", data, audit.Options{})
				if err != nil || rep.Worst() > rule.Note {
					t.Errorf("the audit of the result: %v, %v", rep.Findings, err)
				}
			}
		})
	}
}

// TestPreferData: the MD5 of an image becomes the ID of its set, of the image, and the only key of the set in IDS.
func TestPreferData(t *testing.T) {
	const jpeg, other, third = "data\xff\xd9", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>", "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	md5OfJPEG := fmt.Sprintf("<%x>", md5.Sum([]byte(jpeg)))
	for name, c := range map[string]struct {
		key, set, member string
		more             string // added to the name dictionary
		data             string
		want             bool
	}{
		"key, set, and image agree": {other, other, other, "", jpeg, true},
		"only the image has it":     {other, other, md5OfJPEG, "", jpeg, true},
		"only the key has it":       {md5OfJPEG, other, other, "", jpeg, true},
		"only the set has it":       {other, md5OfJPEG, md5OfJPEG, "", jpeg, true},
		"three IDs":                 {third, other, "<d0d1d2d3d4d5d6d7d8d9dadbdcdddedf>", "", jpeg, true},
		"an image without ID":       {other, other, "null", "", jpeg, true},
		"white space":               {other, other, other, "", jpeg + "\n", false},
		"an ID in a name": {other, other, other, "/Dests << /Names [ " + other[:33] + "61> [ 30 0 R ] ] >>", jpeg,
			false},
	} {
		t.Run(name, func(t *testing.T) {
			image := fmt.Sprintf("10 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "+
				"/BitsPerComponent 8 /Filter /DCTDecode /ID %s /Length %d >> stream\n%s\nendstream\n", c.member, len(c.data),
				c.data)
			data := pdf(t, "names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ "+c.key+" 20 0 R ] >> "+c.more+
				" >>\n"+info+"20 0 obj << /S /SIS /ID "+c.set+" /O [ 10 0 R ] /R [ 1 ] /SI << /AU (http://a/0) >> >>\n"+image+
				"30 0 obj << /Type /Page /Resources << /XObject << /A 10 0 R >> >> >>\n")
			if p := planOf(t, data, Options{}); !p.Empty() {
				t.Errorf("without a choice, the plan is\n%s", describe(p))
			}
			p := planOf(t, data, Options{Prefer: rule.Data})
			if p.Empty() == c.want {
				t.Fatalf("the plan is\n%s", describe(p))
			}
			if !c.want {
				return
			}
			if !p.Steps[0].Chosen || !strings.Contains(p.Steps[0].Reason, "give --from first") {
				t.Errorf("the step does not say who decides: %+v", p.Steps[0])
			}
			data = carryOut(t, p)
			if got := treesOf(t, data); !strings.HasSuffix(got, "IDS\n"+md5OfJPEG+" 20 0 R\n") {
				t.Errorf("the trees are\n%s", got)
			}
			rep, err := audit.Bytes(t.Context(), "", data, audit.Options{})
			if err != nil || len(rep.Findings) > 0 || rep.Digests.Verified != 1 {
				t.Errorf("the audit of the result: %v, %v", rep.Findings, err)
			}
		})
	}
}
