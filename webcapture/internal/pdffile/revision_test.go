package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWhatFollowsARevisionIsNotDamage: files get padding, comments and the ends of
// downloads appended, and have lines that end in several ways.
func TestWhatFollowsARevisionIsNotDamage(t *testing.T) {
	for _, l := range layouts {
		for _, tail := range []string{
			"", "\n\n\r\n  \t", strings.Repeat("\x00", 5000), "% a comment\n", "%%EOF\n%%EOF\n", "\n0\r\n\r\n", "1 \n",
			"12 0\n",
			"<html><body>an object, a trailer, an xref, 2 objects obj</body></html>\n", "PK\x03\x04obj 0 obj",
			"\r\n--boundary 12--\r\n",
		} {
			data := slices.Concat(sample(false).Bytes(l.layout), []byte(tail))
			f := opened(t, fmt.Sprintf("%s, followed by %.20q", l.name, tail), data, l.password)
			if len(f.Unread()) > 0 {
				t.Errorf("%s, followed by %.20q: %v", l.name, tail, f.Unread())
			}
		}
	}
}

// updatedAt returns a file of two revisions, and where the second one starts.
func updatedAt(l webcapturetest.Layout) (data []byte, second int) {
	d := sample(false)
	d.Update()
	d.Set(d.Root, strings.Replace(d.Body(d.Root), "<<", "<</Revision 2 ", 1))
	d.Add("(added)")
	d.Set(5, "(changed)")
	data = d.Bytes(l)
	marker := []byte("%%EOF\n")
	if l.XRef == webcapturetest.Hybrid { // has two in each revision
		second = bytes.Index(data, marker) + len(marker)
	}
	return data, second + bytes.Index(data[second:], marker) + len(marker)
}

// TestOlderRevisionIsNotTakenForTheNewest: wherever an update is cut off, Unread reports it.
func TestOlderRevisionIsNotTakenForTheNewest(t *testing.T) {
	for name, l := range sectionKinds {
		data, second := updatedAt(l)
		last := second + bytes.Index(data[second:], []byte("startxref"))
		for n := second + 1; n < last+len("startxref\n1"); n++ {
			f, err := New(context.Background(), data[:n:n], nil)
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", name, n, err)
			}
			if f.byPdfcpu != nil || !f.isCutOff ||
				f.Unread()[0].Error() != fmt.Sprintf("cut off after %d bytes; the missing part is unknown", n) {
				t.Fatalf("%s, %d of %d bytes, the first revision has %d: %v, %q", name, n, len(data), second,
					f.Unread(), f.Notices())
			}
		}
		f := opened(t, name, data, "")
		if f.isCutOff {
			t.Errorf("%s: the whole file is cut off", name)
		}
	}
}

// TestNewestOfEachObjectServes: complete objects of a cut-off update replace older ones. The object in which the file
// ends does not.
func TestNewestOfEachObjectServes(t *testing.T) {
	const cut = 18
	d := webcapturetest.Sets(2, webcapturetest.Options{})
	a, b, c := d.Add("(first a)"), d.Add("(first b)"), d.Reserve()
	d.Update()
	d.Set(a, "(second a)")
	d.Set(b, "<</Second [1 2 3]>>")
	d.Set(c, "<</Second [1 2 3]>>")
	data := d.Bytes(webcapturetest.Layout{})
	for num, want := range map[int]string{b: "(first b)", c: ""} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			at := bytes.LastIndex(data, fmt.Appendf(nil, "\n%d 0 obj", num))
			f, err := New(context.Background(), data[:at+cut:at+cut], nil)
			if err != nil {
				t.Fatal(err)
			}
			r := f.NewReader()
			if o, err := r.Get(object.Ref{Num: uint32(a)}); err != nil || text(o) != text(literal("(second a)")) {
				t.Errorf("a is %v, %v", o, err)
			}
			o, err := r.Get(object.Ref{Num: uint32(num)})
			if want == "" && (!object.IsMalformed(err) || !strings.Contains(err.Error(), "the file ends within it")) ||
				want != "" && (err != nil || text(o) != text(literal(want))) {
				t.Errorf("the object that is cut off is %v, %v; want %q", o, err, want)
			}
		})
	}
}

