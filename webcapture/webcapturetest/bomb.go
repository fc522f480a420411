package webcapturetest

import (
	"io"
	"slices"
)

// A Bomb is a file that asks for much more than its size lets expect: what it
// costs to read has to be in proportion to that size all the same. Bombs are written
// when they are needed and never stored.
type Bomb struct {
	Name  string // what is in it, in words
	Write func(w io.Writer) error
	Cap   string // what an audit says of the cap that it hits; empty if it hits none
}

// hitting returns the Bomb with its Cap.
func (b Bomb) hitting(what string) Bomb {
	b.Cap = what
	return b
}

// Bombs returns all of them, those first that make many findings.
func Bombs() []Bomb {
	return slices.Concat(findingBombs(), decodingBombs(), sharingBombs(), growingBombs())
}

// bomb returns the Bomb of a document.
func bomb(name string, l Layout, document func() *Document) Bomb {
	return Bomb{Name: name, Write: func(w io.Writer) error { return document().Encode(w, l) }}
}

// inStreams is the layout of those with a million objects, which are not to be bombs
// because of the size of one stream.
var inStreams = Layout{XRef: Stream, ObjectStreams: 1000}

// packed is the layout of most bombs: one object stream for all that is not a stream.
var packed = Layout{XRef: Stream, W: [3]int{1, 4, 4}, ObjectStreams: 1 << 20}
