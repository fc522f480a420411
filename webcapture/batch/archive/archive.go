// Package archive finds the PDF files in archives: zip, tar, WARC, ARC, and WACZ files, compressed or not, single
// compressed files, and nested archives.
//
//	for m := range archive.Members("crawl.wacz", r, size, archive.Options{}) {
//		err := m.Load()
//		… // m.Name is "crawl.wacz!archive/data.warc.gz!https://www.example.com/a.pdf"
//		m.Close()
//	}
//
// Members come in the order of the archive, and each is read at most once, when it comes. An unreadable member has an
// error; the other members follow. Files that are neither PDFs nor archives are passed to Options.Other. Names are
// never used as paths on this machine.
package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"iter"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Separator separates the names of an archive and a member. Within the name of a member it becomes "%21", so that no
// two members have the same Name.
const Separator = "!"

// Member is a PDF file in an archive: a file with the header or the name of a PDF, even if its content is something
// else. A Member with Err may also be an archive.
type Member struct {
	Name string // names of the archive and of the member, joined by Separator
	Size int64  // size in bytes according to the archive; -1 if unknown
	Data *Data  // nil before Load, and with Err

	// Err is the reason why there are no Data. A *report.SkippedError means that it was skipped on purpose.
	Err error

	read func() (*Data, error) // nil after Load
}

// Load reads the Data, once, and returns Err. It must be called before the next member comes.
func (m *Member) Load() error {
	if read := m.read; read != nil {
		m.read = nil
		m.Data, m.Err = guarded(read)
	}
	return m.Err
}

// guarded returns the result of read, with an error for users. A panic becomes an error.
func guarded(read func() (*Data, error)) (data *Data, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &report.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	data, err = read()
	return data, damageOf(err)
}

// Close releases the Data. The receiver of a Member must always close it.
func (m *Member) Close() error {
	if m.Data == nil {
		return nil
	}
	return m.Data.Close()
}

// Options holds the settings of Members. The zero value is for all members.
type Options struct {
	// Wanted reports whether the caller wants the member, or looks into the nested archive, with this Name. Others are
	// not read.
	Wanted func(name string) bool

	// Other is called with the name of each file, entry, or record that is not a Member.
	Other func(name string, why Skip)
}

// Skip is the reason why a file, entry, or record is not a Member, for messages.
type Skip string

// The reasons.
const (
	NotPDF    Skip = "not a PDF or an archive"
	Revisit   Skip = "a revisit, whose data are in another record"
	HardLink  Skip = "a hard link in an archive"
	Unclear   Skip = "incomplete, or in an unknown coding"
	InnerLink Skip = "a symbolic link in an archive"
)

// Members yields the members of the archive r, with its size and name. If r is not an archive, or is damaged, there is
// a Member with the name of the archive and the error.
func Members(name string, r io.ReaderAt, size int64, opt Options) iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		free, _ := meter.New(size).Budget()
		w := &walk{yield: yield, opt: opt, free: free}
		w.archive(&place{name: name, ratio: maxRatio}, r, size)
	}
}

// walk visits an archive and the archives nested in it.
type walk struct {
	yield func(*Member) bool
	opt   Options
	free  int64 // work for members in addition to their own
	ended bool  // the caller wants no more members
	given bool  // the caller is processing a member
}

func (w *walk) wanted(name string) bool { return w.opt.Wanted == nil || w.opt.Wanted(name) }

// other reports an entry that is not a Member to the caller.
func (w *walk) other(at *place, name string, why Skip) {
	if w.opt.Other != nil {
		w.opt.Other(at.name+Separator+escaped(name), why)
	}
}

// place is an archive on the path to a member, with the state of reading it.
type place struct {
	name  string
	depth int
	ratio float64        // maximum number of decoded bytes per stored byte
	left  int64          // stored bytes of members that were not read yet
	names map[uint64]int // number of members so far, by the hash of their names
}

