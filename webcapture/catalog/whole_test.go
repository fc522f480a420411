package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// opened opens the file with these objects.
func opened(t *testing.T, ctx context.Context, text string) (*webcapture.File, *webcapture.Database) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(ctx, d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return f, db
}

// catalogOf returns the captures of a file, and its unread parts as text.
func catalogOf(f *webcapture.File, db *webcapture.Database) ([]*catalog.Capture, string, error) {
	c, err := catalog.New(f, db)
	if err != nil {
		return nil, "", err
	}
	var list []*catalog.Capture
	for capture, err := range c.Captures() {
		if err != nil {
			return nil, "", err
		}
		list = append(list, capture)
	}
	var unread []string
	for _, u := range c.Unread() {
		unread = append(unread, u.Place.String())
	}
	return list, strings.Join(unread, "; "), nil
}

// all has a page set, an image set, and all that a catalog reads.
const all = `names: << /URLS << /Names [ (a) 5 0 R (b) 8 0 R ] >> >>
spiderinfo: << /C [ 15 0 R ] >>
5 0 obj << /S /SPS /O [ 6 0 R 7 0 R ] /T 20 0 R /CT 21 0 R /TS 22 0 R
  /SI << /AU (a) /TS 23 0 R /E 24 0 R /S 25 0 R /C 26 0 R >> >>
6 0 obj << /Type /Page /Resources 27 0 R >>
7 0 obj << /Type /Page >>
8 0 obj << /S /SIS /ID <900150983cd24fb0d6963f7d28e17f72> /O [ 9 0 R ] /SI << /AU (b) /C 15 0 R >> >>
9 0 obj << /Subtype /Image /Width 28 0 R /Height 3 /Filter 29 0 R >> stream
abc
endstream
15 0 obj << /URL (x) >>
20 0 obj (t)
21 0 obj (c)
22 0 obj (D:2001)
23 0 obj (D:2002)
24 0 obj (D:2003)
25 0 obj 1
26 0 obj << /URL (y) >>
27 0 obj << /XObject << /I 9 0 R >> >>
28 0 obj 2
29 0 obj /DCTDecode
`

// both describes the two captures of all.
func both(list []*catalog.Capture) string {
	var s string
	for _, c := range list {
		source := c.Sources[0]
		s += fmt.Sprintf("%s %q %q %v %v %v %q", c.Kind, c.Title, c.ContentType, c.TS.Stored, source.TS.Stored,
			source.E.Stored,
			source.Submitted)
		if source.Command != nil {
			s += " " + string(source.Command.URL)
		}
		s += fmt.Sprintln(" ", c.Pages, c.Members)
	}
	return s
}

// TestUnreadParts: if an object is unreadable, it is an unread part with its place, and only what it says is missing.
func TestUnreadParts(t *testing.T) {
	const page, image = `page "t" "c" D:2001 D:2002 D:2003 "GET" y  [1-2] [6 0 R 7 0 R]`, `image "" ""    "" x  [] [9 0 R]`
	for _, tt := range []struct{ name, object, page, image, unread string }{
		{"nothing", "", page, image, ""},
		{"title", "20 0 obj (t)", strings.Replace(page, `"t"`, `""`, 1), image, "content set 5 0 R"},
		{"content type", "21 0 obj (c)", strings.Replace(page, `"c"`, `""`, 1), image, "content set 5 0 R"},
		{"date", "22 0 obj (D:2001)", strings.Replace(page, "D:2001", "", 1), image, "content set 5 0 R"},
		{"date of the source", "23 0 obj (D:2002)", strings.Replace(page, "D:2002", "", 1), image, "content set 5 0 R"},
		{"expiry", "24 0 obj (D:2003)", strings.Replace(page, "D:2003", "", 1), image, "content set 5 0 R"},
		{"submission", "25 0 obj 1", strings.Replace(strings.Replace(page, `"GET"`, `""`, 1), " y", "", 1), image,
			"content set 5 0 R"},
		{"command", "26 0 obj << /URL (y) >>", strings.Replace(page, " y", "", 1), image, "content set 5 0 R"},
		{"command of SpiderInfo", "15 0 obj << /URL (x) >>", page, strings.Replace(image, " x", "", 1), "content set 8 0 R"},
		{"page", "6 0 obj << /Type /Page", strings.Replace(page, "1-2", "2", 1), image, "page 1, 6 0 R"},
		{"page set", "5 0 obj << /S /SPS", "", image, "content set 5 0 R"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := all
			switch number, body, ok := strings.Cut(tt.object, " obj "); {
			case ok && strings.HasPrefix(body, "<<") && !strings.HasSuffix(body, ">>"):
				text = strings.Replace(text, tt.object, tt.object+" ]", 1)
			case ok:
				text = strings.Replace(text, tt.object, number+" obj << ]", 1)
			}
			f, db := opened(t, context.Background(), text)
			list, unread, err := catalogOf(f, db)
			want := tt.page + "\n" + tt.image + "\n"
			if got := both(list); err != nil || got != strings.TrimPrefix(want, "\n") || unread != tt.unread {
				t.Errorf("got  %swant %s\nunread %s, want %s; %v", got, want, unread, tt.unread, err)
			}
		})
	}
}

