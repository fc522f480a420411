package show

import (
	"io"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// capturesSchema is the name and version of the JSON format of captures.
const capturesSchema = "webcap.captures/2"

type (
	jsonCaptureFile struct {
		jsondoc.FilePath
		SHA256   string        `json:"sha256,omitempty"`
		Size     int64         `json:"size,omitempty"`
		Outcome  string        `json:"outcome"`
		Reason   string        `json:"reason,omitempty"`
		Count    int           `json:"captureCount"`
		Unread   []rule.Unread `json:"unread"`
		Captures []jsonListed  `json:"captures,omitempty"` // written one by one
	}
	jsonListed struct {
		*jsondoc.Capture
		Indexed *jsonIndexed `json:"indexed,omitempty"` // only with an index
	}
	jsonIndexed struct {
		Nearest *time.Time `json:"nearest"` // null if the URL is not in the index
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

// jsonCaptureRows returns a function that encodes captures.
func jsonCaptureRows() func(*catalog.Capture, Elsewhere) []byte {
	d := jsondoc.New(nil)
	return func(c *catalog.Capture, e Elsewhere) []byte {
		d.Truncate(0)
		d.Value(jsonListed{jsondoc.CaptureOf(c), e.json()})
		return d.Bytes()
	}
}

func captureFileOf(rec *report.Record, rows *CaptureRows) jsonCaptureFile {
	out := jsonCaptureFile{FilePath: jsondoc.FilePathOf(rec.Path), SHA256: rec.SHA256, Size: rec.Size,
		Outcome: listOutcome(rec), Reason: jsondoc.Text(rec.Reason()), Count: rows.Len(), Unread: []rule.Unread{}}
	if rec.Report != nil {
		out.Unread = append(out.Unread, rec.Report.Unread...)
	}
	return out
}

// listOutcome returns a word for whether the list of a file is complete.
func listOutcome(rec *report.Record) string {
	switch o := rec.Outcome(); o {
	case report.Clean, report.Findings:
		return "listed"
	default:
		return o.String()
	}
}

// captureJSON writes one JSON document.
type captureJSON struct {
	d       *jsondoc.Document
	version string
	sum     jsonCaptureSummary
}

func (w *captureJSON) Rows() func(*catalog.Capture, Elsewhere) []byte { return jsonCaptureRows() }

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

// Close writes the end of the document.
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

func (w *captureNDJSON) Rows() func(*catalog.Capture, Elsewhere) []byte { return jsonCaptureRows() }

// Add writes the line of a file and the lines of its captures.
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

// Close flushes the output. There is no line at the end.
func (w *captureNDJSON) Close(bool) error { return w.d.Flush() }
