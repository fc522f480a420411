package rewrite

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// ErrNoOriginal says that a file in Options.From has nothing to bring back.
var ErrNoOriginal = errors.New("it has no Web Capture content database, so there is nothing to bring back from it")

// A planter brings back the content database of an original: sets of which a page or image
// is in the file, with their keys, the IDs of these, and SpiderInfo.
type planter struct {
	*planner
	name   string
	from   *webcapture.File
	db     *webcapture.Database
	reader *webcapture.Reader

	is     map[object.Ref]*likeness // pages and images of the file, by those of the original
	shown  map[object.Ref]int       // images of the file, by how many of its pages show them
	whole  bool                     // every page of the original is in the file
	copies map[object.Ref]object.Ref
	sets   map[object.Ref]object.Ref // content sets of the file, by those of the original; Num 0 for what is left out
	known  map[string]object.Ref     // content sets that the file has, by S and ID
}

// plant plans to bring back what originals have, and nothing else.
func plant(s state, opt Options) (*Plan, error) {
	p := newPlanner(s.file, s.db, s.rep, opt)
	for _, name := range opt.From {
		f, err := webcapture.Open(name, webcapture.Options{Passwords: opt.Passwords, Context: opt.Context})
		if err != nil {
			return nil, err
		}
		err = f.Repairing(func() error { return p.plantFrom(f, name) })
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	p.putInfo()

	// The objects that are brought back are read like others when the trees are built.
	f := p.plan.update.Preview()
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	q := newPlanner(f, db, s.rep, opt)
	q.inCatalog, q.plan.unseen, q.plan.Unmatched, q.plan.Steps = p.inCatalog, p.plan.unseen, p.plan.Unmatched, p.plan.Steps
	for name, t := range p.trees {
		for _, a := range t.added {
			q.trees[name].add(a.key, a.set)
		}
	}
	q.dests.planted = p.dests.planted
	err = q.build()
	q.plan.Steps.sort()
	return q.plan, err
}

// plantFrom brings back what one original has.
func (p *planner) plantFrom(f *webcapture.File, name string) error {
	db, err := f.Database()
	if err != nil {
		return err
	}
	if !db.Present() {
		return ErrNoOriginal
	}
	before, err := likenessesOf(f, db)
	if err != nil {
		return err
	}
	after, err := likenessesOf(p.plan.file, p.db)
	if err != nil {
		return err
	}
	w := &planter{
		planner: p, name: name, from: f, db: db, reader: f.NewReader(), is: map[object.Ref]*likeness{}, shown: map[object.Ref]int{},
		copies: map[object.Ref]object.Ref{}, sets: map[object.Ref]object.Ref{}, known: map[string]object.Ref{},
	}
	images := matched(before.images, after.images)
	pages := matchedPages(before.pages, after.pages, images)
	matchedImages(before, after, pages, images)
	w.whole = len(pages) == len(before.pages)
	var gone []string
	for _, l := range before.pages {
		if pages[l] == nil {
			gone = append(gone, fmt.Sprint(l.number))
		} else {
			w.is[l.ref] = pages[l]
		}
	}
	for l, is := range images {
		w.is[l.ref] = is
	}
	for _, l := range after.pages {
		for _, ref := range l.images {
			w.shown[ref]++
		}
	}
	if len(gone) > 0 {
		p.plan.Unmatched = append(p.plan.Unmatched, fmt.Sprintf("%s: of %d pages these are not found again: %s", name, len(before.pages), strings.Join(gone[:min(len(gone), 20)], ", ")))
	}
	return w.plant(before)
}

func (w *planter) plant(before *likenesses) error {
	if err := w.index(); err != nil {
		return err
	}
	for _, tree := range w.db.Trees() {
		for _, e := range tree.Entries() {
			list, err := w.valuesOf(e.Value)
			if err != nil {
				return err
			}
			for _, o := range list {
				if err := w.entry(tree.Name, e.Key, o); err != nil {
					return err
				}
			}
		}
	}
	for _, list := range [][]*likeness{before.pages, before.images} {
		for _, l := range list {
			if err := w.tag(l); err != nil {
				return err
			}
		}
	}
	ids := map[string]bool{}
	for _, l := range before.pages {
		ids[l.id] = l.id != ""
		if err := w.links(l); err != nil {
			return err
		}
	}
	if err := w.namesOf(ids); err != nil {
		return err
	}
	return w.spiderInfo()
}

// valuesOf returns the content sets in a value of the original.
func (w *planter) valuesOf(value object.Object) (list []object.Object, err error) {
	for o, err := range w.reader.Values(value) {
		if err != nil {
			return nil, object.IgnoreMalformed(err)
		}
		list = append(list, o)
	}
	return list, nil
}

// index notes the content sets that the file has.
func (w *planter) index() error {
	refs, err := w.allSets()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		var cs webcapture.ContentSet
		if err := w.planner.reader.Read(object.MakeRef(ref), &cs); err != nil {
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			continue
		}
		if cs.Recognized() && cs.ID.OK() {
			w.known[identityOf(&cs)] = ref
		}
	}
	return nil
}

