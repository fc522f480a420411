package report

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A NameWriter writes what becomes of names, one by one. Each error is that of
// the underlying writer.
type NameWriter interface {
	Made(*MadeNames) error
	Taken(*TakenName) error
}

// A MadeNames is the unique names that are made of a name.
type MadeNames struct {
	Original string
	ID       digest.ID
	Forms    []digest.Form
}

// A TakenName is a unique name, and the ways to take it apart.
type TakenName struct {
	Name  string
	Ways  []digest.Match // the likeliest first
	Known bool           // that the identifiers are those of content sets
}

// sure says how sure it is that a way is right.
func (n *TakenName) sure(m digest.Match) string {
	switch {
	case n.Known:
		return "known"
	case m.ID.LooksDigested():
		return "likely"
	}
	return "unlikely"
}

func placeOf(p digest.Place) string {
	return [...]string{digest.Suffix: "suffix", digest.Prefix: "prefix"}[p]
}

// A NameTable writes for people. Names are printable, and in one piece whatever
// their length.
type NameTable struct {
	w   io.Writer
	buf bytes.Buffer
}

// NewNameTable returns a NameTable that writes to w.
func NewNameTable(w io.Writer) *NameTable { return &NameTable{w: w} }

// Made writes a name, and each form of it as text and in hexadecimal.
func (t *NameTable) Made(n *MadeNames) error {
	rows := [][]string{{"FORM", "NAME", "BYTES"}}
	for _, f := range n.Forms {
		name := f.Name(n.Original, n.ID)
		rows = append(rows, []string{f.String(), layout.Printable(name), hex.EncodeToString([]byte(name))})
	}
	return t.write(layout.Printable(n.Original), rows)
}

// Taken writes a name, and what it was made of.
func (t *NameTable) Taken(n *TakenName) error {
	if len(n.Ways) == 0 {
		return t.write(layout.Printable(n.Name)+": no identifier", nil)
	}
	rows := [][]string{{"FORM", "PLACE", "ID", "HOW SURE", "ORIGINAL"}}
	for _, m := range n.Ways {
		rows = append(rows, []string{m.Form.String(), placeOf(m.Place), m.ID.String(), n.sure(m), layout.Printable(m.Original)})
	}
	return t.write(layout.Printable(n.Name), rows)
}

func (t *NameTable) write(head string, rows [][]string) error {
	t.buf.Reset()
	t.buf.WriteString(head + "\n")
	columns(&t.buf, rows)
	_, err := t.w.Write(t.buf.Bytes())
	return err
}

// maxColumn is the width up to which a column is as wide as its widest cell.
const maxColumn = 80

