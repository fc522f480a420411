package rule

import (
	"encoding/binary"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// How findings are kept: one after the other as bytes, in blocks of them, so that a
// million need no objects of their own and nothing is left for the garbage collector to
// look at. What several findings have in common, rule and format, stands once in a block;
// a string that a finding has twice, such as the key at its place and in its message,
// stands once in it.

// A packed is a finding in a block.
type Packed struct {
	order uint64 // of the place: if those of two findings differ, so do their places, in that order
	block *block
	at    uint32
}

// A block holds findings.
type block struct {
	bytes []byte
	kinds []kind
	long  []string
}

// A kind is what the findings of one call of Reportf have in common.
type kind struct {
	Rule   *Rule
	format string
}

const (
	firstBlock = 512      // bytes: what a few findings take
	maxBlock   = 16 << 10 // bytes
	usual      = 256      // more than most findings take: a block with less room takes no more of them
	longString = 128      // a string of so many bytes is kept, not copied: a key may be as long as a file
)

// pack adds a finding to the block. Of arguments of other types than those that
// a codec knows the message is made now.
func (c *block) pack(s *Statement) Packed {
	if s.format != "" && slices.ContainsFunc(s.Args, unknownArgument) {
		s.Args = []any{s.Message()}
		s.format = ""
	}
	p := Packed{order: s.Place.order(), block: c, at: uint32(len(c.bytes))}
	k := kind{s.Rule, s.format}
	n := slices.Index(c.kinds, k)
	if n < 0 {
		n = len(c.kinds)
		c.kinds = append(c.kinds, k)
	}
	w := codec{block: c, writes: true}
	integer(&w, &n)
	w.statement(s)
	return p
}

func (p Packed) Kind() kind {
	n, _ := binary.Varint(p.block.bytes[p.at:])
	return p.block.kinds[n]
}

// placed returns the place of a finding, and what reads the rest of it.
func (p Packed) placed() (at Place, rest codec) {
	rest = codec{block: p.block, at: int(p.at)}
	var kind int
	integer(&rest, &kind)
	rest.place(&at)
	return at, rest
}

func (p Packed) Unpack() (s Statement) {
	r := codec{block: p.block, at: int(p.at)}
	var n int
	integer(&r, &n)
	s.Rule, s.format = p.block.kinds[n].Rule, p.block.kinds[n].format
	r.statement(&s)
	return s
}

// order returns a number by which places are sorted as far as it goes: those of
// nodes by the node, the others by content set and page.
func (p Place) order() uint64 {
	upTo := func(n, bits int) uint64 { return uint64(min(max(n, 0), 1<<bits-1)) }
	first := uint64(rank(p.Tree)) << 62
	outside := rank(p.Tree) == webcapture.TreeCount
	switch {
	case p.Node != nil && outside: // no such thing is found
		return 1<<64 - 1
	case p.Node != nil:
		return first | upTo(p.Node.order+1, 24)<<38 | uint64(b2i(p.Node.Kid))<<37 | upTo(p.Node.Index+1, 37)
	case !outside:
		return first
	case p.Set.Num >= 1<<24-1:
		return first | (1<<24-1)<<38
	case p.Part != "":
		first |= 1 << 21
	}
	return first | upTo(int(p.Set.Num), 24)<<38 | uint64(p.Set.Gen)<<22 | upTo(p.Page, 21)
}

// A codec writes a finding into a block, or reads it. One description of what is
// written, that of statement, does for both.
type codec struct {
	block  *block
	writes bool
	at     int        // of what is read next
	known  [16]string // strings of the finding
	n      int        // of these
}

func (c *codec) statement(s *Statement) {
	c.place(&s.Place)
	has := s.fix != nil
	if c.bool(&has); has {
		if !c.writes {
			s.fix = new(Fix)
		}
		c.fix(s.fix)
	}
	n := len(s.Args)
	if integer(c, &n); !c.writes {
		s.Args = make([]any, n)
	}
	for i := range s.Args {
		c.argument(&s.Args[i])
	}
}

func (c *codec) place(p *Place) {
	str(c, &p.Tree)
	has := p.Node != nil
	if c.bool(&has); has {
		if !c.writes {
			p.Node = new(NodePlace)
		}
		c.ref(&p.Node.Ref)
		integer(c, &p.Node.Index)
		c.bool(&p.Node.Kid)
		integer(c, &p.Node.order)
	}
	c.ref(&p.Set)
	str(c, &p.Part)
	integer(c, &p.Page)
	c.ref(&p.Object)
	str(c, &p.Key)
	str(c, &p.ID)
}

func (c *codec) fix(f *Fix) {
	integer(c, &f.Action)
	str(c, &f.Tree)
	str(c, &f.Old)
	str(c, &f.New)
	c.ref(&f.Set)
	integer(c, &f.Index)
}

// argument is one of a message.
func (c *codec) argument(a *any) {
	var kind byte
	if c.writes {
		kind = argumentKind(*a)
	}
	integer(c, &kind)
	switch kind {
	case 's':
		as(c, a, str[string])
	case 'k':
		as(c, a, str[nametree.Key])
	case 'i':
		as(c, a, integer[int])
	case 'r':
		as(c, a, (*codec).ref)
	}
}

// as writes or reads an argument that is a T.
func as[T any](c *codec, a *any, do func(*codec, *T)) {
	v, _ := (*a).(T)
	do(c, &v)
	if !c.writes {
		*a = v
	}
}

func argumentKind(a any) byte {
	switch a.(type) {
	case string:
		return 's'
	case nametree.Key:
		return 'k'
	case int:
		return 'i'
	case object.Ref:
		return 'r'
	}
	return 0
}

func unknownArgument(a any) bool { return argumentKind(a) == 0 }

func (c *codec) bool(b *bool) {
	n := b2i(*b)
	integer(c, &n)
	*b = n > 0
}

// ref takes a byte for none, as most are.
func (c *codec) ref(r *object.Ref) {
	n := int64(r.Num)<<16 | int64(r.Gen)
	integer(c, &n)
	r.Num, r.Gen = uint32(n>>16), uint16(n)
}

func integer[T ~int | ~int64 | ~uint8](c *codec, v *T) {
	if c.writes {
		c.block.bytes = binary.AppendVarint(c.block.bytes, int64(*v))
		return
	}
	if b := c.block.bytes[c.at]; b < 0x80 { // what binary.Varint does, of most
		*v = T(int(b>>1) ^ -int(b&1))
		c.at++
		return
	}
	n, size := binary.Varint(c.block.bytes[c.at:])
	*v = T(n)
	c.at += size
}

// What stands before a string, or in its place: a number, times three, and one of these.
const (
	inline = iota // bytes follow, that many
	before        // it is the string of the finding with that number
	kept          // it is the string of the block with that number
	spellings
)

func str[T ~string](c *codec, v *T) {
	if *v == "" && c.writes {
		c.block.bytes = append(c.block.bytes, 0)
		return
	}
	if c.writes {
		c.writeString(string(*v))
	} else {
		*v = T(c.readString())
	}
}

func (c *codec) writeString(s string) {
	n := spellings*len(s) + inline
	known := slices.Index(c.known[:c.n], s)
	switch {
	case known >= 0:
		n = spellings*known + before
	case len(s) >= longString:
		n = spellings*len(c.block.long) + kept
		c.block.long = append(c.block.long, s)
	}
	integer(c, &n)
	if n%spellings == inline {
		c.block.bytes = append(c.block.bytes, s...)
	}
	if known < 0 {
		c.know(s)
	}
}

func (c *codec) readString() (s string) {
	var n int
	integer(c, &n)
	switch n, spelling := n/spellings, n%spellings; {
	case spelling == before:
		return c.known[n]
	case spelling == kept:
		s = c.block.long[n]
	case n == 0:
		return ""
	default:
		s = string(c.block.bytes[c.at : c.at+n])
		c.at += n
	}
	c.know(s)
	return s
}

// know remembers a string of the finding, of which there may be more than need be known.
func (c *codec) know(s string) {
	if c.n < len(c.known) {
		c.known[c.n] = s
		c.n++
	}
}
