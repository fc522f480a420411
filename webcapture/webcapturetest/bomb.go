package webcapturetest

import (
	"io"
	"slices"
)

// A Bomb is a small file that tries to cause much work: the cost of reading it must still be proportional to its
// size. Bombs are generated on demand and never stored.
type Bomb struct {
	Name  string // what is in it, in words
	Write func(w io.Writer) error
	Cap   string // what an audit says of the cap that it hits; empty if it hits none
}

// hitting returns the Bomb with Cap set.
func (b Bomb) hitting(what string) Bomb {
	b.Cap = what
	return b
}

// Bombs returns all bombs, first those with many findings.
func Bombs() []Bomb {
	return slices.Concat(findingBombs(), decodingBombs(), sharingBombs(), growingBombs())
}

// bomb returns the Bomb for a document.
func bomb(name string, l Layout, document func() *Document) Bomb {
	return Bomb{Name: name, Write: func(w io.Writer) error { return document().Encode(w, l) }}
}

// inStreams is the layout of bombs with a million objects, which should not exceed the limit of one stream.
var inStreams = Layout{XRef: Stream, ObjectStreams: 1000}

// packed is the layout of most bombs: one object stream for all objects that are not streams.
var packed = Layout{XRef: Stream, W: [3]int{1, 4, 4}, ObjectStreams: 1 << 20}
