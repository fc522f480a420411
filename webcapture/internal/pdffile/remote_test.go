package pdffile_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A store has one file.
type store struct {
	data    io.ReaderAt
	size    int64
	version string
	asked   int          // how often something was
	read    int64        // bytes
	before  func() error // each time; nil for nothing
}

func stored(data []byte) *store { return &store{data: bytes.NewReader(data), size: int64(len(data))} }

func (s *store) Size() int64 { return s.size }

func (s *store) ask() error {
	if s.asked++; s.before == nil {
		return nil
	}
	return s.before()
}

func (s *store) Range(ctx context.Context, at, n int64) (io.ReadCloser, error) {
	if err := s.ask(); err != nil {
		return nil, err
	}
	return io.NopCloser(io.TeeReader(io.NewSectionReader(s.data, at, n), (*counter)(&s.read))), nil
}

func (s *store) Version(ctx context.Context) (string, error) { return s.version, s.ask() }

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// said returns all that can be known of a file, errors included. The last is that of Intact.
func said(f *pdffile.File, err error, password string) (all []string, intact error) {
	say := func(v ...any) { all = append(all, fmt.Sprintln(v...)) }
	if say(err); err != nil {
		return all, err
	}
	look := func() (damage error) {
		defer func() { say(pdffile.Work(f)) }()
		say(pdffile.Work(f))
		say(f.Repaired(), f.Encrypted(), f.Notices(), f.Unread(), f.CatalogGuessed(), f.HeaderVersion(), f.Objects(), string(f.Trailer().Raw()))
		r := f.NewReader()
		for _, ref := range f.Refs() {
			o, err := r.Get(ref)
			say(ref, f.Position(ref), string(o.Raw()), err)
			if d, ok := errors.AsType[*pdffile.Damage](err); ok {
				damage = d
			}
			stored, err := pdffile.DataOf(r.Stream(ref))
			say(md5.Sum(stored), err)
			decoded, err := pdffile.DataOf(r.Data(ref))
			say(md5.Sum(decoded), err)
		}
		return damage
	}
	if damage := look(); damage != nil && !f.Repaired() && f.Intact() == nil {
		say(f.Repair([]string{password}, damage))
		look()
	}
	for _, write := range []func(*pdffile.Update, io.Writer) error{(*pdffile.Update).WriteFull, (*pdffile.Update).WriteIncrement} {
		h := md5.New()
		err := write(f.NewUpdate(), h)
		say(h.Sum(nil), err)
	}
	sum, err := f.SHA256()
	say(sum, err)
	return all, f.Intact()
}

// whole is what is said of a file in memory.
func whole(data []byte, opt pdffile.Options) []string {
	f, err := pdffile.New(data, opt)
	all, _ := said(f, err, opt.Passwords[0])
	if err == nil {
		f.Close()
	}
	return all
}

func remotely(s *store, opt pdffile.Options) ([]string, error) {
	f, err := pdffile.OpenRemoteByPages(s, opt)
	all, intact := said(f, err, opt.Passwords[0])
	if err == nil {
		f.Close()
	}
	return all, intact
}

func differ(t *testing.T, how string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s: %.300q, want %.300q", how, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			return
		}
	}
}

// TestRemoteFilesAreTheSame: whatever is in a file, and however it is damaged, the same is said
// of it when it is fetched one page at a time.
func TestRemoteFilesAreTheSame(t *testing.T) {
	for _, c := range captures(t) {
		t.Run(c.name, func(t *testing.T) {
			h := fnv.New64a()
			h.Write([]byte(c.name))
			cases := append(harms(c.data, !all, rand.New(rand.NewPCG(h.Sum64(), 2))), harm{"whole", c.data})
			for _, damaged := range webcapturetest.Sample(4, cases) {
				if len(damaged.data) == 0 {
					continue // there is nothing to map
				}
				opt := pdffile.Options{Passwords: []string{c.password}}
				got, _ := remotely(stored(damaged.data), opt)
				differ(t, damaged.name, got, whole(damaged.data, opt))
			}
		})
	}
}

