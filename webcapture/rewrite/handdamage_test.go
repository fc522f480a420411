package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// handmade is a content database whose trees are taken apart, damaged, and put together
// in some other shape.
type handmade struct {
	r     *rand.Rand
	doc   *webcapturetest.Document
	pairs [webcapture.TreeCount][][2]string // text of key and value
	roots [webcapture.TreeCount]int
	done  []string
}

// newHandmade takes a database apart.
func newHandmade(t *testing.T, r *rand.Rand) *handmade {
	t.Helper()
	h := &handmade{r: r, doc: webcapturetest.Sets(2+r.IntN(40), webcapturetest.Options{
		Leaf: 4 + r.IntN(8), Images: r.IntN(4), Mirrors: r.IntN(4), IndirectKeys: r.IntN(2) == 0,
	})}
	db, err := opened(t, h.doc.Bytes(webcapturetest.Layout{}), Options{}).Database()
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range db.Trees() {
		root, _ := tree.Root.Ref()
		h.roots[tree.Name] = int(root.Num)
		for _, e := range tree.Entries() {
			h.pairs[tree.Name] = append(h.pairs[tree.Name],
				[2]string{literal(string(e.Key)), string(e.Value.Append(nil))})
		}
	}
	return h
}

func literal(s string) string { return string(object.AppendString(nil, []byte(s))) }

// some returns the pairs of a random tree, and the index of one. If the tree has none, it adds a pair.
func (h *handmade) some() (list *[][2]string, i int) {
	list = &h.pairs[h.r.IntN(len(h.pairs))]
	if len(*list) == 0 {
		*list = append(*list, [2]string{"(http://nothing.example/)", "null"})
	}
	return list, h.r.IntN(len(*list))
}

// transcodings are six ways in which tools write a key that they take for text in Latin-1 or PDFDocEncoding.
var transcodings = []func(string) string{
	func(s string) string { return string(latin1(s)) },
	func(s string) string { return "\xef\xbb\xbf" + string(latin1(s)) },
	func(s string) string { return "\xfe\xff" + units(s, 0, 8) },
	func(s string) string { return "\xff\xfe" + units(s, 8, 0) },
	func(s string) string { return units(s, 0, 8) },
	func(s string) string {
		var text []rune
		for _, c := range []byte(s) {
			r, ok := object.PDFDocRune(c)
			if !ok {
				r = '\uFFFD'
			}
			text = append(text, r)
		}
		return string(text)
	},
}

func latin1(s string) (text []rune) {
	for _, c := range []byte(s) {
		text = append(text, rune(c))
	}
	return text
}

// units returns s as UTF-16. first and second select the bytes of each unit: 0 for the high byte, 8 for the low one.
func units(s string, first, second int) string {
	var b []byte
	for _, u := range utf16.Encode(latin1(s)) {
		b = append(b, byte(u>>(8-first)), byte(u>>(8-second)))
	}
	return string(b)
}

// handDamages are kinds of damage as by manual changes.
var handDamages = []struct {
	name string
	do   func(h *handmade)
}{
	{"a key is deleted", func(h *handmade) {
		list, i := h.some()
		*list = append((*list)[:i:i], (*list)[i+1:]...)
	}},
	{"values are swapped", func(h *handmade) {
		list, i := h.some()
		k := h.r.IntN(len(*list))
		(*list)[i][1], (*list)[k][1] = (*list)[k][1], (*list)[i][1]
	}},
	{"an entry is doubled", func(h *handmade) {
		list, i := h.some()
		*list = append(*list, (*list)[i])
	}},
	{"a key is that of another", func(h *handmade) {
		list, i := h.some()
		(*list)[i][0] = (*list)[h.r.IntN(len(*list))][0]
	}},
	{"a key is transcoded", func(h *handmade) {
		list, i := h.some()
		(*list)[i][0] = h.transcoded((*list)[i][0], transcodings[h.r.IntN(len(transcodings))])
	}},
	{"all keys of a tree are transcoded", func(h *handmade) {
		list, _ := h.some()
		how := transcodings[h.r.IntN(len(transcodings))]
		for i := range *list {
			(*list)[i][0] = h.transcoded((*list)[i][0], how)
		}
	}},
	{"a set stands in the tree", func(h *handmade) {
		list, i := h.some()
		if body := h.setAt((*list)[i][1]); body != "" {
			(*list)[i][1] = body
		}
	}},
	{"a member is null", func(h *handmade) {
		_, i := h.some()
		list := h.pairs[webcapture.IDS]
		if len(list) == 0 {
			return
		}
		var num int
		if fmt.Sscanf(list[i%len(list)][1], "%d 0 R", &num); num > 0 {
			h.doc.Set(num, strings.Replace(h.doc.Body(num), "/O[", "/O[null ", 1))
		}
	}},
	{"a value is null", func(h *handmade) {
		list, i := h.some()
		(*list)[i][1] = "null"
	}},
	{"a tree is not sorted", func(h *handmade) {
		list, _ := h.some()
		h.r.Shuffle(len(*list), func(i, k int) { (*list)[i], (*list)[k] = (*list)[k], (*list)[i] })
	}},
}

