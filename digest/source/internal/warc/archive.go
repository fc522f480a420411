// Package warc opens WARC and ARC files, indexes them, and reads their records.
package warc

import (
	"cmp"
	"net/http"
	"os"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// Names are the file name extensions of archive files in a folder. Heritrix appends .open while it writes a file.
var Names = []string{
	".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz",
	".warc.open", ".warc.gz.open", ".warc.zst.open", ".arc.open", ".arc.gz.open",
}

// New returns the archive file at a path.
func New(path string) *Part {
	p := &Part{Path: path}
	if info, err := os.Stat(path); err == nil {
		p.Size = info.Size()
	}
	return p
}

// Read returns the candidate of an entry.
func (p *Part) Read(x *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	s, err := p.partOf(e).read(x.Meter(), e.At)
	if err != nil {
		return nil, "", err
	}
	s.flags = e.Flags
	c, err := s.candidate(x)
	return c, string(s.url), err
}

// digests returns the digests that a record declares for its payload. Invalid ones are ignored.
func (s *storedRecord) digests() (list []body.Checksum) {
	if s.truncated { // some programs compute the digest before they truncate
		return nil
	}
	list = []body.Checksum{body.Checksum(s.payload)}
	if s.header != nil {
		list = append(list, body.Checksum("md5:"+s.header.Get("Content-MD5")))
	}
	return list
}

// doubtRecord returns why a record, also a redirect or revisit, may be another one; empty if it is certain.
func (s *storedRecord) doubtRecord() string {
	if s.flags&isUncertain != 0 {
		return "the source is damaged: the record may be wrong"
	}
	return s.doubtURL
}

// doubt returns the reason why the body of a record may differ from the retrieved body; empty if there is none. status
// is that of the response to the client; 0 for none.
func (s *storedRecord) doubt(status int) string {
	h := s.header
	switch {
	case s.truncated:
		return "the record is marked as truncated"
	case s.bodyLength() == 0 && (h == nil || h.Status == http.StatusNoContent || h.Get("Content-Length") != "0"):
		// crawlers write such records for responses that they did not read
		return "the body is empty, but the header does not say so"
	case s.http && h == nil:
		return "the reply has no status line"
	case h == nil:
		return ""
	case h.Status == http.StatusOK && h.Get("Content-Range") != "":
		return "the reply has a Content-Range, but not status 206"
	}
	return body.StatusDoubt(status)
}

// candidate returns the candidate of a record. The record may turn out to be unusable.
func (s *storedRecord) candidate(x *capture.Index) (*capture.Candidate, error) {
	c := &capture.Candidate{
		URL:       string(s.url),
		MediaType: string(s.media),
		Time:      parseDate(s.date),
		Where:     s.part.where(s.at),
		Record:    s.kind + " record",
		Doubt:     s.doubtRecord(),
	}
	if s.split {
		c.Doubt = reasonSegment
		return c, nil
	}
	reply, stored := s.header, s // the response to the client, and the record with the body
	digests := s.digests()
	if s.isRevisit() {
		original, doubt, err := s.original(x)
		if err != nil {
			return nil, err
		}
		c.Doubt = cmp.Or(c.Doubt, doubt, original.doubtRecord())
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
