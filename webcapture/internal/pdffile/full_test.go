package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
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
		f, err := New(context.Background(), data, []string{l.password})
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

// TestHeaderOfCopies: a full copy has the version of the file, and a comment that marks it as binary.
func TestHeaderOfCopies(t *testing.T) {
	for version, want := range map[string]string{"1.4": "%PDF-1.4", "": "%PDF-1.7"} {
		var b bytes.Buffer
		u := (&File{version: version}).NewUpdate()
		c := copier{u: u, o: u.output(&b)}
		c.header()
		if c.o.flush(); b.String() != want+"\n%\xe2\xe3\xcf\xd3\n" {
			t.Errorf("header of version %q is %q, want %q", version, b.String(), want)
		}
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
		f, err := New(context.Background(), withLengths().Bytes(l.layout), []string{l.password})
		if err != nil {
			t.Fatal(err)
		}
		want := everything(f)
		u := f.NewUpdate()
		out := full.written(t, u)
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

// TestLostObjectsAreRefused: a file is not written if the new file would lack objects of the old one.
func TestLostObjectsAreRefused(t *testing.T) {
	broken := sample(false)
	broken.Add("<< /Broken [ (lost) >>")
	sound := sample(false).Bytes(webcapturetest.Layout{})
	moved, _ := placed(header+objects+strings.Replace(table, "{two}", "{one}", 1)+trailer+ending, "")
	claimed, _ := placed(header+"{one:}1 0 obj\n<</Type/Catalog>>\nendobj\n{xref:}xref\n0 3\n0000000000 65535 f \n"+
		"{one} 00000 n \n0000000042 00000 n \ntrailer\n<</Root 1 0 R/Size 3>>\nstartxref\n42\n%%EOF\n", "")
	for name, test := range map[string]struct {
		data   []byte
		repair bool
		want   string
	}{
		"malformed":              {broken.Bytes(webcapturetest.Layout{}), false, "object "},
		"another object":         {[]byte(moved), false, "where 2 0 R should be"},
		"listed but missing":     {[]byte(claimed), true, "not found, although"},
		"cut off":                {sound[:len(sound)-len("\n%%EOF\n")], true, "cut off after"},
		"read by pdfcpu instead": {skipping(), false, "pdfcpu read the file instead"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := newFile(t.Context(), test.data, test.repair)
			if err != nil {
				t.Fatal(err)
			}
			err = f.NewUpdate().WriteFull(io.Discard)
			if got := fmt.Sprint(err); !strings.Contains(got, test.want) || !strings.Contains(got, "qpdf or mutool") {
				t.Errorf("the error is %v, want %s and the tools that recover files", err, test.want)
			}
		})
	}
}

// TestObjectZeroIsNone: its entry begins the list of free objects (7.5.4).
func TestObjectZeroIsNone(t *testing.T) {
	const objects = "%PDF-1.4\n0 0 obj\n<</Type/Catalog>>\nendobj\n1 0 obj\n<</Type/Catalog>>\nendobj\n"
	const table = "xref\n0 2\n0000000009 00000 n \n0000000042 00000 n \ntrailer\n<</Size 2/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n"
	u := opened(t, "catalog 1", fmt.Appendf([]byte(objects), table, 1, len(objects)), "").NewUpdate()
	if out := full.written(t, u); !bytes.Contains(out, []byte("xref\n0 2\n0000000000 65535 f \n0000000015 00000 n \n")) {
		t.Errorf("wrote %q", out)
	}
	u = opened(t, "catalog 0", fmt.Appendf([]byte(objects), table, 0, len(objects)), "").NewUpdate()
	if err := u.WriteFull(io.Discard); err == nil || !strings.Contains(err.Error(), "the catalog 0 0 R is missing") {
		t.Errorf("written without its catalog: %v", err)
	}
}

// TestEncryptionIsNotLost: an encrypted file whose full copy would not be encrypted is not written.
func TestEncryptionIsNotLost(t *testing.T) {
	secret, plain := []byte("<</Encrypt 5 0 R>>"), []byte("<<>>")
	for i, test := range []struct {
		f    File
		want bool
	}{
		{File{fileBytes: fileBytes{data: secret}}, false}, // Encrypt may be in an older trailer, or in text
		{File{fileBytes: fileBytes{data: secret}, searched: true}, true},
		{File{fileBytes: fileBytes{data: secret}, searched: true, crypt: new(crypt)}, false},
		{File{fileBytes: fileBytes{data: plain}, searched: true}, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			err := test.f.NewUpdate().WriteFull(io.Discard)
			if got := strings.Contains(fmt.Sprint(err), "its encryption would be lost"); got != test.want {
				t.Errorf("%s, repaired %v: %v", test.f.data, test.f.searched, err)
			}
		})
	}
}

// TestOverlappingObjectsAreBounded: if each of many objects contains all that follow, the file is not written.
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
			var out bytes.Buffer
			if err := opened(t, nested.open, b.Bytes(), "").NewUpdate().WriteFull(&out); err == nil {
				t.Errorf("%s: written", nested.open)
			}
			if limit := 17<<20 + 9*b.Len(); out.Len() > limit { // see copier.pay
				t.Errorf("%s: %d bytes become %d", nested.open, b.Len(), out.Len())
			}
		})
	}
}

// FuzzWriteFull: an object of the old file is in the new one, unless the file is not written.
func FuzzWriteFull(f *testing.F) {
	for _, l := range layouts {
		f.Add(webcapturetest.Sets(2, webcapturetest.Options{Images: 1}).Bytes(l.layout))
	}
	f.Add(withLengths().Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := New(context.Background(), data, nil)
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
		written, err := New(context.Background(), b.Bytes(), nil)
		if err != nil || written.Repaired() {
			t.Fatalf("not readable: %v", err)
		}
		want, got := everything(file), everything(written)
		for at, s := range want {
			if s != got[at] && s != "unreadable" && at != ref {
				t.Errorf("%v is %q, want %q", at, got[at], s)
			}
		}
	})
}
