package audit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestEntriesThatLeadToAnObject: a LinkTable returns the entries of both trees that lead to an object, in order, each
// once. An object of another generation is another object.
func TestEntriesThatLeadToAnObject(t *testing.T) {
	urls, ids := &webcapture.Tree{Name: webcapture.URLS}, &webcapture.Tree{Name: webcapture.IDS}
	ref := func(num uint32, gen uint16) object.Ref { return object.Ref{Num: num, Gen: gen} }
	var table engine.LinkTable
	for i, link := range []struct {
		ref  object.Ref
		tree *webcapture.Tree
		i    int
	}{
		{ref(5, 0), urls, 7}, {ref(5, 0), urls, 2}, {ref(5, 0), ids, 3}, {ref(5, 0), urls, 7}, {ref(5, 1), urls, 4},
		{ref(0, 0), ids, 0}, {ref(9, 2), ids, 1}, {ref(object.MaxNumber+1, 0), urls, 9}, {ref(object.MaxNumber, 0), urls, 8},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			table.Add(link.ref, link.tree, link.i)
		})
	}
	for of, want := range map[object.Ref][2][]int{
		ref(5, 0): {{2, 7}, {3}}, ref(5, 1): {{4}, {}}, ref(0, 0): {{}, {0}}, ref(9, 2): {{}, {1}},
		ref(9, 0): {{}, {}}, ref(4, 0): {{}, {}}, ref(6, 0): {{}, {}},
		ref(object.MaxNumber, 0): {{8}, {}}, ref(object.MaxNumber+1, 0): {{}, {}},
	} {
		t.Run(fmt.Sprint(of), func(t *testing.T) {
			u, i := table.Of(of, nil, nil)
			if !slices.Equal(u, want[0]) || !slices.Equal(i, want[1]) {
				t.Errorf("%v: %v and %v, want %v", of, u, i, want)
			}
		})
	}
}

// TestTitlesAreText: a title is shown in UTF-8, in any stored encoding.
func TestTitlesAreText(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"Plain":                    "Plain",
		"\x80 \xa0 \xe4":           "• € ä",
		"a\x00b\x7fc":              "a\uFFFDb\uFFFDc",
		"\xfe\xff\x00H\x00\xe4":    "Hä",
		"\xfe\xff\xd8\x3d\xde\x00": "😀",
		"\xfe\xff\x00H\x00":        "H",
		"\xfe\xff\xd8\x3d":         "\uFFFD",
		"\xfe\xff":                 "",
		"\xef\xbb\xbfgr\xc3\xbcn":  "grün",
		"\xef\xbb\xbf\xff":         "",
		"\xef\xbb":                 "ï»",
		"\xfe":                     "þ",
	} {
		t.Run(in, func(t *testing.T) {
			if got := rule.TitleText([]byte(in)); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

// TestFormsOfURLs: the possible keys of a URL are its canonical forms in all editions of the standard, and the spelling
// of Acrobat.
func TestFormsOfURLs(t *testing.T) {
	for url, want := range map[string][]string{
		"http://h":       {"http://h", "http://h/"},
		"HTTP://H:80/#x": {"http://h/"},
		"http://h?q":     {"http://h?q", "http://h/?q"},
		"ftp://h":        {"ftp://h", "ftp://h/"},
		"mailto:a@h":     {"mailto:a@h"},
		"http:":          {"http:"},
		"gopher://h":     {"gopher://h"},
		"a":              {"a"},
	} {
		t.Run(url, func(t *testing.T) {
			got := rule.Forms([]byte(url))
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) && !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("%s: %q, want %q", url, got, want)
			}
		})
	}
}

// TestDirectSetCountsOnce: a content set that is stored directly in the tree is not the object 0, to which another
// value refers.
func TestDirectSetCountsOnce(t *testing.T) {
	rep := auditText(t, "names: << /URLS << /Names [ (http://a.example/) 0 0 R (http://b.example/) << /S /SPS /ID "+idA+
		" /SI << /AU (http://b.example/) >> >> ] >> >>\n5 0 obj null\n", plainLayout, Options{})
	if rep.PageSets != 1 || rep.ImageSets+rep.OtherSets != 0 {
		t.Errorf("%d page sets, %d image sets, %d others", rep.PageSets, rep.ImageSets, rep.OtherSets)
	}
}
