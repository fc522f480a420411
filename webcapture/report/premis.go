package report

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// A premisWriter writes records as PREMIS 3 (preservation metadata of the Library of Congress). Each input is an
// object of type file, its audit is an event of type validation, and webcap is the agent. Digital archives ingest
// such metadata together with the files.
//
// The schema requires all objects first, so events wait in a temporary file until the end. The schema has no
// elements for levels, rules, and fixes, so they are in the text of notes. Of the place of an identity, the notes
// usually have only the content set.
//
// The identifier of an event is a UUID (version 8, RFC 9562) that is computed from the text and the time of the
// event. The same audit gives the same identifier; a later audit of the same file gives a different one.
type premisWriter struct {
	w      io.Writer
	doc    xmlText
	opt    Options
	tally  Tally
	events spool.Spool
	begun  bool
}

// newPREMIS returns a premisWriter that writes to w.
func newPREMIS(w io.Writer, o Options) *premisWriter {
	return &premisWriter{w: w, doc: xmlText{layout.NewBuffer(w)}, opt: o}
}

const (
	premisBegin = xml.Header + `<premis xmlns="http://www.loc.gov/premis/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0">` + "\n"
	premisEnd   = "</premis>\n"
)

func (p *premisWriter) begin() {
	if !p.begun {
		p.begun = true
		p.doc.Text(premisBegin)
	}
}

// Add writes the object of a record, and stores its event. The error may be that of a temporary file.
func (p *premisWriter) Add(r *Record) error {
	p.begin()
	p.tally.Add(r)
	p.object(r)
	if err := p.doc.Flush(); err != nil {
		return err
	}
	e := xmlText{layout.NewBuffer(&p.events)}
	if err := p.event(e, r); err != nil {
		return err
	}
	return e.Flush()
}

// object writes the object of an input.
func (p *premisWriter) object(r *Record) {
	d := p.doc
	d.Text(`<object xsi:type="file">` + "\n")
	d.identifier("object", "path", r.Path)
	d.Text("<objectCharacteristics>\n")
	if r.SHA256 != "" {
		d.Text("<fixity>")
		d.element("messageDigestAlgorithm", "SHA-256")
		d.element("messageDigest", r.SHA256)
		d.element("messageDigestOriginator", "webcap")
		d.Text("</fixity>\n")
	}
	size, format, version := r.Size, "unknown", ""
	if rep := r.Report; rep != nil {
		format, version = "Portable Document Format", rep.Version
		if size == 0 {
			size = rep.Size // if digests were not requested, only the report has the size
		}
	}
	if size > 0 {
		d.element("size", strconv.FormatInt(size, 10))
	}
	d.Text("<format><formatDesignation>")
	d.element("formatName", format)
	if version != "" {
		d.element("formatVersion", version)
	}
	d.Text("</formatDesignation></format>\n</objectCharacteristics>\n")
	d.element("originalName", r.Path)
	d.Text("\n</object>\n")
}

// event stores the event of an input. The error is that of the temporary file.
func (p *premisWriter) event(d xmlText, r *Record) error {
	when := p.opt.Time.UTC().Format(time.RFC3339)
	d.Text("<event>\n")
	d.identifier("event", "UUID", eventID(when, strconv.Itoa(p.tally.Inputs), p.opt.Version, r.Path, r.SHA256))
	d.element("eventType", "validation")
	d.element("eventDateTime", when)
	d.Text("\n<eventDetailInformation>")
	d.element("eventDetail", "rules of Web Capture (ISO 32000, 14.10), by webcap "+p.opt.Version)
	d.Text("</eventDetailInformation>\n<eventOutcomeInformation>\n")
	d.element("eventOutcome", r.Outcome().String())
	d.Text("\n")
	if err := p.notes(d, r); err != nil {
		return err
	}
	d.Text("</eventOutcomeInformation>\n")
	d.identifier("linkingAgent", "software", "webcap "+p.opt.Version)
	d.identifier("linkingObject", "path", r.Path)
	d.Text("</event>\n")
	return nil
}

// notes writes an eventOutcomeDetail element for each fact about an input.
func (p *premisWriter) notes(d xmlText, r *Record) error {
	for text := range said(r) {
		d.Text("<eventOutcomeDetail>")
		d.element("eventOutcomeDetailNote", text)
		d.Text("</eventOutcomeDetail>\n")
		if err := d.FlushIfLarge(); err != nil {
			return err
		}
	}
	return nil
}

// said yields the facts about an input. The summary comes first.
func said(r *Record) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(r.Result()) || r.Report == nil {
			return
		}
		rep, more := r.Report, true
		say := func(text string) { more = more && yield(text) }
		for _, n := range phrase.Notices(rep) {
			say("structure: " + n)
		}
		for i := 0; i < rep.Findings.Len() && more; i++ {
			say(rep.Findings.At(i).String())
		}
		for i := 0; i < len(r.Ignored) && more; i++ {
			say("ignored (" + r.Ignored[i].Reason + "): " + r.Ignored[i].String())
		}
		for i := 0; i < len(rep.Identities) && more; i++ {
			say(rep.Identities[i].Proof.String() + ": " + identityText(&rep.Identities[i]))
		}
		for i := 0; i < len(rep.Unread) && more; i++ {
			say("could not be checked: " + phrase.Unread(rep.Unread[i]))
		}
	}
}

// eventID returns a UUID computed from parts.
func eventID(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// identifier appends the identifier of an object, event, or agent, or a link to one of these.
func (d xmlText) identifier(of, kind, value string) {
	d.Text("<" + of + "Identifier>")
	d.element(of+"IdentifierType", kind)
	d.element(of+"IdentifierValue", value)
	d.Text("</" + of + "Identifier>\n")
}

// element appends an element with text.
func (d xmlText) element(name, text string) {
	d.Text("<" + name + ">")
	d.escaped(text)
	d.Text("</" + name + ">")
}

// Close writes the events and the agent. The agent's text says whether the events are complete.
func (p *premisWriter) Close(end End) error {
	defer p.events.Close()
	p.begin()
	d := p.doc
	if p.tally.Inputs == 0 { // the schema requires at least one object
		d.Text(`<object xsi:type="intellectualEntity">` + "\n")
		d.identifier("object", "local", "no inputs")
		d.Text("</object>\n")
	}
	if err := d.Flush(); err != nil {
		return err
	}
	if err := p.events.CopyTo(p.w); err != nil {
		return err
	}
	d.Text("<agent>\n")
	d.identifier("agent", "software", "webcap "+p.opt.Version)
	d.element("agentName", "webcap")
	d.element("agentType", "software")
	if p.opt.Version != "" {
		d.element("agentVersion", p.opt.Version)
	}
	if text := p.tally.ConfigurationText(&p.opt.Head); text != "" {
		d.element("agentNote", "configuration: "+text)
	}
	if end != Complete {
		d.element("agentNote", "the results are not complete: "+end.Reason())
	}
	d.Text("\n</agent>\n" + premisEnd)
	return d.Flush()
}