// columns writes rows below each other, in columns but for what is wider than maxColumn.
func columns(b *bytes.Buffer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = min(max(width[i], utf8.RuneCountInString(cell)), maxColumn)
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			if i == len(row)-1 {
				width[i] = 0
			}
			line += fmt.Sprintf(" %-*s ", width[i], cell)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

type (
	jsonMadeNames struct {
		Name  jsonKey        `json:"name"`
		ID    jsonKey        `json:"id"`
		Forms []jsonMadeName `json:"forms"`
	}
	jsonMadeName struct {
		Form string  `json:"form"`
		Name jsonKey `json:"name"`
	}
	jsonTakenName struct {
		Name jsonKey   `json:"name"`
		Ways []jsonWay `json:"ways"`
	}
	jsonWay struct {
		jsonMatch
		HowSure string `json:"howSure"`
	}
	jsonMatch struct {
		Form     string  `json:"form"`
		Place    string  `json:"place"`
		ID       jsonKey `json:"id"`
		Original jsonKey `json:"original"`
	}
)

func match(m digest.Match) jsonMatch {
	return jsonMatch{m.Form.String(), placeOf(m.Place), bytesKey(m.ID[:]), key(nametree.Key(m.Original))}
}

// A NameJSON writes each name as a JSON object on a line of its own.
type NameJSON struct{ doc document }

// NewNameJSON returns a NameJSON that writes to w.
func NewNameJSON(w io.Writer) *NameJSON { return &NameJSON{newDocument(w)} }

// Made writes a line.
func (j *NameJSON) Made(n *MadeNames) error {
	out := jsonMadeNames{Name: key(nametree.Key(n.Original)), ID: bytesKey(n.ID[:])}
	for _, f := range n.Forms {
		out.Forms = append(out.Forms, jsonMadeName{f.String(), key(nametree.Key(f.Name(n.Original, n.ID)))})
	}
	return j.line(out)
}

// Taken writes a line.
func (j *NameJSON) Taken(n *TakenName) error {
	out := jsonTakenName{Name: key(nametree.Key(n.Name)), Ways: []jsonWay{}}
	for _, m := range n.Ways {
		out.Ways = append(out.Ways, jsonWay{match(m), n.sure(m)})
	}
	return j.line(out)
}

func (j *NameJSON) line(v any) error {
	j.doc.value(v)
	j.doc.text("\n")
	return j.doc.flush()
}

// A FileNames is the unique names of one file.
type FileNames struct {
	Path   string
	Err    error // why there is nothing else
	Total  int   // names, unique or not
	Names  []FoundName
	Unread []audit.Unread
}

// ErrNoNames is the Err of a file that was read and cannot have unique names: it
// has no content sets.
var ErrNoNames = errors.New("no Web Capture content database: no unique names")

// A FoundName is a unique name.
type FoundName struct {
	Of      webcapture.Name
	InFull  bool         // it is the full name of a field that was taken apart: its partial name has no identifier
	Match   digest.Match // what the name was made of
	Sets    []NamedSet   // the first of each subtype with the identifier
	Foreign bool         // no content set has the identifier, and no key of IDS is it
}

// A NamedSet is a content set whose identifier is in a name.
type NamedSet struct {
	Ref     object.Ref // Num 0 if it stands in an entry or array itself
	Subtype webcapture.Subtype
}

// foreign counts the names whose identifier no content set has.
func (f *FileNames) foreign() int {
	n := 0
	for i := range f.Names {
		if f.Names[i].Foreign {
			n++
		}
	}
	return n
}

// Outcome returns Clean if unique names were found and Nothing if there are none;
// Partial and Failed are as with a Record.
func (f *FileNames) Outcome() Outcome {
	switch {
	case errors.Is(f.Err, ErrNoNames):
		return Nothing
	case f.Err != nil:
		return Failed
	case len(f.Unread) > 0:
		return Partial
	case len(f.Names) == 0:
		return Nothing
	}
	return Clean
}

// found returns the name that was taken apart.
func (n *FoundName) found() string {
	if n.InFull {
		return n.Of.Full
	}
	return n.Of.Name
}

// A FoundWriter writes the unique names of files, one file after the other.
// Each error is that of the underlying writer.
type FoundWriter interface {
	Add(*FileNames) error

	// Close writes what ends the output, which says whether it is complete.
	Close(complete bool) error
}

// A FoundTable writes for people.
type FoundTable struct {
	w     io.Writer
	begun bool
}

// NewFoundTable returns a FoundTable that writes to w.
func NewFoundTable(w io.Writer) *FoundTable { return &FoundTable{w: w} }

// Add writes a headline and a line for each name. It writes nothing of a file
// without any; why that is, is for the caller to say.
func (t *FoundTable) Add(f *FileNames) error {
	if len(f.Names) == 0 {
		return nil
	}
	var b bytes.Buffer
	if t.begun {
		b.WriteByte('\n')
	}
	t.begun = true
	fmt.Fprintf(&b, "%s: %d of %s unique", layout.Printable(f.Path), len(f.Names), layout.Count(f.Total, "name"))
	if n := f.foreign(); n > 0 {
		fmt.Fprintf(&b, ", %d foreign", n)
	}
	b.WriteByte('\n')
	rows := [][]string{{"KIND", "FORM", "PLACE", "ID", "CONTENT SET", "ORIGINAL", "NAME"}}
	for i := range f.Names {
		n := &f.Names[i]
		kind, m := n.Of.Kind.String(), n.Match
		if n.InFull {
			kind += ", full name"
		}
		rows = append(rows, []string{kind, m.Form.String(), placeOf(m.Place), m.ID.String(), n.sets(), layout.Printable(m.Original), nametree.Key(n.found()).String()})
	}
	columns(&b, rows)
	_, err := t.w.Write(b.Bytes())
	return err
}

// sets names the content sets that have the identifier.
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
		return "a key of IDS alone"
	}
	return strings.Join(list, ", ")
}