// TestFailedReads: if any single read fails, there is an error, even if later reads succeed.
func TestFailedReads(t *testing.T) {
	for at, failed := 1, true; failed; at++ {
		c := webcapturetest.NewFailingReads()
		f, db := opened(t, c, all)
		c.FailAt(at, false)
		list, unread, err := catalogOf(f, db)
		if failed = c.Reads() >= at; failed && !errors.Is(err, webcapturetest.ErrRead) {
			t.Errorf("read %d: %d captures, error %v", at, len(list), err)
		} else if !failed && (err != nil || len(list) != 2 || unread != "") {
			t.Errorf("without a failure: %d captures, %s, error %v", len(list), unread, err)
		}
	}
}

// TestOf: the capture of one content set has the pages of a page set, but lacks what needs the whole file.
func TestOf(t *testing.T) {
	for at, failed := 0, true; failed; at++ {
		c := webcapturetest.NewFailingReads()
		f, db := opened(t, c, all)
		c.FailAt(at, false)
		var got string
		var err error
		for content, e := range f.Contents(db).All(f.NewReader()) {
			var capture *catalog.Capture
			var unread []rule.Unread
			if err = e; e == nil {
				capture, unread, err = catalog.Of(f, f.NewReader(), content)
			}
			if err != nil {
				break
			}
			if len(unread) > 0 {
				t.Errorf("%d unread parts", len(unread))
			}
			got += both([]*catalog.Capture{capture})
		}
		const want = "page \"t\" \"c\" D:2001 D:2002 D:2003 \"GET\" y  [1-2] [6 0 R 7 0 R]\n" +
			"image \"\" \"\"    \"\" x  [] [9 0 R]\n"
		failed = c.Reads() >= at && at > 0 || at == 0
		if wantErr := failed && at > 0; errors.Is(err, webcapturetest.ErrRead) != wantErr || !wantErr && got != want {
			t.Errorf("read %d: error %v, got %s", at, err, got)
		}
	}
}

// TestOfDamagedEntries: an unreadable entry is in the second result.
func TestOfDamagedEntries(t *testing.T) {
	f, db := opened(t, context.Background(), strings.Replace(all, "20 0 obj (t)", "20 0 obj << ]", 1))
	r := f.NewReader()
	for content, err := range f.Contents(db).All(r) {
		if err != nil {
			t.Fatal(err)
		}
		capture, unread, err := catalog.Of(f, r, content)
		if want := content.Ref == (object.Ref{Num: 5}); err != nil || (len(unread) == 1) != want || capture.Title != "" {
			t.Errorf("%v: %d unread parts, title %q, error %v", content.Ref, len(unread), capture.Title, err)
		}
	}
}

// TestUnreadDatabase: unreadable parts of the file and of its trees are unread parts.
func TestUnreadDatabase(t *testing.T) {
	const broken = "90 0 obj << ]\n"
	for _, tt := range []struct {
		name, old, new, want string
	}{
		{"names", "names: <<", "names: 90 0 R\n91 0 obj <<", "catalog"},
		{"a kid", "/Names [ (a) 5 0 R (b) 8 0 R ]", "/Kids [ 90 0 R ]", "URLS, kid 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, db := opened(t, context.Background(), strings.Replace(all, tt.old, tt.new, 1)+broken)
			if _, unread, err := catalogOf(f, db); err != nil || unread != tt.want {
				t.Errorf("unread %s, want %s; error %v", unread, tt.want, err)
			}
		})
	}
}

// TestStop: a caller may stop at any capture.
func TestStop(t *testing.T) {
	f, db := opened(t, context.Background(), all)
	c, err := catalog.New(f, db)
	if err != nil {
		t.Fatal(err)
	}
	for capture := range c.Captures() {
		if capture.URL != "a" {
			t.Errorf("the first capture is %s", capture.URL)
		}
		break
	}
}

