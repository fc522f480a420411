package show

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A List has the entries and content sets of a database. It reads the content sets during writing, so that they are
// never in memory all at once.
type List struct {
	Report  *audit.Report // has no findings
	Version string        // version of webcap
	Trees   []*webcapture.Tree
	Sets    iter.Seq[*webcapture.Content] // nil without content sets

	Unread   []rule.Unread // valid after Sets has ended
	Complete bool          // also valid after Sets has ended
}

// listEntry is an entry of a name tree.
type listEntry struct {
	Tree  string       `json:"tree"`
	Node  jsondoc.Node `json:"node"`
	Pair  int          `json:"pair"`
	Key   jsondoc.Key  `json:"key"`
	Value storedValue  `json:"value"`
}

// storedValue is the value of an entry or an element of an array: a reference, or the kind of a direct object.
type storedValue struct {
	Object *jsondoc.Ref `json:"object,omitempty"`
	Direct string       `json:"direct,omitempty"`
}

// listSet is a content set, or another object in the place of one.
type listSet struct {
	Object   *jsondoc.Ref  `json:"object"` // null for a direct object
	Kind     string        `json:"kind"`
	Elements []storedValue `json:"elements,omitempty"` // elements of an array
	ID       *jsondoc.Key  `json:"id,omitempty"`
	Members  *int          `json:"members,omitempty"`
	Sources  []listSource  `json:"sources,omitempty"`

	urls       []jsondoc.Key // URLs of all sources, in order
	recognized bool
}

// listSource is a source of a content set.
type listSource struct {
	URL       *jsondoc.Key  `json:"url,omitempty"`
	Redirects []jsondoc.Key `json:"redirects,omitempty"`
}

// entries yields the entries of URLS, and then those of IDS.
func (l *List) entries(yield func(*listEntry) bool) {
	for _, t := range l.Trees {
		for _, e := range t.Entries() {
			node := jsondoc.NodeOf(t.Node(e.Node).Ref)
			if !yield(&listEntry{t.Name.String(), node, e.Pair, jsondoc.Key(e.Key), storedOf(e.Value)}) {
				return
			}
		}
	}
}

// sets yields the content sets.
func (l *List) sets(yield func(*listSet) bool) {
	if l.Sets == nil {
		return
	}
	for c := range l.Sets {
		if !yield(newListSet(c)) {
			return
		}
	}
}

func storedOf(o object.Object) storedValue {
	if ref, ok := o.Ref(); ok {
		return storedValue{Object: new(jsondoc.Ref(ref))}
	}
	return storedValue{Direct: o.Kind().String()}
}

func newListSet(c *webcapture.Content) *listSet {
	out := &listSet{Object: jsondoc.RefOrNil(c.Ref), Kind: c.Kind()}
	switch {
	case c.Set == nil:
		for e := range c.Elements.All() {
			out.Elements = append(out.Elements, storedOf(e))
		}
	case c.Set.Recognized():
		out.recognized = true
		if c.Set.ID.OK() {
			out.ID = new(jsondoc.Key(c.Set.ID.Bytes))
		}
		out.Members = new(int)
		for range c.Set.Members() {
			*out.Members++
		}
		for i := range c.Set.Sources {
			out.addSource(&c.Set.Sources[i])
		}
	}
	return out
}

func (s *listSet) addSource(si *webcapture.SourceInfo) {
	var out listSource
	for role, u := range si.URLs() {
		key := jsondoc.Key(u)
		s.urls = append(s.urls, key)
		if role == webcapture.Destination {
			out.URL = &key
		} else {
			out.Redirects = append(out.Redirects, key)
		}
	}
	s.Sources = append(s.Sources, out)
}