// Close writes nothing, unless the list is not complete.
func (t *FoundTable) Close(complete bool) error {
	if complete {
		return nil
	}
	_, err := io.WriteString(t.w, "\nThis is not all: the search was interrupted.\n")
	return err
}

// NamesSchema names the JSON format of unique names and its version.
const NamesSchema = "webcap.names/1"

type (
	jsonFileNames struct {
		Path    string       `json:"path"`
		PathHex string       `json:"pathHex,omitempty"`
		Outcome string       `json:"outcome"`
		Reason  string       `json:"reason,omitempty"`
		Total   int          `json:"total"`
		Unread  []jsonUnread `json:"unread"`
	}
	jsonFoundName struct {
		Kind     string   `json:"kind"`
		Object   *jsonRef `json:"object,omitempty"` // a field
		Name     jsonKey  `json:"name"`
		FullName *jsonKey `json:"fullName,omitempty"` // of a field
		InFull   bool     `json:"inFullName"`
		jsonMatch
		Sets    []jsonNamedSet `json:"contentSets"`
		Foreign bool           `json:"foreign"`
	}
	jsonNamedSet struct {
		Object *jsonRef `json:"object"`
		Kind   string   `json:"kind"`
	}
	jsonNamesSummary struct {
		Inputs   int  `json:"inputs"`
		Total    int  `json:"total"`
		Names    int  `json:"names"`
		Foreign  int  `json:"foreign"`
		Complete bool `json:"complete"`
	}
)

// A FoundJSON writes one JSON document, a name on each line.
type FoundJSON struct {
	doc     document
	version string
	sum     jsonNamesSummary
	begun   bool
}

// NewFoundJSON returns a FoundJSON that writes to w. Version is that of webcap.
func NewFoundJSON(w io.Writer, version string) *FoundJSON {
	return &FoundJSON{doc: newDocument(w), version: version}
}

func (j *FoundJSON) begin() {
	if !j.begun {
		j.begun = true
		j.doc.open(jsonHead{Schema: NamesSchema, Tool: jsonTool{"webcap", j.version}})
		j.doc.text(",\n\"inputs\":[")
	}
}

// Add writes a file.
func (j *FoundJSON) Add(f *FileNames) error {
	j.begin()
	j.doc.text(separator(j.sum.Inputs == 0))
	j.sum.Inputs++
	j.sum.Total += f.Total
	j.sum.Names += len(f.Names)
	j.sum.Foreign += f.foreign()
	in := jsonFileNames{Path: f.Path, Outcome: "found", Total: f.Total, Unread: []jsonUnread{}}
	if o := f.Outcome(); o != Clean {
		in.Outcome, in.Reason = o.String(), (&Record{Path: f.Path, Err: f.Err}).Reason()
	}
	if !utf8.ValidString(f.Path) {
		in.PathHex = hex.EncodeToString([]byte(f.Path))
	}
	for _, u := range f.Unread {
		in.Unread = append(in.Unread, unread(u))
	}
	j.doc.open(in)
	j.doc.text(`,"names":[`)
	for i := range f.Names {
		j.doc.text(separator(i == 0))
		j.doc.value(foundName(&f.Names[i]))
		if j.doc.buf.Len() > 1<<16 {
			if err := j.doc.flush(); err != nil {
				return err
			}
		}
	}
	j.doc.text("]}")
	return j.doc.flush()
}

func foundName(n *FoundName) jsonFoundName {
	out := jsonFoundName{
		Kind: n.Of.Kind.String(), Object: reference(n.Of.Ref), Name: key(nametree.Key(n.Of.Name)), InFull: n.InFull,
		jsonMatch: match(n.Match), Sets: []jsonNamedSet{}, Foreign: n.Foreign,
	}
	if n.Of.Kind == webcapture.FormField {
		full := key(nametree.Key(n.Of.Full))
		out.FullName = &full
	}
	for _, s := range n.Sets {
		out.Sets = append(out.Sets, jsonNamedSet{reference(s.Ref), s.Subtype.String()})
	}
	return out
}

// Close writes the summary.
func (j *FoundJSON) Close(complete bool) error {
	j.begin()
	j.sum.Complete = complete
	j.doc.text("\n],\n\"summary\":")
	j.doc.value(j.sum)
	j.doc.text("\n}\n")
	return j.doc.flush()
}
