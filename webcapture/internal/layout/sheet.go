package layout

import (
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	minWidth = 40 // narrower terminals wrap lines themselves
	minRoom  = 10 // minimum room for text on a line, even if less is left

	// maxCell is the maximum number of characters of a text. Browsers accept URLs of some 2,000.
	maxCell = 2500
)

// A Sheet writes text for people: wrapped lines and tables. It writes arguments without escapes, so they must be
// printable, unless the method says otherwise.
type Sheet struct {
	Buffer
	width  int // 0 for unlimited
	colour bool
	grid   *tablewriter.Table // reused for all tables; nil before the first
	cells  strings.Builder    // output of grid
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

// Table writes rows with the same number of cells. The last cell of each row is any text, wrapped to fit next to the
// other cells, which are printable.
func (s *Sheet) Table(rows [][]string) error {
	if s.grid == nil {
		s.grid = newTable(&s.cells)
	}
	defer s.cells.Reset()
	defer s.grid.Reset()
	width := map[int]int{} // of the columns before the last one
	for _, r := range rows {
		for i, cell := range r[:len(r)-1] {
			width[i] = max(width[i], twwidth.Width(cell))
		}
	}
	taken := 2 * (len(width) + 1)
	for _, w := range width {
		taken += w
	}
	for _, r := range rows {
		last := len(r) - 1
		r[last] = strings.Join(Wrap(shorten(Printable(r[last])), s.room(taken+2)), "\n  ")
		if err := s.grid.Append(r); err != nil {
			return err
		}
	}
	if err := s.grid.Render(); err != nil {
		return err
	}
	for l := range strings.Lines(s.cells.String()) { // without spaces at their ends
		s.Text(strings.TrimRight(l, " \n") + "\n")
	}
	return nil
}

// newTable returns a table without borders. The table does not wrap cells: tablewriter either drops long text, or
// marks each break with a character that looks like a part of the key. Tables are reused, because creating one
// takes longer than the audit of a small file. Its cache is small, because Reset empties it.
func newTable(w io.Writer) *tablewriter.Table {
	return tablewriter.NewTable(w,
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		}),
		tablewriter.WithPadding(tw.Padding{Left: "  ", Overwrite: true}),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)),
	)
}

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
