package webcapturetest

import (
	"io"
	"slices"
)

// A Bomb is a file that tries to cause more work than its size suggests. The cost of reading it must still be
// proportional to its size. Bombs are generated on demand and never stored.
type Bomb struct {
	Name  string // description of the content
	Write func(w io.Writer) error
}

// Bombs returns all bombs. Those with many findings come first.
func Bombs() []Bomb {
	return slices.Concat(findingBombs(), decodingBombs(), sharingBombs(), growingBombs(), contentBombs())
}

// bomb returns the Bomb with this document and layout.
func bomb(name string, l Layout, document func() *Document) Bomb {
	return Bomb{Name: name, Write: func(w io.Writer) error { return document().Encode(w, l) }}
}

// inStreams is the layout of bombs with a million objects. Its small object streams stay below the limit of a
// single stream.
var inStreams = Layout{XRef: Stream, ObjectStreams: 1000}

// packed is the layout of bombs that compress well. All objects that are not streams are in one object stream.
var packed = Layout{XRef: Stream, W: [3]int{1, 4, 4}, ObjectStreams: 1 << 20}
