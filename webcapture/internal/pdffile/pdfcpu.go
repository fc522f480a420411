//go:build !js

package pdffile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// openByPdfcpu opens the file with pdfcpu, which reads all of it. It is the last resort, if the search finds no
// catalog. pdfcpu has no other use here; its validation never runs, because it changes objects.
func (f *File) openByPdfcpu(int) error {
	read, err := f.readByPdfcpu()
	if err == nil {
		f.trailer, err = trailerOf(read)
	}
	switch {
	case errors.Is(err, ErrPassword), f.stopped() != nil:
		return err
	case err != nil:
		return damaged("%v", err)
	}
	f.byPdfcpu, f.searched = &pdfcpuFile{ctx: read, damaged: true}, true
	f.findCutOff(f.lastObject())
	return nil
}

// FromPdfcpu returns a File with the objects of a context of pdfcpu, as pdfcpu would write them. It first lets pdfcpu
// put its copies of name trees into the context, as writing does. The File has no bytes.
func FromPdfcpu(ctx context.Context, read *model.Context) (*File, error) {
	trailer, err := trailerOf(read)
	if err == nil {
		err = read.BindNameTrees()
	}
	if err != nil {
		return nil, err
	}
	return &File{
		fileBytes: fileBytes{ctx: ctx, meter: meter.New(0)}, headerAt: -1, version: read.VersionString(),
		trailer: trailer.Clone(), byPdfcpu: &pdfcpuFile{ctx: read},
	}, nil
}

// A pdfcpuFile serves the objects of a file that pdfcpu has read whole. It is safe for concurrent use;
// pdfcpu's context belongs to one goroutine at a time.
type pdfcpuFile struct {
	mu      sync.Mutex
	ctx     *model.Context // objects are already decrypted
	damaged bool           // an object without a value may be one that pdfcpu could not read
}

// trailerOf returns the trailer entries that pdfcpu keeps. It is an error if there is no Root.
func trailerOf(ctx *model.Context) (object.Dict, error) {
	if ctx.Root == nil {
		return object.Dict{}, errors.New("no catalog")
	}
	d := types.Dict{"Root": *ctx.Root}
	if ctx.Info != nil {
		d["Info"] = *ctx.Info
	}
	if ctx.Encrypt != nil {
		d["Encrypt"] = *ctx.Encrypt
	}
	if ctx.ID != nil {
		d["ID"] = ctx.ID
	}
	o, _, err := object.Parse(appendObject(nil, d, 0), 0)
	if err != nil {
		return object.Dict{}, err
	}
	t, _ := o.Dict()
	return t, nil
}

// refs returns the objects of pdfcpu's table, in order of their numbers.
func (r *pdfcpuFile) refs() []object.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refs []object.Ref
	for num, e := range r.ctx.Table {
		if e == nil || e.Free || num < 0 || num > object.MaxNumber {
			continue
		}
		ref := object.Ref{Num: uint32(num)}
		if e.Generation != nil {
			ref.Gen = uint16(*e.Generation)
		}
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, object.Ref.Compare)
	return refs
}

// get returns an object, or null if it does not exist. The error is an *object.Malformed if pdfcpu could not read
// the object.
func (r *pdfcpuFile) get(ref object.Ref) (o object.Object, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = &object.Malformed{Reason: fmt.Sprintf("not readable: %v", p)}
		}
	}()
	e := r.ctx.Table[int(ref.Num)]
	if e == nil || e.Free || e.Generation != nil && *e.Generation != int(ref.Gen) {
		return object.Object{}, nil
	}
	found := e.Object
	if found == nil && r.damaged {
		return object.Object{}, &object.Malformed{Reason: "pdfcpu reads this damaged file, but could not read this " +
			"object"}
	}
	if _, lazy := found.(types.LazyObjectStreamObject); lazy {
		found, err = r.ctx.Dereference(*types.NewIndirectRef(int(ref.Num), int(ref.Gen)))
		if err != nil {
			reason, _, _ := strings.Cut(err.Error(), "\n")
			return object.Object{}, &object.Malformed{Reason: reason}
		}
	}
	o, _, err = object.Parse(appendObject(nil, found, 0), 0)
	return o, err
}

