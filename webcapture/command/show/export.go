package show

import (
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// An ExportTable writes, for each file, how many captures were exported, and why others were not.
type ExportTable struct {
	sheet                      *layout.Sheet
	files, pages, images, left int
}

// NewExportTable returns an ExportTable. width is the width of a terminal; 0 means that lines are not broken.
func NewExportTable(w io.Writer, width int) *ExportTable {
	return &ExportTable{sheet: layout.NewSheet(w, width, false)}
}

// Records returns the number of exported captures.
func (t *ExportTable) Records() int { return t.pages + t.images }

// Add writes the lines of a file. It writes nothing for a file without captures.
func (t *ExportTable) Add(path string, r *export.Records) error {
	if r.Pages+r.Images+len(r.Left) == 0 {
		return nil
	}
	t.files++
	t.pages += r.Pages
	t.images += r.Images
	t.sheet.Headline(path, exportedText(r.Pages, r.Images)+" exported")
	for _, l := range r.Left {
		t.left += l.Count
		text := "not exported: " + layout.Printable(l.First)
		if l.Count > 1 {
			text += fmt.Sprintf(" and %d more", l.Count-1)
		}
		t.sheet.Line("  ", text+": "+l.Reason)
	}
	return t.sheet.Flush()
}

func exportedText(pages, images int) string {
	return layout.Count(pages, "page set") + " and " + layout.Count(images, "image set")
}

// Close writes the total. name is the name of the output file.
func (t *ExportTable) Close(name string) error {
	text := exportedText(t.pages, t.images)
	if t.files > 1 {
		text += " of " + layout.Count(t.files, "file")
	}
	if t.left > 0 {
		text += ", " + layout.Count(t.left, "capture") + " not exported"
	}
	t.sheet.Text("\n")
	t.sheet.Headline(name, text)
	return t.sheet.Flush()
}
