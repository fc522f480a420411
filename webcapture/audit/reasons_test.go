package audit_test

import (
	"crypto/md5"
	"errors"
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

// excludingMemory is a source that also knows the captures of a URL that it skipped.
type excludingMemory struct {
	memory
	excluded []source.Exclusion
}

func (k excludingMemory) Excluded(url string) []source.Exclusion {
	if url != "http://h/page" {
		return nil
	}
	return k.excluded
}

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
	rep, err := audit.Bytes("x.pdf", doc.Bytes(webcapturetest.Layout{}), opt)
	if err != nil || len(rep.Identities) != 1 {
		t.Fatalf("%v, %+v", err, rep)
	}
	return rep.Identities[0]
}

// Captures for the tables below.
var (
	wrongText = placed("W", reply("http://h/page", "text/plain", "w"))
	wrongPage = placed("P", reply("http://h/page", "text/html", `<img src="a.gif">`))
	moved     = &source.Candidate{URL: "http://h/page", Redirect: "/new", Where: "M"}
	gone      = failedWith(404, placed("E", reply("http://h/page", "text/plain", "not found")))
	broken    = &source.Candidate{URL: "http://h/page", MediaType: "text/plain", Where: "B", Bodies: []source.Body{
		source.NewBody(source.AsStored, func() (io.ReadCloser, error) { return nil, errors.New("the disk failed") })}}
)

// Pages and their files.
var (
	gifOfPage = reply("http://h/a.gif", "image/gif", "A")
	sheetPage = placed("S", reply("http://h/page", "text/html", "<link rel=stylesheet href=s.css>"))
	sheet     = reply("http://h/s.css", "text/css", "a { background: url(d.gif) }")
	maybe     = uncertain(placed("U", reply("http://h/page", "text/html", "<img src=b.gif>")))
)

var largePage = reply("http://h/page", "text/html", strings.Repeat(" ", page.MaxSource+1))

func uncertain(c *source.Candidate) *source.Candidate {
	c.Uncertain = true
	return c
}

// placed sets the place of a capture.
func placed(where string, c *source.Candidate) *source.Candidate {
	c.Where = where
	return c
}

func failedWith(status int, c *source.Candidate) *source.Candidate {
	c.Failed, c.Status = true, status
	return c
}

// doubted makes a capture that proves no mismatch.
func doubted(where, doubt string) *source.Candidate {
	c := placed(where, reply("http://h/page", "text/plain", where))
	c.Doubt = &source.Flaw{Reason: doubt}
	return c
}

// reasonCase is a content set, a source, and what an audit concludes from them.
type reasonCase struct {
	name, set string
	src       source.Source
	lost      bool       // the source is incomplete
	proof     rule.Proof // 0 for NotCheckable
	reason    string
	where     string
}

// Sets for the cases below, skipped captures of their URL, and parts of reasons.
const (
	pageSet  = "/S /SPS /O [ 6 0 R ] /SI << /AU (http://h/page) >>"
	imageSet = "/S /SIS /SI << /AU (http://h/page) >> /O "
	no       = "the source does not give the ID, and "
	deadEnd  = `M redirects to "http://h/new", which no source has`
	differs  = rule.Mismatch
)

var (
	md5w    = fmt.Sprintf("the MD5 of the source is <%x>", md5.Sum([]byte("w")))
	partial = []source.Exclusion{{Where: "one", Reason: "a partial response"}, {Where: "two", Reason: "a reply to POST"},
		{Where: "three", Reason: "a partial response"}}
	hurt = []source.Exclusion{{Where: "one", Reason: "a partial response"}, {Where: "two", Reason: "a cut record",
		Damaged: true}, {Where: "three", Reason: "another", Damaged: true}}
	skipped = fmt.Sprintf("; %v; %v", source.Skip{Reason: "a partial response", Count: 2, First: "one"},
		source.Skip{Reason: "a reply to POST", Count: 1, First: "two"})
)

