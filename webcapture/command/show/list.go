package show

import (
	"fmt"
	"io"
	"strconv"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A ListWriter writes what a content database holds, item by item: Begin, the
// entries of URLS, those of IDS, the sets, Close. Each error is that of the
// underlying writer.
type ListWriter interface {
	Begin(*Listing) error
	Entry(*webcapture.Tree, nametree.Entry) error
	Set(*webcapture.Content) error
	Unread(audit.Unread) error

	// Close writes what ends the output, which says whether it is complete.
	Close(complete bool) error
}

// A Listing says what is about to be listed.
type Listing struct {
	Report  *audit.Report // without findings
	Trees   []*webcapture.Tree
	Version string // of webcap
}

// A listTable lists for people. What may be long comes last, and on a terminal that has
// no room for it on lines of its own.
type listTable struct {
	sheet   *layout.Sheet
	trees   []*webcapture.Tree
	section string // that is being written
	place   int    // width of the first column
	value   int    // width of a reference, and of what is above it
}

// NewListTable returns a writer of tables to w, in lines of a width; 0 for as long
// as it takes.
func NewListTable(w io.Writer, width int) ListWriter {
	return &listTable{sheet: layout.NewSheet(w, width, false)}
}

// Begin writes a headline.
func (t *listTable) Begin(l *Listing) error {
	t.trees = l.Trees
	t.place, t.value = len("PLACE"), len("OBJECT")
	for _, tree := range l.Trees {
		for _, e := range tree.Entries() {
			t.place = max(t.place, len(pairOf(tree, e)))
			t.value = max(t.value, len(stored(e.Value)))
		}
	}
	t.sheet.Headline(l.Report.Path, fmt.Sprintf("PDF %s, %s", layout.Printable(l.Report.Version), phrase.Contents(l.Report)))
	for _, tree := range l.Trees {
		if tree.Len() == 0 {
			t.sheet.Text(fmt.Sprintf("\n%s: no entries\n", tree.Name))
		}
	}
	return t.sheet.Flush()
}

// pairOf returns where an entry is within its tree.
func pairOf(tree *webcapture.Tree, e nametree.Entry) string {
	return audit.NodePlace{Ref: tree.Node(e.Node).Ref, Index: e.Pair}.String()
}

// stored returns a value as the entry stores it: the reference, or the kind of
// what stands there itself.
func stored(o object.Object) string {
	if ref, ok := o.Ref(); ok {
		return ref.String()
	}
	return o.Kind().String()
}

func (t *listTable) begin(section, head string, columns ...string) {
	if section != t.section {
		t.section = section
		t.sheet.Text("\n" + section + "\n")
		t.sheet.Beside("  "+head, columns...)
	}
}

// Entry writes an entry.
func (t *listTable) Entry(tree *webcapture.Tree, e nametree.Entry) error {
	head := func(place, value string) string { return fmt.Sprintf("%-*s  %-*s", t.place, place, t.value, value) }
	t.begin(tree.Name.String(), head("PLACE", "VALUE"), "KEY")
	t.sheet.Beside("  "+head(pairOf(tree, e), stored(e.Value)), e.Key.String())
	return t.sheet.Flush()
}

// Set writes a content set.
func (t *listTable) Set(s *webcapture.Content) error {
	const kindWidth = len("content set")
	head := func(ref, kind, members string) string {
		return fmt.Sprintf("%-*s  %-*s  %7s", t.value, ref, kindWidth, kind, members)
	}
	id := func(id string) string { return fmt.Sprintf("%-*s", len("<00112233445566778899aabbccddeeff>"), id) }
	t.begin("Content sets", head("OBJECT", "KIND", "MEMBERS"), id("ID"), "SOURCES")
	ref := "direct"
	if s.Ref.Num != 0 {
		ref = s.Ref.String()
	}
	key, members := "", ""
	var last []string
	switch {
	case s.Set == nil:
		for _, e := range s.Elements {
			last = append(last, stored(e))
		}
	case s.Set.Recognized():
		if s.Set.ID.OK() {
			key = nametree.Key(s.Set.ID.Bytes).String()
		}
		members = strconv.Itoa(membersOf(s.Set))
		for i := range s.Set.Sources {
			for _, u := range s.Set.Sources[i].URLs() {
				last = append(last, nametree.Key(u).String())
			}
		}
	}
	t.sheet.Beside("  "+head(ref, s.Kind(), members), append([]string{id(key)}, last...)...)
	return t.sheet.Flush()
}

func membersOf(cs *webcapture.ContentSet) int {
	n := 0
	for range cs.Members() {
		n++
	}
	return n
}

// Unread writes what could not be read.
func (t *listTable) Unread(u audit.Unread) error {
	t.begin("Could not be read", "PLACE: REASON")
	t.sheet.Line("  ", phrase.Unread(u))
	return t.sheet.Flush()
}

// Close writes nothing, unless the list is not complete.
func (t *listTable) Close(complete bool) error {
	if !complete {
		t.sheet.Text("\nThis is not all: the list was interrupted.\n")
	}
	return t.sheet.Flush()
}

// listSchema names the JSON format of lists and its version.
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
	jsonEntry struct {
		Tree  string       `json:"tree"`
		Node  jsondoc.Node `json:"node"`
		Pair  int          `json:"pair"`
		Key   jsondoc.Key  `json:"key"`
		Value jsonStored   `json:"value"`
	}
	// jsonStored is an object as it stands somewhere: a reference, or the kind
	// of what stands there itself.
	jsonStored struct {
		Object *jsondoc.Ref `json:"object,omitempty"`
		Direct string       `json:"direct,omitempty"`
	}
	jsonSet struct {
		Object   *jsondoc.Ref `json:"object"` // null for what stands in an entry or array itself
		Kind     string       `json:"kind"`
		Elements []jsonStored `json:"elements,omitempty"` // of an array
		ID       *jsondoc.Key `json:"id,omitempty"`
		Members  *int         `json:"members,omitempty"`
		Sources  []jsonSource `json:"sources,omitempty"`
	}
	jsonSource struct {
		URL       *jsondoc.Key  `json:"url,omitempty"`
		Redirects []jsondoc.Key `json:"redirects,omitempty"`
	}
	jsonListSummary struct {
		Entries  int  `json:"entries"`
		Sets     int  `json:"contentSets"`
		Unread   int  `json:"unread"`
		Complete bool `json:"complete"`
	}
)

