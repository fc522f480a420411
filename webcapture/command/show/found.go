package show

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// FileNames holds the unique names of one file.
type FileNames struct {
	Path   string
	Err    error // reason why the other fields are empty
	Total  int   // number of names, unique or not
	Names  []FoundName
	Unread []rule.Unread
}

// ErrNoNames is the Err of a file without a content database, and therefore without unique names.
var ErrNoNames = errors.New("no Web Capture content database, so no unique names")

// A FoundName is a unique name.
type FoundName struct {
	Of      webcapture.Name
	InFull  bool         // Match refers to the full name of a field, because its partial name has no identifier
	Match   digest.Match // the parts of the name
	Sets    []NamedSet   // for each subtype, the first content set with this identifier
	Foreign bool         // no content set has the identifier, and it is not a key of IDS
}

// A NamedSet is a content set whose identifier occurs in a name.
type NamedSet struct {
	Ref     object.Ref // number 0 for a direct object in an entry or array
	Subtype webcapture.Subtype
}

// foreign returns the number of foreign names.
func (f *FileNames) foreign() int {
	n := 0
	for i := range f.Names {
		if f.Names[i].Foreign {
			n++
		}
	}
	return n
}

// outcome returns one word for the outcome of the file.
func (f *FileNames) outcome() string {
	switch {
	case errors.Is(f.Err, ErrNoNames):
		return "none"
	case f.Err != nil:
		return "error"
	case len(f.Unread) > 0:
		return "partial"
	case len(f.Names) == 0:
		return "none"
	}
	return "found"
}

// found returns the name that was split: the full or the partial name.
func (n *FoundName) found() string {
	if n.InFull {
		return n.Of.Full
	}
	return n.Of.Name
}

// A NamesWriter writes the unique names of files. It writes either text or a single JSON document, with a name on
// each line.
type NamesWriter struct {
	sheet   *layout.Sheet
	doc     *jsondoc.Document // nil for text
	version string
	sum     jsonNamesSummary
	begun   bool
}

// NewNamesText returns a NamesWriter that writes text to w, wrapped to width. A width of 0 means that lines are not
// broken.
func NewNamesText(w io.Writer, width int) *NamesWriter {
	return &NamesWriter{sheet: layout.NewSheet(w, width, false)}
}

// NewNamesJSON returns a NamesWriter that writes JSON to w. version is the version of webcap.
func NewNamesJSON(w io.Writer, version string) *NamesWriter {
	return &NamesWriter{doc: jsondoc.New(w), version: version}
}

// Add writes a file.
func (w *NamesWriter) Add(f *FileNames) error {
	if w.doc == nil {
		return w.addText(f)
	}
	return w.addJSON(f)
}

// Close writes the end of the output, which tells whether the output is complete.
func (w *NamesWriter) Close(complete bool) error {
	switch {
	case w.doc != nil:
		w.begin()
		w.sum.Complete = complete
		w.doc.Text("\n],\n\"summary\":")
		w.doc.Value(w.sum)
		w.doc.Text("\n}\n")
		return w.doc.Flush()
	case !complete:
		w.sheet.Text("\nThe list is incomplete: the search was interrupted.\n")
		return w.sheet.Flush()
	}
	return nil
}

// addText writes a headline and a line for each name. It writes nothing for a file without names, because the
// caller reports the reason.
func (w *NamesWriter) addText(f *FileNames) error {
	if len(f.Names) == 0 {
		return nil
	}
	if w.begun {
		w.sheet.Text("\n")
	}
	w.begun = true
	unique := fmt.Sprintf("%d of %s unique", len(f.Names), layout.Count(f.Total, "name"))
	if n := f.foreign(); n > 0 {
		unique += fmt.Sprintf(", %d foreign", n)
	}
	w.sheet.Headline(f.Path, unique)
	rows := [][]string{{"KIND", "FORM", "PLACE", "ID", "CONTENT SET", "ORIGINAL", "NAME"}}
	for i := range f.Names {
		n := &f.Names[i]
		kind, m := n.Of.Kind.String(), n.Match
		if n.InFull {
			kind += ", full name"
		}
		rows = append(rows, []string{kind, m.Form.String(), placeOf(m.Place), m.ID.String(), n.sets(),
			layout.Printable(m.Original), nametree.Key(n.found()).String()})
	}
	w.sheet.Columns(rows)
	return w.sheet.Flush()
}

