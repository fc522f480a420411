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
	n := &ndjsonWriter{doc: jsondoc.New(w)}
	n.line(typeHead, o.Head.json(), rulesJSON{o.Head.definitions()})
	return n
}

// Add writes the lines of a record.
func (n *ndjsonWriter) Add(r *Record) error {
	n.tally.Add(r)
	lists := r.lists()
	var lines struct {
		Lines int `json:"lines"` // further lines about this input; journals expect it after the type
	}
	for _, l := range lists {
		lines.Lines += l.len
	}
	n.line(typeInput, lines, r)
	path := jsondoc.Marshal(jsondoc.FilePathOf(r.Path))
	for _, l := range lists {
		for e := range l.elements {
			n.line(l.kind, path, e)
			if err := n.doc.FlushIfLarge(); err != nil {
				return err
			}
		}
	}
	return n.doc.Flush()
}

// Close writes the summary.
func (n *ndjsonWriter) Close(end End) error {
	n.line(typeSummary, n.tally.summary(end))
	return n.doc.Flush()
}

// line appends a line with the members of several values.
func (n *ndjsonWriter) line(kind string, values ...any) {
	n.doc.Text(`{"type":"` + kind + `"`)
	for _, v := range values {
		n.doc.Members(v)
	}
	n.doc.Text("}\n")
}
