package show

import (
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// An ExportTable writes, for each file, how many captures were exported, and the captures that could not be exported.
type ExportTable struct {
	sheet                *layout.Sheet
	files, pages, images int
	left                 int
}

// NewExportTable returns an ExportTable. width is the width of a terminal; 0 means that lines are not broken.
func NewExportTable(w io.Writer, width int) *ExportTable {
	return &ExportTable{sheet: layout.NewSheet(w, width, false)}
}

// Records returns the number of exported captures.
func (t *ExportTable) Records() int { return t.pages + t.images }

// Add writes the lines of a file. It writes nothing for a file without captures.
func (t *ExportTable) Add(path string, r *export.Records) error {
	if r.Pages+r.Images+r.Known+r.Unproven+r.LeftCount == 0 {
		return nil
	}
	t.files++
	t.pages += r.Pages
	t.images += r.Images
	t.left += r.LeftCount
	t.sheet.Headline(path, exportedText(r.Pages, r.Images)+" exported")
	for _, l := range r.Left {
		name := layout.Printable(l.URL)
		if name == "" && l.Object.Num != 0 {
			name = "content set " + l.Object.String()
		} else if name == "" {
			name = "a content set without a URL"
		}
		t.sheet.Line("  ", "not exported: "+name+": "+l.Reason)
	}
	if more := r.LeftCount - len(r.Left); more > 0 {
		t.sheet.Line("  ", fmt.Sprintf("not exported: %d more", more))
	}
	t.restLines("  ", r.Known, r.Unproven)
	return t.sheet.Flush()
}

func exportedText(pages, images int) string {
	return layout.Count(pages, "page set") + " and " + layout.Count(images, "image set")
}

// restLines describes the captures that were omitted on purpose.
func (t *ExportTable) restLines(indent string, known, unproven int) {
	if known > 0 {
		t.sheet.Line(indent, layout.Count(known, "capture")+" left out: the index has the URL")
	}
	if unproven > 0 {
		t.sheet.Line(indent, layout.Count(unproven, "image set")+
			" left out: nothing proves that the data are the file that was fetched")
	}
}

// Close writes the total. name is the name of the output file.
func (t *ExportTable) Close(name string) error {
	text := exportedText(t.pages, t.images)
	if t.files > 1 {
		text += " of " + layout.Count(t.files, "file")
	}
	if t.left > 0 {
		text += fmt.Sprintf(", %d not exported", t.left)
	}
	t.sheet.Text("\n")
	t.sheet.Headline(name, text)
	return t.sheet.Flush()
}
