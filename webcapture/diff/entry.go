package diff

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// The entries that are compared. O and SI of a content set have comparisons of their own.
var (
	setEntries     = []string{"S", "ID", "CT", "TS", "T", "TID", "R"}
	sourceEntries  = []string{"AU", "TS", "E", "S", "C"}
	commandEntries = []string{"URL", "L", "F", "P", "CT", "H", "S"}
)

// defaults are the values of absent entries (tables 391 and 393).
var defaults = map[Part]map[string]object.Object{
	Source: {"S": number("0")}, Command: {"L": number("1"), "F": number("0")},
}

func number(text string) object.Object {
	o, _, _ := object.Parse([]byte(text), 0) // cannot fail
	return o
}

func hashOf(b []byte) match.Hash {
	s := sha256.Sum256(b)
	return match.Hash(s[:])
}

// appendEntry appends the value of an entry of a content set, source, or command. R of a single image is the same as an
// integer and as an array of one (table 390).
func (d *document) appendEntry(dst []byte, of Part, key string, o object.Object) ([]byte, error) {
	if of == Source && key == "C" {
		return d.appendCommand(dst, o)
	}
	r, err := d.Reader.Resolve(o)
	if err != nil {
		return dst, err
	}
	list, _ := r.Array()
	switch {
	case r.IsNull():
		o = defaults[of][key]
	case of == SetEntry && key == "T":
		return d.AppendText(dst, r)
	case of == SetEntry && key == "R" && list.Len() == 1:
		for o = range list.All() {
		}
	}
	return d.AppendValue(dst, o)
}

// appendEntries appends the hash of several entries.
func (d *document) appendEntries(dst []byte, of Part, keys []string, lookup func(string) object.Object) (
	[]byte, error) {
	b := dst
	for _, key := range keys {
		var err error
		if b, err = d.appendEntry(b, of, key, lookup(key)); err != nil {
			return dst, err
		}
	}
	sum := hashOf(b[len(dst):])
	return append(b[:len(dst)], sum[:]...), nil
}

// hashSet returns the hash of a content set without its members, and the hash of its sources, whose order does not
// count.
func (d *document) hashSet(cs *webcapture.ContentSet) (all, sources match.Hash, err error) {
	list, err := d.hashSources(cs)
	if err != nil {
		return all, sources, err
	}
	slices.SortFunc(list, func(a, b match.Hash) int { return bytes.Compare(a[:], b[:]) })
	b := d.scratch[:0]
	for _, sum := range list {
		b = append(b, sum[:]...)
	}
	sources = hashOf(b)
	for _, key := range setEntries {
		if b, err = d.appendEntry(b, SetEntry, key, cs.Entry(key)); err != nil {
			return all, sources, err
		}
	}
	d.scratch = b
	return hashOf(b), sources, nil
}

// hashSources returns the hash of each source.
func (d *document) hashSources(cs *webcapture.ContentSet) ([]match.Hash, error) {
	list := make([]match.Hash, len(cs.Sources))
	for i := range cs.Sources {
		b, err := d.appendEntries(d.scratch[:0], Source, sourceEntries, cs.Sources[i].Entry)
		if err != nil {
			return nil, err
		}
		d.scratch, list[i] = b, match.Hash(b)
	}
	return list, nil
}

// appendCommand appends the hash of a command, given as stored. Sources may share commands.
func (d *document) appendCommand(dst []byte, o object.Object) ([]byte, error) {
	ref, isRef := o.Ref()
	if known, ok := d.commands[ref]; ok && isRef {
		return append(dst, known[:]...), nil
	}
	r, err := d.Reader.Resolve(o)
	if err != nil {
		return dst, err
	}
	command, isDict := r.Dict()
	if !isDict {
		return d.AppendValue(dst, r)
	}
	before := len(dst)
	dst, err = d.appendEntries(dst, Command, commandEntries, command.Lookup)
	if isRef && err == nil {
		d.commands[ref] = match.Hash(dst[before:])
	}
	return dst, err
}

