package webcapturetest

import (
	"errors"
	"fmt"
	"strings"
)

// A Layout is the layout of a document in a file. The zero Layout is the simplest one: PDF 1.4 with one
// cross-reference table and without compression.
type Layout struct {
	// Version is the version in the header. If it is empty, the header has the lowest version with all features of
	// the layout.
	Version string

	// XRef is the form of the cross-reference data, and UpdateXRef the form in incremental updates. UpdateXRef is
	// ignored unless MixedXRef is set, because the standard requires one form for all revisions.
	XRef       XRef
	UpdateXRef XRef
	MixedXRef  bool

	// SubSections is the maximum number of entries in one subsection of a table, or in one pair of the Index of a
	// stream. If it is 0, the first revision has one subsection without gaps, and updates have as few as possible.
	SubSections int

	// EntryEnd ends each entry of a table. The standard allows " \n" (the default), "\r\n", and " \r". With "\n",
	// entries have 19 bytes, which the standard forbids.
	EntryEnd string

	// HybridOneSection puts XRefStm into the trailer of the table itself, in which hidden objects are free.
	// Otherwise, an empty section with Prev and XRefStm follows the table, as in files of word processors, which
	// more readers support. With SubSections, hidden objects have no entries in the table.
	HybridOneSection bool

	// W are the widths of the fields of a cross-reference stream. All 0 means 1, 4, and 2. If only the first width
	// is 0, there is no field for the type. Then object streams are impossible, and free objects have no entries.
	W [3]int

	// XRefFilter and Predictor encode cross-reference streams. A predictor requires Flate, LZW, or ASCII85Flate.
	XRefFilter Filter
	Predictor  Predictor

	// ObjectStreams is the number of objects in each object stream. If it is 0, there are no object streams, except
	// in a Hybrid file, where it defaults to 100. A file with a plain Table has no object streams. Streams, and
	// objects with a generation, are never in object streams.
	ObjectStreams      int
	ObjectStreamFilter Filter

	// IndirectLength writes Length as a reference to a later object, except in cross-reference streams.
	IndirectLength bool

	// Prefix is written before the header. Offsets count from the header or, if OffsetsFromStart is set, from the
	// first byte of the file.
	Prefix           []byte
	OffsetsFromStart bool

	// StartXRefOff is added to the offset after the last startxref, to make it wrong.
	StartXRefOff int

	// Linearized writes the first revision as a linearized file (ISO 32000-2:2020, Annex F). It consists of a
	// linearization dictionary, the section for the first objects, the first objects, the other objects, and the
	// section for the others. It lacks a hint stream, so a strict reader warns.
	Linearized bool

	// Encryption describes the encryption of the file; nil for none.
	Encryption *Encryption
}

// An XRef is a form of cross-reference data (ISO 32000-2:2020, 7.5.4 and 7.5.8).
type XRef int

const (
	Table  XRef = iota // cross-reference table
	Stream             // cross-reference stream
	Hybrid             // a table; most objects are in object streams that only the stream in XRefStm lists
)

// A Filter is the encoding of the streams that the writer creates itself.
type Filter int

const (
	Flate        Filter = iota // FlateDecode
	Plain                      // no filter
	ASCIIHex                   // ASCIIHexDecode
	ASCII85Flate               // ASCII85Decode over FlateDecode
	LZW                        // LZWDecode with EarlyChange 0
)

// A Predictor is the value of Predictor in DecodeParms (ISO 32000-2:2020, 7.4.4.4).
type Predictor int

const (
	NoPredictor Predictor = 0  // no DecodeParms
	TIFF        Predictor = 2  // TIFF predictor 2
	PNGUp       Predictor = 12 // each row with the Up filter
	PNGMixed    Predictor = 15 // None, Sub, Up, Average, and Paeth, in rotation
)

// check returns the layout with its defaults. The error is the reason why it cannot be written.
func (l Layout) check() (Layout, error) {
	if !l.MixedXRef {
		l.UpdateXRef = l.XRef
	}
	if l.W == [3]int{} {
		l.W = [3]int{1, 4, 2}
	}
	if l.EntryEnd == "" {
		l.EntryEnd = " \n"
	}
	if (l.XRef == Hybrid || l.UpdateXRef == Hybrid) && l.ObjectStreams == 0 {
		l.ObjectStreams = 100
	}
	if l.Version == "" {
		l.Version = l.defaultVersion()
	}
	return l, l.conflict()
}

// conflict returns the reason why the layout cannot be written, or nil.
func (l Layout) conflict() error {
	switch {
	case l.XRef == Table && l.UpdateXRef == Table && l.ObjectStreams > 0:
		return errors.New("object streams need a cross-reference stream")
	case l.XRef == Hybrid && l.Linearized:
		return errors.New("a hybrid file cannot be linearized")
	case l.Predictor != NoPredictor && (l.XRefFilter == Plain || l.XRefFilter == ASCIIHex):
		return errors.New("a predictor needs a filter that takes one")
	case l.W[0] == 0 && l.ObjectStreams > 0:
		return errors.New("object streams need a type field")
	case strings.Trim(l.EntryEnd, " \r\n") != "":
		return fmt.Errorf("entry end %q is not white space", l.EntryEnd)
	case l.Encryption != nil:
		return l.Encryption.check()
	}
	return nil
}

// defaultVersion returns the lowest version of PDF with all features of the layout.
func (l Layout) defaultVersion() string {
	if l.Encryption != nil && l.Encryption.Revision >= 4 {
		return map[int]string{4: "1.6", 5: "1.7", 6: "2.0"}[l.Encryption.Revision]
	}
	if l.XRef != Table || l.UpdateXRef != Table {
		return "1.5"
	}
	return "1.4"
}
