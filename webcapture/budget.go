package webcapture

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// Budget is what remains of the old limits until the engine pays into the meter.
type Budget struct {
	Work     int64
	Records  int
	Findings int
}

// Budget returns the limits of the engine.
func (f *File) Budget() Budget {
	size := f.Size()
	return Budget{Work: 1 << 62, Records: 1 << 30, Findings: int(1<<18 + size/192)}
}

// Undecoded is not used any more.
type Undecoded struct {
	Ref   object.Ref
	Limit int64
}

func (e *Undecoded) Error() string { return "" }

// OverDecoded reports whether the meter of the file is exceeded.
func (f *File) OverDecoded() bool { return f.Meter().Over() != nil }

// MaxDecoded is not used any more.
func (f *File) MaxDecoded() int64 { return 0 }

// ErrArray is not used any more.
var ErrArray error = &object.Malformed{}

// BytesRead returns the cost of all reads through r.
func (r *Reader) BytesRead() int64 { return r.read }

var _ = pdffile.ErrEmpty
var _ nametree.Tree
