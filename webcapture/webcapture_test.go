package webcapture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var layouts = map[string]webcapturetest.Layout{
	"table":          {},
	"object streams": {XRef: webcapturetest.Stream, ObjectStreams: 4},
	"encrypted":      {Encryption: &webcapturetest.Encryption{Revision: 4, Hex: true}},
}

// open returns the document described by text, in a layout.
func open(t *testing.T, text string, l webcapturetest.Layout) *webcapture.File {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(l), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readSet reads object 5 of a document in every layout and calls check for each.
func readSet(t *testing.T, text string, check func(t *testing.T, r *webcapture.Reader, cs *webcapture.ContentSet)) {
	t.Helper()
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			r := open(t, text, l).NewReader()
			cs := new(webcapture.ContentSet)
			if err := r.Read(object.MakeRef(object.Ref{Num: 5}), cs); err != nil {
				t.Fatal(err)
			}
			check(t, r, cs)
		})
	}
}

// show returns the URLs of a set's sources, with their roles.
func show(cs *webcapture.ContentSet) string {
	var parts []string
	for i := range cs.Sources {
		var urls []string
		for role, url := range cs.Sources[i].URLs() {
			urls = append(urls, map[webcapture.Role]string{webcapture.Destination: "=",
				webcapture.Redirect: ">"}[role]+string(url))
		}
		parts = append(parts, strings.Join(urls, " "))
	}
	return strings.Join(parts, " | ")
}

func TestReadContentSet(t *testing.T) {
	for _, row := range []struct {
		name, objects string
		subtype       webcapture.Subtype
		id            string
		members       int
		sources       string
		recognized    bool
	}{
		{
			"as Acrobat writes it", `5 0 obj << /CT (text/html) /ID 7 0 R /O [ 11 0 R 12 0 R ] /S /SPS /SI << /AU 8 0 R /TS (D:20030916170530) >> /T (Fish) /TID 7 0 R /TS (D:20030916170530) >>
			 7 0 obj <00ff> 8 0 obj (http://a.example/)`,
			webcapture.PageSet, "\x00\xff", 2, "=http://a.example/", true,
		},
		{
			"image set", "5 0 obj << /S /SIS /ID (x) /O [ 11 0 R ] /R [ 7 0 R ] /SI << /AU (a) >> >>",
			webcapture.ImageSet, "x", 1, "=a", true,
		},
		{
			"everything indirect", "5 0 obj 6 0 R\n6 0 obj << /S 7 0 R /ID 8 0 R /O 9 0 R /SI 10 0 R >>\n7 0 obj /S#50S\n8 0 obj (i\\144)\n9 0 obj [ 11 0 R null 3 ]\n" +
				"10 0 obj [ 13 0 R 14 0 R ]\n13 0 obj << /AU 15 0 R >>\n14 0 obj << /AU 16 0 R >>\n15 0 obj (a)\n16 0 obj << /U 17 0 R /C 18 0 R >>\n17 0 obj (u)\n18 0 obj [ 19 0 R ]\n19 0 obj [ 15 0 R 17 0 R ]",
			webcapture.PageSet, "id", 3, "=a | =u >a >u", true,
		},
		{
			"two chains, one empty", "5 0 obj << /S /SPS /ID (i) /O [ ] /SI << /AU << /U (u) /C [ [ (a) (b) ] [ ] [ (c) ] ] >> >> >>",
			webcapture.PageSet, "i", 0, "=u >a >b >c", true,
		},
		{
			"alias without U", "5 0 obj << /S /SPS /SI << /AU << /C [ [ (a) ] ] >> >> >>",
			webcapture.PageSet, "", 0, ">a", true,
		},
		{
			"alias with wrong types", "5 0 obj << /S /SPS /SI << /AU << /U /u /C [ (flat) [ 1 (a) null ] 3 ] >> >> >>",
			webcapture.PageSet, "", 0, ">a", true,
		},
		{
			"alias whose chains are not an array", "5 0 obj << /S /SPS /SI << /AU << /U (u) /C (c) >> >> >>",
			webcapture.PageSet, "", 0, "=u", true,
		},
		{
			"SI with wrong elements", "5 0 obj << /S /SPS /SI [ null (a) << /AU (b) >> [ << /AU (c) >> ] 99 0 R << >> ] >>",
			webcapture.PageSet, "", 0, "=b | ", true,
		},
		{
			"wrong types everywhere", "5 0 obj << /S (SPS) /ID /x /O << >> /SI 3 /CT 1 /TS 2 /T /t /TID [ ] /R (r) /Type 4 >>",
			webcapture.NoSubtype, "", 0, "", false,
		},
		{
			"S only", "5 0 obj << /S /SPS >>",
			webcapture.PageSet, "", 0, "", false,
		},
		{
			"ID and O", "5 0 obj << /ID (x) /O [ 1 0 R ] >>",
			webcapture.NoSubtype, "x", 1, "", true,
		},
		{"a page", "5 0 obj << /Type /Page /ID (x) >>", webcapture.NoSubtype, "x", 0, "", false},
		{"a string", "5 0 obj (x)", webcapture.NoSubtype, "", 0, "", false},
		{"nothing", "6 0 obj (x)", webcapture.NoSubtype, "", 0, "", false},
		{
			"entries twice", "5 0 obj << /S /SIS /S /SPS /ID (a) /ID (b) >>",
			webcapture.PageSet, "b", 0, "", true,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			objects := row.objects
			for _, n := range []string{"8 0 obj"} { // several on one line, for brevity
				objects = strings.Replace(objects, "> "+n, ">\n"+n, 1)
			}
			readSet(t, objects, func(t *testing.T, _ *webcapture.Reader, cs *webcapture.ContentSet) {
				n := 0
				for range cs.Members() {
					n++
				}
				if cs.Subtype != row.subtype || string(cs.ID.Bytes) != row.id || n != row.members ||
					show(cs) != row.sources || cs.Recognized() != row.recognized {
					t.Errorf("%v, ID %q, %d members, sources %q, recognized %t", cs.Subtype, cs.ID.Bytes, n, show(cs),
						cs.Recognized())
				}
			})
		})
	}
}

