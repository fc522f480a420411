// Package audittest damages content databases, to test audits and repairs.
//
//	for _, b := range audittest.Bases(t) {
//		for _, op := range audittest.Mutations {
//			if data, ok := b.Break(op); ok { … }
//		}
//	}
package audittest

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Mutation violates one invariant of a database.
type Mutation struct {
	Rule   string             // ID of the rule that must find the damage
	Name   string             // description of the change
	mutate func(*mutant) bool // returns false if it does not apply
}

// mutant is a document as text of numbered objects, for mutations to edit.
type mutant struct {
	objects map[int]string
	streams map[int][]byte // data of objects that are streams
	root    int
	version string // PDF version of the header; empty for the default
}

func (m *mutant) clone() *mutant {
	c := *m
	c.objects = maps.Clone(m.objects)
	return &c
}

func (m *mutant) encode() []byte {
	d := &webcapturetest.Document{Root: m.root}
	for _, n := range slices.Sorted(maps.Keys(m.objects)) {
		if data, ok := m.streams[n]; ok {
			d.SetStream(n, m.objects[n], data)
		} else {
			d.Set(n, m.objects[n])
		}
	}
	return d.Bytes(webcapturetest.Layout{Version: m.version})
}

// add adds an object with text, and returns a reference to it.
func (m *mutant) add(text string) string {
	n := 1
	for k := range m.objects {
		n = max(n, k+1)
	}
	m.objects[n] = text
	return fmt.Sprintf("%d 0 R", n)
}

// name returns a PDF name as text.
func name(k []byte) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, c := range k {
		if object.IsRegular(c) && c != '#' && c > ' ' && c < 127 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%02x", c)
		}
	}
	return b.String()
}

func parse(text string) object.Object {
	o, _, err := object.Parse([]byte(text), 0)
	if err != nil {
		panic(fmt.Sprintf("%v: %s", err, text))
	}
	return o
}

func raw(o object.Object) string {
	if o.IsNull() {
		return "null"
	}
	return string(o.Raw())
}

// edit returns text with the value at path replaced; with "", it is removed. The elements of path are keys of
// dictionaries and indexes of arrays. The index -1 appends an element.
func edit(text string, path []any, to string) string {
	if len(path) == 0 {
		return to
	}
	o := parse(text)
	var b strings.Builder
	if key, ok := path[0].(string); ok {
		d, _ := o.Dict()
		b.WriteString("<<")
		found := false
		for k, v := range d.All() {
			t := raw(v)
			if string(k) == key {
				found = true
				if t = edit(t, path[1:], to); t == "" {
					continue
				}
			}
			b.WriteString(name(k) + " " + t + "\n")
		}
		if !found && len(path) == 1 && to != "" {
			b.WriteString("/" + key + " " + to)
		}
		return b.String() + ">>"
	}
	l, _ := o.Array()
	b.WriteString("[")
	i := 0
	for v := range l.All() {
		t := raw(v)
		if i == path[0].(int) {
			t = edit(t, path[1:], to)
		}
		b.WriteString(t + " ")
		i++
	}
	if path[0].(int) < 0 {
		b.WriteString(to)
	}
	return b.String() + "]"
}

// position is the place of a value in a mutant: path leads to the value inside the object num. If num is 0, the
// position is invalid.
type position struct {
	m    *mutant
	num  int
	path []any
}

func (s position) ok() bool { return s.num != 0 }

// stored returns the value at s, without resolving a reference.
func (s position) stored() object.Object {
	if !s.ok() || s.m.objects[s.num] == "" {
		return object.Object{}
	}
	o := parse(s.m.objects[s.num])
	for _, p := range s.path {
		if key, ok := p.(string); ok {
			d, _ := o.Dict()
			o = d.Lookup(key)
			continue
		}
		l, _ := o.Array()
		i := 0
		o = object.Object{}
		for v := range l.All() {
			if i == p.(int) {
				o = v
			}
			i++
		}
	}
	return o
}

// there returns the position of the object to which s refers.
func (s position) there() position {
	for range 10 {
		ref, ok := s.stored().Ref()
		if !ok {
			return s
		}
		s = position{s.m, int(ref.Num), nil}
	}
	return position{}
}

func (s position) value() object.Object { return s.there().stored() }

// text returns the value at s as text, without resolving a reference.
func (s position) text() string { return raw(s.stored()) }

