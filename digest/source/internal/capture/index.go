package capture

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// File is a file or folder in one of the formats of sources.
type File interface {
	// Scan reads the whole file once. The error meter.Over means that the rest of the file is unread; any other error
	// means that nothing of it is usable.
	Scan(s *Scan) error

	// Read reads the record of an entry again, into a new candidate. key is the URL under which the entry stands; empty
	// if the record is too damaged to tell. An error may have a key. x finds records to which the record refers.
	Read(x *Index, e *Entry) (c *Candidate, key string, err error)

	// String returns the path of the file, for messages.
	String() string
}

// Scan receives the entries of a file, and counts what is not usable.
type Scan struct {
	Stats
	Entries []Entry
	Meter   *meter.Meter // of the file; what a scan reads and keeps is paid here
}

// Start begins the scan of a file with a size.
func (s *Scan) Start(size int64) { s.Files, s.Bytes, s.Meter = 1, size, meter.New(size) }

// Reader returns a reader of the file that pays into the Meter. Its error is meter.Over if the Meter is exceeded.
func (s *Scan) Reader(r io.Reader) io.Reader { return &meteredReader{r, s.Meter} }

type meteredReader struct {
	io.Reader
	meter *meter.Meter
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, cmp.Or(r.meter.Pay(int64(n)), err)
}

// entrySize is the memory of an entry, and of its places in the sorted list. A growing list takes twice its size.
const entrySize = 128

// Add adds an entry. Captures count as kept.
func (s *Scan) Add(e Entry) {
	s.Meter.Keep(entrySize) // the next read fails if this is too much
	if e.Flags.isCapture() {
		s.Kept++
	}
	s.Entries = append(s.Entries, e)
}

// Index is a source: a collection of captures of URLs in files. It keeps only positions in memory. It is safe for
// concurrent use.
type Index struct {
	files   []File
	entries []Entry // sorted by URL, and then by time
	stats   Stats
	byKey   func() []uint32 // entries with a payload digest, sorted by it
	meter   *meter.Meter    // see Metered
}

// lookWork is the price of reading a record again, in addition to its data.
const lookWork = 4 << 10

// Look pays for reading a record again.
func (x *Index) Look() error { return x.meter.Pay(lookWork) }

// Meter returns the Meter for what is read.
func (x *Index) Meter() *meter.Meter { return x.meter }

// Metered returns a view of the source. What is read through the view is paid into m.
func (x *Index) Metered(m *meter.Meter) *Index {
	view := *x
	view.meter = m
	return &view
}

// Join returns a source that has the files of several sources, and closes them. The original of a revisit in one of
// them may be in any other one.
func Join(sources ...*Index) *Index {
	x := &Index{}
	for _, s := range sources {
		for _, e := range s.entries {
			e.File += uint32(len(x.files))
			x.entries = append(x.entries, e)
		}
		x.files = append(x.files, s.files...)
		x.stats.Add(s.stats)
	}
	x.sort()
	return x
}

// Open scans files on all cores. t has counts about these files so far. The error means that nothing is usable.
func Open(files []File, t *Stats) (*Index, error) {
	scans, errs := scanAll(files)
	x := &Index{files: files}
	for i, s := range scans {
		if errs[i] != nil {
			t.SkipLost(fmt.Sprintf("%s: %v", files[i], errs[i]), "a file that cannot be read")
			continue
		}
		for k := range s.Entries {
			s.Entries[k].File = uint32(i)
		}
		x.entries = append(x.entries, s.Entries...)
		t.Add(s.Stats)
		scans[i] = nil
	}
	x.stats = *t
	if x.stats.Kept == 0 && x.stats.Records == 0 {
		closeAll(files)
		switch {
		case len(files) == 1 && errs[0] != nil:
			return nil, errs[0]
		case len(x.stats.Skipped) > 0:
			return nil, fmt.Errorf("%s: %s", x.stats.Skipped[0].First, x.stats.Skipped[0].Reason)
		}
		return nil, errors.New("it has no records")
	}
	x.sort()
	return x, nil
}

// sort sorts the entries.
func (x *Index) sort() {
	slices.SortFunc(x.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(b.Flags&Request, a.Flags&Request),
			cmp.Compare(a.Time, b.Time), byPlace(&a, &b))
	})
	x.byKey = sync.OnceValue(func() (list []uint32) { // only look-ups of revisits need it
		for i := range x.entries {
			if x.entries[i].Payload != 0 {
				list = append(list, uint32(i))
			}
		}
		slices.SortStableFunc(list, func(a, b uint32) int { return cmp.Compare(x.entries[a].Payload, x.entries[b].Payload) })
		return list
	})
}

