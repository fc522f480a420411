package webcapturetest

import (
	"errors"
	"fmt"
	"strings"
)

// A Layout is the layout of a document in a file. The zero Layout is the simplest one: PDF 1.4, one cross-reference
// table, nothing compressed.
type Layout struct {
	// Version is the version in the header. If empty, it is the lowest version with all features of the layout.
	Version string

	// XRef is the form of the cross-reference data, UpdateXRef that of incremental updates. UpdateXRef is ignored
	// unless MixedXRef is set: the standard requires the same form throughout.
	XRef       XRef
	UpdateXRef XRef
	MixedXRef  bool

	// SubSections is the maximum number of entries in one subsection of a table, or in one pair of the Index of a
	// stream. With 0 there is one subsection without gaps in the first revision, and as few as possible in updates.
	SubSections int

	// EntryEnd ends each entry of a table: " \n" (if empty), "\r\n", and " \r" are correct; "\n" makes entries of 19
	// bytes, which the standard forbids.
	EntryEnd string

	// HybridOneSection puts XRefStm into the trailer of the table itself, whose entries say that hidden objects are
	// free. Without it the table is followed by an empty section with Prev and XRefStm, as word processors write it,
	// which more readers support. With SubSections hidden objects have no entries at all.
	HybridOneSection bool

	// W are the widths of the fields of a cross-reference stream; all 0 means 1, 4, and 2. A first width of 0 omits the
	// type, which is possible only without object streams, and drops the entries of free objects.
	W [3]int

	// XRefFilter and Predictor encode cross-reference streams. A predictor
	// needs Flate, LZW or ASCII85Flate.
	XRefFilter Filter
	Predictor  Predictor

	// ObjectStreams is the number of objects in each object stream. 0 means no object streams, except in a Hybrid
	// file, where it means 100. A file with a plain Table has no object streams. They never contain streams or
	// objects with a generation.
	ObjectStreams      int
	ObjectStreamFilter Filter

	// IndirectLength writes the Length of each stream except cross-reference streams as a reference to a later object.
	IndirectLength bool

	// Prefix is written before the header. Offsets count from the header, or, with OffsetsFromStart, from the first
	// byte of the file.
	Prefix           []byte
	OffsetsFromStart bool

	// StartXRefOff is added to the number after the last startxref.
	StartXRefOff int

	// Linearized writes the first revision in the order of a linearized file
	// (ISO 32000-2:2020, Annex F): a linearization dictionary, the section for
	// the first objects, these objects, the others, the section for those.
	// There is no hint stream, so a strict reader warns about the hints.
	Linearized bool

	// Encryption encrypts the file, unless it is nil.
	Encryption *Encryption
}

// An XRef is a form of cross-reference data (ISO 32000-2:2020, 7.5.4 and 7.5.8).
type XRef int

const (
	Table  XRef = iota // a cross-reference table
	Stream             // a cross-reference stream
	Hybrid             // a table; most objects are hidden in object streams that only XRefStm leads to
)

// A Filter is an encoding of the streams that the writer itself makes.
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
	PNGMixed    Predictor = 15 // None, Sub, Up, Average, and Paeth, one after the other
)

// check returns the layout with its defaults, or the reason why it cannot be written.
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

// defaultVersion returns the first version of PDF with the features of the layout.
func (l Layout) defaultVersion() string {
	if l.Encryption != nil && l.Encryption.Revision >= 4 {
		return map[int]string{4: "1.6", 5: "1.7", 6: "2.0"}[l.Encryption.Revision]
	}
	if l.XRef != Table || l.UpdateXRef != Table {
		return "1.5"
	}
	return "1.4"
}
