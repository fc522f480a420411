package har

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// harReader reads JSON of which no value may take more than limit bytes, but for long
// strings: in place of each there is a number for those who decode, the offset in the
// file at which it begins.
type harReader struct {
	*json.Decoder
	in          *bufio.Reader
	at          int64          // where in the file in is
	pass        int            // bytes of in that go through as they are: a string
	number      []byte         // what comes in place of a string, and is not read yet
	long        map[int64]bool // the offsets of long strings
	cuts        []cut          // long strings, from where the Decoder is
	written     int64          // bytes that the Decoder got
	base        int64          // where in the file the JSON begins, and what was left out before
	limit, left int64
}

// cut is bytes less that the Decoder got, once it has got so many.
type cut struct{ after, bytes int64 }

// newHARReader returns a reader of the JSON from one offset in the file to another.
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

// offset returns where in the file the Decoder is.
func (r *harReader) offset() int64 {
	at := r.InputOffset()
	for len(r.cuts) > 0 && r.cuts[0].after <= at {
		r.base += r.cuts[0].bytes
		r.cuts = r.cuts[1:]
	}
	return r.base + at
}

// Read is what the Decoder reads with.
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

// some reads some bytes, as far as the end of what is before a string, of a string, or
// of a number.
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
	b, _ := r.in.Peek(min(len(p), r.in.Buffered()))
	n := 0
	for n < len(b) && b[n] != '"' {
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
	if whole || len(b) < maxHARString { // or the data end in it
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

// stringEnd returns how much of b belongs to a string, of which b is what follows the
// opening quotation mark or something else; whether its end is there; and whether an
// escape has begun at the end of b, as it had before it if escaped is true.
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

// eachMember reads an object and calls f before each value with the given name,
// which f has to read. Other values are passed over, token by token.
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

// eachElement reads an array and calls f before each value, which f has to read.
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