// stream returns the data of a stream, decrypted but not decoded.
func (r *pdfcpuFile) stream(ref object.Ref) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	sd, _ := r.ctx.Table[int(ref.Num)].Object.(types.StreamDict)
	if sd.Raw == nil && sd.Content != nil && sd.Encode() != nil { // a program has made the stream
		return nil
	}
	return sd.Raw
}

// appendObject appends o as PDF text. pdfcpu keeps the spelling of strings, so they are unchanged.
func appendObject(dst []byte, o types.Object, depth int) []byte {
	if depth >= object.MaxDepth {
		return append(dst, "null"...)
	}
	switch o := o.(type) {
	case types.Boolean:
		return strconv.AppendBool(dst, bool(o))
	case types.Integer:
		return strconv.AppendInt(dst, int64(o), 10)
	case types.Float:
		return strconv.AppendFloat(dst, float64(o), 'f', -1, 64)
	case types.Name:
		return object.AppendName(dst, []byte(o))
	case types.StringLiteral:
		return append(append(append(dst, '('), o...), ')')
	case types.HexLiteral:
		return append(append(append(dst, '<'), o...), '>')
	case types.IndirectRef:
		return fmt.Appendf(dst, "%d %d R", o.ObjectNumber, o.GenerationNumber)
	case types.Array:
		dst = append(dst, '[')
		for _, e := range o {
			dst = append(appendObject(dst, e, depth+1), ' ')
		}
		return append(dst, ']')
	case types.Dict:
		return appendDict(dst, o, depth)
	case types.StreamDict:
		return append(appendDict(dst, o.Dict, depth), " stream"...)
	case types.ObjectStreamDict:
		return appendObject(dst, o.StreamDict, depth)
	case types.XRefStreamDict:
		return appendObject(dst, o.StreamDict, depth)
	}
	return append(dst, "null"...)
}

func appendDict(dst []byte, d types.Dict, depth int) []byte {
	dst = append(dst, "<<"...)
	for _, k := range slices.Sorted(maps.Keys(d)) {
		dst = append(object.AppendName(dst, []byte(k)), ' ')
		dst = appendObject(dst, d[k], depth+1)
	}
	return append(dst, ">>"...)
}

// using is held while pdfcpu reads, because it has global variables, such as its configuration folder.
var using sync.Mutex

// readByPdfcpu lets pdfcpu read the whole file, without validation. The error is ErrPassword if no password opens the
// file. The result refers to the data of f.
func (f *File) readByPdfcpu() (read *model.Context, err error) {
	using.Lock()
	defer using.Unlock()
	api.DisableConfigDir()
	for _, password := range append(slices.Clone(f.passwords), "") {
		if err := f.meter.Pay(pdfcpuPrice + 8*f.Size()); err != nil { // pdfcpu reads all objects
			return nil, err
		}
		read, err = f.readWith(password)
		if !errors.Is(err, pdfcpu.ErrWrongPassword) {
			return read, err
		}
	}
	return nil, ErrPassword
}

// pdfcpuPrice is the price of reading a file with pdfcpu, in addition to its bytes: a sixteenth of a second.
const pdfcpuPrice = 1 << 24

// pdfcpuTime is the time to read a file with one password.
const pdfcpuTime = 30 * time.Second

func (f *File) readWith(password string) (read *model.Context, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.Offline = true
	conf.Limits.MaxDecodeBytes = f.Piece()
	conf.UserPW, conf.OwnerPW = password, password
	ctx, cancel := context.WithTimeout(cmp.Or(f.ctx, context.Background()), pdfcpuTime)
	defer cancel()
	return pdfcpu.ReadWithContext(ctx, bytes.NewReader(f.data), conf)
}