// large is a file of some dozens of pages, damaged or not.
func large(damaged bool) []byte {
	d := webcapturetest.Sets(500, webcapturetest.Options{Leaf: 3, Images: 2})
	d.AddStream("", make([]byte, 100_000))
	data := d.Bytes(webcapturetest.Layout{})
	if damaged {
		data = bytes.Replace(data, []byte("\nxref"), []byte("\nxrxf"), 1)
	}
	return data
}

// TestStoreThatFails: whichever request fails, that is an error, and nothing that was said
// until then is something else.
func TestStoreThatFails(t *testing.T) {
	errStore := errors.New("the store is gone")
	for _, damaged := range []bool{false, true} {
		data := large(damaged)
		opt := pdffile.Options{Passwords: []string{""}}
		want := whole(data, opt)
		for n := 1; ; n++ {
			s := stored(data)
			s.before = func() error {
				if s.asked == n {
					return errStore
				}
				return nil
			}
			got, err := remotely(s, opt)
			if s.asked < n {
				if n < 5 || err != nil {
					t.Fatalf("after %d requests: %v", s.asked, err)
				}
				differ(t, "in the end", got, want)
				break
			}
			if all := strings.Join(got, ""); !errors.Is(err, errStore) && !strings.Contains(all, errStore.Error()) {
				t.Errorf("request %d failed, and nothing says so", n)
			}
			for i, line := range got {
				if line != want[min(i, len(want)-1)] && !strings.Contains(line, errStore.Error()) {
					t.Errorf("request %d failed, and this was said: %.300q, want %.300q", n, line, want[min(i, len(want)-1)])
					break
				}
			}
		}
	}
}

// TestStoreThatStops: a request that is answered in part is an error.
func TestStoreThatStops(t *testing.T) {
	s := stored(large(false))
	s.size++
	if _, err := remotely(s, pdffile.Options{Passwords: []string{""}}); err == nil || err.Error() != "the file was cut short while it was read" {
		t.Errorf("%v", err)
	}
}

// TestRemoteContext: the end of the context ends a request, and its cause is the error.
func TestRemoteContext(t *testing.T) {
	errEnd := errors.New("no more time")
	for n := 1; ; n++ {
		s := stored(large(false))
		ctx, cancel := context.WithCancelCause(t.Context())
		s.before = func() error {
			if s.asked == n {
				cancel(errEnd)
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		_, err := remotely(s, pdffile.Options{Passwords: []string{""}, Context: ctx})
		if s.asked < n {
			break
		}
		if err != errEnd {
			t.Errorf("at request %d: %v", n, err)
		}
	}
}

// TestRemoteChanges: a file that is another one in the end was not read, whether it could be opened or not.
func TestRemoteChanges(t *testing.T) {
	data := large(false)
	for n := 2; ; n++ {
		s := stored(data)
		s.before = func() error {
			if s.asked == n {
				s.data, s.version = bytes.NewReader(bytes.Repeat([]byte("%PDF-1.4 "), len(data)/9+1)), "new"
			}
			return nil
		}
		_, err := remotely(s, pdffile.Options{Passwords: []string{""}})
		if s.asked < n {
			break
		}
		if err == nil || err.Error() != "the file was changed while it was read" {
			t.Errorf("changed at request %d: %v", n, err)
		}
	}
}

// hole is a file of zeros with something at its start and its end.
type hole struct {
	start, end []byte
	size       int64
}

func (h hole) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	if at < int64(len(h.start)) {
		copy(p, h.start[at:])
	}
	from := h.size - int64(len(h.end))
	if at+int64(len(p)) > from {
		copy(p[max(0, from-at):], h.end[max(0, at-from):])
	}
	return len(p), nil
}

// TestLittleIsRead: of a large file with a small database little more is read than that.
func TestLittleIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system that can keep mapped bytes from being read")
	}
	const size = 2 << 30
	s := &store{size: size}
	s.data = gap(t, size)
	f, err := pdffile.OpenRemote(s, pdffile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, objects := f.NewReader(), 0
	for _, ref := range f.Refs() {
		if o, err := r.Get(ref); err != nil {
			t.Fatal(err)
		} else if !o.IsNull() {
			objects++
		}
	}
	if f.Repaired() || objects < 50 || f.Intact() != nil {
		t.Errorf("%d objects; repaired: %v; %v", objects, f.Repaired(), f.Intact())
	}
	if s.read > 500_000 || s.asked > 20 {
		t.Errorf("%d bytes were read, in %d requests", s.read, s.asked)
	}
	t.Logf("%d objects: %d bytes in %d requests", objects, s.read, s.asked)
}

