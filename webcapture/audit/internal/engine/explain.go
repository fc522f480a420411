package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// explain sets the reason why the ID is not verified.
func (v *verifier) explain() {
	switch {
	case len(v.urls) == 0:
		v.out.Reason = "the URL is unknown"
	case v.seen == nil:
		v.explainUnseen()
	case v.explainUncheckable():
	case v.set.Subtype == webcapture.PageSet && v.seen.Refers():
		v.explainPage()
	default:
		v.mismatch(fmt.Sprintf("the MD5 of the source is %v", nametree.Key(v.seen.ID[:])))
	}
	if v.seen != nil {
		v.out.Where = v.seen.Where
		v.captured(v.seen, v.tried)
	}
}

// mismatch records that the source exists and does not give the ID.
func (v *verifier) mismatch(reason string) { v.out.Proof, v.out.Reason = rule.Mismatch, reason }

// explainUnseen sets the reason if no source has data that certainly belong to the URL.
func (v *verifier) explainUnseen() {
	switch u := v.uncertain; {
	case v.flawed != nil:
		v.out.Where = v.flawed.Where
		v.out.Reason = "the source does not give the ID, but this does not prove a mismatch: " + v.flawed.Flaw.Error()
	case v.failed != nil:
		v.out.Reason = "the source cannot be read: " + v.failed.Error()
	case u != nil:
		v.out.Reason = "the source may be " + u.Where + ", which does not give the ID"
	case v.deadEnd != nil:
		v.out.Reason = "no source has the file: " + v.deadEnd.Error() + v.excluded()
	case v.w.Run.opt.SourceLost:
		v.out.Reason = "no readable source has the URL" + v.excluded()
	default:
		v.out.Reason = "no source has the URL" + v.excluded()
	}
}

// excluded describes the skipped captures of the URLs, with the reasons; empty if there are none.
func (v *verifier) excluded() string {
	t := map[string]*source.Skip{}
	var list []*source.Skip
	for _, url := range v.urls {
		for _, x := range v.search.Excluded(url) {
			s := t[x.Reason]
			if s == nil {
				s = &source.Skip{Reason: x.Reason, First: x.Where}
				t[x.Reason] = s
				list = append(list, s)
			}
			s.Count++
		}
	}
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "; %v", s)
	}
	return b.String()
}

// explainUncheckable sets the reason why an existing source proves nothing; false if there is no such reason.
func (v *verifier) explainUncheckable() bool {
	damaged := v.damaged(append(slices.Clip(v.urls), v.seen.URL)...)
	switch {
	case v.set.Subtype == webcapture.NoSubtype:
		v.out.Reason = "it is neither a page set nor an image set"
	case submitted(v.set):
		v.out.Reason = "the source is a response to a form, but webcap looks up sources only by URL"
	case damaged != nil:
		v.out.Reason = fmt.Sprintf("the source does not give the ID, and another capture of the URL is damaged: %s: %s",
			damaged.Where, damaged.Reason)
	case v.seen.Failed:
		v.out.Reason = fmt.Sprintf("the only source is an error response (status %d), which does not give the ID", v.seen.Capture.Status)
	case v.failed != nil:
		v.out.Reason = "the source does not give the ID, and another capture of the URL cannot be read: " + v.failed.Error()
	case v.deadEnd != nil:
		v.out.Reason = "the source does not give the ID, and " + v.deadEnd.Error()
	case v.flawed != nil:
		v.out.Reason = "the source does not give the ID, and neither does " + v.flawed.Where + ", but this does " +
			"not prove a mismatch: " +
			v.flawed.Flaw.Error()
	case v.w.Run.opt.SourceLost:
		v.out.Reason = "the source does not give the ID, and a missing or unreadable part of the sources may " +
			"have another capture of the URL"
	case v.set.Subtype == webcapture.PageSet && v.opaque && !v.seen.Alone():
		v.out.Reason = "not reproducible: Acrobat 9 and later compute the IDs of page sets by an unknown method"
	default:
		return false
	}
	return true
}

// damaged returns a skipped capture of one of the URLs that is damaged, and may have contained the wanted data; nil if
// there is none.
func (v *verifier) damaged(urls ...string) *source.Exclusion {
	for _, url := range urls {
		for _, x := range v.search.Excluded(url) {
			if x.Damaged {
				return &x
			}
		}
	}
	return nil
}

// explainPage sets the reason why no reading of a page and the files to which it refers gives the ID.
func (v *verifier) explainPage() {
	switch {
	case v.unread != nil:
		v.out.Reason = "the files that its source refers to cannot be looked up: " + v.unread.Error()
	case v.capped:
		v.out.Reason = page.ErrCapped.Error()
		v.w.NoteUnread(rule.Unread{Place: v.set.At(), Err: page.ErrCapped})
	case v.unknown != "":
		v.out.Reason = "no reading gives the ID, and " + v.unknown
	case v.missing > 0:
		v.out.Reason = fmt.Sprintf("no reading gives the ID, and %d of the files that the page refers to are in no source", v.missing)
	case v.lacking > 0:
		v.out.Reason = fmt.Sprintf("no reading gives the ID, and %d of the files that its style sheets or frames refer to "+
			"are in no source", v.lacking)
	case v.doubtful > 0:
		v.out.Reason = fmt.Sprintf("no reading gives the ID, and %d of the files that the page refers to "+
			"may differ from the retrieved files", v.doubtful)
	default:
		v.mismatch("no reading of the source gives the ID")
	}
}

// submitted reports whether a content set is the response to a posted form.
func submitted(s *rule.Set) bool {
	for i := range s.Sources {
		if n, ok := s.Sources[i].S.Int(); ok && n == 2 { // POST (14.10.5.1, table 391)
			return true
		}
	}
	return false
}
