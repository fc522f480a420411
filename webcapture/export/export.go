// Package export writes the captures of PDF files as records of web archives (WARC, ISO 28500:2017), and compares them
// with the indexes of web archives (CDX and CDXJ).
//
//	w := export.NewWriter(out, "captures.warc.gz", version, opt)
//	for each open file {
//		records, err := export.New(f, db, opt)
//		…
//		err = w.Add(export.Source{Path: name}, records)
//	}
//	err := w.Close()
//
// A PDF is a converted page, not the response of the server. So the first page set of a PDF becomes a conversion
// record with the PDF, and each further page set a revisit of that record. An image becomes a resource record if
// its data are the file that was fetched: the MD5 of the data must be the digital identifier of its image set. A
// metadata record lists the exported captures.
package export

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// Options are the options of an export. The zero value is a good default.
type Options struct {
	// AsResource writes resource records instead of conversion records, for indexers that skip conversion records.
	AsResource bool

	// Plain writes uncompressed records.
	Plain bool

	// Local also exports captures of local files, of private servers, and of URLs with userinfo.
	Local bool

	// Against is the index of a web archive. Captures of URLs in the index are not exported. Nil for none.
	Against *Index
}

// Records are the records of one PDF. They wait in memory or in temporary files.
type Records struct {
	opt      Options
	records  spool.Spool
	captures spool.Spool // JSON of the exported captures, separated by commas
	entries  []Entry     // offsets are relative to the start of records
	unread   []rule.Unread
	pdf      *record // record of the first page set; nil before it is made

	Pages, Images int    // numbers of exported captures
	Left          []Left // captures that are not exported, by reason
	LeftCount     int    // number of captures that could not be exported, without those of a Left that is Intended
}

// A Left describes captures that are not exported for one reason.
type Left struct {
	Reason   string
	Intended bool   // they are not to be exported, by the options, or because their data are not what was fetched
	First    string // URL of the first as stored, or its content set
	Count    int
}

// leave counts a capture that is not exported.
func (r *Records) leave(c *catalog.Capture, reason string, intended bool) {
	if !intended {
		r.LeftCount++
	}
	i := slices.IndexFunc(r.Left, func(l Left) bool { return l.Reason == reason })
	if i < 0 {
		first := c.URL
		if first == "" {
			first = "content set " + c.Object.String()
		}
		i, r.Left = len(r.Left), append(r.Left, Left{Reason: reason, Intended: intended, First: first})
	}
	r.Left[i].Count++
}