// setAt returns the text of the content set that a value refers to; empty if it refers
// to none.
func (h *handmade) setAt(value string) string {
	var num int
	if n, _ := fmt.Sscanf(value, "%d 0 R", &num); n == 0 {
		return ""
	}
	if body := h.doc.Body(num); strings.Contains(body, "/S/S") {
		return body
	}
	return ""
}

func (h *handmade) transcoded(text string, how func(string) string) string {
	o, _, err := object.Parse([]byte(text), 0)
	b, ok := o.AppendString(nil)
	if err != nil || !ok {
		return text
	}
	return literal(how(string(b)))
}

// damage does one to five random kinds of damage.
func (h *handmade) damage() {
	for range 1 + h.r.IntN(5) {
		d := handDamages[h.r.IntN(len(handDamages))]
		d.do(h)
		h.done = append(h.done, d.name)
	}
}

// bytes writes the trees again, with nodes of random sizes, and returns the file. Some Limits may be wrong.
func (h *handmade) bytes() []byte {
	for name, pairs := range h.pairs {
		size, fan := 1+h.r.IntN(8), 2+h.r.IntN(3)
		wrong := h.r.IntN(4) == 0
		var nodes []string
		for len(pairs) > 0 {
			n := min(size, len(pairs))
			var b strings.Builder
			fmt.Fprintf(&b, "<</Limits[%s %s]/Names[", h.limit(pairs[0][0], wrong), h.limit(pairs[n-1][0], wrong))
			for _, p := range pairs[:n] {
				fmt.Fprintf(&b, "%s %s\n", p[0], p[1])
			}
			nodes = append(nodes, b.String()+"]>>")
			pairs = pairs[n:]
		}
		for len(nodes) > fan {
			var above []string
			for len(nodes) > 0 {
				n := min(fan, len(nodes))
				above = append(above, fmt.Sprintf("<</Limits[%s %s]/Kids[%s]>>", first(nodes[0]), last(nodes[n-1]),
					h.added(nodes[:n])))
				nodes = nodes[n:]
			}
			nodes = above
		}
		h.doc.Set(h.roots[name], "<</Kids["+h.added(nodes)+"]>>")
	}
	return h.doc.Bytes(webcapturetest.Layout{})
}

// limit returns key or, sometimes if wrong is set, another key.
func (h *handmade) limit(key string, wrong bool) string {
	if wrong && h.r.IntN(3) == 0 {
		return "(m)"
	}
	return key
}

// added adds nodes as objects, and returns references to them.
func (h *handmade) added(nodes []string) string {
	var refs []string
	for _, n := range nodes {
		refs = append(refs, fmt.Sprintf("%d 0 R", h.doc.Add(n)))
	}
	return strings.Join(refs, " ")
}

// first and last return the first and the last key in Limits of a node.
func first(node string) string { return limitOf(node, 0) }
func last(node string) string  { return limitOf(node, 1) }

func limitOf(node string, which int) string {
	o, _, _ := object.Parse([]byte(node), 0)
	d, _ := o.Dict()
	list, _ := d.Lookup("Limits").Array()
	i := 0
	for e := range list.All() {
		if i == which {
			return string(e.Append(nil))
		}
		i++
	}
	return "()"
}

// TestHandDamage: for databases with random damage, no plan is rejected, no error or warning is new, a second plan
// is empty, and no content set is lost.
func TestHandDamage(t *testing.T) {
	step := 10
	if webcapturetest.All() {
		step = 1
	}
	tried, equal := 0, 0
	for seed := 0; seed < 500; seed += step {
		h := newHandmade(t, rand.New(rand.NewPCG(uint64(seed), 17)))
		whole := h.doc.Bytes(webcapturetest.Layout{})
		h.damage()
		data := h.bytes()
		p := planOf(t, data, Options{})
		out := written(t, p)
		file := opened(t, out, Options{})
		if !p.Empty() {
			if _, err := p.verifyFile(file); err != nil {
				t.Errorf("seed %d, %q: refused: %v", seed, h.done, err)
			}
		}
		if tried++; differences(t, whole, out) == "" {
			equal++
		}
		again, err := NewPlan(t.Context(), file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !again.Empty() {
			t.Errorf("seed %d, %q: left for a second time: %v", seed, h.done, again.Steps)
		}
		before, after := faultsFound(t, data), faultsFound(t, out)
		for id, n := range after {
			t.Run(id, func(t *testing.T) {
				if r, _ := audit.Lookup(id); n > before[id] && !mayFollow(r, actionsOf(p.Steps)) {
					t.Errorf("seed %d, %q: %s is found %d times, before %d times; steps: %v", seed, h.done, id, n,
						before[id], p.Steps)
				}
			})
		}
		reached := reachedByText(out)
		for set := range reachedByText(data) {
			if !reached[set] {
				t.Errorf("seed %d, %q: %s is not reached any more; steps: %v", seed, h.done, set, p.Steps)
			}
		}
	}
	// The others have exchanged or doubled entries: both keys and sets are valid, so both stay.
	if equal*100 < tried*55 {
		t.Errorf("%d of %d databases became what they were, too few", equal, tried)
	}
}