func identityOf(cs *webcapture.ContentSet) string { return cs.Subtype.String() + string(cs.ID.Bytes) }

// entry brings back one entry of a tree.
func (w *planter) entry(name webcapture.TreeName, key nametree.Key, o object.Object) error {
	set, err := w.set(o)
	if err != nil || set.Num == 0 {
		return err
	}
	t := w.trees[name]
	for i := range t.tree.All(key) {
		list, err := t.elements(i)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		for _, there := range list {
			if ref, ok := there.Ref(); ok && ref == set {
				return nil
			}
		}
	}
	t.add(key, object.MakeRef(set))
	w.plan.Steps.Add(Step{
		Action: audit.Plant, Tree: name.String(), Place: audit.Place{Tree: name.String(), Set: set, Key: key},
		New: key.String() + " " + set.String(), Reason: w.name + " has it",
	})
	return nil
}

// set brings back a content set, if a page or image of it is in the file, or the original
// has no member of it, and returns it.
func (w *planter) set(o object.Object) (object.Ref, error) {
	ref, isRef := o.Ref()
	if known, ok := w.sets[ref]; ok && isRef {
		return known, nil
	}
	var cs webcapture.ContentSet
	if err := w.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return object.Ref{}, object.IgnoreMalformed(err)
	}
	if known, ok := w.known[identityOf(&cs)]; ok && cs.ID.OK() {
		w.sets[ref] = known
		return known, nil
	}
	members, counts, err := w.members(&cs)
	if err != nil || members == nil {
		w.sets[ref] = object.Ref{}
		return object.Ref{}, err
	}
	changes := []object.Setting{{Key: "O", Value: members}}
	for k, v := range cs.Dict.All() {
		switch key := string(k); key {
		case "O":
		case "R":
			if counts != nil {
				changes = append(changes, object.Setting{Key: key, Value: counts})
				continue
			}
			fallthrough
		default:
			text, err := w.copied(v, maxPlantDepth)
			if err != nil {
				return object.Ref{}, err
			}
			changes = append(changes, object.Setting{Key: key, Value: text})
		}
	}
	set := w.plan.update.New()
	w.plan.update.Put(set, object.Dict{}.AppendWith(nil, changes...))
	w.plan.unseen[set] = true
	w.sets[ref] = set
	if cs.ID.OK() {
		w.known[identityOf(&cs)] = set
	}
	return set, nil
}

