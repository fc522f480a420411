package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var full = ways[1]

// TestRepairedFilesAreWrittenWhole: objects found by a search are written with correct cross-reference data. No
// increment can be appended to a damaged file.
func TestRepairedFilesAreWrittenWhole(t *testing.T) {
	for _, l := range layouts {
		l.layout.Linearized = false
		data := bytes.ReplaceAll(sample(true).Bytes(l.layout), []byte("startxref"), []byte("startxxxx"))
		f, err := New(context.Background(), data, Options{Passwords: []string{l.password}})
		if err != nil {
			t.Fatal(err)
		}
		if !f.searched {
			t.Fatalf("%s: not found by searching", l.name)
		}
		u := f.NewUpdate()
		want := everything(f)
		for ref, s := range change(t, u) {
			want[ref] = s
		}
		if err := u.WriteIncrement(io.Discard); err == nil {
			t.Errorf("%s: an increment was appended", l.name)
		}
		g := opened(t, l.name, full.written(t, u), l.password)
		compare(t, l.name, everything(g), want)
		if len(u.Lost()) > 0 {
			t.Errorf("%s: lost %v", l.name, u.Lost())
		}
	}
}

// TestFilesThatPdfcpuReadAreWrittenWhole: pdfcpu has objects only as values, without their text.
func TestFilesThatPdfcpuReadAreWrittenWhole(t *testing.T) {
	doc := sample(true)
	doc.AddStream("<< /Note (of a stream) >>", []byte("data\nof a stream"))
	for _, l := range layouts {
		l.layout.Linearized = false
		data := doc.Bytes(l.layout)
		if strings.Contains(l.notPdfcpu, "streams that are not") {
			continue // cannot be read
		}
		f := byPdfcpu(t, data, l.password)
		u := f.NewUpdate()
		if l.layout.Encryption != nil {
			if err := u.WriteFull(io.Discard); err == nil || !strings.Contains(err.Error(), "its encryption would be lost") {
				t.Errorf("%s: encrypted, and written: %v", l.name, err)
			}
			continue
		}
		if l.notPdfcpu != "" {
			continue
		}
		want := everything(f)
		for ref, s := range want {
			if strings.HasPrefix(s, "stream<<") && strings.Contains(s, fmt.Sprintf("/%x /%x", "Type", "ObjStm")) {
				delete(want, ref)
			}
		}
		for ref, s := range change(t, u) {
			want[ref] = s
		}
		g := opened(t, l.name, full.written(t, u), l.password)
		compare(t, l.name, everything(g), want)
		if len(want) < 50 {
			t.Errorf("%s: %d objects only", l.name, len(want))
		}
	}
}

// TestFullTableIsAsTheStandardWants: one sub-section, entries of twenty bytes, and
// free objects that are not used again (7.5.4).
func TestFullTableIsAsTheStandardWants(t *testing.T) {
	d := webcapturetest.Sets(2, webcapturetest.Options{})
	gone := d.Reserve()
	u := opened(t, "table", d.Bytes(webcapturetest.Layout{}), "").NewUpdate()
	skipped := u.New()
	u.Put(u.New(), []byte("(last)"))
	out := string(full.written(t, u))
	table := out[strings.Index(out, "\nxref\n")+6 : strings.Index(out, "trailer")]
	head, entries, _ := strings.Cut(table, "\n")
	if want := fmt.Sprintf("0 %d", u.next); head != want || len(entries) != 20*int(u.next) {
		t.Fatalf("table %s of %d bytes, want %s of %d", head, len(entries), want, 20*u.next)
	}
	for i := range int(u.next) {
		line := entries[20*i : 20*i+20]
		free := i == 0 || i == gone || i == int(skipped.Num)
		if free && line != "0000000000 65535 f \n" ||
			!free && !regexp.MustCompile(`^\d{10} 00000 n \n$`).MatchString(line) {
			t.Errorf("line %d is %q", i, line)
		}
	}
}

