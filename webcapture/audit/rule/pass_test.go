package rule

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// newPass returns a pass over a document, with a budget that suffices.
func newPass(t *testing.T, ctx context.Context, d *webcapturetest.Document) *Pass {
	t.Helper()
	f, err := webcapture.New(ctx, d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPass(db, f.NewReader(), &Audit{File: f, MaxFindings: 1 << 30})
	p.Rule = &Rule{ID: "WC1", Level: Note}
	for _, tree := range db.Trees() {
		p.Audit.Trees[tree.Name] = &Tree{Tree: tree, Whole: tree.IsWhole()}
	}
	return &p
}

func parsed(t *testing.T, text string) *webcapturetest.Document {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// passOver returns a pass over the text of a document.
func passOver(t *testing.T, text string) *Pass {
	t.Helper()
	return newPass(t, context.Background(), parsed(t, text))
}

func refOf(num int) object.Ref { return object.Ref{Num: uint32(num)} }

// TestUnreadPartsAreNoted: a malformed part of the file is noted. Any other error ends the audit.
func TestUnreadPartsAreNoted(t *testing.T) {
	at := Place{Page: 3}
	for _, err := range []error{&object.Malformed{Reason: "x"}, webcapturetest.ErrRead} {
		p := passOver(t, "")
		var list []Unread
		malformed := object.IsMalformed(err)
		for _, got := range []error{p.CouldNotRead(at, err), NoteUnread(&list, at, err)} {
			if malformed != (got == nil) || !malformed && got != err {
				t.Errorf("for the error %v the result is %v", err, got)
			}
		}
		if malformed {
			if want := (Unread{Place: at, Err: err}); len(p.Found.Unread) != 1 || p.Found.Unread[0] != want || len(list) != 1 ||
				list[0] != want || p.Failed != nil {
				t.Errorf("unread parts %v and %v, failed %v", p.Found.Unread, list, p.Failed)
			}
		} else if p.Found.Unread != nil || list != nil || p.Failed != err {
			t.Errorf("unread parts %v and %v, failed %v, want %v", p.Found.Unread, list, p.Failed, err)
		}
	}
}

// TestReportsOfBrokenTrees: a finding has no repair if the tree that would change could not be read completely.
func TestReportsOfBrokenTrees(t *testing.T) {
	p := passOver(t, "names: << /URLS << /Kids [ 5 0 R ] >> /IDS << /Names [ ] >> >>\n5 0 obj << /Broken ] >>")
	long := nametree.Key(strings.Repeat("k", MaxShown+1))
	for _, row := range []struct {
		at, fix string
		want    bool
	}{{"", "", true}, {"IDS", "", true}, {"IDS", "IDS", true}, {"", "IDS", true}, {"URLS", "", false},
		{"URLS", "IDS", false}, {"IDS", "URLS", false}, {"", "URLS", false}} {
		p.Found.Findings = nil
		p.Reportf(Place{Tree: row.at}, &Fix{Tree: row.fix}, "%s of %d", long, 2)
		f := p.Found.Findings[0]
		if (f.Fix != nil) != row.want || f.Rule != p.Rule || f.Place.Tree != row.at {
			t.Errorf("at %q, with a fix of %q: the finding is %v, has a fix: %v", row.at, row.fix, f, f.Fix != nil)
		}
		if want := long.Shorten(MaxShown) + " of 2"; f.Message != want {
			t.Errorf("the message is %q, want %q", f.Message, want)
		}
	}
	p.Reportf(Place{}, nil, "a plain message")
	if f := p.Found.Findings[len(p.Found.Findings)-1]; f.Message != "a plain message" || f.Fix != nil {
		t.Errorf("a message without arguments is %q, with the fix %v", f.Message, f.Fix)
	}
}

// TestLooks: Look, LookString, and ResolveIn resolve references, note unreadable objects, and stop if the budget is
// exceeded.
func TestLooks(t *testing.T) {
	p := passOver(t, "5 0 obj (five)\n6 0 obj << /Broken ] >>\n7 0 obj 7")
	set := &Set{Ref: refOf(9)}
	for _, row := range []struct {
		in, want string
		ok       bool
	}{{"(direct)", "(direct)", true}, {"5 0 R", "(five)", true}, {"6 0 R", "null", false}, {"7 0 R", "7", true},
		{"99 0 R", "null", true}, {"/A", "/A", true}} {
		o, _, err := object.Parse([]byte(row.in), 0)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		if strings.HasPrefix(row.want, "(") {
			text = strings.Trim(row.want, "()")
		}
		for _, over := range []bool{false, true} {
			p.over, p.Found.Unread = over, nil
			got, ok := p.Look(Place{Page: 2}, o)
			if want := row.ok && !over; ok != want || got.String() != row.want {
				t.Errorf("Look(%s) = %v, %v, want %s, %v", row.in, got, ok, row.want, want)
			}
			if (len(p.Found.Unread) == 1) == row.ok || !row.ok && p.Found.Unread[0].Place != (Place{Page: 2}) {
				t.Errorf("Look(%s): unread parts %v", row.in, p.Found.Unread)
			}
			if s, ok := p.LookString(Place{}, o); ok != (row.ok && !over) || string(s.Bytes) != text {
				t.Errorf("LookString(%s) = %q, %v, want %q, %v", row.in, s.Bytes, ok, text, row.ok && !over)
			}
			p.Found.Unread = nil
			isRef := strings.HasSuffix(row.in, "R")
			want := row.ok && (!over || !isRef) // a direct object costs nothing
			if got, ok := p.ResolveIn(set, o); ok != want || ok && got.String() != row.want {
				t.Errorf("ResolveIn(%s) = %v, %v, want %s, %v", row.in, got, ok, row.want, want)
			}
			if noted := len(p.Found.Unread) == 1 && p.Found.Unread[0].Place == set.At(); noted != (!row.ok && !over) {
				t.Errorf("ResolveIn(%s): unread parts %v", row.in, p.Found.Unread)
			}
		}
	}
}

// TestCounts: R of an image set is an integer or an array. It counts only next to an array O.
func TestCounts(t *testing.T) {
	p := passOver(t, "5 0 obj [ 1 6 0 R 7 0 R 3 ]\n6 0 obj 2\n7 0 obj << /Broken ] >>")
	for _, row := range []struct{ set, want string }{
		{"/S /SIS /O [ 1 0 R 2 0 R ] /R 7", "2 images: 0 is 7"},
		{"/S /SIS /O [ 1 0 R ] /R [ 7 /A ]", "1 images: 0 is 7, 1 is /A"},
		{"/S /SIS /O [ ] /R [ ]", "0 images: "},
		{"/S /SIS /O [ 1 0 R ] /R 5 0 R", "1 images: 0 is 1, 1 is 2, 3 is 3"},
		{"/S /SIS /O [ 1 0 R ] /R 6 0 R", "1 images: 0 is 2"},
		{"/S /SIS /O [ 1 0 R ] /R 7 0 R", "none"},
		{"/S /SIS /O [ 1 0 R ] /R 1.5", "none"},
		{"/S /SIS /O [ 1 0 R ]", "none"},
		{"/S /SIS /O 1 0 R /R 7", "none"},
		{"/S /SPS /O [ 1 0 R ] /R 7", "none"},
	} {
		o, _, err := object.Parse([]byte("<< "+row.set+" >>"), 0)
		if err != nil {
			t.Fatal(err)
		}
		var s Set
		if err := p.Reader.Read(o, &s.ContentSet); err != nil {
			t.Fatal(err)
		}
		got := "none"
		if c, ok := p.Counts(&s); ok {
			var list []string
			for i, o := range c.Elements(p) {
				list = append(list, fmt.Sprintf("%d is %v", i, o))
			}
			got = fmt.Sprintf("%d images: %s", c.Images, strings.Join(list, ", "))
			for i := range c.Elements(p) { // may end early
				if len(list) > 0 && !strings.HasPrefix(list[0], fmt.Sprint(i)) {
					t.Errorf("%s: the first element is %d", row.set, i)
				}
				break
			}
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.set, got, row.want)
		}
	}
	if len(p.Found.Unread) == 0 {
		t.Error("the unreadable object is not noted")
	}
}

// TestAnnotations: a page has the annotations that are dictionaries with entries. Each page reads them once.
func TestAnnotations(t *testing.T) {
	p := passOver(t, "5 0 obj [ << /A 1 >> 6 0 R 7 null 7 0 R << >> << /B 8 0 R >> 6 0 R ]\n6 0 obj << /C 1 >>\n"+
		"7 0 obj << /Broken ] >>")
	want := []string{"page 3, annotation 0", "page 3, 6 0 R", "page 3, annotation 6", "page 3, 6 0 R"}
	for stored, want := range map[string][]string{"/Annots 5 0 R": want, "/Annots [ << /A 1 >> ]": want[:1], "": nil,
		"/Annots << /A 1 >>": nil} {
		o, _, _ := object.Parse([]byte("<< /ID (x) "+stored+" >>"), 0)
		d, _ := o.Dict()
		pg, err := NewPage(p, webcapture.Page{Index: 2, Dict: d})
		if err != nil || string(pg.ID.Bytes) != "x" {
			t.Fatalf("page %+v, %v", pg, err)
		}
		p.Found.Unread = nil
		for range 2 {
			var got []string
			for _, a := range pg.Annotations(p) {
				got = append(got, a.At().String())
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: annotations %q, want %q", stored, got, want)
			}
		}
		if broken := strings.Contains(stored, "5 0 R"); len(p.Found.Unread) > 0 != broken || len(p.Found.Unread) > 1 {
			t.Errorf("%s: unread parts %v", stored, p.Found.Unread)
		}
	}
}

// TestAnnotationsEndWithTheBudget: if the meter is exceeded, no further annotations are read.
func TestAnnotationsEndWithTheBudget(t *testing.T) {
	const n = 10_000
	o, _, _ := object.Parse([]byte("["+strings.Repeat("<< /A 1 >>", n)+"]"), 0)
	for _, budget := range []int64{n * meter.Object / 2, 0} {
		p := passOver(t, "")
		spent, _ := p.Audit.File.Meter().Spent()
		p.Audit.File.Meter().Limit(spent+budget-1, 1<<30)
		got := len((&Page{Annots: o}).Annotations(p))
		if most := n * 3 / 4; got > most || budget > 0 && got == 0 {
			t.Errorf("with a budget of %d: %d annotations of %d", budget, got, n)
		}
	}
}

// TestDigests: the MD5 of a stored JPEG file is compared with the ID of the image or, if it has none, of its content
// set. Without an ID, for other images, and if the data cannot be read, there is no result.
func TestDigests(t *testing.T) {
	const data = "\xff\xd8\xff data"
	sum := digest.ID(md5.Sum([]byte(data)))
	other := digest.ID{1}
	jpeg, raw := "/Filter /DCTDecode", "/Filter /FlateDecode"
	for i, row := range []struct {
		dict, id string
		in       Membership
		want     Proof
	}{
		{jpeg, string(sum[:]), Membership{}, Verified},
		{jpeg, string(sum[:]), Membership{ID: other, HasID: true}, Verified},
		{jpeg, string(other[:]), Membership{ID: sum, HasID: true}, Mismatch},
		{jpeg, "", Membership{ID: sum, HasID: true}, Verified},
		{jpeg, "", Membership{ID: other, HasID: true}, Mismatch},
		{jpeg, "short", Membership{ID: sum, HasID: true}, Verified},
		{jpeg, "", Membership{ID: sum}, NotCheckable},
		{raw, string(sum[:]), Membership{}, NotCheckable},
		{jpeg + " /F (a.jpg)", string(sum[:]), Membership{}, NotCheckable},
	} {
		for _, fails := range []string{"", "disk", "budget"} {
			d := parsed(t, "")
			ref := refOf(d.AddStream(row.dict, []byte(data)))
			c := webcapturetest.NewFailingReads()
			p := newPass(t, c, d)
			o, err := p.Reader.Get(ref)
			if err != nil {
				t.Fatal(err)
			}
			m := &Member{Ref: ref, ID: webcapture.String{Bytes: []byte(row.id)}}
			m.Dict, _ = o.Dict()
			want := row.want
			switch fails {
			case "disk":
				c.FailAt(1, true)
			case "budget":
				p.over = true
			}
			if fails != "" {
				want = NotCheckable
			}
			got, of := p.DigestOf(m, row.in)
			if got != want || fails == "" && slices.Contains(of, sum) != (want != NotCheckable) {
				t.Errorf("row %d, failure %q: %v of %v, want %v", i, fails, got, of, want)
			}
			if failed := errors.Is(p.Failed, webcapturetest.ErrRead); failed != (fails == "disk" && row.want != NotCheckable) {
				t.Errorf("row %d, failure %q: failed with %v", i, fails, p.Failed)
			}
		}
	}
}