// TestFirstPageSectionIsNotTheNewest: if the end of a linearized file is missing, its last startxref is 0. In a file
// with later revisions, a startxref that leads to the first-page section is wrong.
func TestFirstPageSectionIsNotTheNewest(t *testing.T) {
	linear := sample(false).Bytes(webcapturetest.Layout{Linearized: true})
	f, err := New(context.Background(), linear[:len(linear)-400], nil)
	if err != nil || !f.Repaired() || !f.isCutOff ||
		!strings.Contains(f.Notices()[0], "the last startxref is 0") {
		t.Errorf("cut off: %v, %q", err, f.Notices())
	}
	first := regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`).FindSubmatch(linear)[1]
	u := opened(t, "linearized", linear, "").NewUpdate()
	u.Put(object.Ref{Num: 7}, []byte("(the newest)"))
	updated := ways[0].written(t, u)
	at := bytes.LastIndex(updated, []byte("startxref"))
	for _, start := range []string{string(first), "0"} {
		t.Run(start, func(t *testing.T) {
			f, err := New(context.Background(), fmt.Appendf(bytes.Clone(updated[:at]), "startxref\n%s\n%%%%EOF\n", start),
				nil)
			if err != nil {
				t.Fatal(err)
			}
			o, err := f.NewReader().Get(object.Ref{Num: 7})
			if err != nil || text(o) != text(literal("(the newest)")) || !f.Repaired() || f.isCutOff {
				t.Errorf("startxref %s: %v, %v, %v: %q", start, o, err, f.isCutOff, f.Notices())
			}
		})
	}
}

// TestSectionsInFrontKnowWhatFollows: a section need not be at the end of the file. Objects that it lists after itself
// are not a newer revision.
func TestSectionsInFrontKnowWhatFollows(t *testing.T) {
	const head = "%PDF-1.4\n"
	const table = "xref\n0 2\n0000000000 65535 f \n%010d 00000 n \ntrailer\n<</Size 2/Root 1 0 R>>\n"
	front := len(head) + len(fmt.Sprintf(table, 0))
	data := head + fmt.Sprintf(table+"1 0 obj\n<</Type/Catalog>>\nendobj\nstartxref\n%d\n%%%%EOF\n", front, len(head))
	opened(t, "a table in front", []byte(data), "")
	f, err := New(context.Background(),
		[]byte(strings.Replace(data, "startxref", "2 0 obj\n(x)\nendobj\nstartxref", 1)), nil)
	if err != nil || !f.Repaired() {
		t.Errorf("an object that no section knows is passed over: %v", err)
	}
}

// TestShortCrossReferenceStreamIsDamage: missing entries do not count as free.
func TestShortCrossReferenceStreamIsDamage(t *testing.T) {
	for _, filter := range []webcapturetest.Filter{webcapturetest.Plain, webcapturetest.Flate} {
		t.Run(fmt.Sprint(filter), func(t *testing.T) {
			data := sample(false).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, XRefFilter: filter})
			more := regexp.MustCompile(`/Size (\d+)`).ReplaceAll(data, []byte("/Index [0 9999] /Size $1"))
			more = regexp.MustCompile(`/Index \[ ?0 \d+ ?\]`).ReplaceAll(more, []byte("/Index [0 9999]"))
			f := &File{fileBytes: fileBytes{data: more}}
			if err := f.readSections(0); err == nil ||
				!strings.Contains(err.Error(), "it ends before the entry of object") {
				t.Errorf("filter %v: %v", filter, err)
			}
			if f, err := New(context.Background(), more, nil); err != nil || !f.Repaired() {
				t.Errorf("filter %v: not searched: %v", filter, err)
			}
		})
	}
}

// TestLostObjectsAreNotNull: an object that the cross-reference data lists, but that cannot be found, is an error.
func TestLostObjectsAreNotNull(t *testing.T) {
	for name, l := range sectionKinds {
		if l.ObjectStreams > 0 {
			l.ObjectStreams = 1000
		}
		d := sample(false)
		gone := d.Add("(gone for ever)")
		data := d.Bytes(l)
		if i := bytes.Index(data, fmt.Appendf(nil, "\n%d 0 obj", gone)); i >= 0 {
			clear(data[i : i+10])
		} else { // the object stream that it is in
			i := bytes.Index(data, []byte("/ObjStm"))
			i += bytes.Index(data[i:], []byte("stream"))
			clear(data[i+8 : i+40])
		}
		f, err := newFile(context.Background(), data, true)
		if err != nil {
			if l.ObjectStreams == 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue // its catalog is in the object stream, too
		}
		if o, err := f.NewReader().Get(object.Ref{Num: uint32(gone)}); !object.IsMalformed(err) {
			t.Errorf("%s: %v, %v", name, o, err)
		}
		if l.ObjectStreams > 0 && len(f.Unread()) == 0 {
			t.Errorf("%s: no object stream is said to be unreadable", name)
		}
		if err := f.NewUpdate().WriteFull(io.Discard); err == nil {
			t.Errorf("%s: written without an object", name)
		}
	}
}

// TestMembersThatBreakOff: of a truncated object stream, the complete members are read. The others are errors.
func TestMembersThatBreakOff(t *testing.T) {
	list := "1 0 2 3 3 6 4 9 "
	body := list + "(a)(b)(c)1234"
	for _, test := range []struct {
		size int // number of bytes of the body that are not cut off
		want []string
	}{
		{len(body), []string{"(a)", "(b)", "(c)", "1234"}},
		{len(body) - 2, []string{"(a)", "(b)", "(c)", "ends within this object"}},
		{len(body) - 4, []string{"(a)", "(b)", "(c)", "unexpected end"}},
		{len(body) - 5, []string{"(a)", "(b)", "", "ends before this object"}},
		{len(list) - 3, []string{"", "", "", "ends before this object"}},
	} {
		t.Run(fmt.Sprint(test.size), func(t *testing.T) {
			s := &objectStream{body: []byte(body[:test.size]), whole: test.size == len(body), count: 4}
			s.readList(len(list))
			r := &Reader{f: &File{}, streams: map[uint32]*objectStream{9: s}}
			for i, want := range test.want {
				o, err := r.compressed(object.Ref{Num: uint32(i + 1)}, 9, i)
				if strings.ContainsAny(want, "()1") && (err != nil || text(o) != text(literal(want))) {
					t.Errorf("%d bytes: object %d is %v, %v; want %s", test.size, i+1, o, err, want)
				}
				if !strings.ContainsAny(want, "()1") &&
					(!object.IsMalformed(err) || !strings.Contains(err.Error(), want) && i == 3 &&
						want != "unexpected end") {
					t.Errorf("%d bytes: object %d: %v, %v; want %s", test.size, i+1, o, err, want)
				}
			}
		})
	}
}

// TestEmbeddedFilesAreNotSearched: objects in the data of a stream do not belong to the file.
func TestEmbeddedFilesAreNotSearched(t *testing.T) {
	d := sample(false)
	inner := sample(false)
	inner.Set(7, "(of the embedded file)")
	d.AddStream("<</Type /EmbeddedFile>>", inner.Bytes(webcapturetest.Layout{}))
	for _, l := range []webcapturetest.Layout{{}, {IndirectLength: true}} {
		t.Run(l.Version, func(t *testing.T) {
			data := d.Bytes(l)
			f, err := newFile(context.Background(), data, true)
			if err != nil {
				t.Fatal(err)
			}
			o, err := f.NewReader().Get(object.Ref{Num: 7})
			if err != nil || text(o) == text(literal("(of the embedded file)")) && !l.IndirectLength {
				t.Errorf("object 7 is %v, %v", o, err)
			}
		})
	}
}

// TestStreamNumbersAreUsedAgain: an update may replace an object stream by another object with its number, and the
// reverse.
func TestStreamNumbersAreUsedAgain(t *testing.T) {
	const one = "%PDF-1.5\n5 0 obj\n<</Type/ObjStm/N 1/First 4/Length 23>>\nstream\n1 0 <</Type/Catalog>>   \nendstream\nendobj\n"
	const two = "5 0 obj\n(no stream)\nendobj\n"
	const three = "5 0 obj\n<</Type/ObjStm/N 1/First 4/Length 29>>\nstream\n1 0 <</Type/Catalog/Third 3>>\nendstream\nendobj\n"
	f, err := New(context.Background(), []byte(one+two+"2 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF"), nil)
	if err != nil || len(f.Unread()) > 0 || f.Trailer().Lookup("Root").Raw()[0] != '2' {
		t.Errorf("an object stream that was replaced counts: %v", err)
	}
	f, err = New(context.Background(), []byte(one+two+three+"%%EOF"), nil)
	if err != nil || len(f.Unread()) > 0 {
		t.Fatalf("%v, %v", err, f.Unread())
	}
	if o, _ := f.NewReader().Get(object.Ref{Num: 1}); !strings.Contains(text(o), "5468697264") {
		t.Errorf("the catalog is %v", o)
	}
}

// TestLastReadableCatalogServes: if Root is unreadable, the last readable catalog is used, and Unread names it.
func TestLastReadableCatalogServes(t *testing.T) {
	const objects = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n"
	for _, newest := range []string{"", "2 0 obj\n<</X<</Y ]>>/Type/Catalog>>\nendobj\n"} {
		t.Run(newest, func(t *testing.T) {
			f, err := New(context.Background(), []byte(objects+newest+"trailer\n<</Root 2 0 R/Size 3>>\n%%EOF\n"),
				nil)
			if err != nil {
				t.Fatal(err)
			}
			if ref, _ := f.Trailer().Lookup("Root").Ref(); ref.Num != 1 || len(f.Unread()) != 1 ||
				!strings.Contains(f.Unread()[0].Error(), "1 0 R") {
				t.Errorf("root %v: %v", ref, f.Unread())
			}
		})
	}
}

// TestEncryptionIsFoundWithoutTrailer: without a trailer, encrypted strings are not read as plain.
func TestEncryptionIsFoundWithoutTrailer(t *testing.T) {
	for revision, ok := range map[int]bool{6: true, 4: false} {
		t.Run(fmt.Sprint(revision), func(t *testing.T) { // the key of revision 4 depends on ID
			data := sample(false).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: revision}})
			data = data[:bytes.LastIndex(data, []byte("xref\n0"))]
			f, err := New(context.Background(), data, nil)
			if ok && (err != nil || !f.Encrypted()) ||
				!ok && (err == nil || !strings.Contains(err.Error(), "the trailer is missing")) {
				t.Errorf("revision %d: %v", revision, err)
			}
		})
	}
}
