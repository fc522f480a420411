package rewrite

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// TestRebuild: a content set without an entry gets its keys if it is complete, and no other content set has its ID
// or members.
func TestRebuild(t *testing.T) {
	const (
		idA, idB = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
		image    = " obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream\n"
		treesOfA = "names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> /IDS << /Names [ " + idA + " 20 0 R ] >> >>\n"
		foundA   = ": content set 20 0 R: rebuild (http://a/0) 20 0 R\n: content set 20 0 R: rebuild " + idA + " 20 0 R\n"
		foundB   = ": content set 21 0 R: rebuild (http://b/0) 21 0 R\n: content set 21 0 R: rebuild " + idB + " 21 0 R\n"
	)
	fromB := strings.Replace(setB, "a/0", "b/0", 1)
	images := strings.NewReplacer("/S /SPS", "/S /SIS", "11 0 obj << /Type /Page /ID "+idB+" >>\n", "11 0"+image).Replace(fromB)
	without := func(text string) string { return strings.Replace(fromB, text, "", 1) }
	for name, c := range map[string]struct{ objects, want string }{
		"sets that the trees have":               {"names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> " + idsOfBoth + " >>\n" + setA + fromB, ""},
		"a set in an array that the trees have":  {"names: << /URLS << /Names [ (http://a/0) 30 0 R ] >> " + idsOfBoth + " >>\n" + setA + setB + "30 0 obj [ 20 0 R 21 0 R ]\n", ""},
		"a set that a step gives its keys":       {strings.Replace(treesOfA, "[ (http", "[ 12 21 0 R (http", 1) + setA + fromB, "WC108: URLS, entry 1: restore-keys\n"},
		"no ID":                                  {treesOfA + setA + without("/ID "+idB), ""},
		"no source":                              {treesOfA + setA + without("/SI << /AU (http://b/0) >>"), ""},
		"no subtype":                             {treesOfA + setA + without("/S /SPS"), ""},
		"another subtype, in an object":          {treesOfA + setA + strings.Replace(fromB, "/SPS", "40 0 R", 1) + "40 0 obj /XXX\n", ""},
		"a subtype in an object":                 {treesOfA + setA + strings.Replace(fromB, "/SPS", "40 0 R", 1) + "40 0 obj /SPS\n", foundB},
		"a stream":                               {treesOfA + setA + strings.Replace(fromB, " >>\n11", " /Length 1 >>\nstream\nx\nendstream\n11", 1), ""},
		"no members":                             {treesOfA + setA + without("11 0 R"), ""},
		"a member after one that is gone":        {treesOfA + setA + strings.Replace(fromB, "[ 11", "[ 99 0 R 11", 1), foundB},
		"images":                                 {treesOfA + setA + images, foundB},
		"a page set with images":                 {treesOfA + setA + strings.Replace(images, "/SIS", "/SPS", 1), ""},
		"an image set with a page":               {treesOfA + setA + strings.Replace(fromB, "/SPS", "/SIS", 1), foundB},
		"an image set with a dictionary":         {treesOfA + setA + strings.NewReplacer("/SPS", "/SIS", "/Type /Page", "").Replace(fromB), ""},
		"one of three that claim what others do": {"names: << >>\n" + setA + "19 0 obj << /S /SPS /ID " + idA + " /O [ 11 0 R ] /SI << /AU (http://c/0) >> >>\n" + fromB + "22 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 12 0 R ] /SI << /AU (http://c/0) >> >>\n12 0 obj << /Type /Page >>\n", ": content set 22 0 R: rebuild (http://c/0) 22 0 R\n: content set 22 0 R: rebuild <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 22 0 R\n"},
		"members that are not objects":           {"names: << >>\n" + strings.Replace(setA, "[ 10", "[ << /Type /Page >> 10", 1) + strings.Replace(fromB, "[ 11", "[ << /Type /Page >> 11", 1), foundA + foundB},
		"no name dictionary, but an array":       {"catalog: << /Type /Catalog /Names [ ] >>\n" + setA, ""},
		"a name dictionary that is malformed":    {"catalog: << /Type /Catalog /Names 40 0 R >>\n" + setA + "40 0 obj << /URLS ]\n", ""},
		"a name dictionary that is not there":    {"catalog: << /Type /Catalog /Names 40 0 R >>\n" + setA, foundA},
		"a set that is malformed":                {treesOfA + setA + fromB + "22 0 obj << /S /SPS ]\n23 0 obj << /S /SPS /ID 24 0 R >>\n24 0 obj ]\n", foundB},
	} {
		t.Run(name, func(t *testing.T) {
			opt := Options{Rules: audit.Select("WC108"), Rebuild: true}
			if !strings.HasPrefix(c.objects, "catalog") {
				c.objects = info + c.objects
			}
			p := planOf(t, pdf(t, c.objects), opt)
			got := ""
			for line := range strings.Lines(describe(p)) {
				if !strings.HasPrefix(line, "left: ") {
					got += line
				}
			}
			if got != c.want {
				t.Errorf("the plan is\n%s\nshould be\n%s", got, c.want)
			}
			if !p.Empty() {
				carryOut(t, p)
			}
			checkUnreadable(t, name, pdf(t, c.objects), opt)
		})
	}
}
