package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A document is a JSON document on its way to a writer.
type document struct {
	w   io.Writer
	buf *bytes.Buffer
	enc *json.Encoder
}

func newDocument(w io.Writer) document {
	d := document{w: w, buf: new(bytes.Buffer)}
	d.enc = json.NewEncoder(d.buf)
	d.enc.SetEscapeHTML(false)
	return d
}

// text appends text as it is.
func (d *document) text(s string) { d.buf.WriteString(s) }

// value appends the JSON of v. No type of this package can fail.
func (d *document) value(v any) {
	if err := d.enc.Encode(v); err != nil {
		panic(err)
	}
	d.buf.Truncate(d.buf.Len() - 1) // the line end
}

// open appends the JSON of v, a struct, without the brace that ends it, so that
// members can follow.
func (d *document) open(v any) {
	d.value(v)
	d.buf.Truncate(d.buf.Len() - 1)
}

// array writes the elements of an array, a line for each.
func array[T any](d *document, list []T, element func(*T)) error {
	for i := range list {
		d.text(separator(i == 0))
		element(&list[i])
		if err := d.spill(); err != nil {
			return err
		}
	}
	return nil
}

// separator returns what stands before an element of an array.
func separator(first bool) string {
	if first {
		return "\n"
	}
	return ",\n"
}

// member appends the name of a member that is not the first.
func (d *document) member(name string) {
	d.text(`,"`)
	d.text(name)
	d.text(`":`)
}

// stringMember appends a member unless it is empty.
func (d *document) stringMember(name, s string) {
	if s != "" {
		d.member(name)
		d.string(s)
	}
}

func (d *document) intMember(name string, n int) {
	d.member(name)
	d.int(n)
}

func (d *document) int(n int) {
	d.buf.Write(strconv.AppendInt(d.buf.AvailableBuffer(), int64(n), 10))
}

// string appends text. What needs escapes is left to the encoder.
func (d *document) string(s string) {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e || s[i] == '"' || s[i] == '\\' {
			d.value(jsonText(s))
			return
		}
	}
	d.text(`"`)
	d.text(s)
	d.text(`"`)
}

// flush writes what was appended.
func (d *document) flush() error {
	_, err := d.w.Write(d.buf.Bytes())
	d.buf.Reset()
	return err
}

// spill writes what was appended if it is much.
func (d *document) spill() error {
	if d.buf.Len() < 1<<16 {
		return nil
	}
	return d.flush()
}

// jsonText returns s as text has it in JSON, which holds no bytes but UTF-8: others
// become the escapes of Printable. So all formats make the same of what is read back.
func jsonText(s string) string {
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
