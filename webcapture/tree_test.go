package webcapture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestTreeNamesAreTheKeysOfTheNameDictionary(t *testing.T) {
	for name, want := range map[webcapture.TreeName]string{webcapture.URLS: "URLS", webcapture.IDS: "IDS"} {
		t.Run(fmt.Sprint(name), func(t *testing.T) {
			if name.String() != want {
				t.Errorf("name %d = %q, want %q", name, name, want)
			}
			if got, ok := webcapture.ParseTreeName(want); !ok || got != name {
				t.Errorf("ParseTreeName(%q) = %v, %t", want, got, ok)
			}
		})
	}
	for _, s := range []string{"", "Dests", "urls"} {
		t.Run(s, func(t *testing.T) {
			if got, ok := webcapture.ParseTreeName(s); ok {
				t.Errorf("ParseTreeName(%q) = %v", s, got)
			}
		})
	}
}

// A file with one tree has it under its own name.
func TestTreeByName(t *testing.T) {
	for name := range webcapture.TreeCount {
		db := database(t, "names: << /"+name.String()+" << /Names [(a) 1 0 R] >> >>\n")
		other := webcapture.TreeCount - 1 - name
		switch tree := db.Tree(name); {
		case tree == nil || tree.Name != name || len(db.Trees()) != 1 || db.Trees()[0] != tree:
			t.Errorf("Tree(%v) = %v, Trees %v", name, tree, db.Trees())
		case db.Tree(other) != nil:
			t.Errorf("Tree(%v) of a file that has %v alone is not nil", other, name)
		}
	}
}

// Pairs whose key is not a string are not entries, but count.
func TestEntryAtCountsPairs(t *testing.T) {
	tree := database(t, "names: << /URLS << /Kids [1 0 R 2 0 R] >> >>\n"+
		"1 0 obj << /Limits [(a)(b)] /Names [(a) 9 0 R /x 9 0 R (b) 9 0 R] >>\n"+
		"2 0 obj << /Limits [(c)(c)] /Names [null 9 0 R (c) 9 0 R] >>\n").URLS
	want := strings.Fields("1/0=a 1/2=b 2/1=c")
	var got []string
	for node := range tree.NodeCount() {
		for pair := range 4 {
			if i, ok := tree.EntryAt(node, pair); ok {
				e := tree.Entry(i)
				if e.Node != node || e.Pair != pair {
					t.Errorf("EntryAt(%d, %d) = %d, pair %d of node %d", node, pair, i, e.Pair, e.Node)
				}
				got = append(got, string(rune('0'+node))+"/"+string(rune('0'+pair))+"="+string(e.Key))
			}
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("entries at %v, want %v", got, want)
	}
}

// database returns the database of a document described as text.
func database(t *testing.T, text string) *webcapture.Database {
	t.Helper()
	db, err := open(t, text, webcapturetest.Layout{}).Database()
	if err != nil {
		t.Fatal(err)
	}
	return db
}
