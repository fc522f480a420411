package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// maxChanges is the maximum number of changes in a table for each kind of change and each part of a database.
const maxChanges = 20

// WriteDiff writes a comparison for people: a headline for each file, the verdict, and each change.
// With a width of 0, lines are not broken.
func WriteDiff(w io.Writer, r *diff.Result, width int) error {
	s := layout.NewSheet(w, width, false)
	for _, file := range []*audit.Report{r.A, r.B} {
		s.Headline(file.Path, phrase.Contents(file))
		for _, l := range slices.Concat(phrase.NoticeLines(file), phrase.UnreadLines(file)) {
			s.Line("  ", l)
		}
	}
	s.Line("", verdict(r))
	if err := writeChanges(s, r.Changes); err != nil {
		return err
	}
	return s.Flush()
}

// verdict returns the result in one line.
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
		return "no difference found, but " + strings.Join(parts, ", ")
	}
	return "same"
}

func tallyChanges(list []diff.Change) (n [3]int) {
	for i := range list {
		n[list[i].Kind]++
	}
	return n
}

// writeChanges writes the changes in their order, at most maxChanges for each kind and each part.
func writeChanges(s *layout.Sheet, list []diff.Change) error {
	type group struct {
		diff.Part
		diff.Kind
		tree string
	}
	return s.Table(limitRows(list, maxChanges, func(c *diff.Change) (group, []string) {
		return group{c.Place.Part, c.Kind, c.Place.Tree}, []string{c.Kind.String(), changeText(c)}
	}))
}

// changeText describes a change on one line.
func changeText(c *diff.Change) string {
	text := c.Place.String()
	switch {
	case c.Kind == diff.Changed && strings.HasSuffix(text, " "+c.A): // the key itself changed
		return text + " → " + c.B
	case c.Kind == diff.Changed:
		return text + ": " + c.A + " → " + c.B
	case c.A+c.B != "":
		return text + ": " + c.A + c.B
	}
	return text
}

// diffSchema is the name and version of the JSON format of comparisons.
const diffSchema = "webcap.diff/1"

type (
	jsonDiffHead struct {
		Schema  string       `json:"schema"`
		Tool    jsondoc.Tool `json:"tool"`
		Outcome string       `json:"outcome"`
		A       jsonDiffFile `json:"a"`
		B       jsonDiffFile `json:"b"`
	}
	jsonDiffFile struct {
		jsondoc.FilePath
		File     *webcapture.Facts `json:"file"`
		Database *report.Database  `json:"database"` // null without a content database
		Unread   []rule.Unread     `json:"unread"`
	}
	jsonChange struct {
		Kind  string        `json:"kind"`
		Place jsonDiffPlace `json:"place"`
		A     string        `json:"a,omitempty"`
		B     string        `json:"b,omitempty"`
	}
	jsonDiffPlace struct {
		Text  string        `json:"text"`
		Part  string        `json:"part"`
		Tree  string        `json:"tree,omitempty"`
		Key   *nametree.Key `json:"key,omitempty"`
		Set   *jsonDiffSet  `json:"contentSet,omitempty"`
		Entry string        `json:"entry,omitempty"`
		Index *int          `json:"index,omitempty"`
	}
	jsonDiffSet struct {
		Kind string        `json:"kind"`
		ID   *nametree.Key `json:"id,omitempty"`
		URL  nametree.Key  `json:"url,omitempty"`
	}
	jsonDiffSummary struct {
		Lost     int  `json:"lost"`
		Added    int  `json:"added"`
		Changed  int  `json:"changed"`
		Complete bool `json:"complete"`
	}
)

// WriteDiffJSON writes a comparison as one JSON document, with one change per line. version is the version of webcap.
func WriteDiffJSON(w io.Writer, r *diff.Result, version string) error {
	d := jsondoc.New(w)
	d.Open(jsonDiffHead{diffSchema, jsondoc.ToolOf(version), diffOutcome(r), diffFile(r.A), diffFile(r.B)})
	d.Text(",\n\"changes\":[")
	err := jsondoc.Elements(d, slices.Values(r.Changes), func(c diff.Change) {
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

// diffOutcome returns one word for the result.
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

func diffFile(rep *audit.Report) jsonDiffFile {
	return jsonDiffFile{FilePath: jsondoc.FilePathOf(rep.Path), File: report.FileOf(rep),
		Database: report.DatabaseOf(rep), Unread: append([]rule.Unread{}, rep.Unread...)} // not null
}

func diffPlace(p *diff.Place) jsonDiffPlace {
	out := jsonDiffPlace{Text: p.String(), Part: p.Part.String(), Tree: p.Tree, Entry: p.Entry}
	switch p.Part {
	case diff.TreeKey, diff.Source, diff.PageID, diff.RetainedLink:
		out.Key = new(nametree.Key(p.Key))
	}
	switch p.Part {
	case diff.ContentSet, diff.Source, diff.Member:
		set := jsonDiffSet{Kind: p.Set.Subtype.String(), URL: nametree.Key(p.Set.URL)}
		if p.Set.HasID {
			set.ID = new(nametree.Key(p.Set.ID[:]))
		}
		out.Set = &set
	}
	if p.Part == diff.Member || p.Part == diff.Command {
		out.Index = &p.Index
	}
	return out
}
