package show

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A Result is what a command prints, as text or as JSON by its tags.
type Result interface {
	text(s *layout.Sheet) // writes the result for people
}

// A Writer writes independent results, one by one.
type Writer struct {
	sheet *layout.Sheet
	doc   *jsondoc.Document // nil for text
}

// NewText returns a Writer that writes text to w, wrapped to width. A width of 0 means that lines are not broken.
func NewText(w io.Writer, width int) *Writer {
	return &Writer{sheet: layout.NewSheet(w, width, false)}
}

// NewJSON returns a Writer that writes JSON to w, with one result per line.
func NewJSON(w io.Writer) *Writer { return &Writer{doc: jsondoc.New(w)} }

// Add writes a result.
func (w *Writer) Add(r Result) error {
	if w.doc == nil {
		r.text(w.sheet)
		return w.sheet.Flush()
	}
	return writeLine(w.doc, r)
}

// writeLine writes the JSON of v on its own line.
func writeLine(d *jsondoc.Document, v any) error {
	d.Value(v)
	d.Text("\n")
	return d.Flush()
}
