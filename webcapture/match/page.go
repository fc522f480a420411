package match

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
)

const (
	// maxContent is the maximum size in bytes of the content of a page that is read.
	maxContent = 64 << 20

	// leastText is the minimum size in bytes of text that identifies a page.
	leastText = 4
)

// errLongContent means that content has more than maxContent bytes.
var errLongContent = &object.Malformed{Reason: "the content of the page is too long to be compared"}

// readContent sets Content and Text of a page. XObjects that the content paints count by their own content, not by
// their names, which tools change.
func (d *Document) readContent(pg *Page, dict object.Dict, resources object.Object) error {
	data, err := d.contentOf(dict)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return err
	}
	named, err := d.dict(resources)
	if err != nil {
		return err
	}
	xobjects, err := d.dict(named.Lookup("XObject"))
	if err != nil {
		return err
	}
	h := newContentHasher()
	h.paint = func(name string) (Hash, error) {
		ref, ok := xobjects.Lookup(name).Ref()
		if !ok {
			return Hash{}, nil
		}
		return d.painted(ref)
	}
	if err := h.write(data); err != nil {
		return err
	}
	pg.Content, pg.Text = h.sums()
	return nil
}

// contentOf returns the decoded content streams of a page as one text (table 31).
func (d *Document) contentOf(page object.Dict) (data []byte, err error) {
	stored := page.Lookup("Contents")
	o, err := d.Reader.Resolve(stored)
	if err != nil {
		return nil, err
	}
	parts := []object.Object{stored}
	if list, ok := o.Array(); ok {
		parts = slices.Collect(list.All())
	}
	for _, p := range parts {
		ref, ok := p.Ref()
		if !ok {
			continue
		}
		if data, err = d.appendStream(data, ref); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// appendStream appends the decoded data of a stream and a line end.
func (d *Document) appendStream(dst []byte, ref object.Ref) ([]byte, error) {
	data, err := d.Reader.Data(ref)
	if err != nil {
		return nil, err
	}
	part, err := io.ReadAll(io.LimitReader(data, maxContent+1))
	if err != nil {
		return nil, err
	}
	if dst = append(append(dst, part...), '\n'); len(dst) > maxContent {
		return nil, errLongContent
	}
	return dst, d.Spend(elementCost + int64(len(part)))
}

// painted returns the hash of an XObject: the data of an image, or the operators and operands of a form. It is zero for
// an unreadable XObject. Forms within the form count as any form: their names may have changed.
func (d *Document) painted(ref object.Ref) (Hash, error) {
	if sum, ok := d.forms[ref]; ok {
		return sum, nil
	}
	im, err := d.readImage(ref)
	if err != nil {
		return Hash{}, err
	}
	if im != nil {
		return im.Data, nil
	}
	d.forms[ref] = Hash{}
	data, err := d.appendStream(nil, ref)
	if err != nil {
		return Hash{}, object.IgnoreMalformed(err)
	}
	h := newContentHasher()
	h.paint = func(string) (Hash, error) { return Hash{}, nil }
	if err := h.write(data); err != nil {
		return Hash{}, err
	}
	d.forms[ref], _ = h.sums()
	return d.forms[ref], nil
}

// contentHasher hashes the tokens of a content stream (7.8.2), and the strings in it.
type contentHasher struct {
	all, strings hash.Hash
	length       int    // of all strings
	pending      []byte // tokens that are not in all yet
	name         []byte // last name, with the slash
	paint        func(name string) (Hash, error)
}

func newContentHasher() *contentHasher {
	return &contentHasher{all: sha256.New(), strings: sha256.New()}
}

// sums returns the hash of all tokens, and that of the strings; see leastText.
func (h *contentHasher) sums() (all, text Hash) {
	h.all.Write(h.pending)
	copy(all[:], h.all.Sum(nil))
	if h.length >= leastText {
		copy(text[:], h.strings.Sum(nil))
	}
	return all, text
}

// token adds a token of a kind to the hash.
func (h *contentHasher) token(kind byte, text []byte) {
	h.pending = appendBytes(append(h.pending, kind), text)
	if len(h.pending) > 4<<10 {
		h.all.Write(h.pending)
		h.pending = h.pending[:0]
	}
}

// write adds all tokens of a content stream.
func (h *contentHasher) write(text []byte) error {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isSpace(c):
			i++
		case c == '%':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case bytes.HasPrefix(text[i:], []byte("<<")):
			h.token(c, text[i:i+2])
			i += 2
		case c == '(', c == '<':
			i = h.stringAt(text, i)
		case c == '/':
			end := endOfToken(text, i+1)
			h.name = text[i:end]
			h.token('/', nil)
			i = end
		case isDelimiter(c):
			h.token(c, nil)
			i++
		default:
			end := endOfToken(text, i)
			h.word(text[i:end])
			switch string(text[i:end]) {
			case "ID": // the data of an inline image follow (8.9.7)
				end = h.inlineImage(text, end)
			case "Do":
				sum, err := h.paint(nameOf(h.name))
				if err != nil {
					return err
				}
				h.token('x', sum[:])
			}
			i = end
		}
	}
	return nil
}

// stringAt adds the string at index i, and returns the index of its end.
func (h *contentHasher) stringAt(text []byte, i int) int {
	o, end, err := object.Parse(text, i)
	if err != nil || end <= i {
		h.token(text[i], nil)
		return i + 1
	}
	s, _ := o.AppendString(nil)
	h.token('(', s)
	h.strings.Write(s)
	h.length += len(s)
	return end
}

// word adds a number or an operator. It rounds numbers, because tools write few digits: to two decimal places, or for
// small numbers to two significant digits.
func (h *contentHasher) word(text []byte) {
	if c := text[0]; c >= 'A' && c <= 'z' {
		h.token('w', text)
		return
	}
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
	case f != 0 && math.Abs(f) < 0.1:
		text = strconv.AppendFloat(nil, f, 'e', 1, 64)
	default:
		text = strconv.AppendFloat(nil, math.Round(f*100)/100+0, 'f', 2, 64)
	}
	h.token('w', text)
}

// nameOf returns the decoded name for a token with the slash; empty for no token.
func nameOf(token []byte) string {
	o, _, _ := object.Parse(token, 0)
	name, _ := o.Name()
	return string(name)
}

// inlineImage adds the data of an inline image, and returns the index of their end.
func (h *contentHasher) inlineImage(text []byte, i int) int {
	i = min(i+1, len(text)) // one white-space character
	for end := i; ; end++ {
		next := bytes.Index(text[end:], []byte("EI"))
		if next < 0 {
			h.token('i', text[i:])
			return len(text)
		}
		end += next
		if end > i && isSpace(text[end-1]) && (end+2 == len(text) || isSpace(text[end+2])) {
			h.token('i', text[i:end-1])
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

func isSpace(c byte) bool { return object.IsSpace(c) }

func isDelimiter(c byte) bool { return !object.IsSpace(c) && !object.IsRegular(c) }

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}