// TestReadReusesSet checks that a set keeps nothing of an earlier one.
func TestReadReusesSet(t *testing.T) {
	text := "5 0 obj << /Type /X /S /SPS /ID (0123456789abcdef) /O [ 1 0 R ] /SI [ << /AU (a) >> << /AU << /U (b) >> >> ] /CT (c) /TS (d) /T (e) /TID (f) /R 1 >>\n6 0 obj << /SI << /AU (z) >> >>"
	r := open(t, text, webcapturetest.Layout{}).NewReader()
	var cs webcapture.ContentSet
	read := func(num uint32) {
		t.Helper()
		if err := r.Read(object.MakeRef(object.Ref{Num: num}), &cs); err != nil {
			t.Fatal(err)
		}
	}
	read(5)
	if id, ok := cs.Identifier(); !ok || string(id[:]) != "0123456789abcdef" || show(&cs) != "=a | =b" {
		t.Errorf("ID %v, %t, sources %q", id, ok, show(&cs))
	}
	if c, ok := cs.CT.AppendString(nil); !ok || string(c) != "c" || cs.R.Kind() != object.Integer {
		t.Errorf("CT %v, R %v", cs.CT, cs.R)
	}
	read(6)
	if _, ok := cs.Identifier(); ok || show(&cs) != "=z" || cs.Subtype != webcapture.NoSubtype || !cs.S.IsNull() ||
		!cs.O.IsNull() {
		t.Errorf("%+v", cs)
	}
	for i, o := range []object.Object{cs.Type, cs.CT, cs.TS, cs.T, cs.TID, cs.R} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !o.IsNull() {
				t.Errorf("kept %v", o)
			}
		})
	}
	// A direct set.
	o, _, err := object.Parse([]byte("<< /S /SIS /ID 7 0 R >>"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Read(o, &cs); err != nil || cs.Subtype != webcapture.ImageSet || cs.ID.OK() || len(cs.Sources) != 0 {
		t.Errorf("%v, %+v", err, cs)
	}
}

func TestSubtypeString(t *testing.T) {
	for s, want := range map[webcapture.Subtype]string{webcapture.NoSubtype: "content set",
		webcapture.PageSet: "page set", webcapture.ImageSet: "image set"} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			if s.String() != want {
				t.Errorf("%d is %q, want %q", s, s, want)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	const text = `spiderinfo: 2 0 R
2 0 obj << /V 3 0 R /C 4 0 R >>
3 0 obj 1.25
4 0 obj [ 5 0 R 6 0 R null 99 0 R (x) << /URL (direct) >> ]
5 0 obj << /URL 7 0 R /L 3 /F 8 0 R /P (a=b) /CT (text/plain) /H (Accept: text/html\r\n) /S << /G << >> >> >>
6 0 obj << /L (3) /F 1.5 /P /p /CT 1 /H [ ] /S 2 >>
7 0 obj (http://a.example/)
8 0 obj 5
`
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			f := open(t, text, l)
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			if !db.Present() || db.URLS != nil || db.IDS != nil || len(db.Trees()) != 0 {
				t.Errorf("present %t, trees %v", db.Present(), db.Trees())
			}
			info, err := f.NewReader().Info(db)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := info.V.Number(); !ok || v != 1.25 || len(info.Commands) != 3 {
				t.Fatalf("V %v, %d commands", v, len(info.Commands))
			}
			c := info.Commands[0]
			level, ok1 := c.Level()
			flags, ok2 := c.Flags()
			if string(c.URL.Bytes) != "http://a.example/" || level != 3 ||
				flags != webcapture.SameSite|webcapture.Submit || !ok1 || !ok2 {
				t.Errorf("URL %q, level %d, flags %b", c.URL.Bytes, level, flags)
			}
			if string(c.CT.Bytes) != "text/plain" || string(c.H.Bytes) != "Accept: text/html\r\n" ||
				c.P.Kind() != object.String || c.S.Kind() != object.Dictionary {
				t.Errorf("CT %q, H %q, P %v, S %v", c.CT.Bytes, c.H.Bytes, c.P, c.S)
			}
			if ref, ok := c.Object.Ref(); !ok || ref.Num != 5 || c.Index != 0 || c.Err != nil {
				t.Errorf("command %d is %v: %v", c.Index, c.Object, c.Err)
			}
			c = info.Commands[1]
			_, ok1 = c.Level()
			_, ok2 = c.Flags()
			if ok1 || ok2 || c.URL.OK() || c.CT.OK() || c.H.OK() || !c.URL.Object.IsNull() ||
				c.CT.Object.Kind() != object.Integer {
				t.Errorf("wrong types taken for right: %+v", c)
			}
			c = info.Commands[2]
			level, ok1 = c.Level()
			flags, ok2 = c.Flags()
			if level != 1 || flags != 0 || !ok1 || !ok2 || string(c.URL.Bytes) != "direct" || c.Index != 5 {
				t.Errorf("command %d, defaults: level %d, flags %d, URL %q", c.Index, level, flags, c.URL.Bytes)
			}
		})
	}
}

