// Package archive finds the PDF files in archives: zip, tar, WARC, ARC, and WACZ files, compressed or not, single
// compressed files, and nested archives.
//
//	for m := range archive.Members("crawl.wacz", f, size) {
//		data, err := m.Data()
//		… // m.Name is "crawl.wacz!archive/data.warc.gz!https://www.example.com/a.pdf"
//		m.Close()
//	}
//
// Only one member is unpacked at a time. An unreadable member is a Member with an error; the other members follow.
// Files that are neither PDFs nor archives are passed to Options.Other. Names are never used as paths on this
// machine.
package archive

import (
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Separator separates the names of an archive and a member. Within the name of a member it becomes
// EscapedSeparator, so that no two members have the same Name.
const (
	Separator        = "!"
	EscapedSeparator = "%21"
)

// Member is a PDF file in an archive: a file with the header or the name of a PDF, even if its content is something
// else. A Member with Err may also be an archive. Members may be read on different goroutines.
type Member struct {
	Name string // names of the archive and of the member, joined by Separator
	Size int64  // size in bytes according to the archive; -1 if unknown

	// Err is the reason why there are no Data. A *report.SkippedError means that it was skipped on purpose.
	Err error

	data func() (*Data, error)
	read *Data // result of data
	in   *refCounted
}

// Data reads the member. Close releases the result.
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

// Held returns the approximate memory, in bytes, that the data of the member take now. Members of streams are read in
// advance, before a call of Data.
func (m *Member) Held() int64 {
	switch {
	case m.read == nil:
		return 0
	case m.read.File != nil:
		return inMemory
	}
	return m.read.Size()
}

// Close releases the member. The receiver of a Member must always close it, even without a call of Data.
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

// File is the random access needed to read an archive.
type File interface {
	io.ReaderAt
	io.Closer
}

// Members yields the members of the archive f, with its size and name. It takes over f, and closes it after the
// last member. If f is not an archive, or is damaged, there is a Member with the name of f and the error.
func Members(name string, f File, size int64) iter.Seq[*Member] {
	return Select(name, f, size, Options{})
}

// Options holds the settings of Select. The zero value selects all members.
type Options struct {
	// Wanted reports whether the caller wants a member. It is called with the Name of each nested archive, and of
	// each member that must be read immediately. All other members are yielded.
	Wanted func(name string) bool

	// Other is called with the name of each file, entry, or record that is not a Member.
	Other func(name string, why Skip)
}

// Skip is the reason why a file, entry, or record is not a Member, for messages.
type Skip string

// The reasons.
const (
	NotPDF    Skip = "not a PDF or an archive"
	Repeated  Skip = "a revisit or hard link, which repeats another member"
	Unclear   Skip = "incomplete, or in an unknown coding"
	InnerLink Skip = "a symbolic link in an archive"
	Sent      Skip = "a PDF in a request"
	Log       Skip = "HAR or MHTML, which webcap reads with --source only"
)

// OtherThanPDF returns the reason for skipping a file by its name if it is neither a PDF nor an archive.
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
		work, _ := meter.New(size).Budget()
		w := &walk{yield: yield, opt: opt, free: work, passed: work}
		w.archive(place{name: name, in: w.share(f), ratio: maxRatio}, f, size)
		w.missing()
	}
}

// walk visits an archive and the archives nested in it.
type walk struct {
	yield func(*Member) bool
	opt   Options
	free  int64 // work for members in addition to their own
	ended bool  // the caller wants no more members
	given bool  // the caller is processing a member

	passed int64 // work for tar files, to reach later members

	originals source.Originals // originals of revisit records
	revisits  []*revisit       // revisit records of PDF files
}

func (w *walk) wanted(name string) bool { return w.opt.Wanted == nil || w.opt.Wanted(name) }

// other reports an entry that is not a Member to the caller.
func (w *walk) other(at place, name string, why Skip) {
	if w.opt.Other != nil {
		w.opt.Other(at.name+Separator+escaped(name), why)
	}
}

// place is an archive on the path to a member, with the state of reading it.
type place struct {
	name  string
	depth int
	ratio float64        // maximum number of decoded bytes per stored byte
	in    *refCounted    // the underlying file, shared with its members
	names map[uint64]int // number of members so far, by the hash of their names
}

// share returns c with the walk as its user.
func (w *walk) share(c io.Closer) *refCounted {
	s := &refCounted{Closer: c}
	s.users.Store(1)
	return s
}

// archive yields the members of an archive, and releases it.
func (w *walk) archive(at place, r io.ReaderAt, size int64) {
	defer at.in.release()
	defer func() {
		if w.given { // the caller panicked
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
		if at.depth > 0 && kind.IsPDF() { // while compressed, it looked like an archive
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
	if _, disk := errors.AsType[*fs.PathError](err); kind.IsPDF() && len(at.names) == 0 && !disk { // it is only a PDF
		err = nil
	}
	if err != nil && !w.ended {
		w.fail(at, err)
	}
}

// fail yields the error of an archive. Some of its members may already have been yielded.
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

// memberName returns the Name of the next member whose name in its archive is name. Repeated names get a number.
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

// again returns a second member for the entry of m.
func (at *place) again(m *Member) *Member {
	at.in.users.Add(1)
	return &Member{Name: m.Name, Size: m.Size, in: at.in}
}

// escaped returns a name in an archive with Separator escaped.
func escaped(name string) string { return strings.ReplaceAll(name, Separator, EscapedSeparator) }

// nested visits an archive inside another one, or yields its error. stored is its stored size. open returns its
// bytes, which may be in the archive of m. The caller has checked that m is wanted.
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

// bounded returns r with a limit of decoded bytes. The limit depends on the stored size and on the common
// allowance.
func (w *walk) bounded(at place, r io.Reader, stored int64) io.Reader {
	return &boundedReader{r, at.allowance(stored, &w.free), priceOf(r)}
}

// allowance is the work that may be done: a number of decoded bytes.
type allowance struct {
	own  int64
	free *int64 // shared; used after own
}

// allowance returns the allowance for an entry with a stored size.
func (at *place) allowance(stored int64, free *int64) *allowance {
	return &allowance{int64(at.ratio * float64(stored)), free}
}

// has reports whether n bytes are left.
func (a *allowance) has(n int64) bool { return n <= a.own || n-a.own <= atomic.LoadInt64(a.free) }

// take takes n bytes and returns true. If fewer are left, it takes none.
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
	price int64 // of a byte
}

// priceOf returns the price of a byte of decoded data. bzip2 is slower than other codecs.
func priceOf(r io.Reader) int64 {
	if d, ok := r.(*decodedReader); ok && d.codec.name == "bzip2" {
		return 4
	}
	return 1
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if !b.take(b.price * int64(n)) {
		return 0, errBomb
	}
	return n, err
}
