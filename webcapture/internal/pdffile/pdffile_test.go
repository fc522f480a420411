package pdffile

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// layouts are ways to write one document. The resulting files have the same objects.
var layouts = []struct {
	name      string
	layout    webcapturetest.Layout
	password  string
	notPdfcpu string // why pdfcpu gives other objects
}{
	{name: "table"},
	{name: "table, CR LF", layout: webcapturetest.Layout{EntryEnd: "\r\n"}},
	{name: "table, entries of 19 bytes", layout: webcapturetest.Layout{EntryEnd: "\n"}},
	{name: "table, subsections", layout: webcapturetest.Layout{SubSections: 3}},
	{name: "indirect lengths", layout: webcapturetest.Layout{IndirectLength: true}},
	{name: "stream", layout: webcapturetest.Layout{XRef: webcapturetest.Stream}},
	{name: "stream, subsections", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, SubSections: 4}},
	{name: "stream, wide", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, W: [3]int{2, 8, 4}}},
	{name: "stream without types", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, W: [3]int{0, 4, 2}}},
	{name: "stream, PNG Up", layout: webcapturetest.Layout{XRef: webcapturetest.Stream,
		Predictor: webcapturetest.PNGUp}},
	{name: "stream, all PNG predictors",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, Predictor: webcapturetest.PNGMixed}},
	{name: "stream, TIFF predictor",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, Predictor: webcapturetest.TIFF}},
	{name: "stream, plain", layout: webcapturetest.Layout{XRef: webcapturetest.Stream,
		XRefFilter: webcapturetest.Plain}},
	{name: "object streams", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7}},
	{name: "object streams, plain",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
			ObjectStreamFilter: webcapturetest.Plain}},
	{name: "object streams, hex", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
		ObjectStreamFilter: webcapturetest.ASCIIHex}},
	{name: "object streams, ASCII85 and Flate",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
			ObjectStreamFilter: webcapturetest.ASCII85Flate}},
	{name: "object streams, LZW", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
		ObjectStreamFilter: webcapturetest.LZW}},
	{name: "object streams, indirect lengths",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7, IndirectLength: true}},
	{name: "hybrid", layout: webcapturetest.Layout{XRef: webcapturetest.Hybrid, ObjectStreams: 5}},
	{name: "hybrid in one section",
		layout:    webcapturetest.Layout{XRef: webcapturetest.Hybrid, ObjectStreams: 5, HybridOneSection: true},
		notPdfcpu: "does not find what is hidden"},
	{name: "hybrid in one section, without entries",
		layout: webcapturetest.Layout{XRef: webcapturetest.Hybrid, ObjectStreams: 5, HybridOneSection: true,
			SubSections: 4}},
	{name: "linearized", layout: webcapturetest.Layout{Linearized: true}},
	{name: "linearized, object streams",
		layout: webcapturetest.Layout{Linearized: true, XRef: webcapturetest.Stream, ObjectStreams: 6}},
	{name: "junk before the header", layout: webcapturetest.Layout{Prefix: []byte("HTTP/1.0 200 OK\r\n\r\n")}},
	{name: "junk before the header, offsets from the start",
		layout: webcapturetest.Layout{Prefix: []byte("HTTP/1.0 200 OK\r\n\r\n"), OffsetsFromStart: true}},
	{name: "RC4-40", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 2}}},
	{name: "RC4-128, password", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 3,
		User: "sesame"}}, password: "sesame"},
	{name: "crypt filter V2", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4,
		RC4: true}}},
	{name: "AESV2, owner password",
		layout:   webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4, User: "u", Owner: "own"}},
		password: "own"},
	{name: "AESV2, object streams",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
			Encryption: &webcapturetest.Encryption{Revision: 4}}},
	{name: "AESV2, hex", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4, Hex: true}}},
	{name: "AESV3, revision 5", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 5,
		User: "five"}}, password: "five"},
	{name: "AESV3", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6}},
		password: "needless"},
	{name: "AESV3, object streams",
		layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
			Encryption: &webcapturetest.Encryption{Revision: 6, User: "six"}}, password: "six"},
	{name: "direct Encrypt", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 3,
		Direct: true}}, notPdfcpu: "does not see a direct encryption dictionary"},
	{name: "plain strings", layout: webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4,
		PlainStrings: true}}, notPdfcpu: "decrypts strings that are not encrypted"},
	{name: "plain streams", layout: webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 7,
		Encryption: &webcapturetest.Encryption{Revision: 6, PlainStreams: true}},
		notPdfcpu: "decrypts streams that are not encrypted"},
}