// members returns O and R of a content set of the original, with the pages and images of
// the file; nil if none of them is there. R is nil if it stays.
func (w *planter) members(cs *webcapture.ContentSet) (o, r []byte, err error) {
	stored, err := w.reader.Resolve(cs.R)
	if err != nil {
		return nil, nil, object.IgnoreMalformed(err)
	}
	list, isArray := stored.Array()
	var counts []object.Object
	for c := range list.All() {
		counts = append(counts, c)
	}
	o, r = []byte{'['}, []byte{'['}
	n, i := 0, -1
	for m := range cs.Members() {
		i++
		ref, _ := m.Ref()
		is := w.is[ref]
		if is == nil {
			continue
		}
		if n++; n > 1 {
			o, r = append(o, ' '), append(r, ' ')
		}
		o = is.ref.Append(o)
		if i >= len(counts) {
			continue
		}
		count, err := w.reader.Resolve(counts[i])
		if err != nil {
			return nil, nil, object.IgnoreMalformed(err)
		}
		if was, _ := count.Int(); was > 0 && !w.whole {
			r = fmt.Append(r, w.shown[is.ref]) // pages that showed it are not in the file
		} else {
			r = count.Append(r)
		}
	}
	if n == 0 && i >= 0 {
		return nil, nil, nil
	}
	if !isArray || len(counts) != i+1 {
		return append(o, ']'), nil, nil
	}
	return append(o, ']'), append(r, ']'), nil
}

// copied returns an object of the original as text, with copies of what it refers to. Of a
// page or image it is that of the file, null if there is none.
func (w *planter) copied(o object.Object, depth int) ([]byte, error) {
	if depth == 0 || len(w.copies) > maxPlanted {
		return []byte("null"), nil
	}
	if ref, ok := o.Ref(); ok {
		if is := w.is[ref]; is != nil {
			return is.ref.Append(nil), nil
		}
		if known, ok := w.copies[ref]; ok {
			return known.Append(nil), nil
		}
		target, err := w.reader.Get(ref)
		d, isDict := target.Dict()
		if err != nil || target.IsNull() || isDict && (d.Lookup("Type").IsName("Page") || d.Lookup("Type").IsName("Pages")) {
			return []byte("null"), object.IgnoreMalformed(err)
		}
		if target.Kind() == object.Stream { // posted data, which may be a string as well (table 393)
			data, err := w.reader.Data(ref)
			if err != nil {
				return []byte("null"), object.IgnoreMalformed(err)
			}
			b, err := io.ReadAll(io.LimitReader(data, maxContent))
			return object.AppendString(nil, b), object.IgnoreMalformed(err)
		}
		own := w.plan.update.New()
		w.copies[ref] = own
		text, err := w.copied(target, depth-1)
		if err != nil {
			return nil, err
		}
		w.plan.update.Put(own, text)
		return own.Append(nil), nil
	}
	if list, ok := o.Array(); ok {
		text := []byte{'['}
		for e := range list.All() {
			b, err := w.copied(e, depth-1)
			if err != nil {
				return nil, err
			}
			text = append(append(text, b...), ' ')
		}
		return append(text, ']'), nil
	}
	if d, ok := o.Dict(); ok {
		var changes []object.Setting
		for k, v := range d.All() {
			b, err := w.copied(v, depth-1)
			if err != nil {
				return nil, err
			}
			changes = append(changes, object.Setting{Key: string(k), Value: b})
		}
		return object.Dict{}.AppendWith(nil, changes...), nil
	}
	return o.Append(nil), nil
}

// tag gives a page or image of the file the ID that it has in the original, and a page
// its zoom.
func (w *planter) tag(l *likeness) error {
	is := w.is[l.ref]
	if is == nil || l.id == "" || is.id != "" && is.id != l.id {
		return nil // one with another ID is a member of another set
	}
	var changes []object.Setting
	if is.id == "" {
		changes = append(changes, object.Setting{Key: "ID", Value: object.AppendString(nil, []byte(l.id))})
	}
	if zoom := l.dict.Lookup("PZ"); !zoom.IsNull() && is.dict.Lookup("PZ").IsNull() {
		text, err := w.copied(zoom, maxPlantDepth)
		if err != nil {
			return err
		}
		changes = append(changes, object.Setting{Key: "PZ", Value: text})
	}
	if len(changes) == 0 {
		return nil
	}
	if err := w.change(is, changes...); err != nil {
		return err
	}
	is.id = l.id
	w.plan.Steps.Add(Step{
		Action: audit.Plant, Place: audit.Place{Page: is.number, Object: is.ref},
		New: "ID " + nametree.Key(l.id).String(), Reason: w.name + " has it",
	})
	return nil
}

