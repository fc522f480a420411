package show

import (
	"encoding/hex"
	"io"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A NameWriter writes what becomes of names, one by one. Each error is that of
// the underlying writer.
type NameWriter interface {
	Encoded(*EncodedName) error
	Decoded(*DecodedName) error
}

// An EncodedName is a name, and the unique names that are made of it.
type EncodedName struct {
	Original string
	ID       digest.ID
	Forms    []digest.Form
}

// A DecodedName is a unique name, and the ways to take it apart.
type DecodedName struct {
	Name  string
	Ways  []digest.Match // the likeliest first
	Known bool           // that the identifiers are those of content sets
}

// sure says how sure it is that a way is right.
func (n *DecodedName) certainty(m digest.Match) string {
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

// A nameTable writes for people. Names are printable.
type nameTable struct{ sheet *layout.Sheet }

// NewNameTable returns a writer of tables to w, in lines of a width; 0 for as long
// as it takes.
func NewNameTable(w io.Writer, width int) NameWriter {
	return &nameTable{layout.NewSheet(w, width, false)}
}

// Encoded writes a name, and each form of it as text and in hexadecimal.
func (t *nameTable) Encoded(n *EncodedName) error {
	rows := [][]string{{"FORM", "NAME", "BYTES"}}
	for _, f := range n.Forms {
		name := f.Name(n.Original, n.ID)
		rows = append(rows, []string{f.String(), layout.Printable(name), hex.EncodeToString([]byte(name))})
	}
	return t.write(layout.Printable(n.Original), rows)
}

// Decoded writes a name, and what it was made of.
func (t *nameTable) Decoded(n *DecodedName) error {
	if len(n.Ways) == 0 {
		return t.write(layout.Printable(n.Name)+": no identifier", nil)
	}
	rows := [][]string{{"FORM", "PLACE", "HOW SURE", "ID", "ORIGINAL"}}
	for _, m := range n.Ways {
		rows = append(rows, []string{m.Form.String(), placeOf(m.Place), n.certainty(m), m.ID.String(), layout.Printable(m.Original)})
	}
	return t.write(layout.Printable(n.Name), rows)
}

func (t *nameTable) write(head string, rows [][]string) error {
	t.sheet.Line("", head)
	t.sheet.Columns(rows)
	return t.sheet.Flush()
}

type (
	jsonEncodedName struct {
		Name  jsondoc.Key       `json:"name"`
		ID    jsondoc.Key       `json:"id"`
		Forms []jsonEncodedForm `json:"forms"`
	}
	jsonEncodedForm struct {
		Form string      `json:"form"`
		Name jsondoc.Key `json:"name"`
	}
	jsonDecodedName struct {
		Name jsondoc.Key `json:"name"`
		Ways []jsonWay   `json:"ways"`
	}
	jsonWay struct {
		jsonMatch
		HowSure string `json:"howSure"`
	}
	jsonMatch struct {
		Form     string      `json:"form"`
		Place    string      `json:"place"`
		ID       jsondoc.Key `json:"id"`
		Original jsondoc.Key `json:"original"`
	}
)

func match(m digest.Match) jsonMatch {
	return jsonMatch{m.Form.String(), placeOf(m.Place), bytesKey(m.ID[:]), jsondoc.Key(m.Original)}
}

// A nameJSON writes each name as a JSON object on a line of its own.
type nameJSON struct{ doc *jsondoc.Document }

// NewNameJSON returns a writer of JSON to w.
func NewNameJSON(w io.Writer) NameWriter { return &nameJSON{jsondoc.New(w)} }

// Encoded writes a line.
func (j *nameJSON) Encoded(n *EncodedName) error {
	out := jsonEncodedName{Name: jsondoc.Key(n.Original), ID: bytesKey(n.ID[:])}
	for _, f := range n.Forms {
		out.Forms = append(out.Forms, jsonEncodedForm{f.String(), jsondoc.Key(f.Name(n.Original, n.ID))})
	}
	return j.line(out)
}

// Decoded writes a line.
func (j *nameJSON) Decoded(n *DecodedName) error {
	out := jsonDecodedName{Name: jsondoc.Key(n.Name), Ways: []jsonWay{}}
	for _, m := range n.Ways {
		out.Ways = append(out.Ways, jsonWay{match(m), n.certainty(m)})
	}
	return j.line(out)
}

func (j *nameJSON) line(v any) error {
	j.doc.Value(v)
	j.doc.Text("\n")
	return j.doc.Flush()
}
