package audit_test

import (
	"crypto/md5"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// identityOf audits a document with one content set, with the ID of the text "x", and returns its identity. entries are
// those of the set in addition to its ID.
func identityOf(t *testing.T, entries string, opt audit.Options) rule.Identity {
	t.Helper()
	names := "/URLS << /Names [ (http://h/page) 5 0 R ] >>"
	if strings.Contains(entries, "without key") {
		names = "/IDS << /Names [ (a) 5 0 R ] >>"
	}
	doc, err := webcapturetest.Parse(fmt.Sprintf("names: << %s >>\n5 0 obj << /ID <%x> %s >>\n6 0 obj << /Type /Page >>\n"+
		"7 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n"+
		"8 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\ny\nendstream\n",
		names, md5.Sum([]byte("x")), strings.TrimPrefix(entries, "without key ")))
	if err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Bytes(t.Context(), "x.pdf", doc.Bytes(webcapturetest.Layout{}), opt)
	if err != nil || len(rep.Identities) != 1 {
		t.Fatalf("%v, %+v", err, rep)
	}
	return rep.Identities[0]
}

// placed sets the place of a capture.
func placed(where string, c *source.Candidate) *source.Candidate {
	c.Where = where
	return c
}

// Each reason that an ID is not verified is the one that a user can act on.
func TestReasons(t *testing.T) {
	const pageSet = "/S /SPS /O [ 6 0 R ] /SI << /AU (http://h/page) >>"
	const imageSet = "/S /SIS /SI << /AU (http://h/page) >> /TS (D:20260201120000Z) /O "
	const openPage = "no reading of the source gives the ID, but the standard leaves open which files count"
	wrong := placed("W", reply("http://h/page", "text/plain", "w"))
	md5w := fmt.Sprintf("the MD5 of the source is <%x>", md5.Sum([]byte("w")))
	moved := &source.Candidate{URL: "http://h/page", Redirect: "/new", Where: "M"}
	part := &source.Candidate{URL: "http://h/page", Where: "P", Doubt: "a part of a file (status 206)"}
	for _, row := range []struct {
		name, set string
		src       source.Source
		lost      bool // the source is incomplete
		proof     rule.Proof
		reason    string
		where     string
	}{
		{"no URL", "without key /S /SPS /O [ ]", memory(wrong), false, 0, "the URL is unknown", ""},
		{"no capture", pageSet, memory(), false, 0, "no source has the URL", ""},
		{"no capture, and a lost source", pageSet, memory(), true, 0, "no readable source has the URL", ""},
		{"an unusable capture", imageSet + "[ ]", memory(part), false, 0,
			"no source has usable data of the URL: P: a part of a file (status 206)", ""},
		{"a dead end", pageSet, memory(moved), false, 0,
			`no source has usable data of the URL: M: it redirects to "http://h/new", which no source has`, ""},
		{"a page set of a text", pageSet, memory(wrong), false, 0, openPage, "W"},
		{"neither kind of set", "/S /Other /O [ ] /SI << /AU (http://h/page) >>", memory(wrong), false, 0,
			"it is neither a page set nor an image set", "W"},
		{"a form", "/S /SPS /O [ ] /SI [ << /AU (http://h/page) >> << /S 2 >> ]", memory(wrong), false, 0,
			"the source is a response to a form, but webcap looks up sources only by URL", "W"},
		{"a query", "/S /SPS /O [ ] /SI [ << /AU (http://h/page) /S 1 >> << /S /2 >> ]", memory(wrong), false, 0, openPage,
			"W"},
		{"another image", imageSet + "[ ]", memory(wrong), false, rule.Mismatch, md5w, "W"},
		{"a set without TS", "/S /SIS /SI << /AU (http://h/page) >> /O [ ]", memory(wrong), false, 0,
			"the source does not give the ID, but this does not prove a mismatch: " +
				"the content set has no valid TS, so the capture may be of another day", "W"},
		{"the data of the image", imageSet + "[ (x) 99 0 R 6 0 R 8 0 R 7 0 R ]", memory(), false, rule.Verified, "",
			"object 7 0 R"},
		{"the data of another image", imageSet + "[ 8 0 R ]", memory(), false, 0, "no source has the URL", ""},
		{"the data of the image against a source", imageSet + "[ 7 0 R ]", memory(wrong), false, rule.Mismatch, md5w, "W"},
		{"the data of an image in a page set", "/S /SPS /O [ 7 0 R ] /SI << /AU (http://h/page) >>", memory(), false, 0,
			"no source has the URL", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := identityOf(t, row.set, audit.Options{Source: row.src, SourceLost: row.lost})
			if got.Proof != row.proof || got.Reason != row.reason || got.Where != row.where {
				t.Errorf("%v at %q: %s\nwant %v at %q: %s", got.Proof, got.Where, got.Reason, row.proof, row.where, row.reason)
			}
		})
	}
}

// A source that reaches a limit is an unread part of the audit.
func TestLimitsOfSourcesAreUnread(t *testing.T) {
	tooLarge := reply("http://h/page", "text/plain", "")
	tooLarge.Body.Open = func() (io.ReadCloser, error) { return nil, &page.TooLarge{Limit: page.MaxSource} }
	for name, src := range map[string]source.Source{"no limit": memory(reply("http://h/page", "text/plain", "w")),
		"a limit": memory(tooLarge)} {
		t.Run(name, func(t *testing.T) {
			doc, err := webcapturetest.Parse("names: << /URLS << /Names [ (http://h/page) 5 0 R ] >> >>\n5 0 obj << /ID " +
				"<00112233445566778899aabbccddeeff> /S /SPS /O [ 6 0 R ] /SI << /AU (http://h/page) >> >>\n6 0 obj << /Type /Page >>\n")
			if err != nil {
				t.Fatal(err)
			}
			rep, err := audit.Bytes(t.Context(), "x.pdf", doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: src})
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, u := range rep.Unread {
				parts = append(parts, u.Place.Part)
			}
			if slices.Contains(parts, "sources") != (name == "a limit") || len(rep.Identities) != 1 {
				t.Errorf("unread %v, %d identities", rep.Unread, len(rep.Identities))
			}
		})
	}
}

