//go:build !js

package show

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/parquet"
)

// captureParquet writes a table with a row for each capture. A file without captures also gets a row.
type captureParquet struct{ table *parquet.Table[captureRow] }

// captureRow is a row; docs/format-captures.md describes its columns.
type captureRow struct {
	Path      string     `parquet:"path"`
	SHA256    *string    `parquet:"sha256,optional"`
	Outcome   string     `parquet:"outcome,dict"`
	Captured  *time.Time `parquet:"captured,optional,timestamp(millisecond)"`
	URL       *string    `parquet:"url,optional"`
	Canonical *string    `parquet:"canonical_url,optional"`
	Kind      *string    `parquet:"kind,optional,dict"`
	Pages     *string    `parquet:"pages,optional"`
	Title     *string    `parquet:"title,optional"`
	Type      *string    `parquet:"content_type,optional,dict"`
	Status    *string    `parquet:"status,optional,dict"`
	ID        *string    `parquet:"id,optional"`
	Object    *int64     `parquet:"object,optional"`
	Members   *int64     `parquet:"members,optional"`
	Sources   []string   `parquet:"sources,list"`
	Redirects []string   `parquet:"redirects,list"`
	Submitted *bool      `parquet:"submitted_data,optional"`
	ImageMD5  *string    `parquet:"image_md5,optional"`
	Indexed   *time.Time `parquet:"indexed,optional,timestamp(millisecond)"`
}

func newCaptureParquet(w io.Writer, version string) *captureParquet {
	return &captureParquet{parquet.NewTable[captureRow](w, version)}
}

// Rows returns a function that encodes captures as JSON. The path of the file is missing; Add inserts it.
func (w *captureParquet) Rows() func(*catalog.Capture, Elsewhere) []byte { return jsonCaptureRows() }

// Add writes the rows of a file.
func (w *captureParquet) Add(rec *report.Record, rows *CaptureRows) error {
	file := captureRow{Path: jsondoc.Text(rec.Path), SHA256: parquet.OrNull(rec.SHA256), Outcome: listOutcome(rec)}
	if rows.Len() == 0 {
		return w.table.Add(file)
	}
	for text := range rows.All() {
		row := file
		if err := row.decode(text); err != nil {
			return err
		}
		if err := w.table.Add(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// decode sets the columns of a capture.
func (r *captureRow) decode(text []byte) error {
	var c jsonListed
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	for to, value := range map[**string]string{&r.URL: c.URL, &r.Canonical: c.Canonical, &r.Kind: string(c.Kind),
		&r.Title: c.Title, &r.Type: c.Type, &r.Status: string(c.Status), &r.ID: c.ID} {
		*to = parquet.OrNull(value)
	}
	r.Captured, r.Submitted = c.Captured, &c.Submitted
	r.Members = new(int64(len(c.Members)))
	if c.Object != nil {
		r.Object = new(int64(c.Object.Num))
	}
	var pages []string
	for _, p := range c.Pages {
		pages = append(pages, catalog.PageRange(p).String())
	}
	r.Pages = parquet.OrNull(strings.Join(pages, ","))
	for _, s := range c.Sources {
		r.Sources = appendText(r.Sources, s.URL)
		for _, chain := range s.Redirects {
			r.Redirects = append(r.Redirects, strings.Join(chain, " > "))
		}
	}
	for _, im := range c.Images {
		if im.MD5 != "" {
			r.ImageMD5 = parquet.OrNull(im.MD5)
		}
	}
	if c.Indexed != nil {
		r.Indexed = c.Indexed.Nearest
	}
	return nil
}

// Close writes the end.
func (w *captureParquet) Close(complete bool) error {
	return w.table.Close(complete)
}
