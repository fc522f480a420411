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
// metadata record names the PDF.
package export

import (
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
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

// Records are the records of one PDF. They wait in memory or in a temporary file.
type Records struct {
	opt     Options
	records spool.Spool
	unread  []rule.Unread
	pdf     *record // record of the first page set; nil before it is made
	private bool    // some capture has a local or private URL, which is not to be exported

	Pages, Images int    // numbers of exported captures
	Left          []Left // captures that are not exported, by reason
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
	i := slices.IndexFunc(r.Left, func(l Left) bool { return l.Reason == reason })
	if i < 0 {
		first := cmp.Or(string(c.URL), "content set "+c.Object.String())
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
	if !opt.Local {
		if r.private, err = hasPrivate(f, db); err != nil {
			return nil, err
		}
	}
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
		before := r.records.Len()
		err = rule.NoteUnread(&r.unread, rule.Place{Set: capture.Object}, r.add(f, reader, capture))
		err = cmp.Or(err, reader.Pay(outputPrice*(r.records.Len()-before)))
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

// hasPrivate reports whether a file has a capture with a local or private URL.
func hasPrivate(f *webcapture.File, db *webcapture.Database) (bool, error) {
	c, err := catalog.New(f, db)
	if err != nil {
		return false, err
	}
	for capture, err := range c.Captures() {
		if err != nil {
			return false, err
		}
		if uri, _ := target(capture); IsLocal(uri) {
			return true, nil
		}
	}
	return false, nil
}

// outputPrice is the price of a byte of output, which is kept until all records of the file are known.
const outputPrice = 4

// Unread returns the parts of the file that could not be read.
func (r *Records) Unread() []rule.Unread { return r.unread }

// Close removes the temporary file.
func (r *Records) Close() { r.records.Close() }

// add adds the record of a capture, or counts it as not exported.
func (r *Records) add(f *webcapture.File, reader *webcapture.Reader, c *catalog.Capture) error {
	image, err := r.provenImage(reader, c)
	if err != nil {
		return err
	}
	rec := &record{id: newID(), date: c.Captured}
	var reason string
	if rec.target, reason = target(c); reason == "" && c.Captured.IsZero() {
		reason = "no date in the content set"
	}
	intended := false
	switch {
	case !r.opt.Local && IsLocal(rec.target):
		reason, intended = "the URL is local or private; --local exports it", true
	case c.Kind == catalog.Image && image.Num == 0:
		reason, intended = "nothing proves that the data are the file that was fetched", true
	case c.Kind == catalog.Page && r.private: // the record would be the whole PDF
		reason, intended = "the PDF has other captures with local or private URLs; --local exports it", true
	case c.Kind == catalog.Page && len(c.Pages) == 0:
		reason = "its pages are not in the document"
	case c.Kind == catalog.Other:
		reason = "it is neither a page set nor an image set"
	case reason == "" && r.opt.Against != nil && r.opt.Against.Has(rec.target):
		reason, intended = "the index has the URL", true
	}
	if reason != "" {
		r.leave(c, reason, intended)
		return nil
	}
	if c.Kind == catalog.Image {
		err = rec.image(c, func() (io.Reader, error) { return reader.Stream(image) })
	} else {
		err = r.page(rec, f)
	}
	if err == nil {
		err = rec.write(&r.records, r.opt.Plain)
	}
	switch {
	case err != nil:
		return err
	case c.Kind == catalog.Image:
		r.Images++
		return nil
	case r.pdf == nil:
		r.pdf = rec
	}
	r.Pages++
	return nil
}

// provenImage returns the first member of an image set whose data have the ID of the set as MD5: they are the file that
// was fetched. Number 0 means that there is none. Unreadable members are noted.
func (r *Records) provenImage(reader *webcapture.Reader, c *catalog.Capture) (object.Ref, error) {
	id, ok := digest.FromBytes([]byte(c.ID))
	if !ok || c.Kind != catalog.Image {
		return object.Ref{}, nil
	}
	for _, ref := range c.Members {
		proven, err := hasDigest(reader, ref, id)
		err = rule.NoteUnread(&r.unread, rule.Place{Set: c.Object, Object: ref}, err)
		if proven || err != nil {
			return ref, err
		}
	}
	return object.Ref{}, nil
}

// hasDigest reports whether the data of an image are stored as fetched, and have this MD5.
func hasDigest(reader *webcapture.Reader, image object.Ref, id digest.ID) (bool, error) {
	o, err := reader.Get(image)
	if err != nil {
		return false, err
	}
	dict, _ := o.Dict()
	isFile := webcapture.IsAsFetched(dict, func(o object.Object) (object.Object, bool) {
		o, err = reader.Resolve(o)
		return o, err == nil
	})
	if !isFile || err != nil {
		return false, err
	}
	data, err := reader.Stream(image)
	if err != nil {
		return false, err
	}
	h := md5.New()
	n, err := io.Copy(h, data)
	return digest.ID(h.Sum(nil)) == id, cmp.Or(err, reader.Pay(n))
}

// isInURI reports whether a URI may contain a byte (RFC 3986, 2).
func isInURI(c byte) bool {
	isWord := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return isWord || strings.IndexByte("!#$%&'()*+,-./:;=?@[]_~", c) >= 0
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
	if kind, _, err := mime.ParseMediaType(string(c.ContentType)); err == nil && strings.Contains(kind, "/") {
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

// A Writer writes the records of many PDFs as a WARC file.
type Writer struct {
	w       io.Writer
	name    string
	version string
	opt     Options
	info    string // WARC-Record-ID of the warcinfo record; empty before it is written
	now     func() time.Time
}

// NewWriter returns a Writer. name is the name of the file; version is the version of webcap.
func NewWriter(w io.Writer, name, version string, opt Options) *Writer {
	return &Writer{w: w, name: name, version: version, opt: opt, now: time.Now}
}

// start writes the warcinfo record (ISO 28500:2017, 6.2).
func (w *Writer) start() error {
	if w.info != "" {
		return nil
	}
	w.info = newID()
	return w.fields(&record{kind: "warcinfo", id: w.info, headers: [][2]string{{"WARC-Filename", w.name}}},
		"software: webcap "+w.version, "format: WARC File Format 1.1",
		"description: Captures in PDF files with a Web Capture content database (ISO 32000-2:2020, 14.10)")
}

// fields writes a record whose block is a list of named fields.
func (w *Writer) fields(rec *record, lines ...string) error {
	text := strings.Join(lines, "\r\n") + "\r\n"
	rec.date, rec.mime = w.now(), "application/warc-fields"
	rec.block = func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	return cmp.Or(rec.measure(), rec.write(w.w, w.opt.Plain))
}

// A Source describes the PDF from which records were made.
type Source struct {
	Path   string
	SHA256 string // hexadecimal; empty if unknown
	Size   int64
}

// Add writes the records of a PDF, and a metadata record with its name, without folders. Before them, the first call
// writes the warcinfo record of the file. If r has no records, Add writes nothing else.
func (w *Writer) Add(src Source, r *Records) error {
	if err := w.start(); err != nil || r.Pages+r.Images == 0 {
		return err
	}
	if err := r.records.CopyTo(w.w); err != nil {
		return err
	}
	about := &record{kind: "metadata", id: newID(), target: newID(),
		headers: [][2]string{{"WARC-Warcinfo-ID", "<" + w.info + ">"}}}
	if r.pdf != nil {
		about.headers = append(about.headers, [2]string{"WARC-Refers-To", "<" + r.pdf.id + ">"})
	}
	return w.fields(about, "source: "+layout.Printable(filepath.Base(src.Path)), "sha256: "+src.SHA256,
		fmt.Sprintf("size: %d", src.Size), fmt.Sprintf("captures: %d pages, %d images", r.Pages, r.Images))
}

// Close writes the warcinfo record if Add was never called. It does not close the underlying writer.
func (w *Writer) Close() error { return w.start() }
