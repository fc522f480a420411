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
func opened(t testing.TB, entries ...string) (s *capture.Index, path string) {
	t.Helper()
	path = sourcetest.WriteFile(t, sourcetest.HAR(entries...), t.TempDir(), "x.har")
	return openFile(t, New(path)), path
}

// openFile opens a file.
func openFile(t testing.TB, f capture.File) *capture.Index {
	t.Helper()
	s, err := capture.Open([]capture.File{f}, &capture.Stats{})
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
		{sourcetest.HAREntry("GET", "http://h/a", 200, "{}", moved), "an entry without a body", true},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": null, "size": 0}`, ""), "an entry without a body", true},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": "", "size": 0}`, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": ""}`, ""), "", false},
		{sourcetest.HAREntry("GET", "http://h/a", 200, `{"text": "", "size": 1}`, ""), "an entry without a body", true},
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
	const other = "it may be a reply to a method other than GET"
	for method, want := range map[string]string{"GET": "", "get": "", "PUT": other, "M-SEARCH": other, "G T": other} {
		t.Run(method, func(t *testing.T) {
			s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/a", 200, strings.Replace(text, "4", "3", 1), ""),
				sourcetest.HAREntry(method, "http://h/a", 200, strings.Replace(text, "4", "3", 1), ""),
				sourcetest.HAREntry("GET", "http://h/a/", 200, strings.Replace(text, "4", "3", 1), ""))
			list := append(sourcetest.Lookup(t, s, "http://h/a"), sourcetest.LookupOne(t, s, "http://h/a/"))
			if len(list) != 3 || list[0].Doubt != want || list[1].Doubt != want || list[2].Doubt != want {
				t.Errorf("%+v", list)
			}
		})
	}
}

// A body has a reason for doubt if the log may differ from the data that the server sent.
func TestDoubt(t *testing.T) {
	const base64 = `, "encoding": "base64"`
	for _, row := range []struct {
		status        int
		content, more string
		why           string // a part of the reason
	}{
		{200, `"size": 4` + base64, "", ""},
		{200, `"size": 4, "_file": "a.gif"`, "", ""},
		{200, `"size": 4, "mimeType": "text/html; charset=utf-8"`, "", "decoded text"},
		{0, `"size": 4` + base64, "", "status of the reply is 0"},
		{304, `"size": 4` + base64, "", "status of the reply is 304"},
		{200, `"size": 4` + base64, `, "_error": "net::ERR_ABORTED"`, "an error for the response"},
		{200, `"size": 4` + base64, `, "_error": ""`, ""},
		{200, `"size": 4` + base64, `, "_error": null`, ""},
		{200, `"size": 4, "encoding": "hex"`, "", `unknown encoding "hex"`},
		{200, `"encoding": "base64"`, "", "the size of the body"},
		{200, `"size": -1` + base64, "", "the size of the body"},
		{200, `"size": 5` + base64, "", "the size of the body"},
		{200, `"size": 4.4` + base64, "", "the size of the body"},
	} {
		entry := sourcetest.HAREntry("GET", "http://h/", row.status, "{"+row.content+"}", row.more)
		t.Run(entry, func(t *testing.T) {
			why := decoded(t, entry).doubt(4)
			if (why == "") != (row.why == "") || !strings.Contains(why, row.why) {
				t.Errorf("doubt %q, want %q", why, row.why)
			}
		})
	}
	if why := decoded(t, sourcetest.HAREntry("GET", "http://h/", 200, `{"size": 0`+base64+`}`, "")).doubt(0); why !=
		"the body is empty; the browser may not have logged it" {
		t.Errorf("of an empty body: %q", why)
	}
}

// The length in the header is that of the body, unless a coding was removed.
func TestDeclaredLength(t *testing.T) {
	const content = `{"size": 4, "encoding": "base64", "text": "R0lGOA=="}`
	for fields, why := range map[string]string{
		`{"name": "Content-Length", "value": "4"}`:                                                "",
		`{"name": "Content-Length", "value": "?"}`:                                                "",
		`{"name": "Content-Length", "value": "5"}`:                                                "the body is cut off",
		`{"name": "Content-Length", "value": "3"}`:                                                "the body is longer",
		`{"name": "Content-Length", "value": "3"}, {"name": "Content-Encoding", "value": "gzip"}`: "",
	} {
		t.Run(fields, func(t *testing.T) {
			s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/", 200, content, `, "headers": [`+fields+`]`))
			got := sourcetest.MustSum(t, sourcetest.LookupOne(t, s, "http://h/")).Doubt
			if (got == "") != (why == "") || !strings.Contains(got, why) {
				t.Errorf("doubt %q, want %q", got, why)
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
	sourcetest.Equal(t, "Lookup", days(s.Lookup("http://h/a")), []int{1, 2, 3, 4, 6})
	sourcetest.Equal(t, "List", days(s.All), []int{3, 1, 2, 4, 1, 5, 6})
	sourcetest.ExpectStops(t, "List", 7, s.All)
	sourcetest.ExpectStops(t, "Lookup", 5, s.Lookup("http://h/a"))
	if info, err := os.Stat(path); err != nil || s.Stats().Bytes != info.Size() || s.Stats().Kept != 7 {
		t.Errorf("Stats() = %+v, %v", s.Stats(), err)
	}
}