// at returns the position of an entry or element of s. The path may lead through references into other objects.
func (s position) at(path ...any) position {
	for _, p := range path {
		if s = s.there(); !s.ok() {
			return s
		}
		s.path = append(slices.Clone(s.path), p)
	}
	return s
}

// has reports whether an entry or element exists at a path from s.
func (s position) has(path ...any) bool { return s.ok() && !s.at(path...).value().IsNull() }

// put replaces the value at s, even if it is a reference; "" removes it.
func (s position) put(text string) bool {
	if !s.ok() || s.m.objects[s.num] == "" {
		return false
	}
	s.m.objects[s.num] = edit(s.m.objects[s.num], s.path, text)
	return true
}

// set replaces an entry.
func (s position) set(key, text string) bool { return s.ok() && s.at(key).put(text) }

// push appends to the array in an entry. If the entry is missing, push creates the array.
func (s position) push(key, text string) bool {
	if !s.ok() {
		return false
	}
	if !s.has(key) {
		return s.set(key, "["+text+"]")
	}
	if _, ok := s.at(key).value().Array(); !ok {
		return false
	}
	return s.at(key, -1).put(text)
}

// length returns the number of elements.
func (s position) length() int {
	l, _ := s.value().Array()
	return l.Len()
}

// bytes returns the bytes of a string.
func (s position) bytes() []byte {
	b, _ := s.value().AppendString(nil)
	return b
}

// reference returns a reference to the value's object. For a direct value, it adds an object with a copy.
func (s position) reference() string {
	if s = s.there(); len(s.path) > 0 {
		return s.m.add(s.text())
	}
	return fmt.Sprintf("%d 0 R", s.num)
}

func (m *mutant) catalog() position { return position{m, m.root, nil} }

func (m *mutant) tree(tree string) position {
	if s := m.catalog().at("Names", tree); s.has() {
		return s
	}
	return position{}
}

// leaf returns the first node of a tree whose Names has a value.
func (m *mutant) leaf(tree string) position { return leafBelow(m.tree(tree), 20) }

func leafBelow(s position, depth int) position {
	if s.ok() && s.has("Names", 1) {
		return s.there()
	}
	if s.ok() && depth > 0 {
		for i := range s.at("Kids").length() {
			if l := leafBelow(s.at("Kids", i), depth-1); l.ok() {
				return l
			}
		}
	}
	return position{}
}

// kid is like leaf, for a node below the root. A tree with only a root becomes a tree of two nodes.
func (m *mutant) kid(tree string) position {
	root, l := m.tree(tree).there(), m.leaf(tree)
	if !l.ok() || l.num != root.num || !slices.Equal(l.path, root.path) {
		return l
	}
	n := l.at("Names").length() / 2 * 2
	node := m.add(fmt.Sprintf("<</Limits[%s %s]/Names %s>>", raw(l.at("Names", 0).value()), raw(l.at("Names", n-2).value()), l.at("Names").text()))
	root.put("<</Kids[" + node + "]>>")
	return m.leaf(tree)
}

// sets returns the content sets of a subtype in the trees.
func (m *mutant) sets(subtype string) []position {
	var all []position
	seen := map[int]bool{}
	var walk func(node position, depth int)
	take := func(s position) {
		if s = s.there(); s.has("S") && len(s.path) == 0 && !seen[s.num] && s.at("S").value().IsName(subtype) {
			seen[s.num] = true
			all = append(all, s)
		}
	}
	walk = func(node position, depth int) {
		for i := 1; i < node.at("Names").length(); i += 2 {
			v := node.at("Names", i)
			for j := range v.length() {
				take(v.at(j))
			}
			take(v)
		}
		for i := range node.at("Kids").length() {
			if depth > 0 {
				walk(node.at("Kids", i), depth-1)
			}
		}
	}
	for _, tree := range []string{"IDS", "URLS"} {
		if t := m.tree(tree); t.ok() {
			walk(t, 20)
		}
	}
	return all
}

func first(list []position) position {
	if len(list) == 0 {
		return position{}
	}
	return list[0]
}

func (m *mutant) pageSet() position  { return first(m.sets("SPS")) }
func (m *mutant) imageSet() position { return first(m.sets("SIS")) }