func TestHistoryIsNotWritten(t *testing.T) {
	for _, l := range []webcapturetest.Layout{
		{XRef: webcapturetest.Stream, ObjectStreams: 7},
		{XRef: webcapturetest.Stream, ObjectStreams: 7, Encryption: &webcapturetest.Encryption{Revision: 6}},
		{XRef: webcapturetest.Hybrid},
		{Prefix: []byte("junk\n")},
	} {
		t.Run(l.Version, func(t *testing.T) {
			d := sample(true)
			d.Set(9, "(the newest)")
			out := full.written(t, opened(t, "updated", d.Bytes(l), "").NewUpdate())
			if n := bytes.Count(out, []byte("/XRef")); n > 1 {
				t.Errorf("%d cross-reference streams", n)
			}
			if n := bytes.Count(out, []byte("\n9 0 obj")); n > 1 {
				t.Errorf("object 9 stands there %d times", n)
			}
			if bytes.Contains(out, []byte("junk")) || !bytes.HasPrefix(out, []byte("%PDF-")) ||
				!bytes.Contains(out[:20], []byte("\n%\xe2\xe3\xcf\xd3\n")) {
				t.Errorf("the file begins with %q", out[:20])
			}
		})
	}
}

func TestHeaderIsKept(t *testing.T) {
	for in, want := range map[string]string{
		"%PDF-1.4\n1 0 obj":                   "%PDF-1.4\n",
		"%PDF-1.4\r\n%\xff\xfe\r\n% more\r\n": "%PDF-1.4\r\n%\xff\xfe\r\n",
		"%PDF-1.4\r%\xff\r1 0 obj":            "%PDF-1.4\r%\xff\r",
		"junk %PDF-1.4 and so on\n":           "%PDF-1.4 and so on\n",
		"%PDF-1.4":                            "%PDF-1.4\n",
		"%PDF-1.4\n%":                         "%PDF-1.4\n%\n",
		"%PDF-1.4\n\n1 0 obj":                 "%PDF-1.4\n",
		"%PDF-1.4\r":                          "%PDF-1.4\r",
	} {
		t.Run(in, func(t *testing.T) {
			var b bytes.Buffer
			c := copier{u: &Update{f: &File{fileBytes: fileBytes{data: []byte(in)}}}, o: newOutput(&b)}
			c.header()
			if c.o.flush(); b.String() != want {
				t.Errorf("header of %q is %q, want %q", in, b.String(), want)
			}
		})
	}
}

// misleading are data that contain endstream, so only Length shows their end.
const misleading = "one endstream\nendobj, and another"

// withLengths returns a document with streams whose Length is wrong, missing, or indirect.
func withLengths() *webcapturetest.Document {
	d := sample(false)
	d.AddStream("<< /Length 3 /Note (too small) >>", []byte("seven b"))
	d.AddStream("<< /Length 300000 /Note (too large) >>", []byte("seven b"))
	d.AddStream("<< /Note (negative) /Length -1 >>", []byte("seven b"))
	d.AddStream("<< /Note (nowhere) /Length 9999 0 R >>", []byte("seven b"))
	d.AddStream("<< /Note (twice) /Length 3 /Length 4 >>", []byte("seven b"))
	length := d.Add("7")
	d.AddStream(fmt.Sprintf("<< /Note (elsewhere) /Length %d 0 R >>", length), []byte("seven b"))
	d.AddStream(fmt.Sprintf("<< /Note (elsewhere) /Length %d 0 R >>", d.Add(fmt.Sprint(len(misleading)))),
		[]byte(misleading))
	return d
}

