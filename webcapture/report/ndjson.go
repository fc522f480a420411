package report

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// An ndjsonWriter writes each record as several lines. The first line is the head. For each record there is a line
// for the input, and then lines for its findings and other facts. The last line is the summary. Each line is a JSON
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
	path := jsondoc.FilePathOf(r.Path)
	lines := struct {
		Lines int `json:"lines"` // further lines about this input; journals expect it after the type
	}{linesAbout(r)}
	if err := n.line(typeInput, lines, r); err != nil {
		return err
	}
	if r.Report != nil {
		for _, f := range r.Report.Findings.All() {
			if err := n.line(typeFinding, path, f); err != nil {
				return err
			}
		}
		for i := range r.Report.Identities {
			if err := n.line(typeIdentity, path, r.Report.Identities[i]); err != nil {
				return err
			}
		}
	}
	for i := range r.Ignored {
		if err := n.line(typeIgnored, path, r.Ignored[i]); err != nil {
			return err
		}
	}
	return n.doc.Flush()
}

// linesAbout returns the number of lines of a record after the line of its input.
func linesAbout(r *Record) int {
	n := len(r.Ignored)
	if r.Report == nil {
		return n
	}
	return n + r.Report.Findings.Len() + len(r.Report.Identities)
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
	rules := rulesJSON{Rules: []jsonRule{}}
	for _, r := range n.head.Rules {
		rules.Rules = append(rules.Rules, ruleJSON(r))
	}
	if err := n.line(typeHead, n.head.json(), rules); err != nil {
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