// unseenCases have no capture that certainly belongs to the URL.
var unseenCases = []reasonCase{
	{"no URL", "without key /S /SPS /O [ ]", memory{wrongText}, false, 0, "the URL is unknown", ""},
	{"no capture", pageSet, memory{}, false, 0, "no source has the URL", ""},
	{"no capture, and a lost source", pageSet, memory{}, true, 0, "no readable source has the URL", ""},
	{"skipped captures", pageSet, excludingMemory{memory{}, partial}, false, 0, "no source has the URL" + skipped, ""},
	{"skipped captures, and a lost source", pageSet, excludingMemory{memory{}, partial}, true, 0,
		"no readable source has the URL" + skipped, ""},
	{"a dead end", pageSet, memory{moved}, false, 0,
		"no source has the file: " + deadEnd, ""},
	{"a dead end, and skipped captures", pageSet, excludingMemory{memory{moved}, partial}, false, 0,
		"no source has the file: " + deadEnd + skipped, ""},
	{"an unreadable capture", pageSet, memory{broken, moved}, false, 0,
		"the source cannot be read: B: the disk failed", ""},
	{"a doubtful capture alone", pageSet, memory{doubted("D", "a doubt"), doubted("D2", "another")}, false, 0,
		"the source does not give the ID, but this does not prove a mismatch: a doubt", "D"},
}

// seenCases have a capture that does not give the ID.
var seenCases = []reasonCase{
	{"another text", pageSet, memory{wrongText}, false, differs, md5w, "W"},
	{"neither kind of set", "/S /Other /O [ ] /SI << /AU (http://h/page) >>", memory{wrongText}, false, 0,
		"it is neither a page set nor an image set", "W"},
	{"a form", "/S /SPS /O [ ] /SI [ << /AU (http://h/page) >> << /S 2 >> ]", memory{wrongText}, false, 0,
		"the source is a response to a form, but webcap looks up sources only by URL", "W"},
	{"a query", "/S /SPS /O [ ] /SI [ << /AU (http://h/page) /S 1 >> << /S /2 >> ]", memory{wrongText}, false, differs,
		md5w, "W"},
	{"a damaged capture, too", pageSet, excludingMemory{memory{wrongText}, hurt}, false, 0,
		no + "another capture of the URL is damaged: two: a cut record", "W"},
	{"skipped captures, too", pageSet, excludingMemory{memory{wrongText}, partial}, false, differs, md5w, "W"},
	{"an error response", pageSet, memory{gone}, false, 0,
		"the only source is an error response (status 404), which does not give the ID", "E"},
	{"an error response before another", pageSet, memory{gone, wrongText}, false, differs, md5w, "W"},
	{"an error response after another", pageSet, memory{wrongText, gone}, false, differs, md5w, "W"},
	{"an unreadable capture, too", pageSet, memory{wrongText, broken}, false, 0,
		no + "another capture of the URL cannot be read: B: the disk failed", "W"},
	{"a dead end, too", pageSet, memory{wrongText, moved}, false, 0,
		no + deadEnd, "W"},
	{"a doubtful capture, too", pageSet, memory{wrongText, doubted("D", "a doubt")}, false, 0,
		no + "neither does D, but this does not prove a mismatch: a doubt", "W"},
	{"a lost source, too", pageSet, memory{wrongText}, true, 0,
		no + "a missing or unreadable part of the sources may have another capture of the URL", "W"},
}

// otherCases are about pages with images, and about images in the PDF.
var otherCases = []reasonCase{
	{"a page whose image is missing", pageSet, memory{wrongPage}, false, 0,
		"no reading gives the ID, and 1 of the files that the page refers to are in no source", "P"},
	{"a page whose style sheet refers to a missing image", pageSet, memory{sheetPage, sheet}, false, 0,
		"no reading gives the ID, and 1 of the files that its style sheets or frames refer to are in no source", "S"},
	{"a page whose files are there", pageSet, memory{wrongPage, gifOfPage}, false, differs,
		"no reading of the source gives the ID", "P"},
	{"a page whose files are there, and an uncertain one", pageSet, memory{wrongPage, gifOfPage, maybe}, false, differs,
		"no reading of the source gives the ID", "P"},
	{"a page whose files are there, and an uncertain one that is too large", pageSet,
		memory{wrongPage, gifOfPage, uncertain(largePage)}, false, differs, "no reading of the source gives the ID", "P"},
	{"an image set is not read like a page", imageSet + "[ ]", memory{wrongPage}, false, differs,
		fmt.Sprintf("the MD5 of the source is <%x>", md5.Sum([]byte(`<img src="a.gif">`))), "P"},
	{"the data of the image", imageSet + "[ (x) 99 0 R 6 0 R 8 0 R 7 0 R ]", memory{}, false, rule.Verified, "",
		"object 7 0 R"},
	{"the data of another image", imageSet + "[ 8 0 R ]", memory{}, false, 0, "no source has the URL", ""},
	{"the data of the image against a source", imageSet + "[ 7 0 R ]", memory{wrongText}, false, differs, md5w, "W"},
	{"the data of an image in a page set", "/S /SPS /O [ 7 0 R ] /SI << /AU (http://h/page) >>", memory{}, false, 0,
		"no source has the URL", ""},
}

