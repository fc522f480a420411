package report

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// A jsonWriter writes all records into one JSON document, one by one.
type jsonWriter struct {
	doc   *jsondoc.Document
	tally Tally
}

// newJSON returns a jsonWriter that writes to w. The document begins with the head.
func newJSON(w io.Writer, o Options) *jsonWriter {
	d := jsondoc.New(w)
	d.Open(o.Head.json())
	d.Text(",\n\"rules\":[")
	for i, r := range o.Head.definitions() {
		d.Element(i == 0)
		d.Value(r)
	}
	d.Text("\n],\n\"inputs\":[")
	return &jsonWriter{doc: d}
}

// Add writes a record: a line for the input and a line for each element of a list.
func (j *jsonWriter) Add(r *Record) error {
	d := j.doc
	d.Element(j.tally.Inputs == 0)
	j.tally.Add(r)
	d.Open(r)
	for _, l := range r.lists() {
		d.Text(`,"` + l.name + `":[`)
		if err := jsondoc.Elements(d, l.elements, d.Value); err != nil {
			return err
		}
		d.Text("]")
	}
	d.Text("}")
	return d.Flush()
}

// Close writes the summary.
func (j *jsonWriter) Close(end End) error {
	j.doc.Text("\n],\n\"summary\":")
	j.doc.Value(j.tally.summary(end))
	j.doc.Text("\n}\n")
	return j.doc.Flush()
}
