package checks

// Settings of commands (14.10.5.4, table 395).

import (
	"fmt"
	"iter"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var engineName = &rule.Rule{
	ID:      "WC627",
	Title:   "Keys of C in command settings are names of engines: company:product:version:contentType.",
	Problem: "Command settings not named after an engine",
	Clause:  "ISO 32000-2:2020, 14.10.5.4, table 395",
	Level:   rule.Error,
	Doc: "An engine looks for its settings under its own name: four fields separated by colons, without blanks. " +
		"Only the product may be empty. The engine never finds settings under any other name.",
	Repair:    "None.",
	CheckInfo: checkEngineName,
}

var SettingsShared = &rule.Rule{
	ID:      "WC628",
	Title:   "Only the settings of a command refer to the objects below them.",
	Problem: "Command settings shared with other objects",
	Clause:  "ISO 32000-2:2020, 14.10.5.4",
	Level:   rule.Warning,
	Doc: "A program that copies a command also copies all objects below its settings, without knowing what they " +
		"are. If another object shares one of them, the copy separates the two, or includes half of the document. " +
		"If settings refer to other objects, webcap searches the whole file for references to these. Several " +
		"commands may share the settings dictionary as a whole.",
	Repair:    "None.",
	CheckInfo: checkSettingsShared,
}

func checkEngineName(p *rule.Pass, in *rule.Info) {
	for s := range settingsOf(in, p) {
		for name := range enginesIn(p, s) {
			if fault := engineFault(string(name)); fault != "" {
				p.Reportf(s.command.At(), nil, "S: C: the engine name %v %s, expected company:product:version:contentType",
					name, fault)
			}
		}
	}
}

// engineFault describes the error in the name of an engine; empty if there is none.
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

// settings are the command settings of one command, or of several that share them.
type settings struct {
	command command    // first command with these settings
	ref     object.Ref // Num 0 for a direct object
}

// dict returns the settings dictionary; false if the object is not a dictionary.
func (s settings) dict() (object.Dict, bool) { return dictionary(s.command.S) }

// dictionary returns an object as a dictionary; false for any other object, such as a stream.
func dictionary(o object.Object) (object.Dict, bool) {
	if o.Kind() != object.Dictionary {
		return object.Dict{}, false
	}
	return o.Dict()
}

// settingsOf yields the settings of the commands, each once.
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

// enginesIn yields the entries of C of a settings dictionary: the settings for each engine, by its name.
func enginesIn(p *rule.Pass, s settings) iter.Seq2[nametree.Key, object.Object] {
	return func(yield func(nametree.Key, object.Object) bool) {
		d, _ := s.dict()
		o, _ := p.ResolveIn(s.command, d.Lookup("C"))
		engines, _ := dictionary(o)
		for name, o := range engines.All() {
			if !p.Spend(meter.Object) || !yield(nametree.Key(name), o) {
				return
			}
		}
	}
}

func checkSettingsShared(p *rule.Pass, in *rule.Info) {
	g := newSettingsGraph(p, in)
	if len(g.owner) > 0 {
		g.scan(in)
	}
	for i, s := range g.all {
		n := g.outside[i]
		if n == 0 {
			continue
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf("; there are %d such references", n)
		}
		p.Reportf(s.command.At(), nil, "S: %v belongs to the settings, but %v also refers to it%s",
			g.first[i].to, g.first[i].from, more)
	}
}

// settingsGraph holds the objects of which command settings consist. Each object is read at most twice.
type settingsGraph struct {
	p       *rule.Pass
	all     []settings
	roots   map[object.Ref]int // index in all, by settings dictionary
	owner   map[object.Ref]int // index in all of the first settings that use an object, by object
	owned   object.RefSet      // the keys of owner
	outside map[int]int        // number of references to objects of settings from elsewhere, by settings
	first   map[int]reference  // first such reference, by settings
}

// reference is a reference in the object from, or below it.
type reference struct{ to, from object.Ref }

// newSettingsGraph follows all references from settings. It skips settings of direct commands in C; another rule
// reports these.
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
	return g
}

// walk assigns the objects that settings i use to these settings, unless they are already assigned to others.
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
			o, _ := g.p.Reader.Get(ref) // scan records unreadable objects
			todo = append(todo, o)
		}
	}
}

// note records a reference from elsewhere to an object of settings i.
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

// scan searches all objects of the file for references to objects of settings.
func (g *settingsGraph) scan(in *rule.Info) {
	commands := map[object.Ref]command{}
	for c := range commandsOf(in, g.p) {
		ref, _ := c.Object.Ref()
		commands[ref] = c
	}
	direct := map[object.Ref]int{} // settings that are direct in their commands
	for i, s := range g.all {
		if ref, _ := s.command.Object.Ref(); s.ref.Num == 0 {
			direct[ref] = i
		}
	}
	for ref := range g.owner {
		g.owned.Add(ref)
	}
	refs := g.p.Audit.File.Refs()
	g.p.Audit.File.SortByPosition(refs)
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
		i := g.partOf(ref)
		c, ok := commands[ref]
		if !ok {
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

// partOf returns the index of the settings to which an object belongs; -1 if there are none.
func (g *settingsGraph) partOf(ref object.Ref) int {
	if i, ok := g.roots[ref]; ok {
		return i
	}
	if i, ok := g.owner[ref]; ok {
		return i
	}
	return -1
}

// look records the references in o to objects of other settings. o is a part of the object at, which belongs to the
// given settings.
func (g *settingsGraph) look(at object.Ref, o object.Object, belongs int) {
	for ref := range o.Refs() {
		if !g.owned.Has(ref) { // faster than owner
			continue
		}
		if i := g.owner[ref]; i != belongs {
			g.note(i, reference{ref, at})
		}
	}
}
