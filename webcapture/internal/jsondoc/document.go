// Package jsondoc writes the JSON documents of webcap piece by piece, and defines their common parts: the JSON of
// keys, references, places, findings, and files.
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
	"strings"
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

// Text returns s as valid text for a JSON string. Bytes that are not UTF-8 become the escapes of
// [layout.Printable], so that results read from JSON give the same output in all formats.
func Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
