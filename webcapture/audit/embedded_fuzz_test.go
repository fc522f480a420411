package audit_test

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"crypto/md5"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// attachment is what a page set was made of, embedded in the same document.
type attachment struct {
	dict   string
	stored []byte
	decode func(io.Reader) (io.Reader, error) // by the standard library
}

// attach encodes body in a way that shape says.
func attach(shape uint16, body []byte) attachment {
	var b bytes.Buffer
	switch shape % 3 {
	case 1:
		w := zlib.NewWriter(&b)
		w.Write(body)
		w.Close()
		return attachment{"/Filter/FlateDecode", b.Bytes(), func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }}
	case 2:
		w := lzw.NewWriter(&b, lzw.MSB, 8)
		w.Write(body)
		w.Close()
		return attachment{"/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>", b.Bytes(),
			func(r io.Reader) (io.Reader, error) { return lzw.NewReader(r, lzw.MSB, 8), nil }}
	}
	return attachment{"", bytes.Clone(body), func(r io.Reader) (io.Reader, error) { return r, nil }}
}

// is reports whether the stored data can be decoded to their end, and have this identifier.
func (a attachment) is(id [md5.Size]byte) bool {
	r, err := a.decode(bytes.NewReader(a.stored))
	if err != nil {
		return false
	}
	h := md5.New()
	_, err = io.Copy(h, r)
	return err == nil && [md5.Size]byte(h.Sum(nil)) == id
}

// textString returns s as a text string (7.9.2.2) in one of its forms.
func textString(form uint16, s string) string {
	switch form % 3 {
	case 1:
		b := []byte{0xfe, 0xff}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u>>8), byte(u))
		}
		return webcapturetest.Hex(b)
	case 2:
		return webcapturetest.Literal("\xef\xbb\xbf" + s)
	}
	return webcapturetest.Literal(s)
}

// FuzzEmbedded: a content set is verified exactly if the standard library decodes the embedded file to data with its
// ID, even next to any other file. If there is no other file, the name of this one is the whole URL, and its decoded
// data differ, the set is a mismatch. If the name is only the end of the URL, or the data cannot be decoded, nothing is
// proven.
func FuzzEmbedded(f *testing.F) {
	for shape := range uint16(12) {
		f.Add([]byte("%PDF-1.4\nof a kind\n"), shape*0x1357, "<</UF(doc.pdf)/EF<</F 1 0 R>>>>", uint16(0), byte(0))
		f.Add([]byte("%PDF-1.4\nof a kind, of a kind, of a kind\n"), shape*0x1357, "", shape*5, byte(1)<<(shape%8))
	}
	f.Add([]byte(nil), uint16(1), "<</UF(doc.pdf)/EF<</F 1 0 R>>>>", uint16(3), byte(7)) // not a stream
	f.Add([]byte(nil), uint16(0), "[1 2 null <</EF 5 0 R/UF 3>>]", uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, body []byte, shape uint16, other string, at uint16, change byte) {
		if o, end, err := object.Parse([]byte(other), 0); len(other) > 0 && (err != nil || end != len(other) || o.Kind() == object.Stream) {
			t.Skip() // it would break the document around it
		}
		const url, name = "http://www.example.com/dir/doc.pdf", "doc.pdf"
		id := md5.Sum(body)
		a := attach(shape, body)
		if len(a.stored) > 0 {
			a.stored[int(at)%len(a.stored)] ^= change
		}
		doc := webcapturetest.Site([]webcapturetest.Resource{{URL: url, MediaType: "application/pdf", Body: body}},
			webcapturetest.SiteOptions{})
		key, said := []string{"UF", "F", "Desc"}[shape/3%3], url
		byName := shape>>4&1 == 1
		if byName {
			said = name
		}
		stream := doc.AddStream("/Type/EmbeddedFile"+a.dict, a.stored)
		spec := fmt.Sprintf("<</Type/Filespec/%s%s/EF<</%s %d 0 R>>>>", key, textString(shape>>5&3, said), []string{"F", "UF"}[shape>>7&1], stream)
		if shape>>8&1 == 1 {
			spec = fmt.Sprintf("%d 0 R", doc.Add(spec))
		}
		pairs := "(b) " + spec
		switch {
		case other == "":
		case shape>>9&1 == 1:
			pairs = "(a) " + other + pairs
		default:
			pairs += "(c) " + other
		}
		doc.Set(doc.Root, strings.Replace(doc.Body(doc.Root), "/Names<<", "/Names<</EmbeddedFiles<</Names["+pairs+"]>>", 1))
		rep, err := audit.Bytes(t.Context(), "x.pdf", doc.Bytes(embeddedLayout(shape)), audit.Options{Embedded: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.Identities) != 1 {
			t.Fatalf("%d identities, want that of one set", len(rep.Identities))
		}
		got := rep.Identities[0]
		same := a.is(id)
		where := fmt.Sprintf("%q as %s next to %q", a.stored, spec, other)
		switch {
		case same != (got.Proof == rule.Verified):
			t.Errorf("%s: %v, %s, want verified %v", where, got.Proof, got.Reason, same)
		case same && got.Where == "":
			t.Errorf("%s: it is not said which file it is", where)
		case got.Proof == rule.Mismatch:
			t.Errorf("%s: a page set is a mismatch: %s", where, got.Reason)
		}
	})
}

func embeddedLayout(shape uint16) (l webcapturetest.Layout) {
	if shape>>10&1 == 1 {
		l = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 4}
	}
	if shape>>11&1 == 1 {
		l.Encryption = &webcapturetest.Encryption{Revision: 4, PlainStrings: shape>>12&1 == 1, PlainStreams: shape>>13&1 == 1, EmbeddedFiles: shape>>14&1 == 1}
	}
	return l
}
