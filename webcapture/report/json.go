package report

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A JSON writes records as one JSON document, record by record.
type JSON struct {
	doc   document
	tally tally
	head  Head
	begun bool
}

// NewJSON returns a JSON writer that writes to w.
func NewJSON(w io.Writer, o Options) *JSON {
	return &JSON{doc: newDocument(w), head: o.Head}
}

// Add writes a record: a line for the input, one for each of its findings.
func (j *JSON) Add(r *Record) error {
	if err := j.begin(); err != nil {
		return err
	}
	d := &j.doc
	d.text(separator(j.tally.inputs == 0))
	j.tally.add(r)
	d.open(input(r))
	d.text(`,"findings":[`)
	if r.Report != nil {
		err := array(d, r.Report.Findings, d.finding)
		if err != nil {
			return err
		}
		if proven(r.Report) {
			d.text(`],"identities":[`)
			err := array(d, r.Report.Identities, func(i *audit.Identity) { d.value(identity(i)) })
			if err != nil {
				return err
			}
		}
	}
	if len(r.Ignored) > 0 {
		d.text(`],"ignored":[`)
		if err := array(d, r.Ignored, func(i *Ignored) { d.value(ignored(i)) }); err != nil {
			return err
		}
	}
	d.text("]")
	if r.Report != nil && r.Report.Outline != nil {
		d.text(",\n\"outline\":")
		d.value(outline(r.Report.Outline))
	}
	d.text("}")
	return d.flush()
}

// Close writes the summary.
func (j *JSON) Close(complete bool) error {
	if err := j.begin(); err != nil {
		return err
	}
	j.doc.text("\n],\n\"summary\":")
	j.doc.value(j.tally.summary(complete))
	j.doc.text("\n}\n")
	return j.doc.flush()
}

// begin writes the head, once.
func (j *JSON) begin() error {
	if j.begun {
		return nil
	}
	j.begun = true
	d := &j.doc
	d.open(j.head.json())
	d.text(",\n\"rules\":[")
	for i, r := range j.head.Rules {
		d.text(separator(i == 0))
		d.value(rule(r))
	}
	d.text("\n],\n\"inputs\":[")
	return d.flush()
}
