package audit

import (
	"encoding/binary"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Entries are the entries of both trees with the content sets in their values. A file may have millions of entries, so
// they are stored compressed.
type Entries struct {
	packed [][]byte
	open   []byte // last rows, not compressed yet
	n      int

	// Left is the number of entries that lack some of their content sets here, because the total number is too large
	// for the size of the file.
	Left int
}

// EntryOutline is a row: an entry with one content set in its value. An entry with several content sets has a row for
// each. An entry without any has one row without a content set.
type EntryOutline struct {
	Tree webcapture.TreeName
	Key  nametree.Key

	Set     object.Ref         // Num 0 for a direct content set, or for none
	Subtype webcapture.Subtype // NoSubtype without a content set
	ID      nametree.Key       // beginning of the digital identifier; empty if it is missing
	URL     string             // first URL of the sources, as stored; empty if there is none, or it is very long

	// Dates, in whole seconds; zero if they are missing or invalid.
	Created   time.Time // TS of the content set
	Retrieved time.Time // TS of its first source
	Expires   time.Time // E of its first source
}

// Kind describes the kind of the content set; empty without one.
func (e *EntryOutline) Kind() string {
	if e.Subtype == webcapture.NoSubtype && e.Set.Num == 0 {
		return ""
	}
	return e.Subtype.String()
}

// Len returns the number of rows; 0 for nil.
func (e *Entries) Len() int {
	if e == nil {
		return 0
	}
	return e.n
}

// packer returns the compressor and the decompressor, both safe for concurrent use.
var packer = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(err)
	}
	return enc, dec
})

// Add adds a row.
func (e *Entries) Add(row EntryOutline) {
	b := append(e.open, byte(row.Tree), byte(row.Subtype))
	b = appendText(b, string(row.Key))
	b = binary.AppendUvarint(b, uint64(row.Set.Num))
	b = binary.AppendUvarint(b, uint64(row.Set.Gen))
	b = appendText(b, string(row.ID))
	b = appendText(b, row.URL)
	for _, t := range []time.Time{row.Created, row.Retrieved, row.Expires} {
		b = binary.AppendVarint(b, t.Unix())
	}
	e.open = b
	e.n++
	if len(e.open) >= packedRows {
		enc, _ := packer()
		e.packed = append(e.packed, enc.EncodeAll(e.open, nil))
		e.open = e.open[:0]
	}
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// All yields the rows of URLS, then those of IDS, each in the file order of values. It may be called several times,
// also concurrently.
func (e *Entries) All() iter.Seq[EntryOutline] {
	return func(yield func(EntryOutline) bool) {
		_, dec := packer()
		var buf []byte
		for _, block := range e.packed {
			var err error
			if buf, err = dec.DecodeAll(block, buf[:0]); err != nil {
				panic(err) // Add compressed it
			}
			if !unpack(buf, yield) {
				return
			}
		}
		unpack(e.open, yield)
	}
}

// unpack yields rows, and reports whether to continue.
func unpack(b []byte, yield func(EntryOutline) bool) bool {
	for len(b) > 0 {
		row := EntryOutline{Tree: webcapture.TreeName(b[0]), Subtype: webcapture.Subtype(b[1])}
		b = b[2:]
		number := func() uint64 {
			v, n := binary.Uvarint(b)
			b = b[n:]
			return v
		}
		text := func() string {
			n := number()
			s := string(b[:n])
			b = b[n:]
			return s
		}
		row.Key = nametree.Key(text())
		row.Set = object.Ref{Num: uint32(number()), Gen: uint16(number())}
		row.ID, row.URL = nametree.Key(text()), text()
		for _, t := range []*time.Time{&row.Created, &row.Retrieved, &row.Expires} {
			v, n := binary.Varint(b)
			b = b[n:]
			if v != noTime {
				*t = time.Unix(v, 0).UTC()
			}
		}
		if !yield(row) {
			return false
		}
	}
	return true
}

// noTime is the Unix time of the zero Time.
var noTime = time.Time{}.Unix()

// clip releases the memory that Add has reserved for further rows.
func (e *Entries) clip() { e.open = slices.Clip(e.open) }
