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
	doubtChain   = "a revisit of another revisit"
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
	where := s.part.where(s.at)
	for range maxChain {
		if o := s.find(x); o != nil {
			if own, its := s.payloadKey(), o.payloadKey(); own != 0 && its != 0 && own != its {
				doubt = cmp.Or(doubt, doubtPayload)
			}
			return o, doubt, nil
		}
		if s = first(x, x.WithKey(revisitKey(s.refersTo)), s.isReferredTo); s == nil {
			break
		}
		doubt = cmp.Or(doubt, doubtChain)
	}
	if err := x.Meter().Over(); err != nil {
		return nil, "", err
	}
	return nil, "", fmt.Errorf("%s: a revisit of a record that is not in any source", where)
}

// find finds the original of a revisit in the ways of ISO 28500:2017, 6.7: by URL and date, by identifier, or by the
// digest of the payload. It returns nil if there is none.
func (s *storedRecord) find(x *capture.Index) *storedRecord {
	if date := parseDate(s.refersDate); len(s.refersURL) > 0 && !date.IsZero() {
		url := urlkey.Of(string(s.refersURL))
		from := date.Truncate(time.Second).UnixMicro() // some programs do not record fractions of seconds
		second := x.WithURL(urlkey.Hash(urlkey.Alike(url)), from, from+time.Second.Microseconds()-1)
		if o := first(x, second, func(o *storedRecord) bool {
			return o.kind != revisitRecord && urlkey.Of(string(o.url)) == url
		}); o != nil {
			return o
		}
	}
	if o := first(x, x.WithKey(originalKey(s.refersTo)), s.isReferredTo); o != nil {
		return o
	}
	return first(x, x.WithKey(s.payloadKey()), func(o *storedRecord) bool { return o.payloadKey() == s.payloadKey() })
}

// payloadKey is the hash of the payload digest, without its algorithm; 0 for none.
func (r *record) payloadKey() uint64 { return urlkey.Hash(withoutAlgorithm(r.payload)) }

// isReferredTo reports whether the revisit refers to the identifier of a record.
func (s *storedRecord) isReferredTo(o *storedRecord) bool { return bytes.Equal(o.id, s.refersTo) }

// first returns the first readable record for which is returns true; nil if there is none.
func first(x *capture.Index, entries iter.Seq2[capture.File, *capture.Entry],
	is func(*storedRecord) bool) *storedRecord {
	for f, e := range entries {
		p, isPart := f.(*Part)
		if !isPart || e.Flags&(capture.Useless|isFirst) != 0 {
			continue
		}
		if x.Look() != nil {
			return nil
		}
		if o, err := p.read(x, placeOf(e)); err == nil && is(o) {
			o.flags = e.Flags
			return o
		}
	}
	return nil
}
