package pdffile

import (
	"bytes"
	"context"
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

// TestNoWayOpensWithoutThePassword: a missing password is not damage, so no other way of opening is tried.
func TestNoWayOpensWithoutThePassword(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4, User: "u",
		Owner: "o"}})
	f := &File{fileBytes: fileBytes{data: data, passwords: []string{"wrong"}}}
	for name, open := range map[string]func(int) error{"table": f.openByTable, "search": f.openBySearch,
		"pdfcpu": f.openByPdfcpu} {
		t.Run(name, func(t *testing.T) {
			f.reset()
			if err := open(0); err != ErrPassword {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	f, err := New(context.Background(), data, []string{"u"})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Repair(errors.New("found")); err != nil || !slices.Contains(f.Notices(), "found") {
		t.Errorf("repaired: %v, %q", err, f.Notices())
	}
}

// TestStringsThatCannotBeDecrypted: such a string is an error, not an empty string or ciphertext.
func TestStringsThatCannotBeDecrypted(t *testing.T) {
	c := &crypt{key: make([]byte, 16), strings: aesKey}
	for _, s := range []string{"<" + strings.Repeat("00", 33) + ">", "[<" + strings.Repeat("00", 33) + ">]",
		"<</A<" + strings.Repeat("00", 47) + ">>>"} {
		t.Run(s, func(t *testing.T) {
			o, err := c.decrypt(object.Ref{Num: 5}, literal(s))
			if !object.IsMalformed(err) || !strings.Contains(err.Error(), "string cannot be decrypted") || !o.IsNull() {
				t.Errorf("%s: %v, %v", s, o, err)
			}
		})
	}
	c.dict = 5
	if o, err := c.decrypt(object.Ref{Num: 5}, literal("<00>")); err != nil || string(o.Raw()) != "<00>" {
		t.Errorf("in the encryption dictionary: %v, %v", o, err)
	}
}

// TestEncryptionDictionaryThatTheTableMisses: the file is searched for the dictionary.
func TestEncryptionDictionaryThatTheTableMisses(t *testing.T) {
	const encrypt = "9 0 obj\n<</Filter/Standard/V 4/R 4/P -4/O<%064d>/U<%064d>>>\nendobj\n"
	data, _ := placed(header+objects+fmt.Sprintf(encrypt, 0,
		0)+table+"trailer\n<</Root 1 0 R/Size 3/Encrypt 9 0 R>>\n"+ending, "")
	f := noted(t, "searched", data)
	if !f.Repaired() || !f.Encrypted() ||
		f.Notices()[0] != "cross-reference data is damaged: the encryption dictionary 9 0 R cannot be read" {
		t.Errorf("repaired %v, encrypted %v, %q", f.Repaired(), f.Encrypted(), f.Notices())
	}
}

// TestBrokenEncryptionDictionaryIsNamed: after a search, the error names the malformed object.
func TestBrokenEncryptionDictionaryIsNamed(t *testing.T) {
	for dict, want := range map[string]string{"<</Filter ]>>": "broken: object 9 0: ",
		"<</Filter 8 0 R>>\nendobj\n8 0 obj\n<</X ]>>": "broken: object 8 0: "} {
		t.Run(dict, func(t *testing.T) {
			_, err := newFile(context.Background(),
				[]byte(header+"1 0 obj\n<</Type/Catalog>>\nendobj\n9 0 obj\n"+dict+
					"\nendobj\ntrailer\n<</Root 1 0 R/Encrypt 9 0 R>>\n%%EOF\n"), true)
			if !errors.Is(err, ErrEncryption) || !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %v, want %s", dict, err, want)
			}
		})
	}
}

// TestIdentifierIsThatOfWhatIsWritten: two files that differ have different IDs (14.4).
func TestIdentifierIsThatOfWhatIsWritten(t *testing.T) {
	d := sample(false)
	d.Trailer = "/ID[<00><00>]"
	for _, w := range ways {
		seen := map[string]bool{}
		for _, s := range []string{"(a)", "(b)", "(cc)"} {
			u := opened(t, w.name, d.Bytes(webcapturetest.Layout{}), "").NewUpdate()
			u.Put(object.Ref{Num: 5}, []byte(s))
			out := w.written(t, u)
			id := out[bytes.LastIndex(out, []byte("/ID")):]
			id = id[:bytes.IndexByte(id, ']')]
			if seen[string(id)] {
				t.Errorf("%s: %s twice", w.name, id)
			}
			seen[string(id)] = true
		}
	}
	second := regexp.MustCompile(`/ID ?\[<\d\d><(\w{32})>\]`)
	var halves []string
	for _, id := range []string{"/ID[<00><00>]", "/ID[<00><11>]"} {
		t.Run(id, func(t *testing.T) { // files that differ only in their ID
			d.Trailer = id
			f := opened(t, id, d.Bytes(webcapturetest.Layout{}), "")
			halves = append(halves, string(second.FindSubmatch(full.written(t, f.NewUpdate()))[1]))
			if got := byPdfcpu(t, d.Bytes(webcapturetest.Layout{}),
				"").Trailer().Lookup("ID"); text(got) != text(f.Trailer().Lookup("ID")) {
				t.Errorf("pdfcpu reads the ID %s as %s", id, got.Raw())
			}
		})
	}
	if halves[0] == halves[1] {
		t.Errorf("two files have the ID %s", halves[0])
	}
}

// TestEnds: headers and sections at the very beginning or end of a file, and objects with the largest number, are
// read.
func TestEnds(t *testing.T) {
	for text, want := range map[string]string{
		"%PDF-1.4": "1.4", "%PDF-2.0\n": "2.0", "x%PDF-1.7 x": "1.7", "%PDF-": "", "%PDF-\n": "",
		"%PDF-1.23456789": "1.234567", "%PDX-1.4": "",
	} {
		t.Run(text, func(t *testing.T) {
			at, _ := findHeader([]byte(text))
			if got := (&File{fileBytes: fileBytes{data: []byte(text)}}).headerVersion(at); got != want {
				t.Errorf("%q: version %q, want %q", text, got, want)
			}
		})
	}
	for text, want := range map[string]bool{"xref\n0 1": true, "xref": true, "\nxref 0": true, "xre": false,
		"1 0 obj<</Type/XRef>>": true, "1 0 obj<</Type/XRof>>": false, "": false} {
		t.Run(text, func(t *testing.T) {
			if got := (&File{fileBytes: fileBytes{data: []byte(text)}}).isSection(0); got != want {
				t.Errorf("%q is a section: %v", text, got)
			}
		})
	}
	if (&File{fileBytes: fileBytes{data: []byte("xxref")}}).isSection(1) {
		t.Error("the end of a word is a section")
	}
	u := opened(t, "sample", sample(false).Bytes(webcapturetest.Layout{}), "").NewUpdate()
	u.Put(object.Ref{Num: object.MaxNumber}, []byte("(last)"))
	g := opened(t, "the last number", ways[0].written(t, u), "")
	if got := got(g, object.Ref{Num: object.MaxNumber}); got != "(last)" {
		t.Errorf("object %d is %s", object.MaxNumber, got)
	}
	if _, err := openAES(make([]byte, 10),
		make([]byte, 48)); err == nil { // the key of an object, if the file's has 40 bits
		t.Error("AES with a key of ten bytes")
	}
}

// TestSubsections: a subsection has consecutive numbers.
func TestSubsections(t *testing.T) {
	var s section
	for _, num := range []uint32{0, 1, 2, 5, 6, 9} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			s.add(num, entry{})
		})
	}
	if len(s.subs) != 3 || len(s.subs[0].entries) != 3 || s.subs[1].first != 5 || len(s.subs[1].entries) != 2 ||
		s.subs[2].first != 9 {
		t.Errorf("the parts of the section are %+v", s.subs)
	}
	data := sample(false).Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream})
	f := opened(t, "stream", data, "")
	_, num, _ := f.header(f.newest + f.base)
	for _, put := range []uint32{num, 5} {
		t.Run(fmt.Sprint(put), func(t *testing.T) { // the number of the previous section is put, and is not
			u := f.NewUpdate()
			u.Put(object.Ref{Num: put}, []byte("(put)"))
			g := opened(t, "appended", ways[0].written(t, u), "")
			_, own, ok := g.header(g.newest + g.base)
			size, _ := g.Trailer().Lookup("Size").Int()
			if !ok || int64(own) >= size || (own == num) != (put != num) || g.entries[own].at != g.newest {
				t.Errorf("object %d put: the section is object %d at %d, Size is %d, its entry %+v", put, own, g.newest,
					size, g.entries[own])
			}
		})
	}
}

// TestPanicsOfOthersGoOn: guarded turns only faults of a mapped file into errors, not other panics.
func TestPanicsOfOthersGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.pdf")
	d := sample(false)
	d.AddStream("<< >>", make([]byte, smallFile))
	if err := os.WriteFile(path, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, cause := range []any{"another", errors.New("another")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			func() {
				defer func() {
					if p := recover(); p != cause {
						t.Errorf("panic(%v) becomes %v", cause, p)
					}
				}()
				err := f.guarded(func() error { panic(cause) })
				t.Errorf("panic(%v) is the error %v", cause, err)
			}()
		})
	}
	if err := f.guarded(func() error { return errFull }); err != errFull {
		t.Errorf("an error becomes %v", err)
	}
}