// entries adds changes for entries that differ.
func (c *comparison) entries(at Place, keys []string, lookup [2]func(string) object.Object) error {
	for _, key := range keys {
		var values [2][]byte
		var texts [2]string
		for side, d := range c.of {
			o := lookup[side](key)
			var err error
			if values[side], err = d.appendEntry(nil, at.Part, key, o); err != nil {
				return d.failed(err)
			}
			texts[side] = d.text(o)
		}
		if at.Entry = key; !bytes.Equal(values[0], values[1]) {
			c.change(at, texts[0], texts[1])
		}
	}
	return nil
}

// change adds a change of an entry.
func (c *comparison) change(at Place, a, b string) {
	switch {
	case a == null:
		c.add(Added, at, "", b)
	case b == null:
		c.add(Lost, at, a, "")
	default:
		c.add(Changed, at, a, b)
	}
}

// elements compares two lists of sources or commands, given by their hashes. It pairs equal elements, then those with
// the same URL, which both compares. The others are in only one file.
func (c *comparison) elements(at Place, hashes [2][]match.Hash, url func(side, i int) nametree.Key,
	both func(at Place, i, j int) error) error {
	var left [2][]int
	for side := range hashes {
		count := map[match.Hash]int{}
		for _, sum := range hashes[1-side] {
			count[sum]++
		}
		for i, sum := range hashes[side] {
			if count[sum]--; count[sum] < 0 {
				left[side] = append(left[side], i)
			}
		}
	}
	byURL := map[nametree.Key][]int{} // elements of B that are not paired yet
	for _, j := range left[1] {
		byURL[url(1, j)] = append(byURL[url(1, j)], j)
	}
	for _, i := range left[0] {
		at.Key = url(0, i)
		if in := byURL[at.Key]; len(in) == 0 {
			c.onOne(0, at, "")
		} else if err := both(at, i, in[0]); err != nil {
			return err
		} else {
			byURL[at.Key] = in[1:]
		}
	}
	for _, j := range left[1] {
		at.Key = url(1, j)
		if in := byURL[at.Key]; len(in) > 0 && in[0] <= j {
			c.onOne(1, at, "")
		}
	}
	return nil
}

// sources compares the sources of a content set.
func (c *comparison) sources(name Set, cs *[2]webcapture.ContentSet) error {
	var hashes [2][]match.Hash
	for side, d := range c.of {
		var err error
		if hashes[side], err = d.hashSources(&cs[side]); err != nil {
			return d.failed(err)
		}
	}
	url := func(side, i int) nametree.Key { return urlOf(&cs[side].Sources[i]) }
	return c.elements(Place{Part: Source, Set: name}, hashes, url, func(at Place, i, j int) error {
		a, b := &cs[0].Sources[i], &cs[1].Sources[j]
		before := len(c.changes)
		err := c.entries(at, sourceEntries, [2]func(string) object.Object{a.Entry, b.Entry})
		for k := range c.changes[before:] {
			if change := &c.changes[before+k]; change.Place.Entry == "AU" {
				change.Kind, change.A, change.B = Changed, urlsOf(a), urlsOf(b)
			}
		}
		return err
	})
}

// urlOf returns the first URL of a source; empty if it has none.
func urlOf(si *webcapture.SourceInfo) nametree.Key {
	for _, url := range si.URLs() {
		return nametree.Key(url)
	}
	return ""
}

// urlsOf returns the destination of a source and the redirects to it, as text.
func urlsOf(si *webcapture.SourceInfo) string {
	const shown = 4
	text, n := "", 0
	for role, url := range si.URLs() {
		switch n++; {
		case n > shown:
			continue
		case role == webcapture.Redirect:
			text += " by way of "
		}
		text += short(nametree.Key(url))
	}
	if n > shown {
		text += fmt.Sprintf(" and %d more", n-shown)
	}
	return text
}