// New reads the captures of an open file.
//
// The error is that of a temporary file, an I/O error of the file, or that of the context. Damaged parts are in
// Unread.
func New(f *webcapture.File, db *webcapture.Database, opt Options) (_ *Records, err error) {
	c, err := catalog.New(f, db)
	if err != nil {
		return nil, err
	}
	r := &Records{opt: opt}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	reader := f.NewReader()
	for capture, err := range c.Captures() {
		if err != nil {
			return nil, err
		}
		before := r.records.Len() + r.captures.Len()
		err = rule.NoteUnread(&r.unread, rule.Place{Set: capture.Object}, r.add(f, reader, capture))
		err = cmp.Or(err, reader.Pay(outputPrice*(r.records.Len()+r.captures.Len()-before)))
		if errors.Is(err, meter.Over{}) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	r.unread = append(r.unread, c.Unread()...)
	return r, rule.NoteOver(&r.unread, f.Meter().Over())
}

// outputPrice is the price of a byte of output, which is kept until all records of the file are known.
const outputPrice = 4

// Unread returns the parts of the file that could not be read.
func (r *Records) Unread() []rule.Unread { return r.unread }

// Close removes the temporary files.
func (r *Records) Close() {
	r.records.Close()
	r.captures.Close()
}

// add adds the record of a capture, or counts it as not exported.
func (r *Records) add(f *webcapture.File, reader *webcapture.Reader, c *catalog.Capture) error {
	date := c.Captured()
	rec := &record{id: newID(), date: date.Time}
	var reason string
	if rec.target, reason = target(c); reason == "" && !date.OK() {
		reason = "no date in the content set"
	}
	image, intended := provenImage(c), false
	switch {
	case !r.opt.Local && IsLocal(rec.target):
		reason, intended = "the URL is local or private; --local exports it", true
	case c.Kind == catalog.Image && image == nil:
		reason, intended = "nothing proves that the data are the file that was fetched", true
	case c.Kind == catalog.Page && len(c.Pages) == 0:
		reason = "its pages are not in the document"
	case c.Kind == catalog.Other:
		reason = "it is neither a page set nor an image set"
	case reason == "" && r.opt.Against != nil:
		if _, ok := r.opt.Against.Nearest(rec.target, rec.date); ok {
			reason, intended = "the index has the URL", true
		}
	}
	if reason != "" {
		r.leave(c, reason, intended)
		return nil
	}
	var err error
	if c.Kind == catalog.Image {
		err = rec.image(c, func() (io.Reader, error) { return reader.Stream(image.Object) })
	} else {
		err = r.page(rec, f)
	}
	if err != nil {
		return err
	}
	if err := r.keep(rec, c); err != nil {
		return err
	}
	if c.Kind == catalog.Image {
		r.Images++
		return nil
	}
	r.Pages++
	if r.pdf == nil {
		r.pdf = rec
	}
	return nil
}

// provenImage returns the first image of a capture whose MD5 proves the ID; nil if there is none.
func provenImage(c *catalog.Capture) *catalog.ImageMember {
	for i := range c.Images {
		if c.Images[i].Proven {
			return &c.Images[i]
		}
	}
	return nil
}

// isInURI reports whether a URI may contain a byte (RFC 3986, 2).
func isInURI(c byte) bool {
	isWord := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return isWord || strings.IndexByte("!#$%&'()*+,-./:;=?@[]_~", c) >= 0
}

// Target returns the canonical URL of a capture as a URI, as used in web archives. It is empty if the capture has no
// absolute URL.
func Target(c *catalog.Capture) string {
	uri, _ := target(c)
	return uri
}

// target returns the absolute URL of a capture as a URI. If there is none, reason explains why.
func target(c *catalog.Capture) (uri, reason string) {
	switch {
	case c.Canonical == "":
		return "", "it has no URL"
	case !canon.Split([]byte(c.Canonical)).Absolute():
		return "", "its URL is relative"
	}
	var b []byte
	for i := range len(c.Canonical) {
		if x := c.Canonical[i]; isInURI(x) {
			b = append(b, x)
		} else {
			b = fmt.Appendf(b, "%%%02X", x)
		}
	}
	return string(b), ""
}

// page makes rec the record of a page set: with the PDF, or as a revisit of the record with the PDF.
func (r *Records) page(rec *record, f *webcapture.File) error {
	if first := r.pdf; first != nil {
		rec.kind = "revisit"
		rec.headers = [][2]string{
			{"WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"},
			{"WARC-Refers-To", "<" + first.id + ">"},
			{"WARC-Refers-To-Target-URI", first.target},
			{"WARC-Refers-To-Date", first.date.UTC().Format(warcDate)},
		}
		rec.digest = first.digest
		return nil
	}
	rec.kind, rec.mime = "conversion", "application/pdf"
	if r.opt.AsResource {
		rec.kind = "resource"
	}
	rec.block = func(w io.Writer) error { _, err := f.WriteTo(w); return err }
	return rec.measure()
}

// image makes rec the record of an image. open returns a new reader of its data.
func (rec *record) image(c *catalog.Capture, open func() (io.Reader, error)) error {
	rec.kind = "resource"
	rec.block = func(w io.Writer) error {
		data, err := open()
		if err == nil {
			_, err = io.Copy(w, data)
		}
		return err
	}
	if kind, _, err := mime.ParseMediaType(c.ContentType); err == nil && strings.Contains(kind, "/") {
		rec.mime = kind
		return rec.measure()
	}
	data, err := open()
	if err != nil {
		return err
	}
	start, err := io.ReadAll(io.LimitReader(data, 512)) // enough for http.DetectContentType
	if err != nil {
		return err
	}
	rec.mime = http.DetectContentType(start)
	return rec.measure()
}

// exportedCapture is the JSON of a capture that was exported.
type exportedCapture struct {
	Record  string           `json:"record"` // WARC-Record-ID
	Type    string           `json:"recordType"`
	Date    time.Time        `json:"date"`
	Capture *jsondoc.Capture `json:"capture"`
}

// keep writes a record, and stores its index entry and the description of its capture.
func (r *Records) keep(rec *record, c *catalog.Capture) error {
	at := r.records.Len()
	n, err := rec.write(&r.records, r.opt.Plain)
	if err != nil {
		return err
	}
	r.entries = append(r.entries, rec.entry(at, n))
	d := jsondoc.New(nil)
	if len(r.entries) > 1 {
		d.Text(",\n")
	}
	d.Value(exportedCapture{rec.id, rec.kind, rec.date.UTC(), jsondoc.CaptureOf(c)})
	_, err = r.captures.Write(d.Bytes())
	return err
}

// A Writer writes the records of many PDFs as a WARC file.
type Writer struct {
	w       io.Writer
	name    string
	version string
	opt     Options
	n       int64 // number of bytes written
	info    string
	entries []Entry
	now     func() time.Time
}

// NewWriter returns a Writer. name is the name of the file in the index; version is the version of webcap.
func NewWriter(w io.Writer, name, version string, opt Options) *Writer {
	return &Writer{w: w, name: name, version: version, opt: opt, now: time.Now}
}

// start writes the warcinfo record (ISO 28500:2017, 6.2).
func (w *Writer) start() error {
	if w.info != "" {
		return nil
	}
	w.info = newID()
	text := "software: webcap " + w.version + "\r\nformat: WARC File Format 1.1\r\n" +
		"description: Captures in PDF files with a Web Capture content database (ISO 32000-2:2020, 14.10)\r\n"
	rec := &record{kind: "warcinfo", id: w.info, date: w.now(), mime: "application/warc-fields",
		length: int64(len(text)), block: func(w io.Writer) error { _, err := io.WriteString(w, text); return err },
		headers: [][2]string{{"WARC-Filename", w.name}}}
	n, err := rec.write(w.w, w.opt.Plain)
	w.n += n
	return err
}

// A Source describes the PDF from which records were made.
type Source struct {
	Path   string
	SHA256 string // hexadecimal; empty if unknown
	Size   int64
}

// description is the JSON in a metadata record, without its arrays.
type description struct {
	Schema string       `json:"schema"`
	Tool   jsondoc.Tool `json:"tool"`
	jsondoc.FilePath
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size"`
}

// Schema is the name and version of the JSON format of metadata records.
const Schema = "webcap.export/1"

// Add writes the records of a PDF, and a metadata record that describes it. Before them, the first call writes the
// warcinfo record of the file. If r has no records, Add writes nothing else.
func (w *Writer) Add(src Source, r *Records) error {
	if err := w.start(); err != nil || len(r.entries) == 0 {
		return err
	}
	for _, e := range r.entries {
		e.Offset += w.n
		e.Filename = w.name
		w.entries = append(w.entries, e)
	}
	if err := r.records.CopyTo(w.w); err != nil {
		return err
	}
	w.n += r.records.Len()
	about := &record{kind: "metadata", id: newID(), target: newID(), date: w.now(), mime: "application/json",
		headers: [][2]string{{"WARC-Warcinfo-ID", "<" + w.info + ">"}},
		block:   func(to io.Writer) error { return w.describe(to, src, r) }}
	if r.pdf != nil {
		about.headers = append(about.headers, [2]string{"WARC-Refers-To", "<" + r.pdf.id + ">"})
	}
	if err := about.measure(); err != nil {
		return err
	}
	n, err := about.write(w.w, w.opt.Plain)
	e := about.entry(w.n, n)
	e.Filename = w.name
	w.entries = append(w.entries, e)
	w.n += n
	return err
}

// describe writes the block of a metadata record.
func (w *Writer) describe(to io.Writer, src Source, r *Records) error {
	d := jsondoc.New(to)
	d.Open(description{Schema, jsondoc.ToolOf(w.version), jsondoc.FilePathOf(src.Path), src.SHA256, src.Size})
	d.Text(",\n\"captures\":[\n")
	if err := d.Flush(); err != nil {
		return err
	}
	if err := r.captures.CopyTo(to); err != nil {
		return err
	}
	d.Text("]}\n")
	return d.Flush()
}

// Close writes the warcinfo record if Add was never called. It does not close the underlying writer.
func (w *Writer) Close() error { return w.start() }

// WriteIndex writes the index of the records (CDXJ), in the order of its keys. It may be called after Close.
func (w *Writer) WriteIndex(to io.Writer) error { return writeEntries(to, w.entries) }

// entry returns the index entry of a record.
func (r *record) entry(at, n int64) Entry {
	e := Entry{key: surt(r.target), when: r.date.UTC(), URL: r.target, MIME: r.mime, Offset: at, Length: n}
	if r.kind == "revisit" {
		e.MIME = "warc/revisit"
	}
	_, e.Digest, _ = strings.Cut(r.digest, ":")
	return e
}
