//go:build !js

package webcapture

import (
	"context"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// FromPdfcpu returns a File with the objects of a context of pdfcpu, so that a program that uses pdfcpu can audit what
// it is about to write. pdfcpu converts the keys of name trees when it validates or optimizes a context; see
// docs/tools.md. As before writing, pdfcpu first puts its copies of name trees into the context.
//
// Nothing may change the context while the File is in use. Close does not touch it. The File has no bytes: its Size is
// 0, and it cannot be rewritten.
func FromPdfcpu(ctx context.Context, pdf *model.Context) (*File, error) {
	return wrapped(pdffile.FromPdfcpu(ctx, pdf))
}