// sets returns the names of the content sets with the identifier.
func (n *FoundName) sets() string {
	var list []string
	for _, s := range n.Sets {
		text := s.Subtype.String()
		if s.Ref.Num != 0 {
			text += " " + s.Ref.String()
		}
		list = append(list, text)
	}
	switch {
	case n.Foreign:
		return "none: foreign"
	case len(list) == 0:
		return "none: only a key of IDS"
	}
	return strings.Join(list, ", ")
}

// namesSchema is the name and version of the JSON format of unique names.
const namesSchema = "webcap.names/1"

type (
	jsonNamesHead struct {
		Schema string       `json:"schema"`
		Tool   jsondoc.Tool `json:"tool"`
	}
	jsonFileNames struct {
		jsondoc.FilePath
		Outcome string           `json:"outcome"`
		Reason  string           `json:"reason,omitempty"`
		Total   int              `json:"total"`
		Unread  []jsondoc.Unread `json:"unread"`
	}
	jsonFoundName struct {
		Kind     string       `json:"kind"`
		Object   jsondoc.Ref  `json:"object,omitzero"` // only for a field
		Name     jsondoc.Key  `json:"name"`
		FullName *jsondoc.Key `json:"fullName,omitempty"` // only for a field
		InFull   bool         `json:"inFullName"`
		jsonMatch
		Sets    []jsonNamedSet `json:"contentSets"`
		Foreign bool           `json:"foreign"`
	}
	jsonNamedSet struct {
		Object *jsondoc.Ref `json:"object"`
		Kind   string       `json:"kind"`
	}
	jsonNamesSummary struct {
		Inputs   int  `json:"inputs"`
		Total    int  `json:"total"`
		Names    int  `json:"names"`
		Foreign  int  `json:"foreign"`
		Complete bool `json:"complete"`
	}
)

// begin writes the start of the JSON document, once.
func (w *NamesWriter) begin() {
	if !w.begun {
		w.begun = true
		w.doc.Open(jsonNamesHead{namesSchema, jsondoc.ToolOf(w.version)})
		w.doc.Text(",\n\"inputs\":[")
	}
}

func (w *NamesWriter) addJSON(f *FileNames) error {
	w.begin()
	w.doc.Element(w.sum.Inputs == 0)
	w.sum.Inputs++
	w.sum.Total += f.Total
	w.sum.Names += len(f.Names)
	w.sum.Foreign += f.foreign()
	in := jsonFileNames{FilePath: jsondoc.FilePathOf(f.Path), Outcome: f.outcome(), Total: f.Total,
		Unread: []jsondoc.Unread{}}
	if f.Err != nil {
		in.Reason = layout.OneLine(oserror.ReasonOf(f.Err, f.Path))
	}
	for _, u := range f.Unread {
		in.Unread = append(in.Unread, jsondoc.UnreadOf(u))
	}
	w.doc.Open(in)
	w.doc.Text(`,"names":[`)
	err := jsondoc.Elements(w.doc, slices.Values(f.Names), func(n FoundName) { w.doc.Value(foundName(&n)) })
	if err != nil {
		return err
	}
	w.doc.Text("]}")
	return w.doc.Flush()
}

func foundName(n *FoundName) jsonFoundName {
	out := jsonFoundName{
		Kind: n.Of.Kind.String(), Object: jsondoc.Ref(n.Of.Ref), Name: jsondoc.Key(n.Of.Name), InFull: n.InFull,
		jsonMatch: match(n.Match), Sets: []jsonNamedSet{}, Foreign: n.Foreign,
	}
	if n.Of.Kind == webcapture.FormField {
		out.FullName = new(jsondoc.Key(n.Of.Full))
	}
	for _, s := range n.Sets {
		out.Sets = append(out.Sets, jsonNamedSet{jsondoc.RefOrNil(s.Ref), s.Subtype.String()})
	}
	return out
}
