package show

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A Result is a result of a command.
type Result interface {
	text(s *layout.Sheet) // writes it for people
	json() any            // returns a struct with JSON tags
}

// A Writer writes results one by one. Results are independent.
type Writer struct {
	sheet *layout.Sheet
	doc   *jsondoc.Document // nil for text
}

// NewText returns a Writer of text to w, wrapped to width; 0 means that lines are not broken.
func NewText(w io.Writer, width int) *Writer {
	return &Writer{sheet: layout.NewSheet(w, width, false)}
}

// NewJSON returns a Writer of JSON to w, with one result per line.
func NewJSON(w io.Writer) *Writer { return &Writer{doc: jsondoc.New(w)} }

// Add writes a result.
func (w *Writer) Add(r Result) error {
	if w.doc == nil {
		r.text(w.sheet)
		return w.sheet.Flush()
	}
	return writeLine(w.doc, r.json())
}

// writeLine writes the JSON of v on a line.
func writeLine(d *jsondoc.Document, v any) error {
	d.Value(v)
	d.Text("\n")
	return d.Flush()
}