// WriteList writes a list for people, wrapped to width. A width of 0 means that lines are not broken. Long columns
// come last; on a narrow terminal, they are on separate lines.
func WriteList(w io.Writer, l *List, width int) error {
	s := layout.NewSheet(w, width, false)
	s.Headline(l.Report.Path, fmt.Sprintf("PDF %s, %s", layout.Printable(l.Report.Version), phrase.Contents(l.Report)))
	place, value := len("PLACE"), len("OBJECT") // column widths
	for e := range l.entries {
		place, value = max(place, len(e.place())), max(value, len(e.Value.String()))
	}
	for _, t := range l.Trees {
		if t.Len() == 0 {
			s.Text(fmt.Sprintf("\n%s: no entries\n", t.Name))
		}
	}
	head := func(at, stored string) string { return fmt.Sprintf("  %-*s  %-*s", place, at, value, stored) }
	section := ""
	for e := range l.entries {
		if e.Tree != section {
			section = e.Tree
			s.Text("\n" + section + "\n")
			s.Labeled(head("PLACE", "VALUE"), "KEY")
		}
		s.Labeled(head(e.place(), e.Value.String()), e.Key.String())
		if err := s.FlushIfLarge(); err != nil {
			return err
		}
	}
	if err := writeSets(s, l.sets, value); err != nil {
		return err
	}
	if len(l.Unread) > 0 {
		s.Text("\nCould not be read\n")
		s.Labeled("  PLACE: REASON")
	}
	for _, u := range l.Unread {
		s.Line("  ", phrase.Unread(u))
	}
	if !l.Complete {
		s.Text("\nThe list is incomplete: the rest was not read.\n")
	}
	return s.Flush()
}

// writeSets writes content sets as a table. width is the width of the first column.
func writeSets(s *layout.Sheet, sets iter.Seq[*listSet], width int) error {
	head := func(ref, kind, members string) string {
		return fmt.Sprintf("  %-*s  %-*s  %7s", width, ref, len("content set"), kind, members)
	}
	id := func(id string) string { return fmt.Sprintf("%-*s", len("<00112233445566778899aabbccddeeff>"), id) }
	first := true
	for set := range sets {
		if first {
			s.Text("\nContent sets\n")
			s.Labeled(head("OBJECT", "KIND", "MEMBERS"), id("ID"), "SOURCES")
			first = false
		}
		ref, key, members := "direct", "", ""
		if set.Object != nil {
			ref = object.Ref(*set.Object).String()
		}
		if set.ID != nil {
			key = set.ID.String()
		}
		if set.Members != nil {
			members = strconv.Itoa(*set.Members)
		}
		last := []string{id(key)}
		for _, e := range set.Elements {
			last = append(last, e.String())
		}
		for _, u := range set.urls {
			last = append(last, u.String())
		}
		s.Labeled(head(ref, set.Kind, members), last...)
		if err := s.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}

// place returns the position of the entry in its tree.
func (e *listEntry) place() string {
	return rule.NodePlace{Ref: object.Ref(e.Node.Object), Index: e.Pair}.String()
}

// String returns the reference, or the kind of the object.
func (s storedValue) String() string {
	if s.Object == nil {
		return s.Direct
	}
	return object.Ref(*s.Object).String()
}

// listSchema is the name and version of the JSON format of lists.
const listSchema = "webcap.list/1"

type (
	jsonListHead struct {
		Schema   string            `json:"schema"`
		Tool     jsondoc.Tool      `json:"tool"`
		Path     string            `json:"path"`
		PathHex  string            `json:"pathHex,omitempty"`
		File     *jsondoc.File     `json:"file"`
		Database *jsondoc.Database `json:"database"`
	}
	jsonListSummary struct {
		Entries  int  `json:"entries"`
		Sets     int  `json:"contentSets"`
		Unread   int  `json:"unread"`
		Complete bool `json:"complete"`
	}
)

// WriteListJSON writes a list as one JSON document, with one item per line.
func WriteListJSON(w io.Writer, l *List) error {
	d := jsondoc.New(w)
	in := jsondoc.InputOf(l.Report.Path, "", "", l.Report)
	d.Open(jsonListHead{listSchema, jsondoc.ToolOf(l.Version), in.Path, in.PathHex, in.File, in.Database})
	var sum jsonListSummary
	d.Text(",\n\"entries\":[")
	if err := jsondoc.Elements(d, l.entries, func(e *listEntry) {
		sum.Entries++
		d.Value(e)
	}); err != nil {
		return err
	}
	d.Text("\n],\n\"contentSets\":[")
	if err := jsondoc.Elements(d, l.sets, func(s *listSet) {
		if s.recognized {
			sum.Sets++
		}
		d.Value(s)
	}); err != nil {
		return err
	}
	d.Text("\n],\n\"unread\":[")
	unread := func(u rule.Unread) { d.Value(jsondoc.UnreadOf(u)) }
	if err := jsondoc.Elements(d, slices.Values(l.Unread), unread); err != nil {
		return err
	}
	sum.Unread, sum.Complete = len(l.Unread), l.Complete
	d.Text("\n],\n\"summary\":")
	d.Value(sum)
	d.Text("\n}\n")
	return d.Flush()
}