// sample returns a small content database with many features. If updated is set, it has two revisions.
func sample(updated bool) *webcapturetest.Document {
	d := webcapturetest.Sets(12, webcapturetest.Options{Leaf: 4, IndirectKeys: true, Images: 3, Shared: 4, Mirrors: 5,
		Aliases: 6, Commands: 3})
	if updated {
		d.Update()
		d.Add("<< /New (object) >>")
		d.Set(d.Add("[ 1 2 ]"), "[ (two) <33> ]")
	}
	return d
}

// text returns a normalized text of an object: sorted keys without Length, strings in hexadecimal, and numbers in one
// notation.
func text(o object.Object) string {
	if list, ok := o.Array(); ok {
		var parts []string
		for e := range list.All() {
			parts = append(parts, text(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	if d, ok := o.Dict(); ok {
		var parts []string
		for k, v := range d.All() {
			if string(k) == "Length" {
				continue
			}
			parts = append(parts, fmt.Sprintf("/%x %s", k, text(v)))
		}
		slices.Sort(parts)
		return o.Kind().String() + "<<" + strings.Join(parts, " ") + ">>"
	}
	if s, ok := o.AppendString(nil); ok {
		return "<" + hex.EncodeToString(s) + ">"
	}
	if n, ok := o.Name(); ok {
		return fmt.Sprintf("/%x", n)
	}
	if n, ok := o.Number(); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%v", o)
}

// contents returns the text of the objects with numbers below n, except objects that depend on the layout, such as
// object streams.
func contents(t *testing.T, f *File, n int) map[int]string {
	t.Helper()
	r := f.NewReader()
	all := map[int]string{}
	for i := range n {
		o, err := r.Get(object.Ref{Num: uint32(i)})
		if err != nil {
			t.Fatalf("Get(%d): %v", i, err)
		}
		if d, ok := o.Dict(); ok {
			switch kind, _ := d.Lookup("Type").Name(); string(kind) {
			case "XRef", "ObjStm":
				continue
			}
			if d.Lookup("Linearized").Kind() != object.Null || d.Lookup("Filter").IsName("Standard") {
				continue
			}
		}
		if !o.IsNull() {
			all[i] = text(o)
		}
	}
	return all
}

func TestEveryLayoutGivesTheSameObjects(t *testing.T) {
	for _, updated := range []bool{false, true} {
		doc := sample(updated)
		plain, err := New(context.Background(), doc.Bytes(webcapturetest.Layout{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := len(plain.entries)
		want := contents(t, plain, n)
		if len(want) < 50 {
			t.Fatalf("the sample has %d objects only", len(want))
		}
		for _, l := range layouts {
			name := l.name
			if updated {
				name += ", updated"
			}
			t.Run(name, func(t *testing.T) {
				l.layout.Linearized = l.layout.Linearized && !updated
				data := doc.Bytes(l.layout)
				f, err := New(context.Background(), data, []string{l.password})
				if err != nil {
					t.Fatal(err)
				}
				if f.Repaired() {
					t.Errorf("read by repair: %q", f.Notices())
				}
				same(t, "lazily", contents(t, f, n), want)
				f, err = newFile(context.Background(), data, true, l.password)
				if err != nil {
					t.Fatalf("by search: %v", err)
				}
				same(t, "by search", contents(t, f, n), want)
				if l.notPdfcpu != "" {
					t.Log("pdfcpu", l.notPdfcpu)
					return
				}
				same(t, "by pdfcpu", contents(t, byPdfcpu(t, data, l.password), n), want)
			})
		}
	}
}

// byPdfcpu opens data with pdfcpu, the last of the three ways.
func byPdfcpu(t *testing.T, data []byte, password string) *File {
	t.Helper()
	f := &File{fileBytes: fileBytes{data: data, passwords: []string{password}}}
	if err := f.openByPdfcpu(0); err != nil {
		t.Fatalf("by pdfcpu: %v", err)
	}
	return f
}

func same(t *testing.T, how string, got, want map[int]string) {
	t.Helper()
	bad := 0
	for i, w := range want {
		// Only objects of want are compared: some layouts have more, such as the lengths of streams.
		if got[i] != w {
			if bad++; bad <= 3 {
				t.Errorf("%s: object %d is %s, want %s", how, i, got[i], w)
			}
		}
	}
}

// differing are files of the corpus whose objects pdfcpu reads differently, with the reason.
var differing = map[string]string{
	"mozilla+pdf.js__poppler-395-0-fuzzed.pdf": "pdfcpu replaces abbreviated filter names",
	"qpdf+qpdf__leading-junk.pdf":              "pdfcpu leaves strings of outline items encrypted",
	"qpdf+qpdf__recover-xref-stream.pdf":       "pdfcpu does not find a member of an object stream",
}

// TestRealFilesAreReadTheSameEachWay compares the three ways of opening on real files. It needs the corpus next to the
// project.
func TestRealFilesAreReadTheSameEachWay(t *testing.T) {
	paths := webcapturetest.NeedCorpus(t, "real", "negative")
	passwords := []string{"", "1234", "view"}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, password := range passwords {
				f, err := New(context.Background(), data, []string{password})
				if errors.Is(err, ErrPassword) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if f.Repaired() {
					t.Skip("not readable by its own cross-reference data")
				}
				g, err := newFile(context.Background(), data, true, password)
				if err != nil {
					t.Fatalf("by search: %v", err)
				}
				compareReachable(t, "by search", f, g)
				if why, ok := differing[filepath.Base(path)]; ok {
					t.Log(why)
					return
				}
				compareReachable(t, "by pdfcpu", f, byPdfcpu(t, data, password))
				return
			}
			t.Skip("no password opens it")
		})
	}
}

// compareReachable compares all objects that the catalog leads to, directly or indirectly.
func compareReachable(t *testing.T, how string, f, g *File) {
	a, b := f.NewReader(), g.NewReader()
	seen := map[object.Ref]bool{}
	todo := []object.Object{f.Trailer().Lookup("Root")}
	for len(todo) > 0 {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if list, ok := o.Array(); ok {
			todo = slices.AppendSeq(todo, list.All())
		}
		if d, ok := o.Dict(); ok {
			for _, v := range d.All() {
				todo = append(todo, v)
			}
		}
		ref, ok := o.Ref()
		if !ok || seen[ref] {
			continue
		}
		seen[ref] = true
		x, err := a.Get(ref)
		if err != nil {
			t.Skipf("a caller would open it with repair: %v", err)
		}
		y, err := b.Get(ref)
		if err != nil {
			t.Errorf("%s: %v: %v", how, ref, err)
		} else if text(x) != text(y) {
			t.Errorf("%v is %s, %s %s", ref, text(x), how, text(y))
		}
		todo = append(todo, x)
	}
	t.Logf("%d objects", len(seen))
}

func TestOpenSaysWhyItCannot(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	locked := sample(false).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 6, User: "x"}})
	for _, test := range []struct {
		path string
		want error
		says string
	}{
		{path: filepath.Join(dir, "missing.pdf"), want: os.ErrNotExist},
		{path: dir, says: "is a folder: name a PDF file in it"},
		{path: file("empty.pdf", ""), want: ErrEmpty},
		{path: file("text.pdf", "hello"), want: ErrNotPDF},
		{path: file("header.pdf", "%PDF-1.4\n"), says: "no startxref"},
		{path: file("locked.pdf", string(locked)), want: ErrPassword},
	} {
		t.Run(test.path, func(t *testing.T) {
			_, err := Open(context.Background(), test.path, nil)
			switch {
			case err == nil:
				t.Errorf("Open(%q) succeeded", test.path)
			case test.want != nil && !errors.Is(err, test.want):
				t.Errorf("Open(%q): %v, want %v", test.path, err, test.want)
			case !strings.Contains(err.Error(), test.says):
				t.Errorf("Open(%q): %v, want %q in it", test.path, err, test.says)
			case strings.Contains(err.Error(), "\n"):
				t.Errorf("Open(%q): %q has more than one line", test.path, err)
			}
		})
	}
}

// TestDamagedFilesAreRepaired: without usable cross-reference data every object
// is found again, also those in object streams.
func TestDamagedFilesAreRepaired(t *testing.T) {
	doc := sample(false)
	plain, err := New(context.Background(), doc.Bytes(webcapturetest.Layout{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := len(plain.entries)
	want := contents(t, plain, n)
	for _, l := range layouts {
		data := doc.Bytes(l.layout)
		for name, damage := range map[string]func([]byte) []byte{
			"startxref gone": func(b []byte) []byte {
				return bytes.ReplaceAll(b, []byte("startxref"),
					[]byte("startxxxx"))
			},
			"startxref wrong": func(b []byte) []byte {
				return regexp.MustCompile(`startxref\s+\d+`).ReplaceAll(b, []byte("startxref\n5"))
			},
			"one byte missing": func(b []byte) []byte {
				return slices.Delete(b, len(l.layout.Prefix)+9,
					len(l.layout.Prefix)+10)
			},
		} {
			t.Run(l.name+", "+name, func(t *testing.T) {
				f, err := New(context.Background(), damage(bytes.Clone(data)), []string{l.password})
				if err != nil {
					t.Fatal(err)
				}
				if r := f.NewReader(); !f.Repaired() {
					if _, err := r.Get(object.Ref{Num: 5}); err == nil {
						t.Skip("the damage is harmless")
					}
					if f, err = newFile(context.Background(), damage(bytes.Clone(data)), true, l.password); err != nil {
						t.Fatal(err)
					}
				}
				same(t, "repaired", contents(t, f, n), want)
			})
		}
	}
}

func TestTruncatedFilesAreReadOrRefused(t *testing.T) {
	for _, l := range []webcapturetest.Layout{{}, {XRef: webcapturetest.Stream, ObjectStreams: 7}} {
		t.Run(l.Version, func(t *testing.T) {
			data := sample(true).Bytes(l)
			for n := 0; n < len(data); n += 97 {
				f, err := New(context.Background(), data[:n:n], nil)
				if err != nil {
					continue
				}
				r := f.NewReader()
				for i := range 100 {
					r.Get(object.Ref{Num: uint32(i)})
				}
			}
		})
	}
}

func TestShrinkingFileIsAnError(t *testing.T) {
	skipIfMappedFilesKeepTheirSize(t)
	path := filepath.Join(t.TempDir(), "big.pdf")
	d := sample(false)
	d.AddStream("<< >>", make([]byte, 4<<20))
	last := d.Add("<< /Last true >>")
	if err := os.WriteFile(path, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.mapped == nil {
		t.Fatal("the file is not mapped")
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	_, err = f.NewReader().Get(object.Ref{Num: uint32(last)})
	if err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("Get after the file shrank: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	for _, l := range layouts {
		f.Add(webcapturetest.Sets(2, webcapturetest.Options{Images: 1}).Bytes(l.layout))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := New(context.Background(), data, nil)
		if err != nil {
			return
		}
		r := file.NewReader()
		for i := range min(len(file.entries), 200) {
			ref := object.Ref{Num: uint32(i)}
			file.Position(ref)
			if o, err := r.Get(ref); err == nil {
				text(o)
			}
		}
	})
}

// TestHeadersReachSoFar: the length of a header is limited, so that many entries that lead into the same white space
// cost little.
func TestHeadersReachSoFar(t *testing.T) {
	for gap, want := range map[int]bool{1: true, headerReach - 10: true, headerReach: false} {
		t.Run(fmt.Sprint(gap), func(t *testing.T) {
			f := &File{fileBytes: fileBytes{data: []byte("1" + strings.Repeat(" ", gap) + "0 obj null")}}
			if _, _, ok := f.header(0); ok != want {
				t.Errorf("header with %d blanks: %v, want %v", gap, ok, want)
			}
		})
	}
}
