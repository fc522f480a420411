package show

import (
	"fmt"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// A Digest is the identifier of a file. Parts that were not requested are zero.
type Digest struct {
	URL     nametree.Key    `json:"url"`   // URL of the file in a source
	Where   nametree.Key    `json:"where"` // the file's place in the source
	ID      digest.ID       `json:"digest"`
	Reading string          `json:"reading,omitempty"` // reading of ID; empty if there is only one
	Pieces  []digestPiece   `json:"pieces,omitempty"`  // parts of the data in the MD5, in order
	Missing []missingFile   `json:"missing,omitempty"`
	Others  []DigestReading `json:"otherReadings,omitempty"` // results of other readings, if they differ
}

// A digestPiece is a part of the data in the MD5 of a page.
type digestPiece struct {
	Kind  string       `json:"kind"`
	URL   nametree.Key `json:"url,omitempty"`
	Where nametree.Key `json:"where,omitempty"`
	ID    digest.ID    `json:"digest"`
	Bytes int64        `json:"bytes"`
}

// missingFile is a file that a page refers to, but that was not found.
type missingFile struct {
	Kind string       `json:"kind"`
	URL  nametree.Key `json:"url"`
}

// A DigestReading is the result of a reading.
type DigestReading struct {
	Reading string    `json:"reading"`
	ID      digest.ID `json:"digest"`
}

// Explain adds the parts of the data for the identifier of a page, and the missing files.
func (d *Digest) Explain(pieces []page.Piece, missing []page.Reference) {
	for _, p := range pieces {
		d.Pieces = append(d.Pieces, digestPiece{p.Kind.String(), nametree.Key(p.URL), nametree.Key(p.Where), p.ID, p.Bytes})
	}
	for _, m := range missing {
		d.Missing = append(d.Missing, missingFile{m.Kind.String(), nametree.Key(m.URL)})
	}
}

// text writes the file with its identifier. Below it, text writes the parts and the other readings.
func (d *Digest) text(s *layout.Sheet) {
	s.Labeled(d.ID.String(), printable(d.URL))
	s.Labeled("  in " + printable(d.Where))
	s.Labeled("  by the reading: " + d.Reading)
	d.pieces(s)
	for _, m := range d.Missing {
		s.Labeled(fmt.Sprintf("  not found: %s %s", m.Kind, layout.Printable(string(m.URL))))
	}
	if len(d.Others) > 0 {
		s.Labeled("  other readings:")
	}
	for _, o := range d.Others {
		s.Labeled("    "+o.ID.String(), o.Reading)
	}
}

// pieces writes a table of the parts. Long columns come last.
func (d *Digest) pieces(s *layout.Sheet) {
	if len(d.Pieces) == 0 {
		return
	}
	rows := [][]string{{"DIGEST", "BYTES", "KIND", "URL, WHERE FOUND"}}
	for _, p := range d.Pieces {
		rows = append(rows, []string{p.ID.String(), fmt.Sprint(p.Bytes), p.Kind, p.place()})
	}
	s.Columns(rows)
}

// place returns the URL of the piece. If the piece was found in another place, place adds that.
func (p digestPiece) place() string {
	url, where := layout.Printable(string(p.URL)), layout.Printable(string(p.Where))
	switch {
	case p.URL == "" || p.URL == p.Where:
		return where
	case p.Where == "":
		return url
	}
	return url + ", " + where
}
