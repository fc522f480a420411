package webcapture

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// indirect is a database in which all values are indirect objects.
const indirect = `catalog: << /Type /Catalog /Version 35 0 R /Names 36 0 R /SpiderInfo 22 0 R >>
5 0 obj << /S 40 0 R /ID 41 0 R /O 42 0 R /SI 43 0 R >>
6 0 obj << /Type /Page >>
20 0 obj << /Names [ 30 0 R 5 0 R (http://b/) 31 0 R ] >>
21 0 obj << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >>
22 0 obj << /V 32 0 R /C 23 0 R >>
23 0 obj [ 24 0 R ]
24 0 obj << /URL 25 0 R /CT 26 0 R /H 27 0 R /L 28 0 R /F 29 0 R /P 33 0 R /S 34 0 R >>
25 0 obj (http://c/)
26 0 obj (text/html)
27 0 obj ()
28 0 obj 1
29 0 obj 0
30 0 obj (http://a/)
31 0 obj [ 5 0 R ]
32 0 obj 1.25
33 0 obj null
34 0 obj << >>
35 0 obj /1.7
36 0 obj << /URLS 20 0 R /IDS 21 0 R >>
40 0 obj /SPS
41 0 obj <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>
42 0 obj [ 6 0 R ]
43 0 obj [ 44 0 R ]
44 0 obj << /AU 45 0 R >>
45 0 obj << /U 46 0 R /C 47 0 R >>
46 0 obj (http://a/)
47 0 obj [ 48 0 R ]
48 0 obj [ 49 0 R ]
49 0 obj (http://b/)
`

// readAll reads everything in the content database, and returns the first error.
func readAll(f *File) error {
	db, err := f.Database()
	if err != nil {
		return err
	}
	r := f.NewReader()
	for _, err := range f.Contents(db).All(r) {
		if err != nil {
			return err
		}
	}
	_, err = r.Info(db)
	return err
}

// TestNoObjectIsMissedInSilence: if the cross-reference data does not lead to one of the objects of the database,
// reading fails with damage, so callers can repair the file. Counting the object as null would change the result.
func TestNoObjectIsMissedInSilence(t *testing.T) {
	d, err := webcapturetest.Parse(indirect)
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(webcapturetest.Layout{}))
	whole, err := New(context.Background(), []byte(data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := readAll(whole); err != nil {
		t.Fatalf("the whole file: %v", err)
	}
	for _, num := range []int{5, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 40, 41, 42, 43, 44,
		45, 46, 47, 48, 49} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			header := fmt.Sprintf("\n%d 0 obj", num)
			other := strings.Repeat("9", len(header)-len("\n 0 obj")) // another number of the same length
			broken := strings.Replace(data, header, "\n"+other+" 0 obj", 1)
			if broken == data {
				t.Fatalf("object %d is not in the file", num)
			}
			f, err := New(context.Background(), []byte(broken), Options{})
			if err == nil {
				err = readAll(f)
			}
			if !IsDamage(err) {
				t.Errorf("object %d is not where it should be: %v, want damage", num, err)
			}
		})
	}
}