func TestLengthsAreMadeRight(t *testing.T) {
	for _, l := range layouts {
		l.layout.Linearized = false
		f, err := New(context.Background(), withLengths().Bytes(l.layout), Options{Passwords: []string{l.password}})
		if err != nil {
			t.Fatal(err)
		}
		want := everything(f)
		u := f.NewUpdate()
		out := full.written(t, u)
		if len(u.Lost()) > 0 {
			t.Errorf("%s: lost %v", l.name, u.Lost())
		}
		g := opened(t, l.name, out, l.password)
		compare(t, l.name, everything(g), want)
		if l.layout.Encryption == nil && !bytes.Contains(out, []byte("stream\n"+misleading+"\nendstream")) {
			t.Errorf("%s: data with endstream in them are cut off", l.name)
		}
		r := g.NewReader()
		for _, ref := range g.Refs() {
			o, err := r.Get(ref)
			if err != nil {
				t.Fatal(err)
			}
			if o.Kind() != object.Stream {
				continue
			}
			d, _ := o.Dict()
			length, err := object.Resolve(r, d.Lookup("Length"))
			if err != nil {
				t.Fatal(err)
			}
			p, _, _ := g.header(g.entries[ref.Num].at)
			_, end, _ := object.Parse(g.data, p)
			if _, right := g.streamEnd(g.streamStart(end), length); !right {
				t.Errorf("%s: Length of %v is %v: %v", l.name, ref, length, o)
			}
		}
	}
}

// TestBrokenObjectsAreKeptOrNamed: an object that cannot be parsed is copied if
// its end can be seen, and named by Lost if not.
func TestBrokenObjectsAreKeptOrNamed(t *testing.T) {
	d := sample(false)
	kept := d.Add("<< /Broken [ (kept) >>")
	lost := d.Add("<< /Broken [ (lost) >> %")
	moved := d.Add("(moved)")
	after := d.Add("(still there)")
	data := d.Bytes(webcapturetest.Layout{})
	data = bytes.Replace(data, []byte("(lost) >> %\nendobj"), []byte("(lost) >> %\nendxxx"), 1)
	data = bytes.Replace(data, fmt.Appendf(nil, "\n%d 0 obj", moved),
		fmt.Appendf(nil, "\n%d 0 obj", moved+1000)[:len(fmt.Sprint(moved))+7], 1)
	f := opened(t, "broken", data, "")
	u := f.NewUpdate()
	out := full.written(t, u)
	if want := []object.Ref{{Num: uint32(lost)}, {Num: uint32(moved)}}; !slices.Equal(u.Lost(), want) {
		t.Errorf("Lost() = %v, want %v", u.Lost(), want)
	}
	if !bytes.Contains(out, fmt.Appendf(nil, "\n%d 0 obj\n<< /Broken [ (kept) >>\nendobj\n", kept)) {
		t.Error("the object whose end can be seen is not copied")
	}
	g := opened(t, "broken", out, "")
	if o, err := g.NewReader().Get(object.Ref{Num: uint32(kept)}); !object.IsMalformed(err) {
		t.Errorf("the broken object is %v, %v", o, err)
	}
	want := everything(f)
	for _, ref := range u.Lost() {
		delete(want, ref)
		if o, err := g.NewReader().Get(ref); err != nil || !o.IsNull() {
			t.Errorf("%v is %v, %v", ref, o, err)
		}
	}
	compare(t, "broken", everything(g), want)
	if want[object.Ref{Num: uint32(after)}] == "" {
		t.Error("the object after them is not read")
	}
	if u.WriteFull(io.Discard); len(u.Lost()) != 2 {
		t.Errorf("Lost() after a second time: %v", u.Lost())
	}
}

// TestBrokenObjectsAfterJunkAreKept: after junk, offsets count from the header. The end of a broken object is before
// the next object.
func TestBrokenObjectsAfterJunkAreKept(t *testing.T) {
	d := sample(false)
	d.Add("<< /Broken [ (kept) >>")
	d.Add("<< /Broken [ (lost) >> %")
	d.Add("(after)")
	data := d.Bytes(webcapturetest.Layout{Prefix: []byte(strings.Repeat("junk\n", 50))})
	data = bytes.Replace(data, []byte("(lost) >> %\nendobj"), []byte("(lost) >> %\nendxxx"), 1)
	u := opened(t, "broken", data, "").NewUpdate()
	if out := full.written(t, u); !bytes.Contains(out, []byte("(kept) >>\nendobj")) || len(u.Lost()) != 1 {
		t.Errorf("lost %v", u.Lost())
	}
}

