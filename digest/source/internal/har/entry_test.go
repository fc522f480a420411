package har

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// opened opens a HAR file with entries.
func opened(t testing.TB, entries ...string) (s capture.Source, path string) {
	t.Helper()
	path = sourcetest.WriteFile(t, sourcetest.HAR(entries...), t.TempDir(), "x.har")
	return openFile(t, New(path)), path
}

// openFile opens a file.
func openFile(t testing.TB, f capture.File) *capture.Index {
	t.Helper()
	s, err := capture.Open([]capture.File{f}, &capture.Tally{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// decoded returns an entry.
func decoded(t testing.TB, text string) *harEntry {
	t.Helper()
	e := new(harEntry)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err)
	}
	return e
}

// Each entry that is not the resource of its URL has a reason, and the URL is listed with this reason.
func TestUnusableEntries(t *testing.T) {
	const text = `{"size": 1, "text": "x"}`
	const moved = `, "headers": [{"name": "Location", "value": "/"}]`
	for _, row := range []struct {
		entry, reason string
		damaged       bool // the entry may have been the resource
	}{
		{sourcetest.HAREntry("GET", "http://h/a", 200, text, ""), "", false},
		{sourcetest.HAREntry("", "http://h/a", 200, text, ""), "", false},
		{sourcetest.HAREntry("get", "http://h/a", 404, text, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 0, text, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 302, "{}", moved), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 200, "{}", moved), reasonNoBody, true},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": null, "size": 0}`, ""), reasonNoBody, true},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": "", "size": 0}`, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": ""}`, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": "", "size": 1}`, ""), reasonNoBody, true},
		{sourcetest.HAREntry("GET", "http://h/a", 304, text, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 304, `{"text": ""}`, ""), "a reply without a body (status 304)", true},
		{sourcetest.HAREntry("GET", "http://h/a", 206, text, ""), "a part of a file (status 206)", true},
		{sourcetest.HAREntry("GET", "", 200, text, ""), "an entry without a URL", true},
	} {
		t.Run(row.entry, func(t *testing.T) {
			if got := decoded(t, row.entry).unusable(); got != row.reason {
				t.Errorf("unusable() = %q, want %q", got, row.reason)
			}
			s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/good", 200, text, ""), row.entry)
			url := decoded(t, row.entry).Request.URL
			want := []string{row.reason}
			if row.reason == "" {
				want = nil
				sourcetest.LookupOne(t, s, url)
			}
			sourcetest.Equal(t, "excluded", sourcetest.Excluded(s, url), want)
		})
	}
}

// A reply to another method than GET may be that of its URL, and so may all other replies of the URL.
func TestMethods(t *testing.T) {
	const text = `{"size": 4, "encoding": "base64", "text": "R0lG"}`
	for method, want := range map[string]string{"GET": "", "get": "", "PUT": "PUT", "M-SEARCH": "M-SEARCH",
		"ABCDEFGHIJKLMNOPQRST": "ABCDEFGHIJKLMNOPQRST", "ABCDEFGHIJKLMNOPQRSTU": "an unknown method",
		"G T": "an unknown method"} {
		t.Run(method, func(t *testing.T) {
			s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/a", 200, strings.Replace(text, "4", "3", 1), ""),
				sourcetest.HAREntry(method, "http://h/a", 200, strings.Replace(text, "4", "3", 1), ""),
				sourcetest.HAREntry("GET", "http://h/a/", 200, strings.Replace(text, "4", "3", 1), ""))
			if want != "" {
				want = "it may be a reply to " + want
			}
			list := append(sourcetest.Lookup(t, s, "http://h/a"), sourcetest.LookupOne(t, s, "http://h/a/"))
			if len(list) != 3 || list[0].Doubt != want || list[1].Doubt != want || list[2].Doubt != "" {
				t.Errorf("%+v", list)
			}
		})
	}
}

