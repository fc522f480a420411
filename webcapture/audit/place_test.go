package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestPlacesAreKnown makes sure, for every case, that a place at a pair has the
// pair's key, and a place in a content set the set's ID.
func TestPlacesAreKnown(t *testing.T) {
	keys, identifiers := 0, 0
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil || c.skip != "" {
			continue
		}
		data := c.pdf(t, packedLayout)
		rep := auditBytes(t, data, Options{})
		f, err := webcapture.New(context.Background(), bytes.Clone(data), webcapture.Options{})
		if err == nil && rep.WithoutXRef && !f.WithoutXRef() {
			err = f.DropXRef(errors.New("a test"))
		}
		if err != nil {
			t.Fatal(err)
		}
		db, err := f.Database()
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range rep.Findings {
			at := finding.Place
			if want, ok := keyStoredAt(db, at); ok {
				keys++
				if at.Key != want {
					t.Errorf("%s: %v: key %v, want %v", path, finding, at.Key, want)
				}
			}
			if at.Set.Num == 0 {
				continue
			}
			var set webcapture.ContentSet
			if err := f.NewReader().Read(object.MakeRef(at.Set), &set); err != nil {
				t.Fatal(err)
			}
			if id, ok := set.Identifier(); ok {
				identifiers++
				if at.ID != nametree.Key(id[:]) {
					t.Errorf("%s: %v: ID %v, want %v", path, finding, at.ID, id)
				}
			}
		}
		f.Close()
	}
	if keys < 80 || identifiers < 100 {
		t.Errorf("only %d keys and %d IDs were looked at", keys, identifiers)
	}
}

// keyStoredAt returns the key of the pair at a place; false if the place is not that of a pair.
func keyStoredAt(db *webcapture.Database, at rule.Place) (nametree.Key, bool) {
	if at.Node == nil || at.Node.Kid || at.Node.Index < 0 {
		return "", false
	}
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			if t.Name.String() == at.Tree && e.Node == at.Node.Position() && e.Pair == at.Node.Index {
				return e.Key, true
			}
		}
	}
	return "", true // a pair that makes no entry
}

// TestPlacesSurviveRenumbering makes sure, for every case, that the fields that identify findings stay the same when
// objects get other numbers.
func TestPlacesSurviveRenumbering(t *testing.T) {
	known := func(data []byte) (list []string) {
		for _, f := range auditBytes(t, data, Options{}).Findings {
			list = append(list, fmt.Sprintf("%s %s %v %v %s %d", f.Rule.ID, f.Place.Tree, f.Place.Key, f.Place.ID,
				f.Place.Part, f.Place.Page))
		}
		slices.Sort(list)
		return list
	}
	some := 0
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil || c.skip != "" {
			continue
		}
		text := c.section("objects")
		doc, err := webcapturetest.Parse(text)
		if err != nil {
			continue // a case of bytes
		}
		moved, err := webcapturetest.Parse(renumber(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		want, got := known(doc.Bytes(plainLayout)), known(moved.Bytes(packedLayout))
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", path, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		some += len(want)
	}
	if some < 200 {
		t.Errorf("only %d findings", some)
	}
}

var numbered = regexp.MustCompile(`\b(\d+)( +\d+ +(?:R|obj)\b)`)

// renumber adds 40 to the object numbers of a case. It keeps their order, which is the order of the pages.
func renumber(text string) string {
	return numbered.ReplaceAllStringFunc(text, func(ref string) string {
		m := numbered.FindStringSubmatch(ref)
		n, err := strconv.Atoi(m[1])
		if err != nil || n == 0 {
			return ref
		}
		return strconv.Itoa(n+40) + m[2]
	})
}