// scanAll scans files on all cores.
func scanAll(files []File) (scans []*Scan, errs []error) {
	scans, errs = make([]*Scan, len(files)), make([]error, len(files))
	scan := func(i int) {
		scans[i] = &Scan{}
		if errs[i] = files[i].Scan(scans[i]); errors.Is(errs[i], meter.Over{}) {
			scans[i].SkipCapped(files[i].String(), errs[i].Error())
			errs[i] = nil
		}
	}
	if len(files) == 1 {
		scan(0)
		return scans, errs
	}
	var work sync.WaitGroup
	running := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range files {
		running <- struct{}{}
		work.Go(func() {
			scan(i)
			<-running
		})
	}
	work.Wait()
	return scans, errs
}

// byPlace compares entries by the places of their records.
func byPlace(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.At, b.At), cmp.Compare(a.Skip, b.Skip))
}

// first returns the index of the first entry with the URL hash h from a time on. For the time always, requests come
// first.
func (x *Index) first(h uint64, from int64) int {
	return sort.Search(len(x.entries), func(i int) bool {
		e := &x.entries[i]
		return e.URL > h || e.URL == h && (from == always || e.Flags&Request == 0 && e.Time >= from)
	})
}

// always is the time before all captures.
const always = math.MinInt64

// WithURL yields the entries with a URL hash, of times from one to the other, in order of time.
func (x *Index) WithURL(h uint64, from, to int64) iter.Seq2[File, *Entry] {
	return func(yield func(File, *Entry) bool) {
		for i := x.first(h, from); i < len(x.entries); i++ {
			if e := &x.entries[i]; e.URL != h || e.Time > to || !yield(x.files[e.File], e) {
				return
			}
		}
	}
}

// WithPayload yields the entries with the hash of a payload digest.
func (x *Index) WithPayload(h uint64) iter.Seq2[File, *Entry] {
	return func(yield func(File, *Entry) bool) {
		if h == 0 {
			return
		}
		list := x.byKey()
		n := sort.Search(len(list), func(i int) bool { return x.entries[list[i]].Payload >= h })
		for _, i := range list[n:] {
			if e := &x.entries[i]; e.Payload != h || !yield(x.files[e.File], e) {
				return
			}
		}
	}
}

// Lookup yields the captures of a URL, oldest first. The URL may have any form with the same canonical form. Captures
// without a date come in the order of the source. If none of them is certain, Lookup also yields those of other URLs
// that are alike; their Doubt and Where say so. An error concerns one capture that cannot be read; others may follow.
func (x *Index) Lookup(url string) iter.Seq2[*Candidate, error] {
	own, alike := urlkey.Of(url), urlkey.Alike(url)
	return func(yield func(*Candidate, error) bool) {
		certain := false
		for _, others := range []bool{false, true} {
			for _, e := range x.WithURL(urlkey.Hash(alike), always, math.MaxInt64) {
				if e.Flags&Request != 0 {
					continue
				}
				c, key, err := x.read(e)
				if isOwn := key == "" || urlkey.Of(key) == own; isOwn == others || others && urlkey.Alike(key) != alike {
					continue
				}
				if err == nil && others {
					c.setAlike()
				}
				certain = certain || err == nil && c.Doubt == ""
				if !yield(c, err) {
					return
				}
			}
			if certain {
				return
			}
		}
	}
}

// read reads the record of an entry. If a URL that is alike was requested by a method other than GET, the candidate is
// doubtful, because it may be the reply to that request.
func (x *Index) read(e *Entry) (c *Candidate, key string, err error) {
	if err := x.Look(); err != nil {
		return nil, "", err
	}
	c, key, err = x.files[e.File].Read(x, e)
	if err != nil || c.Body == nil && c.Redirect == "" {
		return c, key, err
	}
	if x.entries[x.first(e.URL, always)].Flags&Request != 0 {
		c.Doubt = "it may be a reply to a method other than GET"
	}
	return c, key, nil
}

// All yields all captures that Lookup can find, including redirects, in the order of their places. An error concerns
// one capture that cannot be read; further captures may follow.
func (x *Index) All(yield func(*Candidate, error) bool) {
	var list []uint32
	for i := range x.entries {
		if x.entries[i].Flags.isCapture() {
			list = append(list, uint32(i))
		}
	}
	slices.SortFunc(list, func(i, j uint32) int { return byPlace(&x.entries[i], &x.entries[j]) })
	for _, i := range list {
		if c, _, err := x.read(&x.entries[i]); !yield(c, err) {
			return
		}
	}
}

// Stats returns statistics of the captures, and of the unusable ones.
func (x *Index) Stats() Stats { return x.stats }

// Close removes temporary files. Bodies must not be read after Close.
func (x *Index) Close() error { return closeAll(x.files) }

func closeAll(files []File) error {
	var list []error
	for _, f := range files {
		if c, ok := f.(io.Closer); ok {
			list = append(list, c.Close())
		}
	}
	return errors.Join(list...)
}
