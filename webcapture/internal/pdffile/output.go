package pdffile

import (
	"bufio"
	"crypto/md5"
	"encoding/hex"
	"hash"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// An output is a buffered writer of a file. After its first error, Write and flush return that error.
type output struct {
	w   *bufio.Writer
	at  int64
	sum hash.Hash // hash of the output, for the file's identifier; nil before the first new byte

	random io.Reader // initialization vectors
}

// outputPiece is the size of a write.
const outputPiece = 1 << 18

func (u *Update) output(w io.Writer) *output {
	return &output{w: bufio.NewWriterSize(w, outputPiece), random: u.random()}
}

func (o *output) flush() error { return o.w.Flush() }

// Write copies data in pieces into the buffer. So bytes of a mapped file are read here, not by the system: if the
// mapped file has shrunk, guarded handles the fault, and the writer reports no error.
func (o *output) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		piece := b[n:min(len(b), n+outputPiece)]
		if o.sum != nil {
			o.sum.Write(piece)
		}
		_, err = o.w.Write(piece)
		n += len(piece)
	}
	o.at += int64(n)
	return n, err
}

// identifier returns the ID of a file made from one with the ID old (14.4): the first string of old, spelled as
// before, and a new second string. It is nil if old is not an array of two strings.
func (o *output) identifier(old object.Object) []byte {
	list, _ := old.Array()
	var halves []object.Object
	for half := range list.All() {
		if half.Kind() == object.String {
			halves = append(halves, half)
		}
	}
	if list.Len() != 2 || len(halves) != 2 {
		return nil
	}
	h := md5.New()
	h.Write(old.Raw())
	h.Write(o.sum.Sum(nil))
	id := append([]byte{'['}, halves[0].Raw()...)
	id = append(hex.AppendEncode(append(id, '<'), h.Sum(nil)), '>')
	return append(id, ']')
}
