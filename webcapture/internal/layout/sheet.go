package layout

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	minWidth = 40 // narrower terminals wrap lines themselves
	minRoom  = 10 // minimum room for text on a line, even if less is left
	minText  = 44 // minimum for the text next to a column of places

	// maxCell is the maximum number of characters of a text. Browsers accept URLs of some 2,000.
	maxCell = 2500
)

// A Sheet writes text for people: wrapped lines and tables. It writes arguments without escapes, so they must be
// printable, unless the method says otherwise.
type Sheet struct {
	Buffer
	width  int // 0 for unlimited
	colour bool
}

// NewSheet returns a Sheet for w. A width of 0 means a file, in which lines are not broken.
func NewSheet(w io.Writer, width int, colour bool) *Sheet {
	if width > 0 {
		width = max(width, minWidth)
	}
	return &Sheet{Buffer: Buffer{w: w}, width: width, colour: colour}
}

// Headline writes a path, which may be any text, and a text about it. The path is not broken, so that it can be
// copied.
func (s *Sheet) Headline(path, text string) {
	path = Printable(path) + ":"
	if s.width == 0 || utf8.RuneCountInString(path+" "+text) <= s.width {
		s.Text(s.Paint(Bold, path) + " " + text + "\n")
		return
	}
	s.Text(s.Paint(Bold, path) + "\n")
	s.Line("    ", text)
}

// Whole writes text after an indent, and then a printable command. The command is not broken, so that it can be
// copied.
func (s *Sheet) Whole(indent, text, command string) {
	if s.width == 0 || utf8.RuneCountInString(indent+text+" "+command) <= s.width {
		s.Text(indent + text + " " + command + "\n")
		return
	}
	s.Line(indent, text)
	s.Text(indent + "  " + command + "\n")
}

// Line writes text after an indent, wrapped to the width.
func (s *Sheet) Line(indent, text string) {
	for i, l := range Wrap(shorten(text), s.room(len(indent)+2)) {
		if i > 0 {
			s.Text("  ")
		}
		s.Text(strings.TrimRight(indent+l, " ") + "\n")
	}
}

// room returns the number of characters left on a line after n others; 0 if lines are not broken.
func (s *Sheet) room(n int) int {
	if s.width == 0 {
		return 0
	}
	return max(s.width-n, minRoom)
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxCell {
		return s
	}
	return s[:cut(s, maxCell)] + " …"
}

// Table writes rows. The last cell of each row is any text, wrapped to fit next to the other cells. The other cells
// are printable and take taken characters.
func (s *Sheet) Table(rows [][]string, taken int) error {
	for _, r := range rows {
		last := len(r) - 1
		r[last] = strings.Join(Wrap(shorten(Printable(r[last])), s.room(taken)), "\n")
	}
	return s.table(rows)
}

// A Row is a row of a table about places: labels, a place, and a text about the place. Labels must be printable;
// place and text may be any text. Either may be empty.
type Row struct {
	Labels      []string
	Place, Text string
}

// Places writes rows whose labels take taken characters of a line. The column of places is as wide as the widest
// place; the text is the last column. If that leaves too little room for the text, place and text share a column:
// the text begins with the place, and its further lines are indented.
func (s *Sheet) Places(rows []Row, taken int) error {
	places, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		places[i] = Printable(r.Place)
		widest = max(widest, utf8.RuneCountInString(places[i]))
	}
	if s.width == 0 || s.width-taken-widest-2 >= minText {
		var cells [][]string
		for i, r := range rows {
			cells = append(cells, append(slices.Clone(r.Labels), places[i], r.Text))
		}
		return s.Table(cells, taken+widest+2)
	}
	var cells [][]string
	for i, r := range rows {
		text := strings.TrimSuffix(strings.TrimPrefix(places[i]+": "+Printable(r.Text), ": "), ": ")
		lines := Wrap(shorten(text), s.room(taken+2))
		cells = append(cells, append(slices.Clone(r.Labels), strings.Join(lines, "\n  ")))
	}
	return s.table(cells)
}

// table writes rows in columns, without spaces at line ends. The last cell may have several lines.
func (s *Sheet) table(rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r[:len(r)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cellWidth(cell))
		}
	}
	for _, r := range rows {
		last, head := len(r)-1, ""
		for i, cell := range r[:last] {
			head += "  " + cell + strings.Repeat(" ", widths[i]-cellWidth(cell))
		}
		for i, line := range strings.Split(r[last], "\n") {
			if i > 0 {
				head = strings.Repeat(" ", cellWidth(head))
			}
			s.Text(strings.TrimRight(head+"  "+line, " ") + "\n")
		}
		if err := s.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}

// colours matches what Paint adds to a text.
var colours = regexp.MustCompile("\x1b\\[[0-9]+m")

// cellWidth returns the number of characters of a cell, which may have a color.
func cellWidth(cell string) int { return utf8.RuneCountInString(colours.ReplaceAllString(cell, "")) }

// A Colour is a color from the terminal's own palette (ECMA-48, 8.3.117). The meaning of a text never depends on
// its color.
type Colour string

// The colours.
const (
	Bold   Colour = "1"
	Red    Colour = "31"
	Yellow Colour = "33"
	Cyan   Colour = "36"
)

// Paint returns text in a color, if colors are enabled.
func (s *Sheet) Paint(c Colour, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
