package show

import (
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A DigestWriter writes identifiers of files, one by one. Each error is that of
// the underlying writer.
type DigestWriter interface {
	Add(*DigestResult) error
}

// A DigestResult is the identifier of a file. Parts that nobody asked for are
// zero.
type DigestResult struct {
	Name    string // of the file; or its URL, if it is in a source
	Where   string // in the source; empty for a file
	ID      digest.ID
	Reading string // that gave ID; empty where there is only one

	Pieces  []page.Piece // that went into the MD5, in order
	Missing []page.Reference
	Others  []DigestReading // that give something else
}

// A DigestReading is what a reading gives.
type DigestReading struct {
	Reading string
	ID      digest.ID
}

// A digestTable explains identifiers to people.
type digestTable struct{ sheet *layout.Sheet }

// NewDigestTable returns a writer of tables to w, in lines of a width; 0 for as long
// as it takes.
func NewDigestTable(w io.Writer, width int) DigestWriter {
	return &digestTable{layout.NewSheet(w, width, false)}
}

// Add writes a file with its identifier, and below it what it was made of and
// what else it might be.
func (d *digestTable) Add(r *DigestResult) error {
	d.sheet.Beside(r.ID.String(), layout.Printable(r.Name))
	if r.Where != "" {
		d.sheet.Beside("  in " + layout.Printable(r.Where))
	}
	d.sheet.Beside("  by the reading: " + r.Reading)
	d.pieces(r.Pieces)
	for _, m := range r.Missing {
		d.sheet.Beside(fmt.Sprintf("  not found: %v %s", m.Kind, layout.Printable(m.URL)))
	}
	if len(r.Others) > 0 {
		d.sheet.Beside("  other readings:")
	}
	for _, o := range r.Others {
		d.sheet.Beside("    "+o.ID.String(), o.Reading)
	}
	return d.sheet.Flush()
}

// pieces writes what went into the MD5. What may be long comes last.
func (d *digestTable) pieces(list []page.Piece) {
	if len(list) == 0 {
		return
	}
	size, kind := len("BYTES"), len("KIND") // widths
	for _, p := range list {
		size, kind = max(size, len(fmt.Sprint(p.Bytes))), max(kind, len(p.Kind.String()))
	}
	d.sheet.Beside(fmt.Sprintf("  %-32s  %*s  %-*s", "DIGEST", size, "BYTES", kind, "KIND"), "URL, WHERE FOUND")
	for _, p := range list {
		d.sheet.Beside(fmt.Sprintf("  %v  %*d  %-*s", p.ID, size, p.Bytes, kind, p.Kind), pieceAt(p))
	}
}

// pieceAt names a piece by its URL and by where it was found, as far as both
// are known and differ.
func pieceAt(p page.Piece) string {
	switch {
	case p.URL == "" || p.URL == p.Where:
		return layout.Printable(p.Where)
	case p.Where == "":
		return layout.Printable(p.URL)
	}
	return layout.Printable(p.URL) + ", " + layout.Printable(p.Where)
}

type (
	jsonDigest struct {
		File    *jsondoc.Key        `json:"file,omitempty"`
		URL     *jsondoc.Key        `json:"url,omitempty"`
		Where   *jsondoc.Key        `json:"where,omitempty"`
		Digest  digest.ID           `json:"digest"`
		Reading string              `json:"reading,omitempty"`
		Pieces  []jsonPiece         `json:"pieces,omitempty"`
		Missing []jsonMissing       `json:"missing,omitempty"`
		Others  []jsonDigestReading `json:"otherReadings,omitempty"`
	}
	jsonPiece struct {
		Kind   string       `json:"kind"`
		URL    *jsondoc.Key `json:"url,omitempty"`
		Where  *jsondoc.Key `json:"where,omitempty"`
		Digest digest.ID    `json:"digest"`
		Bytes  int64        `json:"bytes"`
	}
	jsonMissing struct {
		Kind string      `json:"kind"`
		URL  jsondoc.Key `json:"url"`
	}
	jsonDigestReading struct {
		Reading string    `json:"reading"`
		Digest  digest.ID `json:"digest"`
	}
)

// A digestJSON writes each result as a JSON object on a line of its own.
type digestJSON struct{ doc *jsondoc.Document }

// NewDigestJSON returns a writer of JSON to w.
func NewDigestJSON(w io.Writer) DigestWriter { return &digestJSON{jsondoc.New(w)} }

// Add writes a line.
func (j *digestJSON) Add(r *DigestResult) error {
	name := jsondoc.Key(r.Name)
	out := jsonDigest{File: &name, Digest: r.ID, Reading: r.Reading}
	if r.Where != "" {
		out.File, out.URL, out.Where = nil, &name, known(r.Where)
	}
	for _, p := range r.Pieces {
		out.Pieces = append(out.Pieces, jsonPiece{p.Kind.String(), known(p.URL), known(p.Where), p.ID, p.Bytes})
	}
	for _, m := range r.Missing {
		out.Missing = append(out.Missing, jsonMissing{m.Kind.String(), jsondoc.Key(m.URL)})
	}
	for _, o := range r.Others {
		out.Others = append(out.Others, jsonDigestReading{o.Reading, o.ID})
	}
	j.doc.Value(out)
	j.doc.Text("\n")
	return j.doc.Flush()
}

// known returns s for JSON; nil if it is empty, which means that it is not known.
func known(s string) *jsondoc.Key {
	if s == "" {
		return nil
	}
	k := jsondoc.Key(s)
	return &k
}
