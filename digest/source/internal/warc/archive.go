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
			if e.useless != 0 {
				continue
			}
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

// at returns the candidate of an entry; nil if the response is unusable or is(URL) is false.
func (a *Archive) at(e *entry, is func(string) bool, others []*Archive) (*capture.Candidate, error) {
	s, err := a.parts[e.part].read(e.position)
	if err != nil || !is(string(s.url)) {
		return nil, err
	}
	return a.candidateAt(e, s, others)
}

// candidateAt returns the candidate of an entry.
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

// errEnding means that the block of a record may not end where its header says.
var errEnding = &capture.Flaw{Reason: "two line ends are missing after the record, so its length may be wrong"}

// errDoubt means that the data of a record may be damaged.
var errDoubt = &capture.Flaw{Reason: "the source is damaged: the record length or the checksum of the compressed " +
	"data is wrong", Damaged: true}

// Excluded returns the unusable captures of a URL in the archive.
func (a *Archive) Excluded(url string) (list []capture.Exclusion) {
	k := urlkey.Alike(url)
	for e := range a.index.url(urlkey.Hash(k), oldest) {
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

// contentMD5 returns the checksum in the header of a response; empty if there is none.
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

// doubtOf returns the reason why the body of a record may differ from the retrieved body; nil if there is no reason.
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

// candidate returns the candidate of a record; nil if reading the record shows that it is unusable.
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
	reply, stored := s.header, s // the response to the client, and the record with the body
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

// errEmpty means that the file may be lost. Crawlers write records without a body for responses that they did not read.
var errEmpty = &capture.Flaw{Reason: "the body is empty, but the header does not say so"}

// declaresNothing reports whether the header of a response declares an empty file.
func declaresNothing(h *body.Header) bool {
	return h != nil && h.Status != http.StatusNoContent && h.Get("Content-Length") == "0"
}

// errStatus means that a block that is declared as a response may not be a response.
var errStatus = &capture.Flaw{Reason: "the reply has no status line"}

// errTruncated means that a program has not stored the whole response.
var errTruncated = &capture.Flaw{Reason: "the record is marked as truncated"}

// errRange means that the response may be only a part of the file.
var errRange = &capture.Flaw{Reason: "the reply has a Content-Range, but not status 206"}

// errTunneled means that the response may come from another server than the one in the URL.
var errTunneled = &capture.Flaw{Reason: "the record has a reply to CONNECT before the reply"}

// errMetadata means that the data of the record may not have been retrieved.
var errMetadata = &capture.Flaw{Reason: "the data are in a metadata record"}

// EachPart reports whether has returns true for every part, given its name and size.
func (a *Archive) EachPart(has func(name string, size int64) bool) bool {
	for i := range a.parts {
		if !has(a.parts[i].Name, a.parts[i].Size) {
			return false
		}
	}
	return true
}
