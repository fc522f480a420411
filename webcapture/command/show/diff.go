package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A DiffWriter writes what comparing two files came to.
type DiffWriter interface {
	// Write writes the result. The error is that of the underlying writer.
	Write(*diff.Result) error
}

// maxChanges is how many changes of one kind, to one part of a database, a table shows.
const maxChanges = 20

// A diffTable writes a result for people.
type diffTable struct{ sheet *layout.Sheet }

// NewDiffTable returns a writer of tables to w, in lines of a width; 0 for as long
// as it takes.
func NewDiffTable(w io.Writer, width int) DiffWriter {
	return &diffTable{layout.NewSheet(w, width, false)}
}

// Write writes a headline for each file, the verdict, what is known to have
// happened, and each change. Nothing it writes can move a terminal's cursor.
func (d *diffTable) Write(r *diff.Result) error {
	for _, file := range []*diff.Summary{&r.A, &r.B} {
		d.sheet.Headline(file.Path, holds(file))
		for _, l := range slices.Concat(phrase.NoticeLines(file.Report), phrase.UnreadLines(file.Report)) {
			d.sheet.Line("  ", l)
		}
	}
	d.sheet.Line("", verdict(r))
	for _, c := range r.Causes {
		d.sheet.Line("  ", c.String())
	}
	if err := d.changes(r.Changes); err != nil {
		return err
	}
	return d.sheet.Flush()
}

// holds says what a file holds, as far as it is compared.
func holds(s *diff.Summary) string {
	if !s.Present && len(s.Unread) == 0 {
		return "no Web Capture content database"
	}
	parts := []string{phrase.Contents(s.Report)}
	if s.Tagged > 0 {
		parts = append(parts, layout.Count(s.Tagged, "page")+" with ID")
	}
	if s.Retained > 0 {
		parts = append(parts, layout.Count(s.Retained, "retained URL"))
	}
	if s.Named > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s found", s.Found, layout.Count(s.Named, "named link")))
	}
	return strings.Join(parts, ", ")
}

// verdict says in one line what the result is.
func verdict(r *diff.Result) string {
	var parts []string
	for kind, n := range tallyChanges(r.Changes) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, diff.Kind(kind)))
		}
	}
	if n := len(r.A.Unread) + len(r.B.Unread); n > 0 {
		parts = append(parts, layout.Count(n, "part")+" could not be compared")
	}
	switch {
	case !r.Present() && r.Whole():
		return "nothing to compare"
	case len(r.Changes) > 0:
		return "different: " + strings.Join(parts, ", ")
	case !r.Whole():
		return "not known to be the same: " + strings.Join(parts, ", ")
	}
	return "same"
}

func tallyChanges(list []diff.Change) (n [3]int) {
	for i := range list {
		n[list[i].Kind]++
	}
	return n
}

// changes writes the changes in their order, at most maxChanges of each kind and
// part.
func (d *diffTable) changes(list []diff.Change) error {
	if len(list) == 0 {
		return nil
	}
	type group struct {
		diff.Part
		diff.Kind
		tree string
	}
	seen := map[group]int{}
	for i := range list {
		seen[group{list[i].Place.Part, list[i].Kind, list[i].Place.Tree}]++
	}
	var rows [][]string
	shown := map[group]int{}
	for i := range list {
		c := &list[i]
		g := group{c.Place.Part, c.Kind, c.Place.Tree}
		switch shown[g]++; {
		case shown[g] <= maxChanges:
			rows = append(rows, []string{c.Kind.String(), changeText(c)})
		case shown[g] == maxChanges+1:
			rows = append(rows, []string{c.Kind.String(), fmt.Sprintf("… and %d more like these; --format json lists all", seen[g]-maxChanges)})
		}
	}
	return d.sheet.Table(rows, len("  changed  "))
}

// changeText says on one line what changed.
func changeText(c *diff.Change) string {
	text := c.Place.String()
	switch {
	case c.Kind == diff.Changed && strings.HasSuffix(text, " "+c.A): // a key itself
		return text + " → " + c.B
	case c.Kind == diff.Changed:
		return text + ": " + c.A + " → " + c.B
	case c.A+c.B != "":
		return text + ": " + c.A + c.B
	}
	return text
}

// diffSchema names the JSON format of comparisons and its version.
const diffSchema = "webcap.diff/1"

