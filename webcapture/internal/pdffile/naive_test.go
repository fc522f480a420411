package pdffile_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A naive search is the reference for damaged files: every "n g obj" in the order
// of the file, every object stream that inflates, no cross-reference data.
type naive struct {
	objects map[uint32]object.Object
	at      map[uint32]int // offset of each object, or of the object stream that contains it
}

var naiveNumbers = regexp.MustCompile(`([1-9][0-9]{0,6})\s+[0-9]{1,5}\s+$`)

// naiveEntries returns how many entries the trees URLS and IDS of the last catalog
// in the file have.
func naiveEntries(data []byte) (entries [2]int) {
	n := naive{objects: map[uint32]object.Object{}, at: map[uint32]int{}}
	for at := 0; ; at += len("obj") {
		i := bytes.Index(data[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i
		m := naiveNumbers.FindSubmatch(data[max(0, at-24):at])
		if m == nil {
			continue
		}
		num, _ := strconv.Atoi(string(m[1]))
		o, end, err := object.Parse(data, at+len("obj"))
		if err != nil {
			continue
		}
		n.put(uint32(num), o, at)
		if d, _ := o.Dict(); o.Kind() == object.Stream && d.Lookup("Type").IsName("ObjStm") {
			n.members(d, data[end:], at)
		}
	}
	for i, tree := range []string{"URLS", "IDS"} {
		names, _ := n.dict(n.catalog().Lookup("Names"))
		entries[i] = n.count(names.Lookup(tree), map[uint32]bool{})
	}
	return entries
}

func (n *naive) put(num uint32, o object.Object, at int) { n.objects[num], n.at[num] = o, at }

// members adds the members of an object stream, as far as its data can be inflated.
func (n *naive) members(d object.Dict, data []byte, at int) {
	data = bytes.TrimPrefix(bytes.TrimLeft(data, " \r\n"), []byte("stream"))
	z, err := zlib.NewReader(bytes.NewReader(bytes.TrimLeft(data, "\r\n")))
	if err != nil {
		return // another filter, or encrypted
	}
	body, _ := io.ReadAll(z)
	first, _ := d.Lookup("First").Int()
	fields := bytes.Fields(body[:min(int(first), len(body))])
	for i := 0; i+1 < len(fields); i += 2 {
		num, _ := strconv.Atoi(string(fields[i]))
		offset, _ := strconv.Atoi(string(fields[i+1]))
		if start := int(first) + offset; start < len(body) {
			if o, _, err := object.Parse(body, start); err == nil {
				n.put(uint32(num), o, at)
			}
		}
	}
}

// catalog returns the last catalog in the file.
func (n *naive) catalog() (last object.Dict) {
	best := -1
	for num, o := range n.objects {
		if d, ok := o.Dict(); ok && d.Lookup("Type").IsName("Catalog") && n.at[num] > best {
			best, last = n.at[num], d
		}
	}
	return last
}

func (n *naive) dict(o object.Object) (object.Dict, bool) { return n.resolve(o).Dict() }

func (n *naive) resolve(o object.Object) object.Object {
	for range 8 {
		ref, ok := o.Ref()
		if !ok {
			return o
		}
		o = n.objects[ref.Num]
	}
	return object.Object{}
}

// count counts the pairs whose key is a string below a node.
func (n *naive) count(node object.Object, seen map[uint32]bool) (pairs int) {
	if ref, ok := node.Ref(); ok {
		if seen[ref.Num] {
			return 0
		}
		seen[ref.Num] = true
	}
	d, _ := n.dict(node)
	names, _ := n.resolve(d.Lookup("Names")).Array()
	i := 0
	for o := range names.All() {
		if i%2 == 0 && i+1 < names.Len() && n.resolve(o).Kind() == object.String {
			pairs++
		}
		i++
	}
	kids, _ := n.resolve(d.Lookup("Kids")).Array()
	for kid := range kids.All() {
		pairs += n.count(kid, seen)
	}
	return pairs
}
