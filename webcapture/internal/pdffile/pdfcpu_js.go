package pdffile

import (
	"errors"

	"github.com/webcap-tools/webcap/nametree/object"
)

// errLastReader is the error for a file that only pdfcpu could read. The js build omits pdfcpu, because it is large
// and few files need it.
var errLastReader = errors.New("too damaged for this page; try the command line: webcap audit FILE")

// openByPdfcpu returns an error; see pdfcpu.go.
func (f *File) openByPdfcpu(int) error { return errLastReader }

// A pdfcpuFile never exists in the js build; see pdfcpu.go.
type pdfcpuFile struct{}

func (*pdfcpuFile) refs() []object.Ref                    { return nil }
func (*pdfcpuFile) get(object.Ref) (object.Object, error) { return object.Object{}, errLastReader }
func (*pdfcpuFile) stream(object.Ref) []byte              { return nil }
