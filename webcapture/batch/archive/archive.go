// Package archive finds the PDF files that are in archives: zip, tar, WARC, ARC and WACZ
// files, compressed or not, single files that are compressed, and archives in them.
//
//	for m := range archive.Members("crawl.wacz", f, size) {
//		data, err := m.Data()
//		… // m.Name is "crawl.wacz!archive/data.warc.gz!https://www.example.com/a.pdf"
//		m.Close()
//	}
//
// Nothing is unpacked but one member at a time. What cannot be read is a Member that says
// why, and the others go on. What is neither a PDF nor an archive goes to Options.Other.
// Names are names: none of them is ever a path on this machine.
package archive

import (
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Separator stands between the name of an archive and that of a member. In the names that
// members have in their archives it is EscapedSeparator, so that no two members have one Name.
const (
	Separator        = "!"
	EscapedSeparator = "%21"
)

// Member is a PDF file in an archive, or an archive in it that cannot be read: one that
// has the header or the name of a PDF, even if its content is something else. Members may be
// read on different goroutines.
type Member struct {
	Name string // of the archive and of the member, with Separator between
	Size int64  // as the archive has it, in bytes; -1 if it does not say

	// Err says why there are no Data. If it is a *report.SkippedError, that is on purpose.
	Err error

	data func() (*Data, error)
	read *Data // what data returned
	in   *refCounted
}

// Data reads the member. Close releases what it returns.
func (m *Member) Data() (*Data, error) {
	if m.Err != nil {
		return nil, m.Err
	}
	if m.read == nil {
		if m.read, m.Err = m.data(); m.Err != nil {
			m.Err = damageOf(m.Err)
			return nil, m.Err
		}
	}
	return m.read, nil
}

// Held returns about how many bytes of memory the member takes, whether or not its Data are asked
// for: what is in a stream is read when its turn comes.
func (m *Member) Held() int64 {
	switch {
	case m.read == nil:
		return 0
	case m.read.File != nil:
		return inMemory
	}
	return m.read.Size()
}

// Close releases the member. Who gets one closes it, read or not.
func (m *Member) Close() error {
	if m.read != nil {
		m.read.Close()
	}
	return m.in.release()
}

// refCounted closes its resource when the last user releases it.
type refCounted struct {
	io.Closer
	users atomic.Int32
}

func (s *refCounted) release() error {
	if s == nil || s.users.Add(-1) > 0 || s.Closer == nil {
		return nil
	}
	return s.Close()
}

// File is the random access that reading an archive needs.
type File interface {
	io.ReaderAt
	io.Closer
}

// Members yields the members of the archive that f has, of so many bytes, under a name. It
// takes f over, which is closed when the last member is. If f is not an archive, or a
// damaged one, there is a Member with the name of f that says so.
func Members(name string, f File, size int64) iter.Seq[*Member] {
	return Select(name, f, size, Options{})
}

// Options holds the settings of Select. The zero value selects all members.
type Options struct {
	// Wanted reports whether the caller wants a member. It is asked by the Name of an archive in the archive, and
	// of a member that would have to be read at once. Members that need not be read at once come in any case.
	Wanted func(name string) bool

	// Other is called for each file, entry or record that is not a Member, with its name.
	Other func(name string, why Skip)
}

// Skip is why a file, entry or record is not a Member, for people to read.
type Skip string

// The reasons.
const (
	NotPDF    Skip = "not a PDF or an archive"
	Repeated  Skip = "a revisit or hard link, which repeats another member"
	Unclear   Skip = "not whole, or in an unknown coding"
	InnerLink Skip = "a symbolic link in an archive"
	Sent      Skip = "a PDF in a request"
	Log       Skip = "HAR or MHTML, which webcap reads with --source only"
)

// OtherThanPDF returns why a file of a name is skipped that is neither a PDF nor an archive.
func OtherThanPDF(name string) Skip {
	switch strings.ToLower(path.Ext(name)) {
	case ".har", ".mht", ".mhtml":
		return Log
	}
	return NotPDF
}

// Select is Members with options.
func Select(name string, f File, size int64, opt Options) iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		w := &walk{yield: yield, opt: opt, free: freeSize, passed: passedSize}
		w.archive(place{name: name, in: w.share(f), ratio: maxRatio}, f, size)
		w.missing()
	}
}

// walk goes over an archive and those in it.
type walk struct {
	yield func(*Member) bool
	opt   Options
	free  int64 // what may still be decoded beyond the budgets of members
	ended bool  // the caller has what it wants
	given bool  // the caller has the walk in its hands

	passed int64 // what may still be decoded of tar files beyond their budgets, to reach later members

	originals source.Originals // of revisits
	revisits  []*revisit       // of PDF files
}

func (w *walk) wanted(name string) bool { return w.opt.Wanted == nil || w.opt.Wanted(name) }

// other counts an entry that is not a Member.
func (w *walk) other(at place, name string, why Skip) {
	if w.opt.Other != nil {
		w.opt.Other(at.name+Separator+escaped(name), why)
	}
}

// place is an archive on the way to a member.
type place struct {
	name  string
	depth int
	ratio float64        // how many bytes each of its bytes may decode to
	in    *refCounted    // what the archive is read from; one of its users is the walk
	names map[uint64]int // of its members so far, by the hash of a name
}

// share returns c with the walk as its user.
func (w *walk) share(c io.Closer) *refCounted {
	s := &refCounted{Closer: c}
	s.users.Store(1)
	return s
}

// archive yields what is in an archive, and releases it.
func (w *walk) archive(at place, r io.ReaderAt, size int64) {
	defer at.in.release()
	defer func() {
		if w.given { // it is the caller that panics
			return
		}
		if v := recover(); v != nil {
			w.fail(at, &report.PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	kind, err := KindOf(r, size, at.name)
	if err == nil && kind.IsArchive() && at.depth >= maxDepth {
		err = errDepth
	}
	if err != nil {
		w.fail(at, err)
		return
	}
	at.names = map[uint64]int{}
	switch kind.archive() {
	case zipped:
		err = w.zip(at, r, size)
	case tarred:
		err = w.tar(at, r, size)
	case warc:
		err = w.warc(at, r, size)
	case compressed:
		err = w.compressed(at, r, size)
	case Other:
		if at.depth > 0 && kind.IsPDF() { // it was taken for an archive before it was decoded
			m := &Member{Name: at.name, Size: size, in: at.in,
				data: func() (*Data, error) { return dataOf(io.NewSectionReader(r, 0, size), size) }}
			at.in.users.Add(1)
			w.give(m)
			return
		}
		if at.depth > 0 {
			if w.opt.Other != nil {
				w.opt.Other(at.name, OtherThanPDF(at.name))
			}
			return
		}
		err = errUnread(r, at.name)
	default:
		err = errUnread(r, at.name)
	}
	if kind.IsPDF() && len(at.names) == 0 { // it is only a PDF
		err = nil
	}
	if err != nil && !w.ended {
		w.fail(at, err)
	}
}

// fail says why an archive, or the rest of it, cannot be read.
func (w *walk) fail(at place, err error) {
	w.give(&Member{Name: at.name, Size: -1, Err: err})
}

func (w *walk) give(m *Member) {
	m.Err = damageOf(m.Err)
	w.given = true
	if !w.yield(m) {
		w.ended = true
	}
	w.given = false
}

var seed = maphash.MakeSeed()

// member returns a member of an archive.
func (at *place) member(name string, size int64) *Member {
	at.in.users.Add(1)
	return &Member{Name: at.memberName(name), Size: size, in: at.in}
}

// memberName returns the Name of the next member with a name in its archive. The second of one name and those after it
// get a number.
func (at *place) memberName(name string) string {
	name = escaped(name)
	first := name
	for at.names[maphash.String(seed, name)] > 0 {
		h := maphash.String(seed, first)
		at.names[h]++
		name = first + " (" + strconv.Itoa(at.names[h]) + ")"
	}
	at.names[maphash.String(seed, name)]++
	return at.name + Separator + name
}

// again returns a second member for an entry that has one.
func (at *place) again(m *Member) *Member {
	at.in.users.Add(1)
	return &Member{Name: m.Name, Size: m.Size, in: at.in}
}

// escaped returns the name that a member has in its archive as a part of a Name.
func escaped(name string) string { return strings.ReplaceAll(name, Separator, EscapedSeparator) }

// nested goes into an archive that is a member, which is stored in so many bytes, or says why not. Open gives its
// bytes, and they may be in the archive that m is in. The caller has asked whether m is wanted.
func (w *walk) nested(at place, m *Member, stored int64, open func() (File, int64, error)) {
	f, size, err := open()
	if err != nil {
		m.Err = err
		w.give(m)
		return
	}
	ratio := at.ratio * float64(min(stored, size)) / float64(max(size, 1))
	w.archive(place{name: m.Name, depth: at.depth + 1, ratio: ratio, in: w.share(closerPair{f, m})}, f, size)
}

// closerPair closes two resources, the first one first.
type closerPair [2]io.Closer

func (b closerPair) Close() error { return errors.Join(b[0].Close(), b[1].Close()) }

// bounded returns r, which has what is stored in so many bytes of an archive. It may decode to what these bytes may,
// and to what is free for all.
func (w *walk) bounded(at place, r io.Reader, stored int64) io.Reader {
	return &boundedReader{r, at.allowance(stored, &w.free)}
}

// allowance is the number of bytes that something may decode to.
type allowance struct {
	own  int64
	free *int64 // shared, and used when own is used up
}

// allowance returns what so many bytes of an archive may decode to.
func (at *place) allowance(stored int64, free *int64) *allowance {
	return &allowance{int64(at.ratio * float64(stored)), free}
}

// has reports whether n bytes are left.
func (a *allowance) has(n int64) bool { return n <= a.own || n-a.own <= atomic.LoadInt64(a.free) }

// take takes n bytes, or nothing if fewer are left.
func (a *allowance) take(n int64) bool {
	if n <= a.own {
		a.own -= n
		return true
	}
	if atomic.AddInt64(a.free, a.own-n) < 0 {
		atomic.AddInt64(a.free, n-a.own)
		return false
	}
	a.own = 0
	return true
}

// boundedReader ends with errBomb when its allowance is used up.
type boundedReader struct {
	io.Reader
	*allowance
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if !b.take(int64(n)) {
		return 0, errBomb
	}
	return n, err
}
