package checks

import (
	"fmt"
	"iter"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about the settings of commands share.

// A settings is the settings of a command, and of those that share it.
type settings struct {
	command *webcapture.Command // the first
	ref     object.Ref          // Num 0 if it stands in its command
}

// dict returns the settings dictionary; false if there is another object.
func (s *settings) dict() (object.Dict, bool) {
	d, _ := s.command.S.Dict()
	return d, s.command.S.Kind() == object.Dictionary
}

// settings yields the settings of the commands, each once.
func settingsOf(i *rule.Info, p *rule.Pass) iter.Seq[settings] {
	return func(yield func(settings) bool) {
		seen := map[object.Ref]bool{}
		for c := range commandsOf(i, p) {
			ref, isRef := c.Dict.Lookup("S").Ref()
			if c.S.IsNull() || isRef && seen[ref] {
				continue
			}
			seen[ref] = true
			if !yield(settings{c, ref}) {
				return
			}
		}
	}
}

// engines yields what C of a settings dictionary holds for each engine, by its name.
func enginesIn(p *rule.Pass, at rule.Place, settings object.Dict) iter.Seq2[nametree.Key, object.Object] {
	return func(yield func(nametree.Key, object.Object) bool) {
		o, err := p.Reader.Resolve(settings.Lookup("C"))
		if err != nil {
			p.CouldNotRead(at, err)
			return
		}
		d, _ := o.Dict()
		for name, o := range d.All() {
			if !p.Spend(rule.ElementCost) || !yield(nametree.Key(name), o) {
				return
			}
		}
	}
}

// isSettings reports whether o is a dictionary; it reports anything else, null
// excepted, under a name.
func isSettings(p *rule.Pass, at rule.Place, o object.Object, name string) bool {
	r, err := p.Reader.Resolve(o)
	if err != nil {
		p.CouldNotRead(at, err)
		return false
	}
	if !r.IsNull() && r.Kind() != object.Dictionary {
		p.Reportf(at, nil, "%s is %s, not a dictionary", name, Describe(p, o))
	}
	return r.Kind() == object.Dictionary && p.Spend(0)
}

// engineFault says what is wrong with the name of an engine; empty if nothing is.
func engineFault(name string) string {
	fields := strings.Split(name, ":")
	switch {
	case len(fields) != 4:
		return fmt.Sprintf("has %d colons", len(fields)-1)
	case strings.ContainsAny(name, " \t\r\n\f\x00"):
		return "has a blank"
	case fields[0] == "":
		return "has no company"
	case fields[2] == "":
		return "has no version"
	case fields[3] == "":
		return "has no content type"
	}
	return ""
}

// A settingsGraph knows which objects settings are made of. Each object is got at most
// twice, so that the work is in proportion to the file and not a matter of the budget.
type settingsGraph struct {
	p       *rule.Pass
	all     []settings
	roots   map[object.Ref]int // settings dictionaries, as indexes of all
	owner   map[object.Ref]int // the objects below them, by the first settings that lead there
	outside map[int]int        // references to objects of settings from elsewhere
	first   map[int]reference  // of these
}

// A reference is one that stands in the object from, or below it.
type reference struct{ to, from object.Ref }

// newSettingsGraph follows all references from settings. Settings of a command
// that stands in C itself, which is reported, are left out.
func newSettingsGraph(p *rule.Pass, in *rule.Info) *settingsGraph {
	g := &settingsGraph{
		p: p, roots: map[object.Ref]int{}, owner: map[object.Ref]int{},
		outside: map[int]int{}, first: map[int]reference{},
	}
	for s := range settingsOf(in, p) {
		if _, ok := s.dict(); ok && s.command.Object.Kind() == object.Reference {
			if s.ref.Num != 0 {
				g.roots[s.ref] = len(g.all)
			}
			g.all = append(g.all, s)
		}
	}
	for i := range g.all {
		g.walk(i)
	}
	p.ReadFree()
	return g
}

// walk takes what settings i lead to for theirs, unless it is others' already.
func (g *settingsGraph) walk(i int) {
	todo := []object.Object{g.all[i].command.S}
	for len(todo) > 0 {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for ref := range o.Refs() {
			if root, ok := g.roots[ref]; ok {
				if root != i {
					from, _ := g.all[root].command.Object.Ref()
					g.note(i, reference{ref, from})
				}
				continue
			}
			if _, ok := g.owner[ref]; ok {
				continue
			}
			g.owner[ref] = i
			o, _ := g.p.Reader.Get(ref) // scan records what cannot be read
			todo = append(todo, o)
		}
	}
}

// note records a reference to an object of settings i from elsewhere.
func (g *settingsGraph) note(i int, r reference) {
	g.outside[i]++
	if first, ok := g.first[i]; !ok || r.compare(first) < 0 {
		g.first[i] = r
	}
}

func (r reference) compare(s reference) int {
	if c := r.to.Compare(s.to); c != 0 {
		return c
	}
	return r.from.Compare(s.from)
}

// scan looks through all objects of the file for references to those that
// belong to settings.
func (g *settingsGraph) scan(in *rule.Info) {
	commands := map[object.Ref]*webcapture.Command{}
	for c := range commandsOf(in, g.p) {
		ref, _ := c.Object.Ref()
		commands[ref] = c
	}
	direct := map[object.Ref]int{} // settings that stand in their commands
	for i, s := range g.all {
		if ref, _ := s.command.Object.Ref(); s.ref.Num == 0 {
			direct[ref] = i
		}
	}
	var owned object.RefSet
	for ref := range g.owner {
		owned.Add(ref)
	}
	refs := g.p.Audit.File.Refs()
	g.p.Audit.File.SortByPosition(refs)
	defer g.p.ReadFree()
	var unread rule.Unread
	for _, ref := range refs {
		o, err := g.p.Reader.Get(ref)
		if object.IgnoreMalformed(err) != nil {
			g.p.Fail(err)
			return
		}
		if err != nil {
			if unread.Err == nil || ref.Compare(unread.Ref) < 0 {
				unread = rule.Unread{Place: in.At(), Ref: ref, Err: err}
			}
			continue
		}
		if !o.MayRefer(&owned) {
			continue
		}
		i := g.partOf(ref)
		c := commands[ref]
		if c == nil {
			g.look(ref, o, i)
			continue
		}
		for key, v := range c.Dict.All() {
			if s, ok := direct[ref]; ok && string(key) == "S" {
				g.look(ref, v, s)
			} else if string(key) != "S" {
				g.look(ref, v, i)
			}
		}
	}
	if unread.Err != nil {
		g.p.NoteUnread(unread)
	}
}

// partOf returns the settings that an object belongs to; -1 if it does to none.
func (g *settingsGraph) partOf(ref object.Ref) int {
	if i, ok := g.roots[ref]; ok {
		return i
	}
	if i, ok := g.owner[ref]; ok {
		return i
	}
	return -1
}

// look notes the references in o to objects of settings that o, a part of the
// object at, does not belong to.
func (g *settingsGraph) look(at object.Ref, o object.Object, belongs int) {
	for ref := range o.Refs() {
		if i, ok := g.owner[ref]; ok && i != belongs {
			g.note(i, reference{ref, at})
		}
	}
}