// archive yields the members of an archive.
func (w *walk) archive(at *place, r io.ReaderAt, size int64) {
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
	at.names, at.left = map[uint64]int{}, size
	switch {
	case kind == zipped:
		err = w.zip(at, r, size)
	case kind == tarred:
		err = w.tar(at, r, size)
	case kind == warc:
		err = w.warc(at, r, size)
	case kind == compressed:
		err = w.compressed(at, r, size)
	case kind == Other && at.depth > 0: // its first bytes looked like those of an archive
		if w.opt.Other != nil {
			w.opt.Other(at.name, NotPDF)
		}
	case kind == PDF && at.depth > 0: // a WARC record did not say that it was compressed
		w.give(&Member{Name: at.name, Size: size,
			read: func() (*Data, error) { return dataOf(io.NewSectionReader(r, 0, size)) }})
	default:
		err = errUnread
	}
	if err != nil && !w.ended {
		w.fail(at, err)
	}
}

// fail yields the error of an archive. Some of its members may already have been yielded.
func (w *walk) fail(at *place, err error) {
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

// entry describes a PDF file or an archive in an archive.
type entry struct {
	name   string
	kind   Kind
	size   int64 // -1 if unknown
	stored int64 // stored size, which may be an estimate

	read func() (*Data, error)

	// inPlace has the bytes of an archive that is stored without compression, as in WACZ files; nil for others.
	inPlace *io.SectionReader
	sum     uint32 // CRC-32 of inPlace; 0 if it is unknown
}

// file yields an entry if it is a PDF, and visits it if it is an archive. The error is that of reading the entry, which
// the caller knows already.
func (w *walk) file(at *place, e entry) error {
	name := at.memberName(e.name)
	if !w.wanted(name) {
		return nil
	}
	if e.inPlace != nil {
		w.nested(at, name, e.stored, e.inPlace, e.size)
		sum := crc32.NewIEEE()
		_, err := io.Copy(sum, io.NewSectionReader(e.inPlace, 0, e.size))
		if err == nil && e.sum != 0 && sum.Sum32() != e.sum {
			err = zip.ErrChecksum
		}
		if err != nil && !w.ended {
			w.fail(&place{name: name}, err)
		}
		return nil
	}
	m := &Member{Name: name, Size: e.size, read: e.read}
	if !e.kind.IsArchive() || m.Load() != nil {
		w.give(m)
		return m.Err
	}
	defer m.Close()
	w.nested(at, name, e.stored, m.Data, m.Data.Size())
	return nil
}

// nested visits an archive inside another one, which stores it in a number of bytes.
func (w *walk) nested(at *place, name string, stored int64, r io.ReaderAt, size int64) {
	ratio := at.ratio * float64(min(stored, size)) / float64(max(size, 1))
	w.archive(&place{name: name, depth: at.depth + 1, ratio: ratio}, r, size)
}

var seed = maphash.MakeSeed()

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

// escaped returns a name in an archive with Separator escaped.
func escaped(name string) string { return strings.ReplaceAll(name, Separator, "%21") }

// bounded returns r with a limit of decoded bytes. The limit depends on the stored size of the entry, and on the common
// allowance. Entries that share their bytes do not have a larger limit than others.
func (w *walk) bounded(at *place, r io.Reader, stored int64) io.Reader {
	stored = max(0, min(stored, at.left)) // a hostile size may be negative
	at.left -= stored
	return &boundedReader{r, int64(at.ratio * float64(stored)), &w.free}
}

// boundedReader ends with an error when the bytes that may be read are used up: first its own, then those of free.
type boundedReader struct {
	io.Reader
	own  int64
	free *int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	own := min(int64(n), b.own)
	free := int64(n) - own
	if free > *b.free {
		return 0, errBomb
	}
	b.own -= own
	*b.free -= free
	return n, err
}

var (
	errBomb  = errors.New("it expands too much; webcap does not read the rest")
	errDepth = &report.SkippedError{
		Reason: fmt.Sprintf("nested too deep: webcap reads at most %d archives inside each other", maxDepth)}
)
