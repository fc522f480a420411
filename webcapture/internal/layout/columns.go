package layout

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxColumn is the maximum width of an aligned column.
const maxColumn = 80

// Columns writes rows of printable cells in aligned columns, except for cells wider than maxColumn. If a line has
// no room for a row, it writes the row like Labeled.
func (s *Sheet) Columns(rows [][]string) {
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
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = cell + strings.Repeat(" ", max(width[i]-utf8.RuneCountInString(cell), 0))
		}
		s.Labeled("  "+cells[0], cells[1:]...)
	}
}

// Labeled writes printable texts on the line of a head, which may begin with an indent, if there is room for them.
// Each of the others gets its own lines below. Only a terminal gets a shortened long text: see Line.
func (s *Sheet) Labeled(head string, texts ...string) {
	if s.width == 0 { // piece by piece: there may be a hundred thousand texts, and one may have 500 MB
		texts = slices.Insert(slices.Clone(texts), 0, head)
		for len(texts) > 1 && strings.TrimRight(texts[len(texts)-1], " ") == "" {
			texts = texts[:len(texts)-1]
		}
		for i, text := range texts {
			if i > 0 {
				s.Text("  ")
			}
			if i == len(texts)-1 {
				text = strings.TrimRight(text, " ")
			}
			s.Text(text)
		}
		s.Text("\n")
		return
	}
	line := head
	for len(texts) > 0 {
		longer := strings.TrimRight(line+"  "+texts[0], " ")
		if utf8.RuneCountInString(longer) > s.width {
			break
		}
		line += "  " + texts[0]
		texts = texts[1:]
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	s.Line(indent, line[len(indent):])
	for _, text := range texts {
		if text = strings.TrimRight(text, " "); text != "" {
			s.Line(indent+"    ", text)
		}
	}
}
