package show

import (
	"encoding/hex"
	"io"
	"time"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// capturesSchema names the JSON format of captures and its version.
const capturesSchema = "webcap.captures/1"

type (
	jsonCapture struct {
		Object    *jsondoc.Ref    `json:"object"` // null for a direct object
		Kind      catalog.Kind    `json:"kind"`
		Status    catalog.Status  `json:"status"`
		URL       string          `json:"url,omitempty"`
		Canonical string          `json:"canonicalUrl,omitempty"`
		Captured  *time.Time      `json:"captured,omitempty"`
		TS        *jsonDate       `json:"ts,omitempty"`
		Title     string          `json:"title,omitempty"`
		Type      string          `json:"contentType,omitempty"`
		ID        string          `json:"id,omitempty"`
		Pages     []jsonPageRange `json:"pages"`
		Members   []jsondoc.Ref   `json:"members"`
		Sources   []jsonSource    `json:"sources"`
		Submitted bool            `json:"submittedData"`
		Images    []jsonImage     `json:"images,omitempty"`
	}
	jsonPageRange struct {
		First int `json:"first"`
		Last  int `json:"last"`
	}
	jsonDate struct {
		Stored string     `json:"stored"`
		Time   *time.Time `json:"time,omitempty"`
		Fault  string     `json:"fault,omitempty"`
	}
	jsonSource struct {
		URL       string       `json:"url,omitempty"`
		Redirects [][]string   `json:"redirects,omitempty"`
		TS        *jsonDate    `json:"ts,omitempty"`
		Expires   *jsonDate    `json:"expires,omitempty"`
		Submitted string       `json:"submitted,omitempty"`
		Command   *jsonCommand `json:"command,omitempty"`
	}
	jsonCommand struct {
		URL      string `json:"url,omitempty"`
		Levels   int64  `json:"levels"`
		SameSite bool   `json:"sameSite"`
		SamePath bool   `json:"samePath"`
		Submit   bool   `json:"submit"`
		PostData bool   `json:"postData"`
	}
	jsonImage struct {
		Object jsondoc.Ref `json:"object"`
		Width  int64       `json:"width"`
		Height int64       `json:"height"`
		MD5    string      `json:"md5,omitempty"` // only if it proves the ID
	}
	jsonCaptureFile struct {
		jsondoc.FilePath
		SHA256   string           `json:"sha256,omitempty"`
		Size     int64            `json:"size,omitempty"`
		Outcome  string           `json:"outcome"`
		Reason   string           `json:"reason,omitempty"`
		Count    int              `json:"captureCount"`
		Unread   []jsondoc.Unread `json:"unread"`
		Captures []jsonCapture    `json:"captures,omitempty"` // written one by one
	}
	jsonCaptureHead struct {
		Schema string       `json:"schema"`
		Tool   jsondoc.Tool `json:"tool"`
	}
	jsonCaptureSummary struct {
		Files    int  `json:"files"`
		Captures int  `json:"captures"`
		Complete bool `json:"complete"`
	}
)

func jsonDateOf(d catalog.Date) *jsonDate {
	if d.Stored == "" {
		return nil
	}
	out := &jsonDate{Stored: jsondoc.Text(d.Stored), Fault: jsondoc.Text(d.Fault)}
	if d.OK() {
		out.Time = &d.Time
	}
	return out
}

func jsonCaptureOf(c *catalog.Capture) *jsonCapture {
	out := &jsonCapture{
		Object: jsondoc.RefOrNil(c.Object), Kind: c.Kind, Status: c.Status, URL: jsondoc.Text(c.URL),
		Canonical: jsondoc.Text(c.Canonical), TS: jsonDateOf(c.TS), Title: c.Title, Type: jsondoc.Text(c.ContentType),
		ID: hex.EncodeToString([]byte(c.ID)), Pages: []jsonPageRange{}, Members: []jsondoc.Ref{},
		Sources: []jsonSource{}, Submitted: c.HasSubmittedData(),
	}
	if d := c.Captured(); d.OK() {
		out.Captured = &d.Time
	}
	for _, p := range c.Pages {
		out.Pages = append(out.Pages, jsonPageRange(p))
	}
	for _, m := range c.Members {
		out.Members = append(out.Members, jsondoc.Ref(m))
	}
	for i := range c.Sources {
		out.Sources = append(out.Sources, jsonSourceOf(&c.Sources[i]))
	}
	for _, im := range c.Images {
		j := jsonImage{Object: jsondoc.Ref(im.Object), Width: im.Width, Height: im.Height}
		if im.Proven {
			j.MD5 = im.MD5.String()
		}
		out.Images = append(out.Images, j)
	}
	return out
}

func jsonSourceOf(s *catalog.Source) jsonSource {
	out := jsonSource{URL: jsondoc.Text(s.URL), TS: jsonDateOf(s.TS), Expires: jsonDateOf(s.E), Submitted: s.Submitted}
	for _, chain := range s.Redirects {
		urls := make([]string, 0, len(chain))
		for _, u := range chain {
			urls = append(urls, jsondoc.Text(u))
		}
		out.Redirects = append(out.Redirects, urls)
	}
	if c := s.Command; c != nil {
		out.Command = &jsonCommand{jsondoc.Text(c.URL), c.Levels, c.SameSite, c.SamePath, c.Submit, c.PostData}
	}
	return out
}

// jsonCaptureRows returns a function that encodes captures.
func jsonCaptureRows() func(*catalog.Capture) []byte {
	d := jsondoc.New(nil)
	return func(c *catalog.Capture) []byte {
		d.Truncate(0)
		d.Value(jsonCaptureOf(c))
		return d.Bytes()
	}
}

func captureFileOf(rec *report.Record, rows *CaptureRows) jsonCaptureFile {
	out := jsonCaptureFile{FilePath: jsondoc.FilePathOf(rec.Path), SHA256: rec.SHA256, Size: rec.Size,
		Outcome: listOutcome(rec), Reason: jsondoc.Text(rec.Reason()), Count: rows.Len(), Unread: []jsondoc.Unread{}}
	if rec.Report != nil {
		for _, u := range rec.Report.Unread {
			out.Unread = append(out.Unread, jsondoc.UnreadOf(u))
		}
	}
	return out
}

// listOutcome returns whether the captures of a file are all listed.
func listOutcome(rec *report.Record) string {
	switch o := rec.Outcome(); o {
	case report.Clean, report.Findings:
		return "listed"
	default:
		return o.String()
	}
}

// captureJSON writes one document.
type captureJSON struct {
	d       *jsondoc.Document
	version string
	sum     jsonCaptureSummary
}

func (w *captureJSON) Rows() func(*catalog.Capture) []byte { return jsonCaptureRows() }

func (w *captureJSON) head() {
	w.d.Open(jsonCaptureHead{capturesSchema, jsondoc.ToolOf(w.version)})
	w.d.Text(",\n\"files\":[")
}

// Add writes a file with its captures.
func (w *captureJSON) Add(rec *report.Record, rows *CaptureRows) error {
	if w.sum.Files == 0 {
		w.head()
	}
	w.d.Element(w.sum.Files == 0)
	w.sum.Files++
	w.sum.Captures += rows.Len()
	w.d.Open(captureFileOf(rec, rows))
	w.d.Text(",\"captures\":[")
	err := jsondoc.Elements(w.d, rows.All(), func(row []byte) { w.d.Write(row) })
	if err != nil {
		return err
	}
	w.d.Text("]}")
	return rows.Err()
}

// Close writes the end.
func (w *captureJSON) Close(complete bool) error {
	if w.sum.Files == 0 {
		w.head()
	}
	w.sum.Complete = complete
	w.d.Text("\n],\n\"summary\":")
	w.d.Value(w.sum)
	w.d.Text("\n}\n")
	return w.d.Flush()
}

// captureNDJSON writes a line for each file and each capture.
type captureNDJSON struct{ d *jsondoc.Document }

func newCaptureNDJSON(w io.Writer) *captureNDJSON { return &captureNDJSON{jsondoc.New(w)} }

func (w *captureNDJSON) Rows() func(*catalog.Capture) []byte { return jsonCaptureRows() }

// Add writes the line of a file, and those of its captures.
func (w *captureNDJSON) Add(rec *report.Record, rows *CaptureRows) error {
	file := captureFileOf(rec, rows)
	w.d.Open(struct {
		Schema string `json:"schema"`
		jsonCaptureFile
	}{capturesSchema, file})
	w.d.Text("}\n")
	id := jsondoc.New(nil)
	id.Open(struct {
		jsondoc.FilePath
		SHA256 string `json:"sha256,omitempty"`
	}{file.FilePath, file.SHA256})
	for row := range rows.All() {
		w.d.Write(id.Bytes())
		w.d.Text(",")
		w.d.Write(row[1:])
		w.d.Text("\n")
		if err := w.d.FlushIfLarge(); err != nil {
			return err
		}
	}
	if err := w.d.Flush(); err != nil {
		return err
	}
	return rows.Err()
}

// Close writes nothing more.
func (w *captureNDJSON) Close(bool) error { return w.d.Flush() }