// A listJSON lists as one JSON document, an item on each line.
type listJSON struct {
	doc   *jsondoc.Document
	array int // which of listArrays is open
	first bool
	sum   jsonListSummary
}

// listArrays come in this order, those without items too.
var listArrays = [...]string{"entries", "contentSets", "unread"}

const (
	inEntries = iota
	inSets
	inUnread
)

// NewListJSON returns a writer of JSON to w.
func NewListJSON(w io.Writer) ListWriter { return &listJSON{doc: jsondoc.New(w)} }

// Begin writes the head.
func (j *listJSON) Begin(l *Listing) error {
	in := jsondoc.InputOf(l.Report.Path, "", "", l.Report)
	j.doc.Open(jsonListHead{listSchema, jsondoc.ToolOf(l.Version), in.Path, in.PathHex, in.File, in.Database})
	j.open(inEntries)
	return j.doc.Flush()
}

func (j *listJSON) open(array int) {
	j.array, j.first = array, true
	j.doc.Text(",\n\"" + listArrays[array] + "\":[")
}

func (j *listJSON) item(array int, v any) error {
	j.upTo(array)
	j.doc.Element(j.first)
	j.first = false
	j.doc.Value(v)
	return j.doc.Flush()
}

// upTo makes array the one that is open.
func (j *listJSON) upTo(array int) {
	for j.array < array {
		j.doc.Text("\n]")
		j.open(j.array + 1)
	}
}

// Entry writes an entry.
func (j *listJSON) Entry(tree *webcapture.Tree, e nametree.Entry) error {
	j.sum.Entries++
	ref := tree.Node(e.Node).Ref
	return j.item(inEntries, jsonEntry{tree.Name.String(), jsondoc.NodeOf(ref), e.Pair, jsondoc.Key(e.Key), storedJSON(e.Value)})
}

func storedJSON(o object.Object) jsonStored {
	if ref, ok := o.Ref(); ok {
		return jsonStored{Object: &jsondoc.Ref{Num: ref.Num, Gen: ref.Gen}}
	}
	return jsonStored{Direct: o.Kind().String()}
}

// Set writes a content set.
func (j *listJSON) Set(s *webcapture.Content) error {
	out := jsonSet{Object: jsondoc.RefOrNil(s.Ref), Kind: s.Kind()}
	switch {
	case s.Set == nil:
		for _, e := range s.Elements {
			out.Elements = append(out.Elements, storedJSON(e))
		}
	case s.Set.Recognized():
		j.sum.Sets++
		if s.Set.ID.OK() {
			id := jsondoc.Key(s.Set.ID.Bytes)
			out.ID = &id
		}
		n := membersOf(s.Set)
		out.Members = &n
		for i := range s.Set.Sources {
			out.Sources = append(out.Sources, sourceInfo(&s.Set.Sources[i]))
		}
	}
	return j.item(inSets, out)
}

func sourceInfo(si *webcapture.SourceInfo) (out jsonSource) {
	for role, u := range si.URLs() {
		k := jsondoc.Key(u)
		if role == webcapture.Destination {
			out.URL = &k
		} else {
			out.Redirects = append(out.Redirects, k)
		}
	}
	return out
}

// Unread writes what could not be read.
func (j *listJSON) Unread(u audit.Unread) error {
	j.sum.Unread++
	return j.item(inUnread, jsondoc.UnreadOf(u))
}

// Close writes the summary.
func (j *listJSON) Close(complete bool) error {
	j.upTo(inUnread)
	j.doc.Text("\n],\n\"summary\":")
	j.sum.Complete = complete
	j.doc.Value(j.sum)
	j.doc.Text("\n}\n")
	return j.doc.Flush()
}
