// Package warc opens WARC and ARC files, indexes them, and reads their records.
package warc

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Names are the ends of the names of archive files in a folder. While Heritrix writes
// one, it has .open at the end.
var Names = []string{
	".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz",
	".warc.open", ".warc.gz.open", ".warc.zst.open", ".arc.open", ".arc.gz.open",
}

func IsName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(Names, func(end string) bool { return strings.HasSuffix(name, end) })
}

// IsARCName says whether the name of an archive file is that of an ARC file.
func IsARCName(name string) bool {
	return IsName(name) && strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".open"),
		".gz"), ".arc")
}

// Is says whether a file begins with a record. One that is damaged where it begins is
// known by its name.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if IsName(path) {
		return true
	}
	p := &Part{Path: path, Size: info.Size()}
	if p.sniff() != nil {
		return false
	}
	t, err := newMemberReader(p, position{}, lookupBuffer)
	if err != nil {
		return false
	}
	defer t.Close()
	return Detect(t.peek(maxRecordHeader))
}

// Open opens an archive file, with the index that may be next to it.
func Open(path string, o capture.Options) (capture.Source, error) {
	return OpenFiles([]string{path}, indexesOf(path), o)
}

// OpenFiles opens archive files as one source, by indexes of them where these can be trusted.
// Files that cannot be read are counted, unless that is all of them.
func OpenFiles(files, indexes []string, o capture.Options) (*Archive, error) {
	var parts []Part
	for _, f := range files {
		p := Part{Path: f}
		if info, err := os.Stat(f); err == nil {
			p.Size = info.Size()
		}
		parts = append(parts, p)
	}
	if o.Indexes != "" {
		indexes = nil // there is, or will be, a better one
	}
	var t capture.Tally
	useless := readIndexes(parts, indexes, &t)
	a, err := OpenParts(parts, o)
	if err != nil {
		return nil, err
	}
	t.Add(a.Counts)
	a.Counts = t.Total()
	if useless != nil {
		a.rest = sync.OnceValue(func() *index { return a.scanned(useless, o) })
	}
	return a, nil
}

// Archive is a source of WARC and ARC files.
type Archive struct {
	parts  []Part
	Zip    io.Closer // that the parts are in; nil if they are files
	long   *longMembers
	index  *index
	rest   func() *index // of all that there is, where index may be of less; else nil
	Counts capture.Stats

	unlisted atomic.Int64 // see Stats.Unlisted
}

func newArchive(parts []Part, list entries, stats capture.Stats) *Archive {
	a := &Archive{parts: parts, long: &longMembers{}, index: newIndex(list), Counts: stats}
	for i := range parts {
		parts[i].long = a.long
	}
	return a
}

// OpenParts indexes archive files. The error says that no record was found.
func OpenParts(parts []Part, o capture.Options) (*Archive, error) {
	scans, errs := indexParts(parts, o)
	var t capture.Tally
	var list entries
	records := 0
	for i, s := range scans {
		if errs[i] != nil {
			t.SkipLost(parts[i].Path, "a file that cannot be read")
			continue
		}
		for e := range s.entries.all() {
			e.part = uint32(i)
		}
		list.move(&s.entries)
		records += s.records
		t.Add(s.Total())
		scans[i] = nil
	}
	if records == 0 {
		for _, k := range t.Total().Skipped {
			errs = append(errs, fmt.Errorf("%s (%s)", k.Reason, k.First))
		}
		return nil, cmp.Or(errors.Join(errs...), errors.New("it has no records"))
	}
	return newArchive(parts, list, t.Total()), nil
}

