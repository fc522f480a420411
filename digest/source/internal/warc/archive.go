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

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Names are the file name extensions of archive files in a folder. Heritrix appends .open while it writes a file.
var Names = []string{
	".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz",
	".warc.open", ".warc.gz.open", ".warc.zst.open", ".arc.open", ".arc.gz.open",
}

func IsName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(Names, func(end string) bool { return strings.HasSuffix(name, end) })
}

// IsARCName reports whether the name of an archive file has an extension of ARC files.
func IsARCName(name string) bool {
	return IsName(name) && strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".open"),
		".gz"), ".arc")
}

// Is reports whether a file has the name of an archive file, or begins with a WARC or ARC record.
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

// Open opens an archive file.
func Open(path string) (capture.Source, error) { return OpenFiles([]string{path}) }

// OpenFiles opens archive files as one source. Unreadable files are counted; it is an error if all files are
// unreadable.
func OpenFiles(files []string) (*Archive, error) {
	var parts []Part
	for _, f := range files {
		p := Part{Path: f}
		if info, err := os.Stat(f); err == nil {
			p.Size = info.Size()
		}
		parts = append(parts, p)
	}
	return OpenParts(parts)
}

// Archive is a source of WARC and ARC files.
type Archive struct {
	parts  []Part
	Zip    io.Closer // zip file with the parts; nil if the parts are files
	long   *longMembers
	index  *index
	Counts capture.Stats
}

// OpenParts indexes archive files. The error means that no record was found.
func OpenParts(parts []Part) (*Archive, error) {
	scans, errs := indexParts(parts)
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
		return nil, cmp.Or(errors.Join(errs...), errors.New("the file has no records"))
	}
	a := &Archive{parts: parts, long: &longMembers{}, index: newIndex(list), Counts: t.Total()}
	for i := range parts {
		parts[i].long = a.long
	}
	return a, nil
}