// TestOfMembers: only members that are pages have page numbers, and image sets have none.
func TestOfMembers(t *testing.T) {
	const doc = "names: << /URLS << /Names [ (a) << /S /%s /ID (i) /O [ 8 0 R null 6 0 R 7 ] >> ] >> >>\n" +
		"5 0 obj << /Type /Page >>\n6 0 obj << /Type /Page >>\n8 0 obj << /Type /Font >>\n"
	for kind, want := range map[string]string{"SPS": "[2]", "SIS": "[]", "other": "[2]"} {
		f, db := opened(t, context.Background(), fmt.Sprintf(doc, kind))
		for content, err := range f.Contents(db).All(f.NewReader()) {
			if err != nil {
				t.Fatal(err)
			}
			capture, unread, err := catalog.Of(f, f.NewReader(), content)
			if err != nil || len(unread) != 0 || fmt.Sprint(capture.Pages) != want {
				t.Errorf("%s: pages %v, want %s; %d unread parts, error %v", kind, capture.Pages, want, len(unread), err)
			}
		}
	}
}

// TestPagesOfCaptures: the pages of a capture are its members, sorted and joined. An image set has none.
func TestPagesOfCaptures(t *testing.T) {
	const doc = `names: << /URLS << /Names [ (a) << /S /%s /O [ %s ] /SI << /AU (a) >> >> ] >> >>
1 0 obj << /Type /Page >>
2 0 obj << /Type /Page >>
3 0 obj << /Type /Page >>
4 0 obj << /Type /Page >>
5 0 obj << /Type /Page >>
6 0 obj << /Type /Page >>
10 0 obj << /Subtype /Image /Width 1 /Height 1 >> stream
endstream
`
	for _, tt := range []struct{ kind, members, want string }{
		{"SPS", "1 0 R", "[1]"},
		{"SPS", "4 0 R 2 0 R 3 0 R 6 0 R", "[2-4 6]"},
		{"SPS", "2 0 R 2 0 R", "[2]"},
		{"SPS", "10 0 R 99 0 R 7 null", "[]"},
		{"SIS", "1 0 R", "[]"},
		{"other", "5 0 R 10 0 R 1 0 R", "[1 5]"},
	} {
		t.Run(tt.kind+" "+tt.members, func(t *testing.T) {
			f, db := opened(t, context.Background(), fmt.Sprintf(doc, tt.kind, tt.members))
			list, unread, err := catalogOf(f, db)
			if err != nil || len(list) != 1 || unread != "" {
				t.Fatalf("%d captures, unread %s, error %v", len(list), unread, err)
			}
			if refs := strings.Count(tt.members, " R"); len(list[0].Members) != refs {
				t.Errorf("members %v, want %d", list[0].Members, refs)
			}
			if got := fmt.Sprint(list[0].Pages); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestJSON: bytes that are not UTF-8 are escaped, and what is not there is absent.
func TestJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{one("/T (t) /CT (\\375) /TS (D:2001) /ID <01fe> /SI << /AU << /U (a\\377) /C [ [ (b\\377) ] ] >> /S 2 "+
			"/E (\\377) /C << /URL (c\\377) /L 2 /F 1 >> >>", "null"),
			`{"object":{"num":5,"gen":0},"kind":"page","url":"a\\xff","canonicalUrl":"a\\xff",` +
				`"captured":"2001-01-01T00:00:00Z","ts":{"stored":"D:2001","time":"2001-01-01T00:00:00Z"},"title":"t",` +
				`"contentType":"\\xfd","id":"01fe","sources":[{"url":"a\\xff","redirects":[["b\\xff"]],` +
				`"expires":{"stored":"\\xff","fault":"it does not begin with D:"},"submitted":"POST",` +
				`"command":{"url":"c\\xff","levels":2,"sameSite":true,"samePath":false,"submit":false,"postData":false}}],` +
				`"members":[{"num":6,"gen":0}],"pages":[{"first":1,"last":1}],"submittedData":true}`},
		{"names: << /IDS << /Names [ (i) << /S /SIS /O [ ] >> ] >> >>\n",
			`{"kind":"image","sources":[],"members":[],"pages":[],"submittedData":false}`},
	} {
		list, _ := parsed(t, tt.text)
		if got, err := json.Marshal(list[0]); err != nil || string(got) != tt.want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, got, tt.want)
		}
	}
}
