package layout

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxColumn is the width up to which a column is as wide as its widest cell.
const maxColumn = 80

// Columns appends rows of printable cells below each other, in columns but for what is
// wider than maxColumn. Nothing is broken, so that each cell copies as one piece.
func (b *Buffer) Columns(rows [][]string) {
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
		b.Text(strings.TrimRight(line, " ") + "\n")
	}
}
