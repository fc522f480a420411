package match

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"math"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

const (
	// maxContent is the maximum size in bytes of the content of a page that is read.
	maxContent = 32 << 20

	// leastText is the minimum size in bytes of text that identifies a page.
	leastText = 4
)

// errLongContent means that content has more than maxContent bytes.
var errLongContent = &object.Malformed{Reason: "the content of the page is too long to be compared"}

// Content returns the hash of a page's operators and operands, and of what they paint: data of images, and operators of
// forms. It is zero for a page without content.
func (d *Document) Content(pg *Page) Hash {
	if len(pg.Painted) == 0 {
		return pg.Operators
	}
	d.sum.Reset()
	d.sum.Write(pg.Operators[:])
	for _, ref := range pg.Painted {
		painted := d.Form(ref)
		if im := d.Image(ref); im != nil {
			painted = im.Data
		}
		d.sum.Write(painted[:])
	}
	return hashOf(d.sum)
}

// Form returns the hash of the operators and operands of a form that a page paints; zero for any other object.
func (d *Document) Form(ref object.Ref) Hash { return d.forms[ref] }

// hashOf returns the hash of what was written to h since its last Reset.
func hashOf(h hash.Hash) (out Hash) {
	var whole [sha256.Size]byte
	copy(out[:], h.Sum(whole[:0]))
	return out
}

// readContent sets Operators and Painted of a page, and reads what the page paints. XObjects count by their own
// content, not by their names, which tools change. It returns the hash of the strings.
func (d *Document) readContent(pg *Page, stored webcapture.Page) (text Hash, err error) {
	data, err := d.contentOf(stored.Dict.Lookup("Contents"))
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return text, err
	}
	t := d.tokenize(data)
	pg.Operators = hashOf(d.sum)
	if t.length >= leastText {
		text = hashOf(d.strings)
	}
	if pg.Painted, err = d.named(t.painted, stored.Resources); err != nil {
		return text, err
	}
	for _, ref := range pg.Painted {
		if err := d.readPainted(ref); err != nil {
			return text, err
		}
	}
	return text, nil
}

// contentOf returns the decoded content streams of a page as one text (table 31), which the next call overwrites.
func (d *Document) contentOf(contents object.Object) ([]byte, error) {
	d.text = d.text[:0]
	o, err := d.Reader.Resolve(contents)
	if err != nil {
		return nil, err
	}
	list, ok := o.Array()
	if !ok {
		return d.text, d.appendStream(contents)
	}
	for part := range list.All() {
		if err := d.appendStream(part); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// appendStream appends the decoded data of a stream and a line end to d.text.
func (d *Document) appendStream(o object.Object) error {
	ref, ok := o.Ref()
	if !ok {
		return nil
	}
	data, err := d.Reader.Data(ref)
	if err != nil {
		return err
	}
	b := bytes.NewBuffer(d.text)
	n, err := b.ReadFrom(io.LimitReader(data, maxContent+1))
	b.WriteByte('\n')
	if d.text = b.Bytes(); err != nil {
		return err
	}
	if len(d.text) > maxContent {
		return errLongContent
	}
	d.extra += n
	return d.Spend(1)
}

// named returns the XObjects with names, which are tokens with a slash.
func (d *Document) named(names [][]byte, resources object.Object) ([]object.Ref, error) {
	if len(names) == 0 {
		return nil, nil
	}
	o, err := d.Reader.Resolve(resources)
	if err != nil {
		return nil, err
	}
	dict, _ := o.Dict()
	if o, err = d.Reader.Resolve(dict.Lookup("XObject")); err != nil {
		return nil, err
	}
	dict, _ = o.Dict()
	d.extra += int64(len(dict.Raw())) // pages may share resources
	xobjects := map[string]object.Ref{}
	for name, x := range dict.All() {
		xobjects[string(name)], _ = x.Ref()
	}
	refs := make([]object.Ref, len(names))
	for i, token := range names {
		o, _, _ := object.Parse(token, 0)
		name, _ := o.Name()
		refs[i] = xobjects[string(name)]
	}
	return refs, d.Spend(len(names))
}

// readPainted reads an image or a form that a page paints. Forms within the form count as any form: their names may
// have changed.
func (d *Document) readPainted(ref object.Ref) error {
	if _, known := d.forms[ref]; known || ref.Num == 0 {
		return nil
	}
	noted := len(d.Unread)
	if im, err := d.readImage(ref); im != nil || err != nil || len(d.Unread) > noted {
		return err
	}
	d.forms[ref] = Hash{}
	text, err := d.contentOf(object.MakeRef(ref))
	if err == nil && len(text) > 0 {
		d.tokenize(text)
		d.forms[ref] = hashOf(d.sum)
	}
	return d.note(rule.Place{Object: ref}, err)
}

// tokenize writes the tokens of a content stream to d.sum, and its strings to d.strings.
func (d *Document) tokenize(text []byte) *tokenizer {
	t := &tokenizer{all: d.sum, strings: d.strings, pending: d.pending[:0]}
	t.all.Reset()
	t.strings.Reset()
	t.read(text)
	t.all.Write(t.pending)
	d.pending = t.pending
	return t
}

// tokenizer hashes the tokens of a content stream (7.8.2), and the strings in it.
type tokenizer struct {
	all, strings hash.Hash
	pending      []byte   // tokens that are not in all yet
	length       int      // of all strings
	name         []byte   // last name, with the slash
	painted      [][]byte // names that Do paints
}

// token adds a token of a kind to the hash.
func (t *tokenizer) token(kind byte, text []byte) {
	t.pending = appendBytes(append(t.pending, kind), text)
	if len(t.pending) > 4<<10 {
		t.all.Write(t.pending)
		t.pending = t.pending[:0]
	}
}

// read adds all tokens of a content stream.
func (t *tokenizer) read(text []byte) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isSpace(c):
			i++
		case c == '%':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case bytes.HasPrefix(text[i:], []byte("<<")):
			t.token(c, text[i:i+2])
			i += 2
		case c == '(', c == '<':
			i = t.stringAt(text, i)
		case c == '/':
			end := endOfToken(text, i+1)
			t.name = text[i:end]
			t.token('/', nil)
			i = end
		case isDelimiter(c):
			t.token(c, nil)
			i++
		default:
			end := endOfToken(text, i)
			t.word(text[i:end])
			switch string(text[i:end]) {
			case "ID": // the data of an inline image follow (8.9.7)
				end = t.inlineImage(text, end)
			case "Do":
				t.painted = append(t.painted, t.name)
			}
			i = end
		}
	}
}

// stringAt adds the string at index i, and returns the index of its end.
func (t *tokenizer) stringAt(text []byte, i int) int {
	o, end, err := object.Parse(text, i)
	if err != nil || end <= i {
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

// inlineImage adds the data of an inline image, and returns the index of their end.
func (t *tokenizer) inlineImage(text []byte, i int) int {
	i = min(i+1, len(text)) // one white-space character
	for end := i; ; end++ {
		next := bytes.Index(text[end:], []byte("EI"))
		if next < 0 {
			t.token('i', text[i:])
			return len(text)
		}
		end += next
		if end > i && isSpace(text[end-1]) && (end+2 == len(text) || isSpace(text[end+2])) {
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

func isSpace(c byte) bool { return object.IsSpace(c) }

func isDelimiter(c byte) bool { return !object.IsSpace(c) && !object.IsRegular(c) }

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}
