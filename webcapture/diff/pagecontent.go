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

// This file compares the content of pages in content sets. There are two steps, and the first is mostly enough:
//
//	stored   the bytes of the content streams, as they are in the file
//	shown    the operators and operands in them; names of resources and white space do not count
//
// If two pages have the same content, the images that the content paints are compared too.

// maxPageDepth is the maximum number of nodes from a page to the root of the page tree.
const maxPageDepth = 64

// errLongContent means that content has more than maxShownContent bytes.
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

// storedContent returns the hash of a page's content streams as stored.
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

// shownContent returns the hash of the operators and operands in a page's content.
func (c *content) shownContent(page int32) (sum contentHash, err error) {
	text, err := c.contentText(page)
	if err != nil {
		return sum, err
	}
	h := contentHasher{sum: sha256.New()}
	h.write(text)
	copy(sum[:], h.sum.Sum(nil))
	return sum, nil
}

// contentText returns the decoded content streams of a page as one text.
func (c *content) contentText(page int32) (text []byte, err error) {
	refs, err := c.contentRefs(page)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		data, err := c.r.Data(ref)
		if err != nil {
			return nil, err
		}
		part, err := io.ReadAll(io.LimitReader(data, maxShownContent+1))
		if err != nil {
			return nil, err
		}
		if text = append(append(text, part...), '\n'); len(text) > maxShownContent {
			return nil, errLongContent
		}
		if err := c.spend(elementCost + int64(len(part))); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// sameContent reports whether two pages show the same. It returns true for pages that cannot be compared.
func (c *comparison) sameContent(a, b int32) (bool, error) {
	for _, of := range []func(*content, int32) (contentHash, error){(*content).storedContent, (*content).shownContent} {
		var sums [2]contentHash
		for side, page := range []int32{a, b} {
			var err error
			if sums[side], err = of(c.of[side], page); object.IsMalformed(err) {
				c.of[side].unreadPage(page, err)
				return true, nil
			} else if err != nil {
				return false, c.of[side].failed(err)
			}
		}
		if sums[0] == sums[1] {
			return c.samePainted(a, b)
		}
	}
	return false, nil
}

// unreadPage records that a page cannot be compared.
func (c *content) unreadPage(page int32, err error) {
	c.report.Unread = append(c.report.Unread, rule.Unread{Place: rule.Place{Page: int(page)}, Err: err})
}

// samePainted reports whether two pages paint the same images. Their contents are equal except for names of resources.
func (c *comparison) samePainted(a, b int32) (bool, error) {
	var images [2][]object.Ref
	for side, page := range []int32{a, b} {
		var err error
		if images[side], err = c.of[side].painted(page); object.IsMalformed(err) {
			c.of[side].unreadPage(page, err)
			return true, nil
		} else if err != nil {
			return false, c.of[side].failed(err)
		}
	}
	for i := range min(len(images[0]), len(images[1])) {
		pair := [2]object.Ref{images[0][i], images[1][i]}
		same, known := c.painted[pair]
		if !known {
			var err error
			if same, err = c.sameXObject(pair); err != nil {
				return false, err
			}
			c.painted[pair] = same
		}
		if !same {
			return false, nil
		}
	}
	return true, nil
}

// sameXObject reports whether two XObjects are the same image. It returns true if either is not an image, or is
// unreadable.
func (c *comparison) sameXObject(pair [2]object.Ref) (bool, error) {
	var x [2]nonPage
	for side, ref := range pair {
		var err error
		if x[side], err = c.of[side].readNonPage(ref); object.IsMalformed(err) {
			return true, nil
		} else if err != nil {
			return false, c.of[side].failed(err)
		}
	}
	if !x[0].isImage || !x[1].isImage {
		return true, nil
	}
	return c.sameObject(&x[0], &x[1])
}

// painted returns the XObjects that the content of a page paints with the operator Do (8.8), in order. The number is 0
// for an XObject that is not indirect.
func (c *content) painted(page int32) ([]object.Ref, error) {
	resources, err := c.resourcesOf(page)
	if err != nil {
		return nil, err
	}
	o, err := c.lookup(resources, "XObject")
	if err != nil {
		return nil, err
	}
	xobjects, ok := o.Dict()
	if !ok {
		return nil, nil
	}
	text, err := c.contentText(page)
	if err != nil {
		return nil, err
	}
	h := contentHasher{sum: sha256.New()}
	h.write(text)
	var refs []object.Ref
	for _, name := range h.painted {
		ref, _ := xobjects.Lookup(name).Ref()
		refs = append(refs, ref)
	}
	return refs, nil
}

// resourcesOf returns the resources of a page, which it may inherit (7.7.3.4).
func (c *content) resourcesOf(page int32) (object.Dict, error) {
	return c.resourcesAt(object.MakeRef(c.pages.refs[page-1]), 0)
}

// resourcesAt returns the resources of a node of the page tree; depth is its distance from the page. It caches the
// result for nodes above pages, because they may have many kids.
func (c *content) resourcesAt(node object.Object, depth int) (resources object.Dict, err error) {
	ref, _ := node.Ref()
	if known, ok := c.inherited[ref]; ok {
		return known, nil
	}
	o, err := c.r.Resolve(node)
	if err != nil {
		return resources, err
	}
	d, _ := o.Dict()
	if o, err = c.lookup(d, "Resources"); err != nil {
		return resources, err
	}
	resources, ok := o.Dict()
	if parent := d.Lookup("Parent"); !ok && !parent.IsNull() && depth < maxPageDepth {
		if resources, err = c.resourcesAt(parent, depth+1); err != nil {
			return resources, err
		}
	}
	if depth > 0 && ref.Num != 0 {
		c.inherited[ref] = resources
	}
	return resources, nil
}

// contentHasher hashes the tokens of a content stream (7.8.2).
type contentHasher struct {
	sum     hash.Hash
	b       []byte // scratch
	name    string // last name, without the slash
	painted []string
}

// token adds a token of a kind to the hash.
func (h *contentHasher) token(kind byte, text []byte) {
	h.b = appendBytes(append(h.b[:0], kind), text)
	h.sum.Write(h.b)
}

// write adds all tokens of a content stream.
func (h *contentHasher) write(text []byte) {
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
			h.name = nameOf(text[i:end])
			h.token('/', nil) // tools rename resources
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
				h.painted = append(h.painted, h.name)
			}
			i = end
		}
	}
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
	return end
}

// word adds a number or an operator. It rounds numbers, because tools write few digits: to two decimal places, or for
// small numbers to two significant digits.
func (h *contentHasher) word(text []byte) {
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

// nameOf returns the decoded name for a token with the slash.
func nameOf(text []byte) string {
	o, _, _ := object.Parse(text, 0) // every token with a slash is a name
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
	for i < len(text) && !isSpace(text[i]) && !isDelimiter(text[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return bytes.IndexByte([]byte("\x00\t\n\f\r "), c) >= 0 }

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }
