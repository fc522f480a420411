package pdffile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// A remote file is a mapped one like any other, but most of its bytes are not there yet. What
// is mapped is a temporary file of the same size, empty at first, and no byte of it can be
// read before it was fetched:
//
//   - Where the reader knows what it will look at next, it calls need.
//   - A byte that is touched all the same faults. What can be done again from the start runs in
//     fetching, which fetches what was missing and does so. For the rest it is an error.
//
// So need may fall short, which costs time, and nothing is ever read as zeros.

// A Remote is a file somewhere else, of which any part can be read. Its bytes should not
// change; if they do, Version tells.
type Remote interface {
	Size() int64
	// Range returns n bytes from an offset on.
	Range(ctx context.Context, at, n int64) (io.ReadCloser, error)
	// Version returns what is another text after the file was changed.
	Version(ctx context.Context) (string, error)
}

var errChanged = errors.New("the file was changed while it was read")

// A remote is what is known of a remote file, and of what of it has been fetched.
type remote struct {
	src     Remote
	version string
	ctx     context.Context
	piece   int64          // is the least that is fetched: a number of whole pages
	file    *tempfile.File // has what was fetched

	mu        sync.Mutex
	data      mmap.MMap // of file; what was not fetched cannot be read
	have      []bool    // by pieces
	stretches int       // of pieces that were fetched
	next      int       // the piece after those that were fetched last
	ahead     int       // how many more of them are fetched than are needed

	err atomic.Pointer[error] // why there will be no more
}

// OpenRemote opens a PDF of which no more is read than what is needed. A small one is read whole.
func OpenRemote(src Remote, opt Options) (*File, error) {
	return openRemote(src, opt, smallFile, remotePiece)
}

func openRemote(src Remote, opt Options, small, piece int64) (*File, error) {
	switch size := src.Size(); {
	case size > maxMapped:
		return nil, fmt.Errorf("larger than %d bytes, the most that is read of a file", int64(maxMapped))
	case size <= small:
		data, err := readRemote(orBackground(opt.Context), src)
		if err != nil {
			return nil, err
		}
		return New(data, opt)
	}
	f := &File{ctx: opt.Context}
	err := f.loadRemote(src, piece)
	if err == nil {
		err = f.open(opt)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// InParts reports whether no more of the file is fetched than what is read.
func (f *File) InParts() bool { return f.remote != nil }

func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// readRemote reads all of a remote file at once.
func readRemote(ctx context.Context, src Remote) ([]byte, error) {
	data := make([]byte, src.Size())
	if len(data) == 0 {
		return data, nil
	}
	r, err := src.Range(ctx, 0, src.Size())
	if err == nil {
		_, err = io.ReadFull(r, data)
		r.Close()
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return nil, errCutShort
	}
	return data, err
}

// loadRemote maps a file of the size of src, of which nothing can be read yet. Where the system
// cannot keep it from being read, all of it is fetched.
func (f *File) loadRemote(src Remote, piece int64) error {
	r := &remote{src: src, ctx: orBackground(f.ctx), piece: piece, have: make([]bool, (src.Size()+piece-1)/piece)}
	var err error
	if r.version, err = r.now(); err != nil {
		return err
	}
	if r.file, err = tempfile.New(); err != nil {
		return err
	}
	f.remote = r
	if err := r.file.Truncate(src.Size()); err != nil {
		return err
	}
	if r.data, err = mmap.Map(r.file.File, mmap.RDONLY, 0); err != nil {
		return err
	}
	f.data, f.mapped = r.data, r.data
	if hide(r.data) != nil {
		r.fetch(0, len(r.have))
	}
	return f.Err()
}

// need fetches what is missing of the bytes between two offsets. If that fails they cannot be
// read, and Err says why.
func (f *File) need(from, to int64) {
	if f.remote != nil {
		f.remote.need(from, to)
	}
}

func (r *remote) need(from, to int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fill(int(max(from, 0)/r.piece), int((min(to, r.src.Size())+r.piece-1)/r.piece))
	if stretches.Load() > maxStretches {
		r.fill(0, len(r.have))
	}
}

// fill fetches what is missing of the pieces from first on before end, and what may be needed
// after them.
func (r *remote) fill(first, end int) {
	for first < end {
		if r.have[first] {
			first++
			continue
		}
		last := first + 1
		for last < end && !r.have[last] {
			last++
		}
		if last == end {
			last = r.readAhead(first, last)
		}
		r.fetch(first, last)
		first = last
	}
}

// readAhead returns the end of what is to be fetched of pieces that are missing: twice as much
// more each time as what is read goes on.
func (r *remote) readAhead(first, last int) int {
	if first != r.next {
		r.ahead = 0
		return last
	}
	r.ahead = min(max(1, 2*r.ahead), maxAhead)
	for n := 0; n < r.ahead && last < len(r.have) && !r.have[last]; n++ {
		last++
	}
	return last
}

// fetch fetches pieces, the last one excluded.
func (r *remote) fetch(first, last int) {
	if r.failed() != nil {
		return
	}
	from, to := int64(first)*r.piece, min(int64(last)*r.piece, r.src.Size())
	err := r.copy(from, to-from)
	if err == nil {
		err = show(r.data[from:to])
	}
	if err != nil {
		if r.ctx.Err() != nil {
			err = context.Cause(r.ctx)
		}
		r.err.Store(&err)
		return
	}
	for i := first; i < last; i++ {
		r.have[i] = true
	}
	r.next = last
	r.count(first, last)
}

// stretches is how many there are of all remote files that can be read, see maxStretches.
var stretches atomic.Int64

// count counts the pieces that were fetched as a stretch, or as a part of those beside it.
func (r *remote) count(first, last int) {
	n := 1
	if first > 0 && r.have[first-1] {
		n--
	}
	if last < len(r.have) && r.have[last] {
		n--
	}
	r.stretches += n
	stretches.Add(int64(n))
}

// close removes what was fetched.
func (r *remote) close() error {
	stretches.Add(-int64(r.stretches))
	return r.file.Close()
}

// copy writes what there is between two offsets to the temporary file.
func (r *remote) copy(at, n int64) error {
	body, err := r.src.Range(r.ctx, at, n)
	if err != nil {
		return err
	}
	defer body.Close()
	switch got, err := io.Copy(io.NewOffsetWriter(r.file, at), io.LimitReader(body, n)); {
	case err != nil:
		return err
	case got < n:
		return errCutShort
	}
	return nil
}

// failed returns why no more is fetched; nil as long as it is.
func (r *remote) failed() error {
	if err := r.err.Load(); err != nil {
		return *err
	}
	return nil
}

// unchanged returns an error if the file is not the one that was opened, or nobody knows.
func (r *remote) unchanged() error {
	version, err := r.now()
	if err == nil && version != r.version {
		return errChanged
	}
	return err
}

// now returns the version that there is now.
func (r *remote) now() (string, error) {
	version, err := r.src.Version(r.ctx)
	if r.ctx.Err() != nil {
		return "", context.Cause(r.ctx)
	}
	return version, err
}

// A missing is the error of what has touched a byte that was not fetched.
type missing struct{ at int64 }

func (m *missing) Error() string {
	return fmt.Sprintf("internal error, please report it: the bytes at offset %d were not fetched", m.at)
}

// fetching is guarded for what can be done again from its start, whatever it has done.
func (f *File) fetching(do func() error) error {
	err := f.guarded(do)
	if m, ok := err.(*missing); ok {
		return f.again(m.at, do)
	}
	return err
}

// again runs do again after what it missed was fetched, each time twice as much, so that what looks
// through a whole file begins some dozens of times, and not at every piece.
func (f *File) again(at int64, do func() error) error {
	for pieces := 1; ; pieces *= 2 {
		f.remote.fetchAround(at, pieces)
		err := f.guarded(do)
		m, ok := err.(*missing)
		switch {
		case !ok:
			return err
		case m.at == at:
			return errFault // it has been fetched
		}
		at = m.at
	}
}

// fetchAround fetches what is missing at an offset, and so many pieces in all: those before it if
// what comes after it is there, since then it is read backwards.
func (r *remote) fetchAround(at int64, pieces int) {
	piece := at / r.piece
	from, to := piece, piece+int64(pieces)
	if r.has(piece+1) && !r.has(piece-1) {
		from, to = piece+1-int64(pieces), piece+1
	}
	// One piece more, since what is read in one step may begin before what is missing.
	r.need(from*r.piece, max(to, piece+2)*r.piece)
}

// has reports whether a piece was fetched, or there is none.
func (r *remote) has(piece int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return piece < 0 || piece >= int64(len(r.have)) || r.have[piece]
}