// change changes entries of a page or image of the file.
func (w *planter) change(is *likeness, changes ...object.Setting) error {
	text := is.dict.AppendWith(nil, changes...)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		return err
	}
	is.dict, _ = o.Dict()
	if is.number > 0 {
		w.plan.update.Put(is.ref, text)
	} else {
		w.plan.update.PutDict(is.ref, text)
	}
	return nil
}

// A plantedInfo is the Web Capture information dictionary that the file gets.
type plantedInfo struct {
	dict     object.Dict // of the file, or of the first original that has one
	isOwn    bool        // it is of the file
	commands []byte      // elements of C
	known    map[string]bool
	changed  bool
}

// spiderInfo brings back the Web Capture information dictionary, if the file has none, and
// commands that it has not.
func (w *planter) spiderInfo() error {
	info, err := w.reader.Info(w.db)
	if err != nil || info == nil {
		return object.IgnoreMalformed(err)
	}
	if w.info == nil {
		if err := w.startInfo(); err != nil {
			return err
		}
	}
	for i := range info.Commands {
		c := &info.Commands[i]
		if w.info.known[commandKey(c)] || c.Err != nil {
			continue
		}
		text, err := w.copied(c.Object, maxPlantDepth)
		if err != nil {
			return err
		}
		if c.Object.Kind() != object.Reference {
			own := w.plan.update.New()
			w.plan.update.Put(own, text)
			text = own.Append(nil)
		}
		w.info.known[commandKey(c)], w.info.changed = true, true
		w.info.commands = append(append(w.info.commands, ' '), text...)
		w.infoStep("command " + nametree.Key(c.URL.Bytes).String())
	}
	return nil
}

// startInfo takes what the file has, or the dictionary of an original without its commands.
func (w *planter) startInfo() error {
	w.info = &plantedInfo{known: map[string]bool{}}
	own, err := w.plan.file.NewReader().Info(w.planner.db)
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	if own == nil {
		o, err := w.copied(w.db.SpiderInfo, maxPlantDepth)
		if err != nil {
			return err
		}
		parsed, _, err := object.Parse(o, 0)
		if err != nil {
			return err
		}
		w.info.dict, _ = parsed.Dict()
		w.info.changed = true
		w.infoStep("SpiderInfo")
		return nil
	}
	w.info.dict, w.info.isOwn = own.Dict, true
	list, _ := own.C.Array()
	for c := range list.All() {
		w.info.commands = append(c.Append(w.info.commands), ' ')
	}
	for i := range own.Commands {
		w.info.known[commandKey(&own.Commands[i])] = true
	}
	return nil
}

// commandKey returns what two commands have in common that are the same.
func commandKey(c *webcapture.Command) string {
	level, _ := c.Level()
	flags, _ := c.Flags()
	return fmt.Sprintf("%q %d %d %q", c.URL.Bytes, level, flags, c.P.Raw())
}

func (w *planter) infoStep(what string) {
	w.plan.Steps.Add(Step{Action: audit.Plant, Place: audit.Place{Part: "SpiderInfo"}, New: what, Reason: w.name + " has it"})
}

// putInfo puts the Web Capture information dictionary.
func (p *planner) putInfo() {
	if p.info == nil || !p.info.changed {
		return
	}
	var changes []object.Setting
	if len(p.info.commands) > 0 {
		changes = append(changes, object.Setting{Key: "C", Value: append(append([]byte{'['}, p.info.commands...), ']')})
	}
	text := p.info.dict.AppendWith(nil, changes...)
	if ref, ok := p.db.Catalog.Lookup("SpiderInfo").Ref(); ok && p.info.isOwn {
		p.plan.update.Put(ref, text)
		return
	}
	p.inCatalog = append(p.inCatalog, object.Setting{Key: "SpiderInfo", Value: text})
}