// indexParts indexes archive files on all cores.
func indexParts(parts []Part) (scans []*scan, errs []error) {
	scans, errs = make([]*scan, len(parts)), make([]error, len(parts))
	var work sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		work.Go(func() {
			for i := range next {
				scans[i], errs[i] = sniffAndScan(&parts[i])
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

func sniffAndScan(p *Part) (*scan, error) {
	if err := p.sniff(); err != nil {
		return nil, err
	}
	return scanPart(p)
}

func (a *Archive) Stats() capture.Stats { return a.Counts }

// Close removes temporary data, and closes the zip file. Other files are open only while they are read.
func (a *Archive) Close() error {
	err := a.long.Close()
	if a.Zip != nil {
		err = errors.Join(err, a.Zip.Close())
	}
	return err
}

// Lookup yields the captures of a URL, oldest first.
func (a *Archive) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return a.LookupAmong(url, urlkey.Same(url), nil)
}

func (a *Archive) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return a.LookupAmong(url, urlkey.IsAlike(url), nil)
}

// LookupAmong yields the captures of the URLs that are alike url and for which is(URL) is true. among are sources
// that may have the originals of revisits.
func (a *Archive) LookupAmong(url string, is func(string) bool, among []capture.Archive) iter.Seq2[*capture.Candidate,
	error] {
	others := ofKind(among)
	return func(yield func(*capture.Candidate, error) bool) {
		for e := range a.index.url(urlkey.Hash(urlkey.Alike(url)), oldest) {
			c, err := a.at(e, is, others)
			if (c != nil || err != nil) && !yield(c, err) {
				return
			}
		}
	}
}

// ofKind returns the elements of a list that are archives of this package.
func ofKind(list []capture.Archive) (archives []*Archive) {
	for _, s := range list {
		if a, ok := s.(*Archive); ok {
			archives = append(archives, a)
		}
	}
	return archives
}

// at returns the candidate of an entry; nil if is(URL) is false.
func (a *Archive) at(e *entry, is func(string) bool, others []*Archive) (*capture.Candidate, error) {
	s, err := a.parts[e.part].read(e.position)
	if err != nil && e.useless != 0 {
		return &capture.Candidate{Where: a.parts[e.part].where(e.position), Doubt: e.useless.reason()}, nil
	}
	if err != nil || !is(string(s.url)) {
		return nil, err
	}
	return a.candidateAt(e, s, others)
}

// candidateAt returns the candidate of an entry.
func (a *Archive) candidateAt(e *entry, s *storedRecord, others []*Archive) (*capture.Candidate, error) {
	c, err := a.candidate(s, others)
	if err != nil {
		return nil, err
	}
	switch reason := e.useless.reason(); {
	case e.useless == answerTo("POST"): // its body may verify an identifier
		c.Doubt, c.Redirect = reason, ""
	case reason != "":
		c.Doubt, c.Body, c.Redirect = reason, nil, ""
	case e.doubt:
		c.Doubt = "the source is damaged: the record length or the checksum of the compressed data is wrong"
	case e.ending:
		c.Doubt = cmp.Or(c.Doubt, "two line ends are missing after the record, so its length may be wrong")
	}
	return c, nil
}

// digests returns the digests that a record declares for its payload.
func (s *storedRecord) digests() (list []body.Checksum) {
	if s.truncated { // some programs compute the digest before they truncate
		return nil
	}
	all := []body.Checksum{body.Checksum(s.payload)}
	if s.header != nil {
		all = append(all, body.Checksum("md5:"+s.header.Get("Content-MD5")))
	}
	for _, sum := range all {
		if sum.New() != nil {
			list = append(list, sum)
		}
	}
	return list
}

// doubt returns the reason why the body of a record may differ from the retrieved body; empty if there is none. status
// is that of the response to the client; 0 for none.
func (s *storedRecord) doubt(status int) string {
	h := s.header
	switch {
	case s.guessed:
		return "the URL of the record has no scheme"
	case s.truncated:
		return "the record is marked as truncated"
	case s.bodyLength() == 0 && !declaresNothing(h): // crawlers write such records for responses that they did not read
		return "the body is empty, but the header does not say so"
	case recordTypes[s.name].name == "metadata":
		return "the data are in a metadata record"
	case s.http && h == nil:
		return "the reply has no status line"
	case s.inner:
		return "the record does not declare the reply in it"
	case h == nil:
		return ""
	case h.Tunneled: // the response may come from another server than the one in the URL
		return "the record has a reply to CONNECT before the reply"
	case h.Status == http.StatusOK && h.Get("Content-Range") != "":
		return "the reply has a Content-Range, but not status 206"
	}
	return body.StatusDoubt(status)
}

// declaresNothing reports whether the header of a response declares an empty file.
func declaresNothing(h *body.Header) bool {
	return h != nil && h.Status != http.StatusNoContent && h.Get("Content-Length") == "0"
}

// candidate returns the candidate of a record. The record may turn out to be unusable.
func (a *Archive) candidate(s *storedRecord, others []*Archive) (*capture.Candidate, error) {
	if s.kind == segmentRecord {
		whole, err := a.joined(s, others)
		if err != nil {
			return nil, err
		}
		s = whole
	}
	c := &capture.Candidate{
		URL:       string(s.url),
		MediaType: string(s.media),
		Time:      parseDate(s.date),
		Where:     s.part.where(s.at),
		Record:    recordTypes[s.typeOf()].name + " record",
	}
	reply, stored := s.header, s // the response to the client, and the record with the body
	if s.inner {
		reply = nil
	}
	digests := s.digests()
	if s.kind == revisitRecord {
		original, doubt, err := a.original(s, others)
		if err != nil {
			return nil, err
		}
		c.Doubt = doubt
		c.Revisit = original.part.where(original.at)
		c.Where += ", a revisit of " + c.Revisit
		if reply == nil || reply.Status == http.StatusNotModified {
			reply = original.header
		}
		c.MediaType = string(original.media)
		stored = original
		digests = append(digests, original.digests()...)
	}
	c.Size = stored.bodyLength()
	if reply != nil {
		c.Status, c.MediaType = reply.Status, reply.Get("Content-Type")
		if reason := unusableOf(reply, stored.bodyLength()); reason != "" {
			c.Doubt = reason
			return c, nil
		}
		c.Redirect = reply.Redirect()
	}
	if c.Redirect == "" {
		c.Doubt = cmp.Or(c.Doubt, stored.doubt(c.Status))
		c.Body = stored.data()
		c.Body.Digests = digests
	}
	return c, nil
}

// EachPart reports whether has returns true for every part, given its name and size.
func (a *Archive) EachPart(has func(name string, size int64) bool) bool {
	for i := range a.parts {
		if !has(a.parts[i].Name, a.parts[i].Size) {
			return false
		}
	}
	return true
}
