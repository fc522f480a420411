package report

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// An ndjsonWriter writes each record as several lines. The first line is the head. For each record there is a line
// for the input, and then lines for the elements of its lists. The last line is the summary. Each line is a JSON
// object with the members of the JSON document, a type, and the path of its input, so that it is complete.
type ndjsonWriter struct {
	doc   *jsondoc.Document
	tally Tally
	head  Head
	begun bool
}

// The types of lines.
const (
	typeHead     = "head"
	typeInput    = "input"
	typeFinding  = "finding"
	typeIdentity = "identity"
	typeIgnored  = "ignored"
	typeSummary  = "summary"
)

// newNDJSON returns a ndjsonWriter that writes to w.
func newNDJSON(w io.Writer, o Options) *ndjsonWriter {
	return &ndjsonWriter{doc: jsondoc.New(w), head: o.Head}
}

// Add writes the lines of a record.
func (n *ndjsonWriter) Add(r *Record) error {
	if err := n.begin(); err != nil {
		return err
	}
	n.tally.Add(r)
	lists := r.lists()
	var lines struct {
		Lines int `json:"lines"` // further lines about this input; journals expect it after the type
	}
	for _, l := range lists {
		lines.Lines += l.len
	}
	if err := n.line(typeInput, lines, r); err != nil {
		return err
	}
	path := jsondoc.Marshal(jsondoc.FilePathOf(r.Path))
	for _, l := range lists {
		for e := range l.elements {
			if err := n.line(l.kind, path, e); err != nil {
				return err
			}
		}
	}
	return n.doc.Flush()
}

// Close writes the summary.
func (n *ndjsonWriter) Close(end End) error {
	if err := n.begin(); err != nil {
		return err
	}
	if err := n.line(typeSummary, n.tally.summary(end)); err != nil {
		return err
	}
	return n.doc.Flush()
}

// begin writes the head, once.
func (n *ndjsonWriter) begin() error {
	if n.begun {
		return nil
	}
	n.begun = true
	if err := n.line(typeHead, n.head.json(), rulesJSON{n.head.definitions()}); err != nil {
		return err
	}
	return n.doc.Flush()
}

// line appends a line with the members of several values.
func (n *ndjsonWriter) line(kind string, values ...any) error {
	n.doc.Text(`{"type":"` + kind + `"`)
	for _, v := range values {
		n.doc.Members(v)
	}
	n.doc.Text("}\n")
	return n.doc.FlushIfLarge()
}
