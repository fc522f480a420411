package show

import (
	"encoding/hex"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// An EncodedName is a name, and the unique names made from it.
type EncodedName struct {
	Original string
	ID       digest.ID
	Forms    []digest.Form
}

// A DecodedName is a unique name, and the possible ways to split it.
type DecodedName struct {
	Name  string
	Ways  []digest.Match // the most likely first
	Known bool           // the caller knows the identifiers of content sets
}

// certainty describes how certain the way m to split the name is.
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

// text writes the name. Below it, text writes each unique name as text and in hexadecimal.
func (n *EncodedName) text(s *layout.Sheet) {
	rows := [][]string{{"FORM", "NAME", "BYTES"}}
	for _, f := range n.Forms {
		name := f.Name(n.Original, n.ID)
		rows = append(rows, []string{f.String(), layout.Printable(name), hex.EncodeToString([]byte(name))})
	}
	s.Line("", layout.Printable(n.Original))
	s.Columns(rows)
}

// text writes the name, and its parts.
func (n *DecodedName) text(s *layout.Sheet) {
	if len(n.Ways) == 0 {
		s.Line("", layout.Printable(n.Name)+": no identifier")
		return
	}
	rows := [][]string{{"FORM", "PLACE", "HOW SURE", "ID", "ORIGINAL"}}
	for _, m := range n.Ways {
		rows = append(rows, []string{m.Form.String(), placeOf(m.Place), n.certainty(m), m.ID.String(),
			layout.Printable(m.Original)})
	}
	s.Line("", layout.Printable(n.Name))
	s.Columns(rows)
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

func (n *EncodedName) json() any {
	out := jsonEncodedName{Name: jsondoc.Key(n.Original), ID: bytesKey(n.ID[:])}
	for _, f := range n.Forms {
		out.Forms = append(out.Forms, jsonEncodedForm{f.String(), jsondoc.Key(f.Name(n.Original, n.ID))})
	}
	return out
}

func (n *DecodedName) json() any {
	out := jsonDecodedName{Name: jsondoc.Key(n.Name), Ways: []jsonWay{}}
	for _, m := range n.Ways {
		out.Ways = append(out.Ways, jsonWay{match(m), n.certainty(m)})
	}
	return out
}