// source returns the first source of a content set.
func source(set position) position {
	switch {
	case !set.has("SI"):
		return position{}
	case set.has("SI", 0):
		return set.at("SI", 0).there()
	}
	return set.at("SI").there()
}

// page returns the first page of the first page set.
func (m *mutant) page() position {
	if s := m.pageSet(); s.has("O", 0) {
		return s.at("O", 0).there()
	}
	return position{}
}

// command returns a command of the document. It adds one if there is none.
func (m *mutant) command() position {
	info := m.catalog().at("SpiderInfo")
	if !info.has() {
		return position{}
	}
	if !info.has("C", 0) && !info.push("C", m.add("<</URL (http://www.example.org/index.html?a=1)>>")) {
		return position{}
	}
	return info.at("C", 0).there()
}

// separate makes direct arrays among the values of both trees indirect, as Acrobat writes them. webcapturetest writes
// them into the tree (WC121).
func (m *mutant) separate() {
	for num := range maps.Clone(m.objects) {
		names := position{m, num, nil}.at("Names")
		for i := 1; i < names.length(); i += 2 {
			if _, ok := names.at(i).stored().Array(); ok {
				names.at(i).put(m.add(names.at(i).text()))
			}
		}
	}
}

// Password is the password of the encrypted files in the corpus.
const Password = "1234"

// Base is a document to mutate.
type Base struct {
	Name      string
	Path      string // path of its file; empty if it was generated
	Generated bool   // not from a file
	*mutant
}

// Encode returns the document as a file.
func (b *Base) Encode() []byte { return b.encode() }

// Break returns the document with one invariant violated; false if the mutation does not apply.
func (b *Base) Break(m Mutation) (data []byte, ok bool) {
	broken, ok := b.Broken(m)
	if !ok {
		return nil, false
	}
	return broken.Encode(), true
}

// Broken is like Break, for callers that make further changes.
func (b *Base) Broken(m Mutation) (*Base, bool) {
	broken := *b
	broken.mutant = b.clone()
	return &broken, m.mutate(broken.mutant)
}

// Neutral yields the document with each of the harmless changes that mutations make before they violate a rule.
func (b *Base) Neutral(yield func([]byte) bool) {
	for _, change := range neutrals {
		if c := b.clone(); change(c) && !yield(c.encode()) {
			return
		}
	}
}

// Bases returns the documents to mutate: generated ones, and those of the corpus if it exists.
func Bases(t testing.TB) []Base {
	return append(Generated(t), Real(t, webcapturetest.Corpus("real"))...)
}

// Real returns the documents in the files of paths that have a content database.
func Real(t testing.TB, paths []string) []Base {
	var list []Base
	for _, path := range paths {
		f, err := webcapture.Open(context.Background(), path, webcapture.Options{Passwords: []string{Password}})
		if err != nil {
			t.Logf("%s: %v", filepath.Base(path), err)
			continue
		}
		m, err := extract(f)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		} else {
			list = append(list, Base{Name: filepath.Base(path), Path: path, mutant: m})
		}
		f.Close()
	}
	return list
}

// Generated returns the generated documents.
func Generated(t testing.TB) []Base {
	var list []Base
	made := map[string]webcapturetest.Options{
		"flat":     {},
		"indirect": {IndirectKeys: true, LiteralIDs: true, Images: 2},
		"leaves":   {Leaf: 3, Images: 3, Commands: 2},
		"all":      {IndirectKeys: true, Leaf: 4, Images: 2, Shared: 3, Mirrors: 4, Aliases: 2, Commands: 3},
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		f, err := webcapture.New(context.Background(),
			webcapturetest.Sets(12, made[name]).Bytes(webcapturetest.Layout{}), webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := extract(f)
		if err != nil {
			t.Fatal(err)
		}
		m.separate()
		list = append(list, Base{Name: name, Generated: true, mutant: m})
		f.Close()
	}
	return list
}

// stream makes an added object a stream.
func (m *mutant) stream(ref string) {
	var n int
	fmt.Sscan(ref, &n)
	streams := map[int][]byte{n: []byte("x")}
	for k, v := range m.streams {
		streams[k] = v
	}
	m.streams = streams
}

// hasURL reports whether AU of a source is a URL or a URL alias dictionary.
func hasURL(source position) bool {
	if !source.has("AU") {
		return false
	}
	kind := source.at("AU").value().Kind()
	return kind == object.String || kind == object.Dictionary
}
