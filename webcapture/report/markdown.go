package report

import (
	"bytes"
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A markdownWriter writes records for pages that show Markdown: a heading, and then a table as a block of code.
// Renderers see neither links nor markup in it, and nothing in an indented line can end the block.
type markdownWriter struct {
	*table
	w io.Writer
}

// codeWidth is the line width of a table in Markdown.
const codeWidth = 100

// newMarkdown returns a markdownWriter that writes to w. Its readers cannot ask for more with -v, so it has more
// findings than a terminal.
func newMarkdown(w io.Writer, o Options) *markdownWriter {
	o.Width, o.Colour = codeWidth, false
	t := newTable(&codeBlock{w: w}, o)
	t.examples = maxShown
	return &markdownWriter{t, w}
}

// Close writes the heading and the table.
func (m *markdownWriter) Close(end End) error {
	if _, err := io.WriteString(m.w, "# Web Capture audit\n\n"); err != nil {
		return err
	}
	if m.opt.Version != "" {
		if _, err := io.WriteString(m.table.w, "webcap "+layout.Printable(m.opt.Version)+"\n\n"); err != nil {
			return err
		}
	}
	return m.table.Close(end)
}

// codeBlock writes lines as an indented block of code.
type codeBlock struct {
	w      io.Writer
	inLine bool // a line has begun
}

// Write writes all of p to the underlying writer.
func (c *codeBlock) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if !c.inLine && string(line) != "\n" {
			line = append([]byte("    "), line...)
		}
		c.inLine = line[len(line)-1] != '\n'
		if _, err := c.w.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