// TestInfoKeepsUnreadable: an unreadable command keeps its place, and the others are read.
func TestInfoKeepsUnreadable(t *testing.T) {
	f := open(t, "spiderinfo: << /V 1 /C [ 5 0 R 7 0 R 6 0 R ] >>\n5 0 obj << /URL 5 0 R >>\n6 0 obj << /URL (x) >>\n7 0 obj 8 0 R\n8 0 obj 7 0 R\n", webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.NewReader().Info(db)
	if err != nil || len(info.Commands) != 3 {
		t.Fatalf("%+v, %v", info, err)
	}
	for i, c := range info.Commands {
		if c.Index != i || (c.Err != nil) != (i == 1) {
			t.Errorf("command %d has index %d, error %v", i, c.Index, c.Err)
		}
	}
	if got := string(info.Commands[2].URL.Bytes); got != "x" {
		t.Errorf("the last command has URL %q", got)
	}
}

func TestRefs(t *testing.T) {
	const text = "spiderinfo: << /V 1 >>\n2 0 obj (a)\n5 0 obj << >>\n9 0 obj [ ]\n"
	for name, l := range layouts {
		for _, repair := range []bool{false, true} {
			d, err := webcapturetest.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			f, err := webcapture.New(context.Background(), d.Bytes(l), webcapture.Options{})
			if err == nil && repair {
				err = f.DropXRef(errors.New("a test"))
			}
			if err != nil {
				t.Fatal(err)
			}
			seen := map[object.Ref]bool{}
			last := object.Ref{}
			for _, ref := range f.Refs() {
				if ref.Compare(last) <= 0 {
					t.Errorf("%s: %v after %v", name, ref, last)
				}
				last, seen[ref] = ref, true
			}
			for _, num := range []uint32{2, 5, 9} {
				if !seen[object.Ref{Num: num}] {
					t.Errorf("%s, repair %t: no object %d", name, repair, num)
				}
			}
		}
	}
}

func TestInfoOfOthers(t *testing.T) {
	for _, row := range []struct {
		text     string
		present  bool
		commands int // -1: no Info
	}{
		{"5 0 obj null", false, -1},
		{"spiderinfo: << >>", true, 0},
		{"spiderinfo: [ ]", true, -1},
		{"spiderinfo: null", false, -1},
		{"spiderinfo: 99 0 R", true, -1},
		{"spiderinfo: << /C 5 0 R >>\n5 0 obj (x)", true, 0},
		{"spiderinfo: 5 0 R\n5 0 obj << /V 1 /C [ << /P 6 0 R >> ] >>\n6 0 obj << /Length 1 >>\nstream\nx\nendstream",
			true, 1},
		{"spiderinfo: 5 0 R\n5 0 obj << /V ", true, -1},
	} {
		t.Run(row.text, func(t *testing.T) {
			f := open(t, row.text, webcapturetest.Layout{})
			db, err := f.Database()
			if err != nil {
				t.Errorf("%q: %v", row.text, err)
				return
			}
			info, err := f.NewReader().Info(db)
			if err != nil || db.Present() != row.present || (info == nil) != (row.commands < 0) ||
				info != nil && len(info.Commands) != row.commands {
				t.Errorf("%q: present %t, info %+v, %v", row.text, db.Present(), info, err)
			}
		})
	}
}

func TestDatabase(t *testing.T) {
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			f := open(t, `names: 2 0 R
2 0 obj << /URLS 3 0 R /IDS << /Names [ (b) 6 0 R (a) 5 0 R ] >> /Dests << >> >>
3 0 obj << /Kids [ 4 0 R ] >>
4 0 obj << /Names [ 7 0 R [ 5 0 R 6 0 R ] ] >>
7 0 obj <61>
`, l)
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			if db.URLS.Len() != 1 || db.URLS.Name != webcapture.URLS || db.IDS.Len() != 2 ||
				db.IDS.Name != webcapture.IDS || len(db.Trees()) != 2 || db.Trees()[0] != db.URLS {
				t.Errorf("URLS %d, IDS %d", db.URLS.Len(), db.IDS.Len())
			}
			if ref, ok := db.URLS.Root.Ref(); !ok || ref.Num != 3 || db.IDS.Root.Kind() != object.Dictionary {
				t.Errorf("roots %v, %v", db.URLS.Root, db.IDS.Root)
			}
			if db.Names.Lookup("Dests").Kind() != object.Dictionary || !db.SpiderInfo.IsNull() || !db.Present() {
				t.Errorf("names %s", db.Names.Raw())
			}
			if f.Encrypted() != (l.Encryption != nil) || f.WithoutXRef() || len(f.Notices()) != 0 {
				t.Errorf("encrypted %t, repaired %t, notices %q", f.Encrypted(), f.WithoutXRef(), f.Notices())
			}
			if e := db.URLS.Entry(0); e.Key != "a" || e.KeyRef.Num != 7 {
				t.Errorf("entry %+v", e)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	for _, row := range []struct{ header, catalog, want string }{
		{"1.4", "", "1.4"},
		{"1.4", "/Version /1.7", "1.7"},
		{"1.7", "/Version /1.4", "1.7"},
		{"1.4", "/Version (1.7)", "1.4"},
		{"1.4", "/Version 7 0 R", "2.0"},
		{"2.0", "", "2.0"},
	} {
		t.Run(row.header, func(t *testing.T) {
			f := open(t, "catalog: << /Type /Catalog "+row.catalog+" >>\n7 0 obj /2.0",
				webcapturetest.Layout{Version: row.header})
			db, err := f.Database()
			if err != nil || db.Version != row.want {
				t.Errorf("%q, %q: version %q, %v, want %q", row.header, row.catalog, db.Version, err, row.want)
			}
		})
	}
}

// TestDatabaseErrors: an unreadable name dictionary is an error, not a file without a database.
func TestDatabaseErrors(t *testing.T) {
	f := open(t, "names: 5 0 R\n5 0 obj << /URLS << /Names [ (a) 6 0 R ] >>\n", webcapturetest.Layout{})
	if db, err := f.Database(); err != nil || !object.IsMalformed(db.NamesErr) || db.Present() {
		t.Errorf("Database = %+v, %v", db, err)
	}
	// A tree whose root cannot be parsed is a tree with a defect.
	f = open(t, "names: << /URLS 5 0 R >>\n5 0 obj << /Names [ (a) 6 0 R >>\n", webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil || db.URLS.Len() != 0 || len(slices.Collect(db.URLS.Defects())) != 1 {
		t.Errorf("Database = %+v, %v", db, err)
	}
}

func TestValues(t *testing.T) {
	const text = `5 0 obj [ 6 0 R << /S /SPS >> null [ 7 0 R ] ]
6 0 obj << /S /SPS >>
7 0 obj [ ]
8 0 obj 5 0 R
9 0 obj [ (a >>
10 0 obj 10 0 R
`
	r := open(t, text, webcapturetest.Layout{}).NewReader()
	for _, row := range []struct{ value, want string }{
		{"6 0 R", "[6 0 R]"},
		{"5 0 R", "[6 0 R << /S /SPS >> null [ 7 0 R ]]"},
		{"8 0 R", "[6 0 R << /S /SPS >> null [ 7 0 R ]]"},
		{"7 0 R", "[]"},
		{"[ 6 0 R 7 0 R ]", "[6 0 R 7 0 R]"},
		{"null", "[null]"},
		{"99 0 R", "[99 0 R]"},
		{"(x)", "[(x)]"},
		{"9 0 R", "[malformed]"},
		{"10 0 R", "[malformed]"},
	} {
		t.Run(row.value, func(t *testing.T) {
			o, _, err := object.Parse([]byte(row.value+" "), 0)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for e, err := range r.Values(o) {
				switch {
				case object.IsMalformed(err):
					got = append(got, "malformed")
				case err != nil:
					t.Errorf("%s: %v", row.value, err)
				default:
					got = append(got, fmt.Sprintf("%v", e))
				}
			}
			if s := fmt.Sprint(got); s != row.want {
				t.Errorf("Values(%s) yields %s, want %s", row.value, s, row.want)
			}
			for range r.Values(o) {
				break // an early end is not a panic
			}
		})
	}
}

// TestReadUnreadable: if a part of a set is not an object, the error is about the file.
func TestReadUnreadable(t *testing.T) {
	for _, set := range []string{
		"<< /S /SPS ", "<< /S 6 0 R >>", "<< /ID 6 0 R >>", "<< /O 6 0 R >>", "<< /SI 6 0 R >>", "<< /SI [ 6 0 R ] >>",
		"<< /SI << /AU 6 0 R >> >>", "<< /SI << /AU << /U 6 0 R >> >> >>", "<< /SI << /AU << /C 6 0 R >> >> >>",
		"<< /SI << /AU << /C [ 6 0 R ] >> >> >>", "<< /SI << /AU << /C [ [ 6 0 R ] ] >> >> >>", "<< /S 7 0 R >>",
	} {
		t.Run(set, func(t *testing.T) {
			r := open(t, "5 0 obj "+set+"\n6 0 obj << /x ]\n7 0 obj 7 0 R\n", webcapturetest.Layout{}).NewReader()
			var cs webcapture.ContentSet
			if err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs); !object.IsMalformed(err) {
				t.Errorf("%s: error %v", set, err)
			}
		})
	}
	// Unreadable objects do not matter if they are not resolved.
	r := open(t, "5 0 obj << /S /SPS /CT 6 0 R /TS 6 0 R /T 6 0 R /TID 6 0 R /R 6 0 R /SI << /TS 6 0 R /E 6 0 R /S 6 0 R /C 6 0 R >> >>\n6 0 obj << /x ]\n", webcapturetest.Layout{}).NewReader()
	var cs webcapture.ContentSet
	if err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs); err != nil ||
		cs.Sources[0].TS.Kind() != object.Reference {
		t.Errorf("%v, %+v", err, cs)
	}
}

// TestReadBounded: a set that shares objects many times is rejected, and a large honest one is not.
func TestReadBounded(t *testing.T) {
	chain := strings.Repeat("(http://a.example/) ", 3000)
	r := open(t, "5 0 obj << /S /SPS /SI << /AU << /U (u) /C [ "+strings.Repeat("6 0 R ",
		3000)+"] >> >> >>\n6 0 obj [ "+chain+"]\n", webcapturetest.Layout{}).NewReader()
	var cs webcapture.ContentSet
	if err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs); !object.IsMalformed(err) {
		t.Errorf("a chain 3000 times: %v", err)
	}
	r = open(t, "5 0 obj << /S /SPS /SI << /AU << /U (u) /C [ [ "+strings.Repeat(chain, 20)+"] ] >> >> >>\n",
		webcapturetest.Layout{}).NewReader()
	if err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs); err != nil ||
		len(cs.Sources[0].Alias.Chains[0]) != 60_000 {
		t.Errorf("60000 redirects: %v", err)
	}
}

