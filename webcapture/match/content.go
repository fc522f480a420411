package match

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"hash"
	"io"
	"math"
	"strconv"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// errTooLong means that a string, a name, or an inline image in the content of a page is too long to be compared.
var errTooLong = &object.Malformed{Reason: "the content of the page has a token that is too long to be compared"}

// tokenPrice is the price of a byte of content, in addition to decoding.
const tokenPrice = 3

// window is the size of the first part of the content that is in memory. A longer token needs more.
const window = 64 << 10

// tokenize reads the tokens of content streams, with a line end after each.
func (d *Document) tokenize(refs []object.Ref) (*content, error) {
	c := &content{blank: true}
	d.sum.Reset()
	d.strings.Reset()
	d.tokens.Reset(d.sum)
	t := &tokenizer{all: d.tokens, strings: d.strings, names: map[string]string{}, reader: d.Reader}
	text := d.text[:0]
	defer func() { d.text = text[:0] }()
	for _, ref := range refs {
		data, err := d.Reader.Data(ref)
		for n := 0; err == nil; {
			if len(text) == cap(text) {
				if text, err = d.makeRoom(t, text); err != nil {
					return c, err
				}
			}
			n, err = data.Read(text[len(text):cap(text)])
			c.blank = c.blank && len(bytes.TrimSpace(text[len(text):len(text)+n])) == 0
			text = text[:len(text)+n]
			if over := d.Reader.Pay(tokenPrice * int64(n)); over != nil {
				return c, over
			}
		}
		if err != io.EOF {
			return c, err
		}
		if len(text) == cap(text) {
			if text, err = d.makeRoom(t, text); err != nil {
				return c, err
			}
		}
		text = append(text, '\n')
	}
	t.read(text, true)
	t.all.Flush()
	c.operators, c.painted = hashOf(d.sum), t.painted
	if t.length >= leastText {
		c.text = hashOf(t.strings)
	}
	return c, t.err
}

// makeRoom reads the whole tokens of text, and returns the rest with room for more.
func (d *Document) makeRoom(t *tokenizer, text []byte) ([]byte, error) {
	read := t.read(text, false)
	rest := text[:copy(text, text[read:])]
	if size := cap(text); len(rest) > size/2 {
		if int64(size) > d.File.Piece() {
			return rest, errTooLong
		}
		rest = append(make([]byte, 0, 2*size), rest...)
	} else if size < window {
		rest = append(make([]byte, 0, window), rest...)
	}
	return rest, t.err
}

// tokenizer hashes the tokens of a content stream (7.8.2), and the strings in it.
type tokenizer struct {
	all     *bufio.Writer
	strings hash.Hash
	length  int               // of all strings
	names   map[string]string // names that Do paints, so that equal ones share memory
	name    []byte            // last name, with the slash
	painted []string          // names that Do paints
	comment bool              // the text begins within a comment
	image   bool              // the text begins before the data of an inline image
	reader  *webcapture.Reader
	err     error // meter.Over
}

// token adds a token of a kind to the hash.
func (t *tokenizer) token(kind byte, text []byte) {
	t.all.Write(binary.AppendUvarint(append(t.all.AvailableBuffer(), kind), uint64(len(text))))
	t.all.Write(text)
}

// read adds the tokens of a text. If more text follows, it stops before a token that may continue there. It returns the
// position where it stops.
func (t *tokenizer) read(text []byte, last bool) (i int) {
	for i < len(text) && t.err == nil {
		end := i + 1
		switch c := text[i]; {
		case t.image:
			if end = t.inlineImage(text, i, last); end < 0 {
				return i
			}
			t.image = false
		case t.comment:
			t.comment = c != '\n' && c != '\r'
		case object.IsSpace(c):
		case c == '%':
			t.comment = true
		case c == '<' && end == len(text) && !last:
			return i
		case bytes.HasPrefix(text[i:], []byte("<<")):
			end++
			t.token(c, text[i:end])
		case c == '(', c == '<':
			if end = t.stringAt(text, i, last); end < 0 {
				return i
			}
		case c == '/':
			if end = endOfToken(text, end); end == len(text) && !last {
				return i
			}
			t.name = append(t.name[:0], text[i:end]...)
			t.token('/', nil)
		case !object.IsRegular(c): // another delimiter
			t.token(c, nil)
		default:
			if end = endOfToken(text, i); end == len(text) && !last {
				return i
			}
			t.word(text[i:end])
			switch string(text[i:end]) {
			case "ID":
				t.image = true // the data of an inline image follow (8.9.7)
			case "Do":
				t.paint()
			}
		}
		i = end
	}
	return i
}

// paint adds the last name to those that Do paints.
func (t *tokenizer) paint() {
	name, ok := t.names[string(t.name)]
	if !ok {
		name = string(t.name)
		t.names[name] = name
		t.err = t.reader.Keep(64 + int64(len(name)))
	}
	t.painted = append(t.painted, name)
	t.err = cmp.Or(t.err, t.reader.Keep(16), t.reader.Pay(meter.Object))
}

// stringAt adds the string at index i, and returns the index of its end; -1 if its end may follow the text.
func (t *tokenizer) stringAt(text []byte, i int, last bool) int {
	o, end, err := object.Parse(text, i)
	if err != nil || end <= i {
		if t.err = t.reader.Pay(int64(len(text)-i) / 2); !last {
			return -1
		}
		t.token(text[i], nil)
		return i + 1
	}
	s, _ := o.AppendString(nil)
	t.token('(', s)
	t.strings.Write(s)
	t.length += len(s)
	return end
}

// word adds a number or an operator. It rounds numbers, because tools write few digits: to two decimal places, or for
// small numbers to two significant digits.
func (t *tokenizer) word(text []byte) {
	if c := text[0]; c >= 'A' && c <= 'z' {
		t.token('w', text)
		return
	}
	var b [24]byte
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
		t.token('w', text)
	case f != 0 && math.Abs(f) < 0.1:
		t.token('w', strconv.AppendFloat(b[:0], f, 'e', 1, 64))
	default:
		t.token('n', binary.BigEndian.AppendUint64(b[:0], math.Float64bits(math.Round(f*100)+0))) // minus zero is zero
	}
}

// inlineImage adds the data of an inline image, and returns the index of their end; -1 if it may follow the text.
func (t *tokenizer) inlineImage(text []byte, i int, last bool) int {
	i++ // one white-space character
	for end := i; ; end++ {
		next := bytes.Index(text[end:], []byte("EI"))
		if next < 0 && last {
			t.token('i', text[i:])
			return len(text)
		}
		if next < 0 {
			return -1
		}
		end += next
		if end+2 == len(text) && !last {
			return -1
		}
		if end > i && object.IsSpace(text[end-1]) && (end+2 == len(text) || object.IsSpace(text[end+2])) {
			t.token('i', text[i:end-1])
			return end
		}
	}
}

// endOfToken returns the index of the end of a name, number, or operator.
func endOfToken(text []byte, i int) int {
	for i < len(text) && object.IsRegular(text[i]) {
		i++
	}
	return i
}
