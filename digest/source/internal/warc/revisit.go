package warc

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Reasons why the body of a revisit may differ from its original. They apply to revisit records that do not follow ISO
// 28500:2017, 6.7.
const (
	doubtPayload = "the source is damaged: the payload digests of the revisit and its original record differ"
	doubtProfile = "a revisit with an unknown profile"
	doubtChain   = "a revisit of another revisit"
)

// hasProfile reports whether the profile of a revisit says that the body is the same. Some programs omit the profile.
func (r *record) hasProfile() bool {
	p := string(r.profile)
	return p == "" || strings.HasSuffix(p, "identical-payload-digest") || strings.HasSuffix(p, "server-not-modified")
}

// revisit is a record that refers to the body of another record.
type revisit struct {
	*storedRecord
	loose bool // a different payload digest is accepted
}

// way is a function that finds the original of a revisit in an archive; nil if there is none.
type way func(a *Archive, r revisit) *storedRecord

// ways are the ways of ISO 28500:2017, 6.7: by URL and date, by identifier, or by the digest of the payload.
var ways = []way{byURL, byID, byPayload}

// original finds the record with the body of a revisit. It tries each way in this archive and then in the others. doubt
// is the reason why the body may be different; empty if there is none.
func (a *Archive) original(s *storedRecord, others []*Archive) (o *storedRecord, doubt string, err error) {
	if !s.hasProfile() {
		doubt = doubtProfile
	}
	all, where := append([]*Archive{a}, others...), s.part.where(s.at)
	for range maxChain {
		if o := find(all, revisit{s, false}, ways); o != nil {
			return o, doubt, nil
		}
		if o := find(all, revisit{s, true}, ways); o != nil {
			return o, cmp.Or(doubt, doubtPayload), nil
		}
		if s = find(all, revisit{s, true}, []way{byRevisit}); s == nil {
			break
		}
		doubt = cmp.Or(doubt, doubtChain)
	}
	return nil, "", fmt.Errorf("%s: a revisit of a record that is not in any source", where)
}

// find finds a record by the indexes of archives; nil if there is none.
func find(all []*Archive, r revisit, ways []way) *storedRecord {
	for _, w := range ways {
		for _, in := range all {
			if o := w(in, r); o != nil {
				return o
			}
		}
	}
	return nil
}

func byURL(a *Archive, r revisit) *storedRecord {
	date := parseDate(r.refersDate)
	if len(r.refersURL) == 0 || date.IsZero() {
		return nil
	}
	k := urlkey.Of(string(r.refersURL))
	return a.firstOriginal(r, a.index.second(urlkey.Hash(urlkey.Alike(k)), date), replyRecord,
		func(o *storedRecord) bool { return urlkey.Of(string(o.url)) == k })
}

func byID(a *Archive, r revisit) *storedRecord {
	list := a.index.at(a.index.byID(), urlkey.Hash(r.refersTo), idOf)
	return a.firstOriginal(r, list, replyRecord, func(o *storedRecord) bool { return bytes.Equal(o.id, r.refersTo) })
}

func byPayload(a *Archive, r revisit) *storedRecord {
	digest := withoutAlgorithm(r.payload)
	list := a.index.at(a.index.byPayload(), urlkey.Hash(digest), payloadOf)
	return a.firstOriginal(r, list, replyRecord,
		func(o *storedRecord) bool { return bytes.Equal(withoutAlgorithm(o.payload), digest) })
}

// byRevisit finds another revisit to which the revisit r refers.
func byRevisit(a *Archive, r revisit) *storedRecord {
	list := a.index.at(a.index.revisits(), urlkey.Hash(r.refersTo), idOf)
	return a.firstOriginal(r, list, revisitRecord, func(o *storedRecord) bool { return bytes.Equal(o.id, r.refersTo) })
}

// firstOriginal returns the first record of a kind in entries that matches a revisit; nil if there is none. Unless the
// revisit is loose, the record must not have a different payload digest.
func (a *Archive) firstOriginal(r revisit, entries iter.Seq[*entry], kind recordKind,
	is func(*storedRecord) bool) *storedRecord {
	payload := urlkey.Hash(withoutAlgorithm(r.payload))
	tried := 0
	for e := range entries {
		other := payload != 0 && e.payload != 0 && payload != e.payload
		if e.revisit != (kind == revisitRecord) || e.useless != 0 || other && !r.loose {
			continue
		}
		if tried++; tried > maxOriginals {
			return nil
		}
		if o, err := a.parts[e.part].read(e.position); err == nil && o.kind == kind && is(o) {
			return o
		}
	}
	return nil
}