// gap is a capture whose objects stand around a stream, so large that the file has the size.
func gap(t *testing.T, size int64) io.ReaderAt {
	t.Helper()
	d := webcapturetest.Sets(20, webcapturetest.Options{Leaf: 3, Images: 2})
	data := d.Bytes(webcapturetest.Layout{})
	// The stream is a second revision, whose cross-reference section leads to the first.
	prev := bytes.LastIndex(data, []byte("xref\n0"))
	num := bytes.Count(data, []byte(" obj")) + 10
	start := fmt.Appendf(bytes.Clone(data), "\n%d 0 obj\n<< /Length %012d >>\nstream\n", num, 0)
	at := len(data) + 1
	trailer := data[bytes.LastIndex(data, []byte("trailer")):bytes.LastIndex(data, []byte("startxref"))]
	trailer = bytes.Replace(trailer, []byte("<<"), fmt.Appendf(nil, "<< /Prev %d", prev), 1)
	tail := func(xref int64) []byte {
		return fmt.Appendf(nil, "\nendstream\nendobj\nxref\n%d 1\n%010d 00000 n\r\n%sstartxref\n%010d\n%%%%EOF\n", num, at, trailer, xref)
	}
	length := size - int64(len(start)+len(tail(0)))
	start = bytes.Replace(start, []byte("/Length 000000000000"), fmt.Appendf(nil, "/Length %012d", length), 1)
	end := tail(int64(len(start)) + length + int64(len("\nendstream\nendobj\n")))
	return hole{start, end, size}
}

// TestManyStretches: a file of which too many stretches would be read is read whole, and its
// room is given back.
func TestManyStretches(t *testing.T) {
	pages := 3 * pdffile.MaxStretches
	d := webcapturetest.Sets(1, webcapturetest.Options{})
	data := append(d.Bytes(webcapturetest.Layout{}), make([]byte, pages*os.Getpagesize())...)
	for range 2 {
		s := stored(data)
		f, err := pdffile.OpenRemoteByPages(s, pdffile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := s.read
		for i := 1; i < pages && s.read < before+int64(len(data))/2; i += 2 {
			if n := int64(i * os.Getpagesize()); pdffile.Stretches() > pdffile.MaxStretches {
				t.Fatalf("%d stretches", pdffile.Stretches())
			} else {
				pdffile.Need(f, n, n+1)
			}
		}
		if pdffile.Stretches() != 1 || f.Intact() != nil {
			t.Errorf("%d stretches; %v", pdffile.Stretches(), f.Intact())
		}
		f.Close()
		if pdffile.Stretches() != 0 {
			t.Errorf("%d stretches after the file was closed", pdffile.Stretches())
		}
	}
}

// TestWritingFetches: what needs all of a file fetches it, if nothing else was asked for before.
func TestWritingFetches(t *testing.T) {
	data := large(false)
	for name, write := range map[string]func(*pdffile.File, io.Writer) error{
		"full":      func(f *pdffile.File, w io.Writer) error { return f.NewUpdate().WriteFull(w) },
		"increment": func(f *pdffile.File, w io.Writer) error { return f.NewUpdate().WriteIncrement(w) },
		"digest":    func(f *pdffile.File, w io.Writer) error { sum, err := f.SHA256(); w.Write(sum[:]); return err },
	} {
		written := func(f *pdffile.File, err error) string {
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var b bytes.Buffer
			if err := write(f, &b); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return b.String()
		}
		if written(pdffile.OpenRemoteByPages(stored(data), pdffile.Options{})) != written(pdffile.New(data, pdffile.Options{})) {
			t.Errorf("%s: it is another file", name)
		}
	}
}
