package layout

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	minWidth = 40 // narrower terminals break lines by themselves
	minRoom  = 10 // for text on a line, however little is left
	minText  = 44 // a column with a place leaves at least this much to the text

	// maxCell is how many characters of a text are shown. Browsers take URLs of some 2,000.
	maxCell = 2500
)

// A Sheet is text for people: lines that are broken to fit, and tables. Nothing on it
// can move a terminal's cursor, provided that paths and indents are printable.
type Sheet struct {
	Buffer
	width  int // 0 for lines as long as it takes
	colour bool
	grid   *tablewriter.Table // of all tables, one after the other; nil before the first
	cells  strings.Builder    // what grid has written
}

// NewSheet returns a Sheet for w. A width of 0 is that of a file, whose lines are
// never broken.
func NewSheet(w io.Writer, width int, colour bool) *Sheet {
	if width > 0 {
		width = max(width, minWidth)
	}
	return &Sheet{Buffer: Buffer{w: w}, width: width, colour: colour}
}

// Headline writes a path and a text about it. The path is not broken,
// so that it copies as one piece.
func (s *Sheet) Headline(path, text string) {
	path = Printable(path) + ":"
	if s.width == 0 || utf8.RuneCountInString(path+" "+text) <= s.width {
		s.Text(s.Paint(Bold, path) + " " + text + "\n")
		return
	}
	s.Text(s.Paint(Bold, path) + "\n")
	s.Line("    ", text)
}

// Whole writes text after an indent, and then a command, which is printable and is not
// broken, so that it copies as one piece.
func (s *Sheet) Whole(indent, text, command string) {
	if s.width == 0 || utf8.RuneCountInString(indent+text+" "+command) <= s.width {
		s.Text(indent + text + " " + command + "\n")
		return
	}
	s.Line(indent, text)
	s.Text(indent + "  " + command + "\n")
}

// Line writes text after an indent, and what does not fit on a line on the next ones.
func (s *Sheet) Line(indent, text string) {
	for i, l := range Wrap(shorten(text), s.room(len(indent)+2)) {
		if i > 0 {
			s.Text("  ")
		}
		s.Text(strings.TrimRight(indent+l, " ") + "\n")
	}
}

// room returns what a line has left for text next to n other characters; 0 if
// lines are never broken.
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

// Table writes rows. The last cell of each is any text, broken so that it fits next to
// the taken characters of the others, which are printable.
func (s *Sheet) Table(rows [][]string, taken int) error {
	for _, r := range rows {
		last := len(r) - 1
		r[last] = strings.Join(Wrap(shorten(Printable(r[last])), s.room(taken)), "\n")
	}
	return s.table(rows)
}

// A Row is a row of a table about places: labels, a place, and a text about it. Labels
// are printable; place and text are any text, and one of them may be empty.
type Row struct {
	Labels      []string
	Place, Text string
}

// Places writes rows whose labels take some characters of a line. The text is the last
// column. One for the place is as wide as the widest place; where it would not leave
// enough, the place begins the text, of which further lines are indented.
func (s *Sheet) Places(rows []Row, taken int) error {
	places, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		places[i] = Printable(r.Place)
		widest = max(widest, twwidth.Width(places[i]))
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

// table writes rows without spaces at line ends. Cells may have several lines.
func (s *Sheet) table(rows [][]string) error {
	if s.grid == nil {
		s.grid = newTable(&s.cells)
	}
	defer s.cells.Reset()
	defer s.grid.Reset()
	for _, r := range rows {
		if err := s.grid.Append(r); err != nil {
			return err
		}
	}
	if err := s.grid.Render(); err != nil {
		return err
	}
	for l := range strings.Lines(s.cells.String()) {
		s.Text(strings.TrimRight(l, " \n") + "\n")
	}
	return nil
}

// newTable returns a table without lines. It does not wrap cells: tablewriter
// either drops what is too long, or marks each break with a character that a
// reader takes for a part of the key. To make one takes longer than the audit of a small
// file, and so would a Reset that empties a cache of the usual size.
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

// A Colour is one that terminals know (ECMA-48, 8.3.117). It is that of the
// terminal's own palette, which its owner can read; and what it says stands there in
// words.
type Colour string

// The colours.
const (
	Bold   Colour = "1"
	Red    Colour = "31"
	Yellow Colour = "33"
	Cyan   Colour = "36"
)

// Paint returns text in a colour, if there are any.
func (s *Sheet) Paint(c Colour, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