type (
	jsonDiffHead struct {
		Schema  string          `json:"schema"`
		Tool    jsondoc.Tool    `json:"tool"`
		Outcome string          `json:"outcome"`
		A       jsonDiffFile    `json:"a"`
		B       jsonDiffFile    `json:"b"`
		Causes  []jsonDiffCause `json:"causes"`
	}
	jsonDiffFile struct {
		Path     string            `json:"path"`
		PathHex  string            `json:"pathHex,omitempty"`
		File     *jsondoc.File     `json:"file"`
		Database *jsondoc.Database `json:"database"` // null without one
		Pages    jsonDiffPages     `json:"pages"`
		Links    jsonDiffLinks     `json:"links"`
		Unread   []jsondoc.Unread  `json:"unread"`
	}
	jsonDiffPages struct {
		Count  int `json:"count"`
		WithID int `json:"withID"`
	}
	jsonDiffLinks struct {
		Retained int `json:"retained"`
		Named    int `json:"named"`
		Found    int `json:"found"`
	}
	jsonDiffCause struct {
		Kind  string `json:"kind"`
		Text  string `json:"text"`
		Tree  string `json:"tree,omitempty"`
		As    string `json:"as,omitempty"`
		Count int    `json:"count"`
		Of    int    `json:"of"`
	}
	jsonChange struct {
		Kind  string        `json:"kind"`
		Place jsonDiffPlace `json:"place"`
		A     string        `json:"a,omitempty"`
		B     string        `json:"b,omitempty"`
	}
	jsonDiffPlace struct {
		Text  string       `json:"text"`
		Part  string       `json:"part"`
		Tree  string       `json:"tree,omitempty"`
		Key   *jsondoc.Key `json:"key,omitempty"`
		Set   *jsonDiffSet `json:"contentSet,omitempty"`
		Entry string       `json:"entry,omitempty"`
		Index *int         `json:"index,omitempty"`
	}
	jsonDiffSet struct {
		Kind string       `json:"kind"`
		ID   *jsondoc.Key `json:"id,omitempty"`
		URL  *jsondoc.Key `json:"url,omitempty"`
	}
	jsonDiffSummary struct {
		Lost     int  `json:"lost"`
		Added    int  `json:"added"`
		Changed  int  `json:"changed"`
		Complete bool `json:"complete"`
	}
)

// A diffJSON writes a result as one JSON document, a change on each line.
type diffJSON struct {
	doc     *jsondoc.Document
	version string
}

// NewDiffJSON returns a writer of JSON to w; version is that of webcap.
func NewDiffJSON(w io.Writer, version string) DiffWriter {
	return &diffJSON{jsondoc.New(w), version}
}

// Write writes the document.
func (j *diffJSON) Write(r *diff.Result) error {
	causes := []jsonDiffCause{}
	for _, c := range r.Causes {
		causes = append(causes, jsonDiffCause{c.Kind.String(), c.String(), c.Tree, c.As, c.Count, c.Of})
	}
	d := j.doc
	d.Open(jsonDiffHead{diffSchema, jsondoc.ToolOf(j.version), diffOutcome(r), diffFile(&r.A), diffFile(&r.B), causes})
	d.Text(",\n\"changes\":[")
	err := jsondoc.Elements(d, r.Changes, func(c *diff.Change) {
		d.Value(jsonChange{c.Kind.String(), diffPlace(&c.Place), c.A, c.B})
	})
	if err != nil {
		return err
	}
	n := tallyChanges(r.Changes)
	d.Text("\n],\n\"summary\":")
	d.Value(jsonDiffSummary{n[diff.Lost], n[diff.Added], n[diff.Changed], r.Whole()})
	d.Text("\n}\n")
	return d.Flush()
}

// diffOutcome returns the result in one word.
func diffOutcome(r *diff.Result) string {
	switch {
	case !r.Whole():
		return "partial"
	case !r.Present():
		return "none"
	case r.Same():
		return "same"
	}
	return "different"
}

func diffFile(s *diff.Summary) jsonDiffFile {
	in := jsondoc.InputOf(s.Path, "", "", s.Report)
	return jsonDiffFile{
		Path: in.Path, PathHex: in.PathHex, File: in.File, Database: in.Database, Unread: in.Unread,
		Pages: jsonDiffPages{s.Pages, s.Tagged}, Links: jsonDiffLinks{s.Retained, s.Named, s.Found},
	}
}

func diffPlace(p *diff.Place) jsonDiffPlace {
	out := jsonDiffPlace{Text: p.String(), Part: p.Part.String(), Tree: p.Tree, Entry: p.Entry}
	switch p.Part {
	case diff.TreeKey, diff.Source, diff.Command, diff.PageID, diff.RetainedLink, diff.Destination:
		k := jsondoc.Key(p.Key)
		out.Key = &k
	}
	switch p.Part {
	case diff.ContentSet, diff.SetEntry, diff.Source, diff.Member:
		set := jsonDiffSet{Kind: p.Set.Subtype.String()}
		if p.Set.HasID {
			id := jsondoc.Key(p.Set.ID[:])
			set.ID = &id
		}
		if p.Set.URL != "" {
			url := jsondoc.Key(p.Set.URL)
			set.URL = &url
		}
		out.Set = &set
	}
	if p.Part == diff.Member {
		out.Index = &p.Index
	}
	return out
}