// info compares SpiderInfo: V, and the commands in order.
func (c *comparison) info() error {
	var info [2]*webcapture.Info
	var hashes [2][]match.Hash
	unread := false
	for side, d := range c.of {
		var err error
		if info[side], hashes[side], err = d.readInfo(); err != nil {
			if err := d.couldNotRead(rule.Place{Part: "SpiderInfo"}, err); err != nil {
				return d.failed(err)
			}
			unread = true
		}
	}
	switch {
	case unread || info[0] == nil && info[1] == nil:
		return nil
	case info[0] == nil:
		c.onOne(1, Place{Part: Info}, "")
		return nil
	case info[1] == nil:
		c.onOne(0, Place{Part: Info}, "")
		return nil
	}
	err := c.entries(Place{Part: Info}, []string{"V"}, [2]func(string) object.Object{info[0].Dict.Lookup,
		info[1].Dict.Lookup})
	if err != nil {
		return err
	}
	before := len(c.changes)
	url := func(side, i int) nametree.Key { return nametree.Key(info[side].Commands[i].URL.Bytes) }
	err = c.elements(Place{Part: Command}, hashes, url, func(at Place, i, j int) error {
		a, b := info[0].Commands[i].Dict, info[1].Commands[j].Dict
		return c.entries(at, commandEntries, [2]func(string) object.Object{a.Lookup, b.Lookup})
	})
	if err == nil && len(c.changes) == before && !slices.Equal(hashes[0], hashes[1]) {
		c.add(Changed, Place{Part: Info, Entry: "C"}, orderOf(info[0].Commands), orderOf(info[1].Commands))
	}
	return err
}

// readInfo reads SpiderInfo, and returns it with the hash of each command.
func (d *document) readInfo() (info *webcapture.Info, hashes []match.Hash, err error) {
	if _, err := d.dict(d.Database.Catalog.Lookup("SpiderInfo")); err != nil {
		return nil, nil, err
	}
	if info, err = d.Reader.Info(d.Database); err != nil || info == nil {
		return nil, nil, err
	}
	if _, err := d.Value(info.V); err != nil {
		return nil, nil, err
	}
	for i := range info.Commands {
		b, err := d.appendCommand(nil, info.Commands[i].Object)
		if err != nil {
			return nil, nil, err
		}
		hashes = append(hashes, hashOf(b))
	}
	return info, hashes, nil
}

// orderOf returns the URLs of the first commands, as text.
func orderOf(list []webcapture.Command) string {
	const shown = 3
	text := ""
	for i := range list[:min(len(list), shown)] {
		text += short(nametree.Key(list[i].URL.Bytes)) + " "
	}
	if len(list) > shown {
		return fmt.Sprintf("%sand %d more", text, len(list)-shown)
	}
	return strings.TrimSuffix(text, " ")
}

const null = "null"

// text describes a value in a few words.
func (d *document) text(o object.Object) string {
	o, err := d.Reader.Resolve(o)
	switch {
	case err != nil:
		return "unreadable"
	case o.Kind() == object.String:
		b, _ := o.AppendString(nil)
		return short(nametree.Key(b))
	case o.Kind() == object.Array:
		return d.arrayText(o)
	case o.Kind() == object.Dictionary || o.Kind() == object.Stream:
		return o.Kind().String()
	case o.IsNull():
		return null
	}
	raw := o.Raw()
	return string(raw[:min(len(raw), maxShown)])
}

// arrayText describes an array by its first elements.
func (d *document) arrayText(o object.Object) string {
	const shown = 8
	list, _ := o.Array()
	text, n := "", 0
	for e := range list.All() {
		if n++; n > shown {
			text += " …"
			break
		}
		if e, err := d.Reader.Resolve(e); err == nil && e.Kind() == object.Array {
			text += " array"
		} else {
			text += " " + d.text(e)
		}
	}
	return "[" + text + " ]"
}