// A body has a reason for doubt if the log may differ from the data that the server sent.
func TestDoubt(t *testing.T) {
	const charset = `"mimeType": "text/html; charset=`
	for _, row := range []struct {
		status                   int
		content, more, body, why string // why is a part of the reason
	}{
		{200, `"size": 4, "mimeType": "image/gif", "encoding": "base64"`, "", "data", ""},
		{200, `"size": 4, "mimeType": "image/gif", "encoding": "BASE64"`, "", "\xff\xfe\xfd\xfc", ""},
		{200, `"size": 4, ` + charset + `utf-8"`, "", "data", ""},
		{200, `"size": 2, ` + charset + `utf-8"`, "", "é", ""},
		{200, `"size": 2, ` + charset + `iso-8859-1"`, "", "é", "may not have been sent as UTF-8"},
		{200, `"size": 4, ` + charset + `iso-8859-1"`, "", "data", ""},
		{200, `"size": 4, ` + charset + `utf-16le"`, "", "data", "may not have been sent as UTF-8"},
		{200, `"size": 4, ` + charset + `iso-2022-jp"`, "", "data", "may not have been sent as UTF-8"},
		{200, `"size": 4, ` + charset + `iso-2022-kr"`, "", "data", "may not have been sent as UTF-8"},
		{200, `"size": 4, ` + charset + `utf-7"`, "", "data", "may not have been sent as UTF-8"},
		{200, `"size": 4, "mimeType": "text/html"`, "", "data", ""},
		{200, `"size": 2, "mimeType": "text/html"`, "", "é", "may not have been sent as UTF-8"},
		{200, `"size": 3, ` + charset + `utf-8"`, "", "\ufffd", "replaced characters"},
		{200, `"size": 3, "encoding": "base64"`, "", "\ufffd", ""},
		{0, `"size": 4`, "", "data", "status 0"},
		{304, `"size": 4`, "", "data", "status 304"},
		{200, `"size": 4`, `, "_error": "net::ERR_ABORTED"`, "data", "an error for the response"},
		{200, `"size": 4`, `, "_error": ""`, "data", ""},
		{200, `"size": 4`, `, "_error": null`, "data", ""},
		{200, `"size": 4, "encoding": "hex"`, "", "data", `unknown encoding "hex"`},
		{200, `"size": 4`, `, "headers": [{"name": "Content-Encoding", "value": "foo"}]`, "data", `unknown coding "foo"`},
		{200, `"size": 0`, "", "", "the body is empty"},
		{200, `"size": 0`, "", "data", "does not say the size"},
		{200, `"size": -1`, "", "data", "does not say the size"},
		{200, `"size": 5`, "", "data", "says 5 bytes, but the body has 4"},
		{200, `"size": 3.5`, "", "data", "says 3.5 bytes, but the body has 4"},
		{200, `"size": 4`, `, "headers": [{"name": "Content-Length", "value": "5"}]`, "data", "not that in its header"},
		{200, `"size": 4`, `, "headers": [{"name": "Content-Length", "value": "4"}]`, "data", ""},
		{200, `"size": 4`, `, "headers": [{"name": "Content-Length", "value": "?"}]`, "data", ""},
		{200, `"size": 4`, `, "headers": [{"name": "Content-Length", "value": "3"},
			{"name": "Content-Encoding", "value": "gzip"}]`, "data", ""},
	} {
		entry := sourcetest.HAREntry("GET", "http://h/", row.status, "{"+row.content+"}", row.more)
		t.Run(entry+row.body, func(t *testing.T) {
			why := decoded(t, entry).doubt(lookAt([]byte(row.body)))
			if (why == "") != (row.why == "") || !strings.Contains(why, row.why) {
				t.Errorf("doubt %q, want %q", why, row.why)
			}
		})
	}
}

// A body in base64 has the forms of stored data: decoded from base64, and without a coding that the data show.
func TestFormsOfBase64(t *testing.T) {
	packed := sourcetest.Gzip("body")
	data, _ := json.Marshal(packed) // in base64
	s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/", 200,
		fmt.Sprintf(`{"mimeType": "text/html", "size": %d, "encoding": "base64", "text": %s}`, len(packed), data), ""))
	forms := sourcetest.ReadForms(sourcetest.LookupOne(t, s, "http://h/"))
	if len(forms) != 2 || forms[1] != `decoded "body"` {
		t.Errorf("%q, want the packed and the unpacked body", forms)
	}
}

// List yields entries in the order of the file, Lookup in the order of their dates. Both can stop early.
func TestOrder(t *testing.T) {
	at := func(day int, url string) string {
		return fmt.Sprintf(`{"startedDateTime": "2024-01-%02dT00:00:00Z", `, day) +
			sourcetest.HAREntry("GET", url, 200, `{"text": "x"}`, "")[1:]
	}
	s, path := opened(t, at(3, "http://h/a"), at(1, "http://h/b"), at(2, "http://h/a"), at(4, "http://h/a/"),
		at(1, "http://h/a"), at(5, "http://h/c"), at(6, "https://h/a"))
	days := func(seq func(func(*capture.Candidate, error) bool)) (list []int) {
		for c, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			if c.Status != 200 || c.Record != "HAR entry" || !strings.HasPrefix(c.Where, path+", offset ") {
				t.Errorf("%+v", c)
			}
			list = append(list, c.Time.Day())
		}
		return list
	}
	sourcetest.Equal(t, "Lookup", days(s.Lookup("http://h/a")), []int{1, 2, 3})
	sourcetest.Equal(t, "LookupAlike", days(s.LookupAlike("http://h/a")), []int{4, 6})
	sourcetest.Equal(t, "List", days(s.(*capture.Index).List), []int{3, 1, 2, 4, 1, 5, 6})
	sourcetest.ExpectStops(t, "List", 7, s.(*capture.Index).List)
	sourcetest.ExpectStops(t, "Lookup", 3, s.Lookup("http://h/a"))
	if info, err := os.Stat(path); err != nil || s.Stats().Bytes != info.Size() || s.Stats().Kept != 7 {
		t.Errorf("Stats() = %+v, %v", s.Stats(), err)
	}
}
