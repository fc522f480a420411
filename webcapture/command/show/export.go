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
	local, left, omitted int
}

// NewExportTable returns an ExportTable. width is the width of a terminal; 0 means that lines are not broken.
func NewExportTable(w io.Writer, width int) *ExportTable {
	return &ExportTable{sheet: layout.NewSheet(w, width, false)}
}

// Records returns the number of exported captures.
func (t *ExportTable) Records() int { return t.pages + t.images }

// Add writes the lines of a file. It writes nothing for a file without captures.
func (t *ExportTable) Add(path string, r *export.Records) error {
	if r.Pages+r.Images+r.Local+r.Known+r.Unproven+r.LeftCount == 0 {
		return nil
	}
	t.files++
	t.pages += r.Pages
	t.images += r.Images
	t.local += r.Local
	t.omitted += r.Known + r.Unproven
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
	t.restLines(r)
	return t.sheet.Flush()
}

func exportedText(pages, images int) string {
	return layout.Count(pages, "page set") + " and " + layout.Count(images, "image set")
}

// restLines describes the captures that were omitted on purpose.
func (t *ExportTable) restLines(r *export.Records) {
	for _, rest := range []struct {
		count        int
		what, reason string
	}{
		{r.Local, "capture", "the URL is local or private; --local exports it"},
		{r.Known, "capture", "the index has the URL"},
		{r.Unproven, "image set", "nothing proves that the data are the file that was fetched"},
	} {
		if rest.count > 0 {
			t.sheet.Line("  ", layout.Count(rest.count, rest.what)+" left out: "+rest.reason)
		}
	}
}

// Close writes the total. name is the name of the output file.
func (t *ExportTable) Close(name string) error {
	text := exportedText(t.pages, t.images)
	if t.files > 1 {
		text += " of " + layout.Count(t.files, "file")
	}
	if t.local > 0 {
		text += fmt.Sprintf(", %d local or private left out", t.local)
	}
	if t.omitted > 0 {
		text += fmt.Sprintf(", %d left out for other reasons", t.omitted)
	}
	if t.left > 0 {
		text += fmt.Sprintf(", %d not exported", t.left)
	}
	t.sheet.Text("\n")
	t.sheet.Headline(name, text)
	return t.sheet.Flush()
}
