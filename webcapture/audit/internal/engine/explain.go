package engine

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// explain sets the reason why the ID is not verified. The ID of an image set is a mismatch if each capture of its URLs
// is certain. The ID of a page set never is, because the standard leaves open which files count.
func (v *verifier) explain() {
	const differs = "the source does not give the ID"
	switch d := v.doubtful; {
	case len(v.urls) == 0:
		v.out.Reason = "the URL is unknown"
	case v.seen == nil && d == nil && v.w.Run.opt.SourceLost:
		v.out.Reason = "no readable source has the URL"
	case v.seen == nil && d == nil:
		v.out.Reason = "no source has the URL"
	case v.seen == nil:
		v.out.Reason = "no source has usable data of the URL: " + strings.TrimPrefix(d.Where+": "+d.Doubt, ": ")
	case v.set.Subtype == webcapture.NoSubtype:
		v.out.Reason = "it is neither a page set nor an image set"
	case v.set.Subtype == webcapture.PageSet && submitted(v.set):
		v.out.Reason = "the source is a response to a form, but webcap looks up sources only by URL"
	case v.set.Subtype == webcapture.PageSet && v.opaque:
		v.out.Reason = "not reproducible: Acrobat 9 and later compute the IDs of page sets by an unknown method"
	case v.set.Subtype == webcapture.PageSet:
		v.out.Reason = "no reading of the source gives the ID, but the standard leaves open which files count"
	case v.w.Run.opt.SourceLost:
		v.out.Reason = differs + ", but an unreadable part of the sources may have another capture of the URL"
	case d != nil:
		v.out.Reason = differs + ", but this does not prove a mismatch: " + d.Doubt
		if d.Where != v.seen.Where {
			v.out.Reason += ": " + d.Where
		}
	default:
		v.out.Proof = rule.Mismatch
		v.out.Reason = fmt.Sprintf("the MD5 of the source is %v", nametree.Key(v.seen.ID[:]))
	}
	if v.seen != nil {
		v.out.Where = v.seen.Where
		v.captured(v.seen, v.seen.ID, v.tried)
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
