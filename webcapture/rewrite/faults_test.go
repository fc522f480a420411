package rewrite

import (
	"errors"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// editInput is a planner with what edits get as arguments.
type editInput struct {
	p          *planner
	urls       *treeEdit
	cs         *webcapture.ContentSet
	set, image object.Object
}

// readingEdits are edits that read objects.
var readingEdits = map[string]func(editInput) error{
	"takeOut":    func(e editInput) error { return e.urls.takeOut("b", refTo(20)) },
	"tidy":       func(e editInput) error { return e.urls.tidy(1) },
	"move":       func(e editInput) error { return e.urls.move(1, refTo(20), "new") },
	"addOwnKeys": func(e editInput) error { return second(e.p.addOwnKeys(webcapture.IDS, e.image)) },
	"members": func(e editInput) error {
		return second(e.p.members(e.cs.Dict, &setEdit{dropped: map[int]bool{0: true}}))
	},
	"complete": func(e editInput) error { return second(e.p.complete(refTo(22))) },
	"buildIDS": func(e editInput) error { return second(e.p.buildIDS()) },
	"rebuild":  func(e editInput) error { return e.p.rebuild() },
	"withURLs": func(e editInput) error {
		_, _, err := e.p.withURLs(e.cs.Dict.Lookup("SI"), map[nametree.Key]nametree.Key{"http://a/0": "x"}, siDepth)
		return err
	},
	"recomputeID":  func(e editInput) error { return e.p.recomputeID(&rule.Fix{Set: refTo(22), New: "x"}) },
	"makeAbsolute": func(e editInput) error { return e.p.makeAbsolute(e.urls, 1) },
}

// TestEditsFail: each edit returns the error of any read that fails. An edit that ignored it would drop content sets.
func TestEditsFail(t *testing.T) {
	const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	objects := "names: << /URLS << /Names [ (a) [ 20 0 R 21 0 R ] (b) 30 0 R (http://a/0) 20 0 R ] >>\n" +
		"/IDS << /Names [ (x) 30 0 R ] >> >>\n" +
		info + setA + setB + "22 0 obj << /S /SIS /ID " + id + " /O [ 12 0 R 13 0 R ] /R 45 0 R /SI << /AU 44 0 R >> >>\n" +
		imageObject(12, "/Filter /DCTDecode", "x") + imageObject(13, "/Filter /DCTDecode", "y") +
		"30 0 obj [ 20 0 R 21 0 R ]\n44 0 obj (http://a/0)\n45 0 obj [ 1 2 ]\n46 0 obj (name)\n"
	set, image := object.MakeRef(refTo(20)), object.MakeRef(refTo(22))
	for name, do := range readingEdits {
		t.Run(name, func(t *testing.T) {
			s := plannerOf(t, objects, Options{}).state
			for at := 1; ; at++ {
				p := newPlanner(s, Options{})
				p.asks = []bool{false}
				var cs webcapture.ContentSet
				if err := p.reader.Read(image, &cs); err != nil {
					t.Fatal(err)
				}
				r := &faultyReader{objectReader: p.reader, at: at}
				p.reader = r
				err := do(editInput{p, p.trees[webcapture.URLS], &cs, set, image})
				if r.asked < at {
					if err != nil || at == 1 {
						t.Errorf("after %d reads the error is %v", r.asked, err)
					}
					return
				}
				if !errors.Is(err, errFault) {
					t.Errorf("when read %d fails, the error is %v", at, err)
				}
			}
		})
	}
}

// TestNoRepair: a rule without a repair may say why, after the word None.
func TestNoRepair(t *testing.T) {
	for repair, want := range map[string]string{
		"None: the key is kept.": "The key is kept.", "None": "There is no repair.",
		"Lower-case the host.": "There is no repair.",
	} {
		if got := noRepair(&rule.Rule{Repair: repair}); got != want {
			t.Errorf("%q: %q, want %q", repair, got, want)
		}
	}
}