// indexParts indexes archive files on all cores.
func indexParts(parts []Part, o capture.Options) (scans []*scan, errs []error) {
	scans, errs = make([]*scan, len(parts)), make([]error, len(parts))
	var work sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		work.Go(func() {
			for i := range next {
				scans[i], errs[i] = indexPart(&parts[i], o)
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	work.Wait()
	return scans, errs
}

// indexPart returns the index of a part: the one that was saved, if there is one.
func indexPart(p *Part, o capture.Options) (*scan, error) {
	if p.indexed != nil {
		return p.indexed, nil
	}
	if o.Indexes == "" {
		return sniffAndScan(p)
	}
	name, err := p.indexFile(o.Indexes)
	if err != nil {
		return nil, err
	}
	identity, err := p.identity()
	if err != nil {
		return nil, err
	}
	if s, err := loadScan(p, identity, name); err == nil {
		return s, nil
	}
	s, err := sniffAndScan(p)
	if err != nil {
		return nil, err
	}
	if err := s.save(identity, name); err != nil {
		s.Skip(err.Error(), "an index that cannot be saved")
	}
	return s, nil
}

func sniffAndScan(p *Part) (*scan, error) {
	if err := p.sniff(); err != nil {
		return nil, err
	}
	return scanPart(p)
}

func (a *Archive) Stats() capture.Stats {
	s := a.Counts
	s.Unlisted = int(a.unlisted.Load())
	return s
}

// Close removes what is kept, and closes the zip file. Other files are open while something is
// read from them.
func (a *Archive) Close() error {
	err := a.long.Close()
	if a.Zip != nil {
		err = errors.Join(err, a.Zip.Close())
	}
	return err
}

// Lookup yields what the archive has of a URL, the newest last.
func (a *Archive) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return a.LookupAmong(url, urlkey.Same(url), nil)
}

func (a *Archive) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return a.LookupAmong(url, urlkey.IsAlike(url), nil)
}

// LookupAmong yields what the archive has of URLs like one, if is says so. Others are archives, which may
// have what a revisit repeats. What the index does not list is looked for in the files themselves.
func (a *Archive) LookupAmong(url string, is func(string) bool, others []*Archive) iter.Seq2[*capture.Candidate,
	error] {
	return func(yield func(*capture.Candidate, error) bool) {
		listed := map[entry]bool{}
		for e := range a.index.url(urlkey.Hash(urlkey.Alike(url)), oldest) {
			listed[place(e)] = true
		}
		all := func(*entry) bool { return true }
		if !a.lookupIn(a.index, all, url, is, others, yield) || a.rest == nil {
			return
		}
		a.lookupIn(a.rest(), func(e *entry) bool { return !listed[place(e)] }, url, is, others,
			func(c *capture.Candidate, err error) bool {
				if c != nil {
					c.Where += unlisted
				}
				return yield(c, err)
			})
	}
}

// unlisted is said of a record that is found although the index of its file does not list it.
const unlisted = ", which the index does not list"

// lookupIn is lookup by those entries of one index that are wanted. It reports whether more is.
func (a *Archive) lookupIn(x *index, wanted func(*entry) bool, url string, is func(string) bool, others []*Archive,
	yield func(*capture.Candidate, error) bool) bool {
	for e := range x.url(urlkey.Hash(urlkey.Alike(url)), oldest) {
		if e.useless != 0 || !wanted(e) {
			continue
		}
		c, err := a.at(e, is, others)
		if (c != nil || err != nil) && !yield(c, err) {
			return false
		}
	}
	return true
}

// at returns what the record of an entry is of; nil if its reply is of no use, or is says that
// its URL is not wanted.
func (a *Archive) at(e *entry, is func(string) bool, others []*Archive) (*capture.Candidate, error) {
	s, err := a.parts[e.part].read(e.position)
	if err != nil || !is(string(s.url)) {
		return nil, err
	}
	return a.candidateAt(e, s, others)
}

// candidateAt returns what the record of an entry is of.
func (a *Archive) candidateAt(e *entry, s *storedRecord, others []*Archive) (*capture.Candidate, error) {
	c, err := a.candidate(s, others)
	if c != nil && e.ending {
		c.Doubt = cmp.Or(c.Doubt, errEnding)
	}
	if c == nil || err != nil || !e.doubt {
		return c, err
	}
	c.Doubt = errDoubt
	if s.arc && c.Redirect == "" {
		c.Bodies = append(c.Bodies, s.otherLengths()...)
	}
	return c, nil
}

// errEnding says that the block of a record may not end where its header says.
var errEnding = &capture.Flaw{Reason: "its record does not end in two ends of lines, so that its length may be wrong"}

// errDoubt says that a record may have other data than were written.
var errDoubt = &capture.Flaw{Reason: "the source is damaged: the length of the record, or the checksum of the data that it " +
	"is compressed with, is wrong", Damaged: true}

// Excluded returns what the archive has of a URL that is of no use.
func (a *Archive) Excluded(url string) (list []capture.Exclusion) {
	x, k := a.index, urlkey.Alike(url)
	if a.rest != nil {
		x = a.rest()
	}
	for e := range x.url(urlkey.Hash(k), oldest) {
		if e.useless == 0 {
			continue
		}
		p := &a.parts[e.part]
		reason := e.useless.reason()
		if s, err := p.read(e.position); err == nil && urlkey.Alike(string(s.url)) != k {
			continue
		} else if err == nil && e.useless == unusable && s.header != nil {
			reason = s.header.Unusable()
		}
		list = append(list, capture.Exclusion{Where: p.where(e.position), Reason: reason, Damaged: e.useless.mayBeCaptured()})
		if len(list) == capture.MaxKept {
			break
		}
	}
	return list
}

// contentMD5 returns the checksum in the header of a reply; empty if there is none.
func contentMD5(h *body.Header) capture.Checksum {
	if h == nil {
		return ""
	}
	sum := capture.Checksum("md5:" + h.Get("Content-MD5"))
	if sum.New() == nil {
		return ""
	}
	return sum
}

// doubtOf returns why the body of a record may not be what was retrieved; nil if nothing says so.
func doubtOf(stored *storedRecord, isEmpty bool) *capture.Flaw {
	switch h := stored.header; {
	case isEmpty && !declaresNothing(h):
		return errEmpty
	case recordTypes[stored.name].name == "metadata":
		return errMetadata
	case h != nil && h.Status == 0:
		return errStatus
	case h != nil && h.Get("Content-Range") != "" && h.Status == http.StatusOK:
		return errRange
	case h != nil && h.Tunneled:
		return errTunneled
	}
	return nil
}

// candidate returns what a record is of; nil if its reply turns out to be of no use.
func (a *Archive) candidate(s *storedRecord, others []*Archive) (*capture.Candidate, error) {
	if s.kind == segmentRecord {
		whole, err := a.joined(s, others)
		if err != nil {
			return nil, err
		}
		s = whole
	}
	if s.kind != replyRecord && s.kind != revisitRecord {
		return nil, nil
	}
	c := &capture.Candidate{
		URL:       string(s.url),
		MediaType: string(s.media),
		Time:      parseDate(s.date),
		Where:     s.part.where(s.at),
		Record:    recordTypes[s.typeOf()].name + " record",
	}
	reply, stored := s.header, s // what the client was told, and the record that has the body
	if s.kind == revisitRecord {
		original, doubt, err := a.original(s, others)
		if err != nil {
			return nil, err
		}
		c.Doubt = doubt
		c.Revisit = original.part.where(original.at)
		c.Data = c.Revisit
		c.Where += ", a revisit of " + c.Revisit
		if reply == nil || reply.Status == 304 {
			reply = original.header
		}
		c.MediaType = string(original.media)
		stored = original
	}
	if c.Uncertain = stored.truncated; c.Uncertain {
		c.Doubt = cmp.Or(c.Doubt, errTruncated)
	}
	if reply != nil {
		if unusableOf(reply, stored.bodyLength()) != "" {
			return nil, nil
		}
		c.Status = reply.Status
		c.MediaType, c.Redirect, c.Failed = reply.Get("Content-Type"), reply.Redirect(), reply.Failed()
	}
	c.Size = stored.length - cmp.Or(stored.header, &body.Header{}).Size
	c.Doubt = cmp.Or(c.Doubt, doubtOf(stored, c.Size == 0 && c.Redirect == ""))
	if c.Redirect == "" {
		c.Bodies = stored.bodies()
		switch digest := capture.Checksum(stored.payload); {
		case stored.truncated:
		case digest.New() != nil:
			c.Payload, c.Data = digest, fmt.Sprintf("%s, %d bytes", digest, stored.bodyLength())
		default:
			c.Payload = contentMD5(stored.header)
		}
	}
	return c, nil
}

// errEmpty says that the file may have been lost: crawlers write such records of replies that they did not read.
var errEmpty = &capture.Flaw{Reason: "its body is empty, and no header says that it was"}

// declaresNothing reports whether the header of a reply says that its file is empty.
func declaresNothing(h *body.Header) bool {
	return h != nil && h.Status != http.StatusNoContent && h.Get("Content-Length") == "0"
}

// errStatus says that a block that is said to have a reply may have none.
var errStatus = &capture.Flaw{Reason: "its reply has no status line"}

// errTruncated says that a program has not stored all of a reply.
var errTruncated = &capture.Flaw{Reason: "its record says that it is truncated"}

// errRange says that the reply may have only a part of the file.
var errRange = &capture.Flaw{Reason: "its reply has a Content-Range, and not the status of a part"}

// errTunneled says that the reply may be that of another server than the URL names.
var errTunneled = &capture.Flaw{Reason: "its record has a reply to CONNECT before the reply"}

// errMetadata says that nothing may have been retrieved.
var errMetadata = &capture.Flaw{Reason: "it is in a metadata record"}

// EachPart reports whether has says so of the name and the size of each part.
func (a *Archive) EachPart(has func(name string, size int64) bool) bool {
	for i := range a.parts {
		if !has(a.parts[i].Name, a.parts[i].Size) {
			return false
		}
	}
	return true
}

// scanned returns the index of all records in the archive files, listed by their own index or not, but for
// what that says is useless. It notes how much more that is.
func (a *Archive) scanned(useless map[entry]bool, o capture.Options) *index {
	parts := slices.Clone(a.parts)
	for i := range parts {
		parts[i].indexed = nil
	}
	all, err := OpenParts(parts, o)
	if err != nil {
		return newIndex(entries{})
	}
	all.index.entries.keep(func(e *entry) bool { return !useless[place(e)] })
	x := newIndex(all.index.entries)
	a.unlisted.Store(int64(x.lacking(a.index)))
	return x
}

// lacking returns how many entries of x are of records that other has not.
func (x *index) lacking(other *index) (n int) {
	there := other.inPlace()
	for _, i := range x.inPlace() {
		e := x.entries.at(int(i))
		if e.useless != 0 {
			continue
		}
		for len(there) > 0 && byPlace(other.entries.at(int(there[0])), e) < 0 {
			there = there[1:]
		}
		if len(there) == 0 || byPlace(other.entries.at(int(there[0])), e) > 0 {
			n++
		}
	}
	return n
}

// place returns an entry with nothing but the place of its record.
func place(e *entry) entry { return entry{part: e.part, position: e.position} }