// Each reason that an ID is not verified is the one that a user can act on.
func TestReasons(t *testing.T) {
	for _, row := range slices.Concat(unseenCases, seenCases, otherCases) {
		t.Run(row.name, func(t *testing.T) {
			got := identityOf(t, row.set, audit.Options{Source: row.src, SourceLost: row.lost})
			want := row.proof
			if want == 0 {
				want = rule.NotCheckable
			}
			if got.Proof != want || got.Reason != row.reason || got.Where != row.where {
				t.Errorf("%v at %q: %s\nwant %v at %q: %s", got.Proof, got.Where, got.Reason, want, row.where, row.reason)
			}
		})
	}
}

// A source that reaches a limit is an unread part of the audit.
func TestLimitsOfSourcesAreUnread(t *testing.T) {
	tooLarge := &source.TooLarge{Limit: source.MaxBody}
	bomb := reply("http://h/page", "text/plain", "zipped")
	bomb.Bodies = append(bomb.Bodies,
		source.NewBody("gzip decoded", func() (io.ReadCloser, error) { return nil, tooLarge }))
	for name, src := range map[string]memory{"no limit": {wrongText}, "a limit": {bomb}} {
		t.Run(name, func(t *testing.T) {
			doc, err := webcapturetest.Parse("names: << /URLS << /Names [ (http://h/page) 5 0 R ] >> >>\n5 0 obj << /ID " +
				"<00112233445566778899aabbccddeeff> " + pageSet + " >>\n6 0 obj << /Type /Page >>\n")
			if err != nil {
				t.Fatal(err)
			}
			rep, err := audit.Bytes("x.pdf", doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: src})
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
	const set = "/S /SPS /O [ 6 0 R ] /SI << /AU (http://h/page) >>"
	got := identityOf(t, set, audit.Options{Source: memory{wrongText}, Rules: without})
	if got.Proof != rule.NotCheckable || got.Reason != "WC512, which compares IDs with sources, is disabled" {
		t.Errorf("%v: %s", got.Proof, got.Reason)
	}
	right := reply("http://h/page", "text/plain", "x")
	if got := identityOf(t, set, audit.Options{Source: memory{right}, Rules: without}); got.Proof != rule.Verified {
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
		src    memory
		url    string
		status int
		tried  int
	}{
		{"the first", memory{capture("a", "x"), capture("a", "yy")}, "http://h/a", 201, 1},
		{"the second", memory{capture("a", "yy"), capture("a", "x")}, "http://h/a", 201, 2},
		{"the second of the second URL", memory{capture("a", "yy"), capture("a", "zzz"), capture("b", "yyy"),
			capture("b", "x")}, "http://h/b", 201, 4},
		{"none", memory{capture("a", "yy"), capture("b", "zzz"), capture("b", "yyy")}, "http://h/a", 202, 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := identityOf(t, set, audit.Options{Source: row.src})
			if got.URL != row.url || got.Capture.Status != row.status || got.Tried != row.tried ||
				got.Capture.Record != "response" || !got.Capture.Time.Equal(at) {
				t.Errorf("%s: %+v after %d, want %s, status %d after %d", got.URL, got.Capture, got.Tried, row.url, row.status,
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
				"10 0 obj << /Broken ] >>\n11 0 obj (Acrobat 9)\n", md5.Sum([]byte("x")), pageSet, info))
			if err != nil {
				t.Fatal(err)
			}
			page := reply("http://h/page", "text/html", "<p>other</p>")
			all, _ := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Source: memory{page}})
			if i := all["http://h/page page set"]; (i.Proof == rule.NotCheckable) != opaque ||
				strings.HasPrefix(i.Reason, "not reproducible") != opaque {
				t.Errorf("%v: %s", i.Proof, i.Reason)
			}
		})
	}
}
