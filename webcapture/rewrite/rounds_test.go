package rewrite

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestWhatIsNewIsLeftOut: a step that would cause a new finding is left out, with the reason, and the others are
// taken.
func TestWhatIsNewIsLeftOut(t *testing.T) {
	r, _ := audit.Lookup("WC509")
	defer func(was []rule.Action) { r.MayFollow = was }(r.MayFollow)
	r.MayFollow = nil // so that its findings are new after a key is added
	p := planOf(t, pdf(t, `names: << /URLS << /Names [ (HTTP://a/0) 20 0 R (http://b/0) 21 0 R (http://b/1) 22 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R ] >> >>
`+info+setA+`21 0 obj << /S /SPS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 11 0 R ] /SI << /AU (http://b/0) >> >>
11 0 obj << /Type /Page >>
22 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 12 0 R ] /SI << /AU (http://b/1) >> >>
12 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>
`), Options{})
	const want = `WC204: URLS, entry 1: change-key (HTTP://a/0) becomes (http://a/0)
WC305: content set 22 0 R: add-key <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 22 0 R
left: WC304: content set 21 0 R: This repair would cause a new finding: content set 21 0 R, member 11 0 R: warning: the member has no ID, expected the ID of its set, <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> [WC509].
`
	if got := describe(p); got != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
	carryOut(t, p)
}