// Chains without any URL count as well: what they take is what is read for them.
func TestReadBoundsEmptyChains(t *testing.T) {
	chain := "6 0 obj [" + strings.Repeat(" ", 1<<20) + "]\n"
	for n, ok := range map[int]bool{10: true, 20: false} { // the limit is 16 MiB
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := open(t, "5 0 obj << /S /SPS /SI << /AU << /C [ "+strings.Repeat("6 0 R ", n)+"] >> >> >>\n"+chain,
				webcapturetest.Layout{}).NewReader()
			var cs webcapture.ContentSet
			err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs)
			if ok != (err == nil) || !ok && !object.IsMalformed(err) {
				t.Errorf("%d chains: %v", n, err)
			}
		})
	}
}

// Large strings that are read again and again end at the limit, wherever they are.
func TestReadBoundsStrings(t *testing.T) {
	long := "6 0 obj (" + strings.Repeat("x", 1<<20) + ")\n"
	many := strings.Repeat("6 0 R ", 100)
	for _, si := range []string{"[ " + many + "]", "<< /AU << /C [ [ " + many + "] ] >> >>"} {
		t.Run(si[:5], func(t *testing.T) {
			r := open(t, "5 0 obj << /S /SPS /SI "+si+" >>\n"+long, webcapturetest.Layout{}).NewReader()
			var cs webcapture.ContentSet
			err := r.Read(object.MakeRef(object.Ref{Num: 5}), &cs)
			if !object.IsMalformed(err) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << >> >>")
	if err != nil {
		t.Fatal(err)
	}
	locked := d.Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6, User: "open"}})
	dir := t.TempDir()
	for _, row := range []struct {
		name     string
		data     []byte
		password string
		want     error
	}{
		{"empty", nil, "", webcapture.ErrEmpty},
		{"text", []byte(strings.Repeat("text\n", 500)), "", webcapture.ErrNotPDF},
		{"no password", locked, "", webcapture.ErrPassword},
		{"wrong password", locked, "other", webcapture.ErrPassword},
		{"right password", locked, "open", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, err := webcapture.New(context.Background(), row.data,
				webcapture.Options{Passwords: []string{row.password}})
			if !errors.Is(err, row.want) || (f == nil) != (err != nil) {
				t.Errorf("New = %v, %v, want %v", f, err, row.want)
			}
			path := filepath.Join(dir, "x.pdf")
			if err := os.WriteFile(path, row.data, 0o666); err != nil {
				t.Fatal(err)
			}
			f, err = webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{row.password}})
			if !errors.Is(err, row.want) || (f == nil) != (err != nil) {
				t.Errorf("Open = %v, %v, want %v", f, err, row.want)
			}
			if f != nil {
				if f.Size() != int64(len(row.data)) || len(f.Refs()) == 0 {
					t.Errorf("size %d, %d objects", f.Size(), len(f.Refs()))
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, err := webcapture.Open(context.Background(), filepath.Join(dir, "none.pdf"),
		webcapture.Options{}); !errors.Is(err, os.ErrNotExist) || webcapture.IsDamage(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestRepair: a file can be read without its cross-reference data.
func TestRepair(t *testing.T) {
	d := webcapturetest.Sets(10, webcapturetest.Options{Leaf: 3})
	data := d.Bytes(webcapturetest.Layout{})
	for _, row := range []struct {
		name string
		data []byte
	}{
		{"as asked", data},
		{"cut", data[:len(data)-200]},
		{"no startxref", slices.Concat(data[:len(data)-30], []byte("\n%%EOF\n"))},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, err := webcapture.New(context.Background(), row.data, webcapture.Options{})
			if err == nil && row.name == "as asked" {
				err = f.DropXRef(errors.New("a test"))
			}
			if err != nil {
				t.Fatal(err)
			}
			db, err := f.Database()
			if err != nil || !f.WithoutXRef() || db.URLS.Len() != 10 || db.IDS.Len() != 10 {
				t.Errorf("%+v, repaired %t, %v", db, f.WithoutXRef(), err)
			}
		})
	}
}

// OpenReader opens a file by its bytes. It returns an error if there are too few, and the cause of its context.
func TestOpenReader(t *testing.T) {
	data := webcapturetest.Sets(2, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	read := func(ctx context.Context, size int) (*webcapture.File, error) {
		return webcapture.OpenReader(ctx, bytes.NewReader(data), int64(size), webcapture.Options{})
	}
	f, err := read(t.Context(), len(data))
	if err != nil {
		t.Fatal(err)
	}
	if db, err := f.Database(); err != nil || db.URLS == nil || db.URLS.Len() != 2 {
		t.Errorf("%v, %v, want two URLs", db, err)
	}
	if _, err := read(t.Context(), len(data)+1); err != io.ErrUnexpectedEOF {
		t.Errorf("error %v for missing bytes, want %v", err, io.ErrUnexpectedEOF)
	}
	ended := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ended)
	if _, err := read(ctx, len(data)); err != ended {
		t.Errorf("error %v, want the cause of the context", err)
	}
}