// TestObjectZeroIsNone: its entry begins the list of free objects (7.5.4).
func TestObjectZeroIsNone(t *testing.T) {
	const objects = "%PDF-1.4\n0 0 obj\n<</Type/Catalog>>\nendobj\n1 0 obj\n<</Type/Catalog>>\nendobj\n"
	const table = "xref\n0 2\n0000000009 00000 n \n0000000042 00000 n \ntrailer\n<</Size 2/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n"
	u := opened(t, "catalog 1", fmt.Appendf([]byte(objects), table, 1, len(objects)), "").NewUpdate()
	out := full.written(t, u)
	if !slices.Equal(u.Lost(), []object.Ref{{}}) ||
		!bytes.Contains(out, []byte("xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \n")) {
		t.Errorf("lost %v, wrote %q", u.Lost(), out)
	}
	u = opened(t, "catalog 0", fmt.Appendf([]byte(objects), table, 0, len(objects)), "").NewUpdate()
	if err := u.WriteFull(io.Discard); err == nil || !strings.Contains(err.Error(), "the catalog 0 0 R is missing") {
		t.Errorf("written without its catalog: %v", err)
	}
	f := opened(t, "object streams",
		sample(false).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}), "")
	f.entries[0] = f.entries[slices.IndexFunc(f.entries, func(e entry) bool { return e.kind == inStream })]
	u = f.NewUpdate()
	opened(t, "member 0", full.written(t, u), "")
	if !slices.Equal(u.Lost(), []object.Ref{{}}) {
		t.Errorf("lost %v of object streams", u.Lost())
	}
}

// TestEncryptionIsNotLost: lostKey recognizes an encrypted file whose full copy would not be encrypted.
func TestEncryptionIsNotLost(t *testing.T) {
	secret, plain := []byte("<</Encrypt 5 0 R>>"), []byte("<<>>")
	for i, test := range []struct {
		f    File
		want bool
	}{
		{File{fileBytes: fileBytes{data: secret}}, false}, // Encrypt may be in an older trailer, or in text
		{File{fileBytes: fileBytes{data: secret}, searched: true}, true},
		{File{fileBytes: fileBytes{data: secret}, searched: true, crypt: new(crypt)}, false},
		{File{fileBytes: fileBytes{data: secret}, byPdfcpu: new(pdfcpuFile)}, true},
		{File{fileBytes: fileBytes{data: plain}, searched: true}, false},
		{File{fileBytes: fileBytes{data: plain}, byPdfcpu: new(pdfcpuFile)}, false},
		{File{fileBytes: fileBytes{data: plain}, byPdfcpu: &pdfcpuFile{encrypted: true}}, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := test.f.lostKey(); got != test.want {
				t.Errorf("%s, repaired %v: %v", test.f.data, test.f.searched, got)
			}
		})
	}
}

func TestMembersAreLostWithTheirStream(t *testing.T) {
	f := opened(t, "object streams",
		sample(false).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}), "")
	var container uint32
	var members []object.Ref
	for num, e := range f.entries {
		if e.kind == inStream && (container == 0 || uint32(e.at) == container) {
			container = uint32(e.at)
			members = append(members, object.Ref{Num: uint32(num)})
		}
	}
	u := f.NewUpdate()
	u.Put(object.Ref{Num: container}, []byte("(no stream any more)"))
	u.Put(members[0], []byte("(saved)"))
	full.written(t, u)
	if !slices.Equal(u.Lost(), members[1:]) {
		t.Errorf("Lost() = %v, want %v", u.Lost(), members[1:])
	}
}