// Without the rule that compares IDs with sources, a difference is not called a mismatch, because it is no finding.
func TestMismatchNeedsItsRule(t *testing.T) {
	var without []*rule.Rule
	for _, r := range audit.Rules() {
		if r.ID != "WC512" {
			without = append(without, r)
		}
	}
	const set = "/S /SIS /O [ ] /SI << /AU (http://h/page) >> /TS (D:20260201120000Z)"
	got := identityOf(t, set, audit.Options{Source: memory(reply("http://h/page", "text/plain", "w")), Rules: without})
	if got.Proof != rule.NotCheckable || got.Reason != "WC512, which compares IDs with sources, is disabled" {
		t.Errorf("%v: %s", got.Proof, got.Reason)
	}
	right := reply("http://h/page", "text/plain", "x")
	if got := identityOf(t, set, audit.Options{Source: memory(right), Rules: without}); got.Proof != rule.Verified {
		t.Errorf("%v: %s, want verified", got.Proof, got.Reason)
	}
}

// The identity names the capture that gives the ID, and how many captures were tried up to it.
func TestCapturesTried(t *testing.T) {
	at := time.Date(2009, 5, 13, 14, 3, 30, 0, time.UTC)
	capture := func(url, body string) *source.Candidate {
		c := placed(url+" "+body, reply("http://h/"+url, "text/plain", body))
		c.Record, c.Status, c.Time = "response", 200+len(body), at
		return c
	}
	const set = "/S /SPS /O [ 6 0 R ] /SI [ << /AU (http://h/a) >> << /AU (http://h/b) >> ]"
	for _, row := range []struct {
		name   string
		src    source.Source
		url    string
		status int
		tried  int
	}{
		{"the first", memory(capture("a", "x"), capture("a", "yy")), "http://h/a", 201, 1},
		{"the second", memory(capture("a", "yy"), capture("a", "x")), "http://h/a", 201, 2},
		{"the second of the second URL", memory(capture("a", "yy"), capture("a", "zzz"), capture("b", "yyy"),
			capture("b", "x")), "http://h/b", 201, 4},
		{"none", memory(capture("a", "yy"), capture("b", "zzz"), capture("b", "yyy")), "http://h/a", 202, 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := identityOf(t, set, audit.Options{Source: row.src})
			if string(got.URL) != row.url || got.Capture.Status != row.status || got.Capture.Tried != row.tried ||
				got.Capture.Record != "response" || !got.Capture.Time.Equal(at) {
				t.Errorf("%s: %+v after %d, want %s, status %d after %d", got.URL, got.Capture, got.Capture.Tried, row.url,
					row.status,
					row.tried)
			}
		})
	}
}

// The IDs of page sets of Acrobat 9 and later cannot be computed. Producer or Creator names the version.
func TestVersionsOfAcrobat(t *testing.T) {
	utf16 := func(s string) string { // as a hexadecimal string with a byte order mark
		return fmt.Sprintf("<feff00%x>", strings.Join(strings.Split(s, ""), "\x00"))
	}
	for info, opaque := range map[string]bool{
		"/Producer (Acrobat Web Capture 8.0)":                 false,
		"/Producer (Acrobat Web Capture 9.0)":                 true,
		"/Producer (Acrobat Web Capture 15.0)":                true,
		"/Producer (Adobe Acrobat Pro 11.0.3)":                true,
		"/Creator (Acrobat 10)":                               true,
		"/Producer (Another 9) /Creator (Acrobat 10)":         true,
		"/Producer (Acrobat 6) /Creator (Acrobat 10)":         true,
		"/Producer (Another 9)":                               false,
		"/Producer (Acrobat)":                                 false,
		"/Producer (AcrobatX 9)":                              false,
		"/Producer (Acrobat" + strings.Repeat(" ", 40) + "9)": true,
		"/Producer (Acrobat" + strings.Repeat(" ", 41) + "9)": false,
		"/Producer " + utf16("Acrobat Web Capture 9.0"):       true,
		"/Producer " + utf16("Acrobat Web Capture 8.0"):       false,
		"/Producer /Acrobat9":                                 false,
		"/Producer 10 0 R /Creator (Acrobat 9)":               true,
		"/Producer 11 0 R /Creator (Another)":                 true,
		"/Title (Acrobat 9)":                                  false,
	} {
		t.Run(info, func(t *testing.T) {
			doc, err := webcapturetest.Parse(fmt.Sprintf("names: << /URLS << /Names [ (http://h/page) 5 0 R ] >> >>\n"+
				"trailer: << /Info 9 0 R >>\n5 0 obj << /ID <%x> %s >>\n6 0 obj << /Type /Page >>\n9 0 obj << %s >>\n"+
				"10 0 obj << /Broken ] >>\n11 0 obj (Acrobat 9)\n", md5.Sum([]byte("x")),
				"/S /SPS /O [ 6 0 R ] /SI << /AU (http://h/page) >>", info))
			if err != nil {
				t.Fatal(err)
			}
			page := reply("http://h/page", "text/html", "<p>other</p>")
			all, _ := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: memory(page)})
			if i := all["http://h/page page set"]; i.Proof != rule.NotCheckable ||
				strings.HasPrefix(i.Reason, "not reproducible") != opaque {
				t.Errorf("%v: %s", i.Proof, i.Reason)
			}
		})
	}
}