// TestKindOfNames: NamesKind is the kind of the object in place of the name dictionary.
func TestKindOfNames(t *testing.T) {
	for names, want := range map[string]object.Kind{"<< >>": object.Dictionary, "[ ]": object.Array,
		"7": object.Integer} {
		t.Run(names, func(t *testing.T) {
			d := &webcapturetest.Document{}
			d.Root = d.Add("<</Type/Catalog/Names " + names + ">>")
			f, err := New(context.Background(), d.Bytes(webcapturetest.Layout{}), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if db, err := f.Database(); err != nil || db.NamesKind != want {
				t.Errorf("%s: %v, %v, want %v", names, db.NamesKind, err, want)
			}
		})
	}
}

// TestIteratorsStop: iterators do not call a caller that has stopped.
func TestIteratorsStop(t *testing.T) {
	d, err := webcapturetest.Parse(strings.Replace(indirect, "[ 49 0 R ]", "[ 49 0 R (http://d/) ]", 1))
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(context.Background(), d.Bytes(webcapturetest.Layout{}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var cs ContentSet
	if err := f.NewReader().Read(object.MakeRef(object.Ref{Num: 5}), &cs); err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop <= 3; stop++ {
		n := 0
		for range cs.Sources[0].URLs() {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("URLs: %d, want %d", n, stop)
		}
	}
}

// opened opens a database described as text.
func opened(t *testing.T, text string) (*File, *Database) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return openedDocument(t, d)
}

// openedDocument opens a document and reads its database.
func openedDocument(t *testing.T, d *webcapturetest.Document) (*File, *Database) {
	t.Helper()
	f, err := New(context.Background(), d.Bytes(webcapturetest.Layout{}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return f, db
}

// TestSharedBytesAreBounded: sources that share a long string are an error if they exceed a piece together. Commands
// that do so pay each time.
func TestSharedBytesAreBounded(t *testing.T) {
	long := "(" + strings.Repeat("x", 1<<20) + ")"
	f, _ := opened(t, "5 0 obj << /S /SPS /SI [ "+strings.Repeat("44 0 R ",
		20)+"] >>\n44 0 obj << /AU 45 0 R >>\n45 0 obj "+long+"\n6 0 obj << /Type /Page >>\n")
	var cs ContentSet
	if err := f.NewReader().Read(object.MakeRef(object.Ref{Num: 5}), &cs); !object.IsMalformed(err) {
		t.Errorf("a content set of 20 sources of 1 MiB: %v", err)
	}
	f, db := opened(t, "spiderinfo: << /V 1.25 /C [ "+strings.Repeat("24 0 R ",
		1000)+"] >>\n24 0 obj << /URL 25 0 R >>\n25 0 obj "+long+"\n6 0 obj << /Type /Page >>\n")
	if _, err := f.NewReader().Info(db); !errors.Is(err, meter.Over{}) {
		t.Errorf("1000 commands of 1 MiB: %v", err)
	}
}

// TestSourceWithoutURL: AU that is neither a string nor a dictionary is not an alias.
func TestSourceWithoutURL(t *testing.T) {
	f, _ := opened(t, "5 0 obj << /S /SPS /SI << /AU 7 >> >>\n6 0 obj << /Type /Page >>\n")
	var cs ContentSet
	if err := f.NewReader().Read(object.MakeRef(object.Ref{Num: 5}), &cs); err != nil || len(cs.Sources) != 1 ||
		cs.Sources[0].Alias != nil {
		t.Errorf("%v, %+v", err, cs.Sources)
	}
}

// TestUnreadableElement: an unreadable element of an array value is an error, and the others are content sets.
func TestUnreadableElement(t *testing.T) {
	f, db := opened(t, "names: << /URLS << /Names [ (http://a/) [ 5 0 R 7 0 R ] ] >> >>\n5 0 obj << /S /SPS /O [ ] >>\n6 0 obj << /Type /Page >>\n7 0 obj 8 0 R\n8 0 obj 7 0 R\n")
	sets, unread := 0, 0
	for c, err := range f.Contents(db).All(f.NewReader()) {
		switch {
		case err != nil:
			unread++
		case c.Set != nil && c.Set.Recognized():
			sets++
		}
	}
	if sets != 1 || unread != 1 {
		t.Errorf("%d sets, %d unread, want 1 and 1", sets, unread)
	}
}

// TestLongURLIsBounded: the limit of a content set also applies to a single URL.
func TestLongURLIsBounded(t *testing.T) {
	f, _ := opened(t, "5 0 obj << /S /SPS /SI << /AU 45 0 R >> >>\n45 0 obj ("+strings.Repeat("x",
		20<<20)+")\n6 0 obj << /Type /Page >>\n")
	var cs ContentSet
	if err := f.NewReader().Read(object.MakeRef(object.Ref{Num: 5}), &cs); !object.IsMalformed(err) {
		t.Errorf("a URL of 20 MiB: %v", err)
	}
}
