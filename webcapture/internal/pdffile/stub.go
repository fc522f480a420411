package pdffile

import (
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

type Update struct{}

func (f *File) NewUpdate() *Update                 { return &Update{} }
func (u *Update) New() object.Ref                  { return object.Ref{} }
func (u *Update) Put(object.Ref, []byte)           {}
func (u *Update) Len() int                         { return 0 }
func (f *File) Appendable() error                  { return nil }
func (u *Update) WriteIncrement(w io.Writer) error { return nil }
func (u *Update) WriteFull(w io.Writer) error      { return nil }
func (u *Update) Lost() []object.Ref               { return nil }
