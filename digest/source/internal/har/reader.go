package har

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// harReader reads JSON whose values have at most limit bytes, not counting long strings. It replaces each long string
// by a number: the offset in the file at which the string begins.
type harReader struct {
	*json.Decoder
	in          *bufio.Reader
	at          int64          // position in the file of the next byte of in
	pass        int            // number of bytes of in to pass unchanged, because they are a string
	number      []byte         // unread part of the replacement of a string
	long        map[int64]bool // the offsets of long strings
	cuts        []cut          // long strings after the position of the Decoder
	written     int64          // number of bytes passed to the Decoder
	base        int64          // start of the JSON in the file, plus bytes omitted so far
	limit, left int64
}

// cut is a place at which bytes were omitted from the input of the Decoder: the position in the input, and the number
// of omitted bytes.
type cut struct{ after, bytes int64 }

// newHARReader returns a reader of the JSON between two offsets in the file.
func newHARReader(file io.ReaderAt, from, to, limit int64) (*harReader, error) {
	mark := make([]byte, len(localfile.ByteOrderMark))
	if n, err := file.ReadAt(mark, from); err == nil && string(mark[:n]) == localfile.ByteOrderMark {
		from += int64(n)
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	h := &harReader{limit: limit, left: limit, at: from, base: from, long: map[int64]bool{}}
	h.in = bufio.NewReaderSize(io.NewSectionReader(file, from, to-from), int(min(maxHARString, to-from)))
	h.Decoder = json.NewDecoder(h)
	return h, nil
}

// offset returns the position of the Decoder in the file.
func (r *harReader) offset() int64 {
	at := r.InputOffset()
	for len(r.cuts) > 0 && r.cuts[0].after <= at {
		r.base += r.cuts[0].bytes
		r.cuts = r.cuts[1:]
	}
	return r.base + at
}

// Read is called by the Decoder.
func (r *harReader) Read(p []byte) (n int, err error) {
	if r.left <= 0 {
		return 0, errTooLarge
	}
	p = p[:min(int64(len(p)), r.left)]
	for n == 0 && err == nil && len(p) > 0 {
		n, err = r.some(p)
	}
	r.left -= int64(n)
	r.written += int64(n)
	return n, err
}

// some reads some bytes. It reads at most to the end of a string, of a replacement number, or of the text before the
// next string.
func (r *harReader) some(p []byte) (int, error) {
	switch {
	case len(r.number) > 0:
		n := copy(p, r.number)
		r.number = r.number[n:]
		return n, nil
	case r.pass > 0:
		n, err := r.in.Read(p[:min(len(p), r.pass)])
		r.pass -= n
		r.at += int64(n)
		return n, err
	}
	if _, err := r.in.Peek(1); err != nil {
		return 0, err
	}
	for _, name := range []string{"NaN", "Infinity"} { // some programs write these numbers, which JSON does not have
		if b, _ := r.in.Peek(len(name)); string(b) == name && len(p) >= len(name) {
			r.discard(len(name))
			return copy(p, "0"+strings.Repeat(" ", len(name)-1)), nil
		}
	}
	b, _ := r.in.Peek(min(len(p), r.in.Buffered()))
	n := 0
	for n < len(b) && b[n] != '"' && (n == 0 || b[n] != 'N' && b[n] != 'I') {
		n++
	}
	if n > 0 {
		copy(p, b[:n])
		r.discard(n)
		return n, nil
	}
	return 0, r.string()
}

func (r *harReader) discard(n int) {
	n, _ = r.in.Discard(n)
	r.at += int64(n)
}

// string decides how to read the next string.
func (r *harReader) string() error {
	b, _ := r.in.Peek(r.in.Buffered())
	n, whole, escaped := stringEnd(b[1:], false)
	if !whole {
		var err error
		if b, err = r.in.Peek(r.in.Size()); err != nil && err != io.EOF {
			return err
		}
		n, whole, escaped = stringEnd(b[1:], false)
	}
	if whole || len(b) < maxHARString { // a short string, or the data end in the string
		r.pass = 1 + n
		return nil
	}
	start := r.at
	r.discard(len(b))
	for !whole {
		if _, err := r.in.Peek(1); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		b, _ := r.in.Peek(r.in.Buffered())
		n, whole, escaped = stringEnd(b, escaped)
		r.discard(n)
	}
	r.long[start] = true
	r.number = strconv.AppendInt(nil, start, 10)
	after := int64(len(r.number))
	r.cuts = append(r.cuts, cut{r.written + after, r.at - start - after})
	return nil
}

// stringEnd finds the end of a string. b is the data after the opening quotation mark, or a later part. n is the length
// of the string in b, whole is true if the string ends in b, and inEscape is true if b ends within an escape. escaped
// means that an escape has begun before b.
func stringEnd(b []byte, escaped bool) (n int, whole, inEscape bool) {
	for i, c := range b {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return i + 1, true, false
		}
	}
	return len(b), false, escaped
}

// eachMember reads an object and calls f before each value with the given name. f must read this value. eachMember
// skips other values, token by token.
func (r *harReader) eachMember(name string, f func() error) error {
	if err := r.enter('{'); err != nil {
		return err
	}
	for r.More() {
		r.left = r.limit
		got, err := r.Token()
		if err != nil {
			return err
		}
		if got == name {
			err = f()
		} else {
			err = r.skip()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

// eachElement reads an array and calls f before each value. f must read this value.
func (r *harReader) eachElement(f func() error) error {
	if err := r.enter('['); err != nil {
		return err
	}
	for r.More() {
		r.left = r.limit
		if err := f(); err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

func (r *harReader) enter(delim json.Delim) error {
	got, err := r.Token()
	if err == nil && got != delim {
		err = errNotHAR
	}
	return err
}

// skip reads one value of any kind.
func (r *harReader) skip() error {
	for depth := 0; ; {
		r.left = r.limit
		got, err := r.Token()
		if err != nil {
			return err
		}
		switch got {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
