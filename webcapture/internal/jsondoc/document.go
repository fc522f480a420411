// Package jsondoc writes the JSON documents of webcap piece by piece, and defines their common parts: the JSON of
// paths and of the tool.
//
//	d := jsondoc.New(w)
//	d.Open(head) // without the brace that ends it
//	d.Text(",\n\"rules\":[")
//	…
//	err := d.Flush()
//
// A document may have millions of findings, so only a few lines are in memory. The same types decode results;
// docs/schema describes them.
package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// ErrFormat means that JSON is not in the format of webcap.
var ErrFormat = errors.New("not the results of webcap audit")

// A Tool is the program that wrote a document.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ToolOf returns the Tool for webcap with this version.
func ToolOf(version string) Tool { return Tool{"webcap", version} }

// A Document builds a JSON document for a writer.
type Document struct {
	layout.Buffer
	enc *json.Encoder
}

// New returns a Document for w, which may be nil if it is never flushed.
func New(w io.Writer) *Document {
	d := &Document{Buffer: *layout.NewBuffer(w)}
	d.enc = json.NewEncoder(directionless{&d.Buffer})
	d.enc.SetEscapeHTML(false)
	return d
}

// directionless writes JSON, with escapes for control characters of the writing direction, such as U+202E. In a
// terminal or an editor, they would change the order of the following text. Decoding gives the original text.
type directionless struct{ w io.Writer }

// Write writes all of p to the underlying writer.
func (d directionless) Write(p []byte) (int, error) {
	if bytes.IndexByte(p, 0xd8) < 0 && bytes.IndexByte(p, 0xe2) < 0 { // U+061C and U+200E to U+2069 begin with these bytes
		return d.w.Write(p)
	}
	isControl := func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Bidi_Control, r) }
	rest := p
	for {
		i := bytes.IndexFunc(rest, isControl)
		if i < 0 {
			_, err := d.w.Write(rest)
			return len(p), err
		}
		r, size := utf8.DecodeRune(rest[i:])
		if _, err := fmt.Fprintf(d.w, `%s\u%04x`, rest[:i], r); err != nil {
			return 0, err
		}
		rest = rest[i+size:]
	}
}

// Value appends the JSON of v. Encoding v must not fail.
func (d *Document) Value(v any) {
	if m, ok := v.(json.Marshaler); ok { // package json would check and copy the result
		b, err := m.MarshalJSON()
		if err != nil {
			panic(err)
		}
		directionless{&d.Buffer}.Write(b)
		return
	}
	if err := d.enc.Encode(v); err != nil {
		panic(err)
	}
	d.Truncate(d.Len() - 1) // the newline
}

// Open appends the JSON of the struct v without its closing brace, so that more members can follow.
func (d *Document) Open(v any) {
	d.Value(v)
	d.Truncate(d.Len() - 1)
}

// Members appends a comma and the members of v, which is encoded as an object, to those of another object.
func (d *Document) Members(v any) {
	at := d.Len()
	d.Value(v)
	d.Bytes()[at] = ','
	d.Truncate(d.Len() - 1)
}

// Marshal returns an object with the members of all values, which are encoded as objects. Encoding must not fail.
func Marshal(values ...any) json.RawMessage {
	d := New(nil)
	for _, v := range values {
		d.Members(v)
	}
	d.Text("}")
	d.Bytes()[0] = '{'
	return d.Bytes()
}

// Element begins an element of an array on a new line.
func (d *Document) Element(first bool) {
	if first {
		d.Text("\n")
	} else {
		d.Text(",\n")
	}
}

// Elements appends the elements of an array, flushing regularly. The error is that of the writer.
func Elements[T any](d *Document, list iter.Seq[T], element func(T)) error {
	first := true
	for e := range list {
		d.Element(first)
		first = false
		element(e)
		if err := d.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}
