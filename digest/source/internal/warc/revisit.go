package warc

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Reasons why the body of a revisit may differ from its original. They apply to revisit records that do not follow ISO
// 28500:2017, 6.7.
const (
	doubtPayload = "the source is damaged: the payload digests of the revisit and its original record differ"
	doubtProfile = "a revisit with an unknown profile"
)

// hasProfile reports whether the profile of a revisit says that the body is the same. Some programs omit the profile.
func (r *record) hasProfile() bool {
	p := string(r.profile)
	return p == "" || strings.HasSuffix(p, "identical-payload-digest") || strings.HasSuffix(p, "server-not-modified")
}

// original finds the record with the body of a revisit. doubt is the reason why the body may be different; empty if
// there is none.
func (s *storedRecord) original(x *capture.Index) (o *storedRecord, doubt string, err error) {
	if !s.hasProfile() {
		doubt = doubtProfile
	}
	if o = s.find(x); o == nil {
		return nil, "", cmp.Or(x.Meter().Over(), fmt.Errorf("%s: a revisit of a record that no source has as a capture",
			s.part.where(s.at)))
	}
	if own, its := s.payloadKey(), o.payloadKey(); own != 0 && its != 0 && own != its {
		doubt = cmp.Or(doubt, doubtPayload)
	}
	return o, doubt, nil
}

// find finds the original of a revisit by URL and date, or by the digest of the payload (ISO 28500:2017, 6.7). It
// returns nil if there is none. Identifiers are not needed: programs that write them write the digest as well.
func (s *storedRecord) find(x *capture.Index) *storedRecord {
	if date := parseDate(s.refersDate); len(s.refersURL) > 0 && !date.IsZero() {
		url := urlkey.Of(string(s.refersURL))
		from := date.Truncate(time.Second).UnixMicro() // some programs do not record fractions of seconds
		second := x.WithURL(urlkey.Hash(urlkey.Alike(url)), from, from+time.Second.Microseconds()-1)
		if o := first(x, second, func(o *storedRecord) bool {
			return !o.isRevisit() && urlkey.Of(string(o.url)) == url
		}); o != nil {
			return o
		}
	}
	return first(x, x.WithPayload(s.payloadKey()), func(o *storedRecord) bool { return o.payloadKey() == s.payloadKey() })
}

// payloadKey is the hash of the payload digest, without its algorithm; 0 for none.
func (r *record) payloadKey() uint64 {
	return urlkey.Hash(r.payload[bytes.IndexByte(r.payload, ':')+1:])
}

// first returns the first readable record for which is returns true; nil if there is none.
func first(x *capture.Index, entries iter.Seq2[capture.File, *capture.Entry],
	is func(*storedRecord) bool) *storedRecord {
	for f, e := range entries {
		p, isPart := f.(*Part)
		if !isPart || e.Flags&capture.Useless != 0 {
			continue
		}
		if x.Look() != nil {
			return nil
		}
		if o, err := p.partOf(e).read(x.Meter(), e.At); err == nil && is(o) {
			o.flags = e.Flags
			return o
		}
	}
	return nil
}
