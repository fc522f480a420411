package layout

import (
	"strings"
	"unicode/utf8"
)

// maxColumn is the maximum width of an aligned column.
const maxColumn = 80

// Columns writes rows of printable cells in aligned columns. Cells wider than maxColumn are not aligned. A row that
// is too wide for a line is written as by Labeled.
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

// Labeled writes a head, which may begin with an indent, and as many printable texts as fit on the same line. Each
// further text gets its own lines below. Long texts are shortened on a terminal only: see Line.
func (s *Sheet) Labeled(head string, texts ...string) {
	if s.width == 0 {
		s.Text(strings.TrimRight(strings.Join(append([]string{head}, texts...), "  "), " "))
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
