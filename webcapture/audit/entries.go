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

// Entries are the entries of both trees, each with the content sets that it leads to. A file
// may have millions, so they are kept packed, and unpacked while they are walked over.
type Entries struct {
	packed [][]byte
	open   []byte // the rows after those that are packed
	n      int

	// Left is how many entries do not have all of their content sets here: they lead to
	// more of them than is in proportion to the file.
	Left int
}

// An EntryOutline is an entry, and a content set that it leads to. An entry that leads to
// several comes once for each, and one that leads to none without a set.
type EntryOutline struct {
	Tree webcapture.TreeName
	Key  nametree.Key

	Set     object.Ref         // Num 0 if it has no number, or there is none
	Subtype webcapture.Subtype // NoSubtype without a set
	ID      nametree.Key       // the beginning of the set's digital identifier; empty if it is missing
	URL     string             // the first of the set's sources, as it is stored; empty if there is none, or it is very long

	// Of the set, in whole seconds; zero if they are missing, or are not dates.
	Created   time.Time // TS of the set
	Retrieved time.Time // TS of its first source
	Expires   time.Time // E of that
}

// Kind says of what kind the content set is; empty if there is none.
func (e *EntryOutline) Kind() string {
	if e.Subtype == webcapture.NoSubtype && e.Set.Num == 0 {
		return ""
	}
	return e.Subtype.String()
}

// Len returns how many rows there are; 0 of nil.
func (e *Entries) Len() int {
	if e == nil {
		return 0
	}
	return e.n
}

// packer packs and unpacks; both are safe for several goroutines.
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

// All yields the rows: of URLS, then of IDS, of each in the order in which their values lie
// in the file. It may be called again, by several goroutines.
func (e *Entries) All() iter.Seq[EntryOutline] {
	return func(yield func(EntryOutline) bool) {
		_, dec := packer()
		var buf []byte
		for _, block := range e.packed {
			var err error
			if buf, err = dec.DecodeAll(block, buf[:0]); err != nil {
				panic(err) // it was packed here
			}
			if !unpack(buf, yield) {
				return
			}
		}
		unpack(e.open, yield)
	}
}

// unpack yields rows, and reports whether to go on.
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

// clip gives back what Add has taken for rows to come.
func (e *Entries) clip() { e.open = slices.Clip(e.open) }