// TestOverlappingObjectsAreBounded: if each of many objects contains all that follow, only some are copied.
func TestOverlappingObjectsAreBounded(t *testing.T) {
	const n = 20_000
	for _, nested := range []struct{ open, shut string }{
		{"(", ")"},
		{"<</Type/XRef/A(", ")>>stream\n"},
		{"[", ""},
		{"<</Length 1>>stream\n", ""},
		{fmt.Sprintf("<</Length %d 0 R>>stream\n", n), ""},
	} {
		t.Run(nested.open, func(t *testing.T) {
			var b bytes.Buffer
			b.WriteString("%PDF-1.4\n")
			entries := []byte("0000000000 65535 f \n")
			add := func(num int, body string) {
				entries = fmt.Appendf(entries, "%010d 00000 n \n", b.Len())
				fmt.Fprintf(&b, "%d 0 obj%s", num, body)
			}
			add(1, "<</Type/Catalog>>endobj\n")
			for i := 2; i <= n; i++ {
				add(i, nested.open)
			}
			b.WriteString(strings.Repeat(nested.shut, n) + "\n")
			at := b.Len()
			fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", n+1, entries, n+1,
				at)
			f := opened(t, nested.open, b.Bytes(), "")
			u := f.NewUpdate()
			out := full.written(t, u)
			if limit := 8 * b.Len(); len(out) > limit {
				t.Errorf("%s: %d bytes become %d", nested.open, b.Len(), len(out))
			}
			if len(u.Lost()) == 0 {
				t.Errorf("%s: nothing is lost", nested.open)
			}
			opened(t, nested.open, out, "")
		})
	}
}

// TestLengthsThatAreLookedThroughCount: if many streams have a string of 100 kB as Length, it counts for each of them,
// and some streams are lost.
func TestLengthsThatAreLookedThroughCount(t *testing.T) {
	d := sample(false)
	long := d.Add("(" + strings.Repeat("x", 100_000) + ")")
	for range 20 {
		d.AddStream(fmt.Sprintf("<</Length %d 0 R>>", long), []byte("data"))
	}
	u := opened(t, "long lengths", d.Bytes(webcapturetest.Layout{}), "").NewUpdate()
	if full.written(t, u); len(u.Lost()) == 0 {
		t.Error("nothing is lost")
	}
}

// objectStreamText matches an object stream in a result of everything: its Type is ObjStm.
var objectStreamText = regexp.MustCompile(`^stream<<.*/54797065 /4f626a53746d`)

// FuzzWriteFull: an object of the old file is in the new one, or lost.
func FuzzWriteFull(f *testing.F) {
	for _, l := range layouts {
		f.Add(webcapturetest.Sets(2, webcapturetest.Options{Images: 1}).Bytes(l.layout))
	}
	f.Add(withLengths().Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := New(context.Background(), data, Options{})
		if err != nil || file.checkCatalog() != nil { // pdfcpu opens files without a catalog
			return
		}
		u := file.NewUpdate()
		ref := u.New()
		u.Put(ref, []byte(newText))
		var b bytes.Buffer
		if err := u.WriteFull(&b); err != nil {
			return
		}
		written, err := New(context.Background(), b.Bytes(), Options{})
		if err != nil || written.Repaired() {
			t.Fatalf("not readable: %v", err)
		}
		want, got := everything(file), everything(written)
		for _, ref := range u.Lost() {
			delete(want, ref)
		}
		if file.byPdfcpu != nil { // members of object streams are copied, but not the streams
			maps.DeleteFunc(want, func(_ object.Ref, s string) bool { return objectStreamText.MatchString(s) })
		}
		for at, s := range want {
			if s != got[at] && s != "unreadable" && at != ref {
				t.Errorf("%v is %q, want %q", at, got[at], s)
			}
		}
	})
}

// TestLostObjectsAreSorted: Lost is in the order of numbers, not in the order of the file.
func TestLostObjectsAreSorted(t *testing.T) {
	data, _ := placed(header+"{one:}1 0 obj\n<</Type/Catalog>>\nendobj\n{two:}3 0 obj\n[\n{three:}2 0 obj\n[\n"+
		"{xref:}xref\n0 4\n0000000000 65535 f \n{one} 00000 n \n{three} 00000 n \n{two} 00000 n \n"+
		"trailer\n<</Root 1 0 R/Size 4>>\n"+ending, "")
	u := opened(t, "broken", []byte(data), "").NewUpdate()
	full.written(t, u)
	if want := []object.Ref{{Num: 2}, {Num: 3}}; !slices.Equal(u.Lost(), want) {
		t.Errorf("Lost() = %v, want %v", u.Lost(), want)
	}
}
