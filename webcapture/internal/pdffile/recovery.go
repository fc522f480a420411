package pdffile

import (
	"cmp"
	"context"
	"errors"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Recovered is what another reader makes of a file in which none of the ways of this package finds
// a catalog.
type Recovered struct {
	Objects
	Trailer   object.Dict // with Root
	Encrypted bool        // in the file; what Objects returns is decrypted
	By        string      // the name of the reader, for messages
	Notices   []string    // what it repaired or left out, in an order of their own
}

// Objects are those of a file that was read whole. They may be asked for by several
// goroutines.
type Objects interface {
	// Refs returns those that there are, in order of their numbers.
	Refs() []object.Ref

	// Get returns an object, null if there is none. The error is an *object.Malformed if
	// the reader could not read it.
	Get(ref object.Ref) (object.Object, error)

	// Stream returns the data of an object that is a stream: decrypted, not decoded.
	Stream(ref object.Ref) []byte
}

// Recovery reads a file whole. An object stream may become maxStream bytes. The passwords are
// tried in turn, each as user and as owner password, and the empty one at last; the error is
// ErrPassword if none of them opens the file. What it returns may refer to data, which end with
// the file that they are of.
type Recovery func(ctx context.Context, data []byte, passwords []string, maxStream int64) (*Recovered, error)

// recovery is the last way to the objects of a file; nil if the program has none.
var recovery Recovery

// RegisterRecovery sets the last way to the objects of files that are opened from now on.
func RegisterRecovery(way Recovery) { recovery = way }

// openByRecovery has another reader read the whole file.
func (f *File) openByRecovery(header int, passwords []string) error {
	if recovery == nil {
		return damaged("nothing else reads it")
	}
	found, err := recovery(cmp.Or(f.ctx, context.Background()), f.data, passwords, f.maxObjectStream())
	switch {
	case errors.Is(err, ErrPassword):
		return err
	case err != nil:
		return damaged("%v", err)
	}
	f.recovered, f.trailer = found, found.Trailer
	f.entries = nil
	f.notices = append(f.notices, found.Notices...)
	f.guessed = true // the search found none
	f.cutOff = f.findCutOff(header, f.lastObject())
	return nil
}
