package diff

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// The content of pages that content sets list. Two pages are compared in two steps, of which mostly the first does:
//
//	stored   the bytes of the content streams, as they are in the file
//	shown    the operators and operands in them; names of resources and white space do not count

// maxShownContent is in bytes: the decoded content of a page that is compared. Content of more than that is as good as
// content that cannot be read.
const maxShownContent = 32 << 20

// errLongContent reports content of more than maxShownContent bytes.
var errLongContent = &object.Malformed{Reason: "the content of the page is too long to be compared"}

// contentRefs returns the content streams of a page (table 31).
func (c *content) contentRefs(page int32) ([]object.Ref, error) {
	stored := object.MakeRef(c.pages.contents[page-1])
	if c.pages.contents[page-1].Num == 0 {
		o, err := c.r.Get(c.pages.refs[page-1])
		if err != nil {
			return nil, err
		}
		d, _ := o.Dict()
		stored = d.Lookup("Contents")
	}
	o, err := c.r.Resolve(stored)
	if err != nil {
		return nil, err
	}
	parts := []object.Object{stored}
	if list, ok := o.Array(); ok {
		parts = slices.Collect(list.All())
	}
	var refs []object.Ref
	for _, p := range parts {
		if ref, ok := p.Ref(); ok {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// storedContent returns the hash of the content of a page as it is stored.
func (c *content) storedContent(page int32) (contentHash, error) {
	refs, err := c.contentRefs(page)
	if err != nil {
		return contentHash{}, err
	}
	var b []byte
	for _, ref := range refs {
		part, err := c.hashOfStream(ref)
		if err != nil {
			return contentHash{}, err
		}
		b = append(b, part[:]...)
		if err := c.spend(elementCost); err != nil {
			return contentHash{}, err
		}
	}
	return hashOf(b), nil
}

// shownContent returns the hash of what the content of a page shows.
func (c *content) shownContent(page int32) (sum contentHash, err error) {
	refs, err := c.contentRefs(page)
	if err != nil {
		return sum, err
	}
	var text []byte
	for _, ref := range refs {
		data, err := c.r.Data(ref)
		if err != nil {
			return sum, err
		}
		part, err := io.ReadAll(io.LimitReader(data, maxShownContent+1))
		if err != nil {
			return sum, err
		}
		if text = append(append(text, part...), '\n'); len(text) > maxShownContent {
			return sum, errLongContent
		}
		if err := c.spend(elementCost + int64(len(part))); err != nil {
			return sum, err
		}
	}
	h := contentHasher{sum: sha256.New()}
	h.write(text)
	copy(sum[:], h.sum.Sum(nil))
	return sum, nil
}

// sameContent reports whether two pages show the same, or cannot be told apart.
func (c *comparison) sameContent(a, b int32) (bool, error) {
	for _, of := range []func(*content, int32) (contentHash, error){(*content).storedContent, (*content).shownContent} {
		var sums [2]contentHash
		for side, page := range []int32{a, b} {
			var err error
			if sums[side], err = of(c.of[side], page); object.IsMalformed(err) {
				return true, c.of[side].couldNotRead(rule.Place{Page: int(page)}, err)
			} else if err != nil {
				return false, c.of[side].failed(err)
			}
		}
		if sums[0] == sums[1] {
			return true, nil
		}
	}
	return false, nil
}

// contentHasher hashes the tokens of a content stream (7.8.2).
type contentHasher struct {
	sum hash.Hash
	b   []byte // scratch
}

// token adds a token of a kind.
func (h *contentHasher) token(kind byte, text []byte) {
	h.b = appendBytes(append(h.b[:0], kind), text)
	h.sum.Write(h.b)
}

// write adds all tokens of a text.
func (h *contentHasher) write(text []byte) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isSpace(c):
			i++
		case c == '%':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case c == '(', c == '<' && (i+1 == len(text) || text[i+1] != '<'):
			i = h.stringAt(text, i)
		case c == '/':
			i = endOfToken(text, i+1)
			h.token('/', nil) // tools rename resources
		case isDelimiter(c):
			h.token(c, nil)
			i++
		default:
			end := endOfToken(text, i)
			h.word(text[i:end])
			if string(text[i:end]) == "ID" { // data of an inline image follow (8.9.7)
				end = h.inlineImage(text, end)
			}
			i = end
		}
	}
}

// stringAt adds the string at i, and returns where it ends.
func (h *contentHasher) stringAt(text []byte, i int) int {
	o, end, err := object.Parse(text, i)
	if err != nil || end <= i {
		h.token(text[i], nil)
		return i + 1
	}
	s, _ := o.AppendString(nil)
	h.token('(', s)
	return end
}

// word adds a number or an operator. Tools write numbers with few digits.
func (h *contentHasher) word(text []byte) {
	if f, err := strconv.ParseFloat(string(text), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		text = strconv.AppendFloat(nil, math.Round(f*100)/100+0, 'f', 2, 64)
	}
	h.token('w', text)
}

// inlineImage adds the data of an inline image, and returns where they end.
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

// endOfToken returns where a name, number, or operator ends.
func endOfToken(text []byte, i int) int {
	for i < len(text) && !isSpace(text[i]) && !isDelimiter(text[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return bytes.IndexByte([]byte("\x00\t\n\f\r "), c) >= 0 }

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }
