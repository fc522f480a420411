package source

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func makeHAR(t testing.TB, dir string) string {
	var list []string
	for _, p := range site {
		content := map[string]any{"size": len(p.body), "mimeType": p.mediaType, "text": p.body}
		if !utf8.ValidString(p.body) {
			content["text"], content["encoding"] = base64.StdEncoding.EncodeToString([]byte(p.body)), "base64"
		}
		e, err := json.Marshal(map[string]any{
			"startedDateTime": "2024-05-06T07:08:09.123+02:00",
			"request":         map[string]any{"method": "GET", "url": p.url, "headers": []any{}},
			"response":        map[string]any{"status": 200, "headers": []any{}, "content": content},
		})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(e))
	}
	return sourcetest.WriteFile(t,
		localfile.ByteOrderMark+`{ "log": {"version": "1.2", "pages": [{"entries": [1, {}]}], "entries": [`+
			strings.Join(list, " ,\n")+`], "comment": ""}}`, dir, "site.har")
}

func TestHAR(t *testing.T) {
	data := sourcetest.HAR(
		`{"startedDateTime": "2024-01-02T00:00:00Z", `+sourcetest.HAREntry("GET", "http://h/a", 200,
			`{"size": 3, "mimeType": "text/css; charset=x", "text": "new"}`, "")[1:],
		`{"startedDateTime": "2024-01-01T00:00:00Z", `+sourcetest.HAREntry("get", "http://h/a", 404,
			`{"size": 0, "text": "old"}`, "")[1:],
		sourcetest.HAREntry("POST", "http://h/a", 200, `{"text": "posted"}`, ""),
		sourcetest.HAREntry("HEAD", "http://h/a", 200, `{"text": ""}`, ""),
		sourcetest.HAREntry("\\u001b[31m", "http://h/a", 200, `{"text": ""}`, ""),
		sourcetest.HAREntry("GET", "http://h/none", 200, `{"size": 9}`, ""),
		sourcetest.HAREntry("GET", "http://h/null", 200, `{"size": 9, "text": null}`, ""),
		sourcetest.HAREntry("GET", "http://h/part", 206, `{"text": "part"}`, ""),
		sourcetest.HAREntry("GET", "http://h/cached", 304, `{"text": "cached"}`, ""),
		sourcetest.HAREntry("GET", "http://h/unchanged", 304, `{"text": ""}`, ""),
		sourcetest.HAREntry("GET", "http://h/blocked", 0, `{"text": "blocked"}`, ""),
		sourcetest.HAREntry("GET", "http://h/cut", 200, `{"size": 1234567, "text": "cut"}`, ""),
		sourcetest.HAREntry("GET", "http://h/latin1", 200, `{"size": 1, "text": "é"}`, ""),
		sourcetest.HAREntry("GET", "http://h/to", 302, `{"size": 0, "text": ""}`,
			`, "redirectURL": "ignored", "headers": [{"name": "location", "value": "/a"}]`),
		sourcetest.HAREntry("GET", "http://h/to2", 301, `{}`, `, "redirectURL": "a"`),
		sourcetest.HAREntry("GET", "http://h/gzip", 200, `{"text": "plain"}`,
			`, "headers": [{"name": "Content-Encoding", "value": "gzip"}]`),
		sourcetest.HAREntry("GET", "http://h/foo", 200, `{"text": "plain"}`,
			`, "headers": [{"name": "Content-Encoding", "value": "gzip, foo"}]`),
		sourcetest.HAREntry("GET", "", 200, `{"text": ""}`, ""),
		`{"request": 1}`, `[]`, `"entry"`, `null`,
		sourcetest.HAREntry("GET", "http://h/empty", 200, `{"size": 0, "text": ""}`, ""),
		sourcetest.HAREntry("GET", "http://h/unknown", 200, `{"size": -1, "text": ""}`, ""),
		sourcetest.HAREntry("GET", "http://h/lost", 200, `{"size": 7, "text": ""}`, ""),
		sourcetest.HAREntry("GET", "http://h/float", 200, `{"size": 5.0, "text": "float"}`, ""),
		sourcetest.HAREntry("GET", "http://h/last", 200, `{"text": "last"}`, ""),
	)
	s := opened(t, "", sourcetest.WriteFile(t, data, t.TempDir(), "x.har"))
	var got []string
	for _, c := range sourcetest.Lookup(t, s, "http://h/a") {
		got = append(got, fmt.Sprint(c.Time.Format("02"), " ", c.MediaType, " ", c.Uncertain, " ", c.Failed, " ",
			strings.Join(sourcetest.ReadForms(t, c), "|")))
	}
	sourcetest.Equal(t, "newest last", got,
		[]string{"01  false true as stored: old", "02 text/css; charset=x false false as stored: new|" +
			"with a byte order mark: \ufeffnew|encoded as UTF-16LE with a byte order mark: \xff\xfen\x00e\x00w\x00|" +
			"encoded as UTF-16BE with a byte order mark: \xfe\xff\x00n\x00e\x00w"})
	for _, row := range []struct {
		url, body string
		uncertain bool
	}{
		{"http://h/cached", "cached", false},
		{"http://h/blocked", "blocked", false},
		{"http://h/cut", "cut", true},
		{"http://h/latin1", "é", true},
		{"http://h/gzip", "plain", false},
		{"http://h/empty", "", false},
		{"http://h/float", "float", false},
		{"http://h/last", "last", false},
	} {
		t.Run(row.url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, row.url)
			if c.Uncertain != row.uncertain || !c.Time.IsZero() {
				t.Errorf("%s: uncertain %v, time %v", row.url, c.Uncertain, c.Time)
			}
			want := []string{"as stored: " + row.body}
			if row.body == "é" {
				want = append(want, "encoded as windows-1252: \xe9")
			}
			sourcetest.Equal(t, row.url, sourcetest.ReadForms(t, c), want)
		})
	}
	const sizes = "the HAR file says 1234567 bytes, but the body has 3"
	if c := sourcetest.LookupOne(t, s, "http://h/cut"); c.Doubt == nil || c.Doubt.Reason != sizes {
		t.Errorf("a wrong size: doubt %v, want %s", c.Doubt, sizes)
	}
	if c := sourcetest.LookupOne(t, s, "http://h/foo"); c.Doubt == nil || !strings.Contains(c.Doubt.Error(), `"foo"`) {
		t.Errorf("an unknown content coding: doubt %v", c.Doubt)
	}
	for url, want := range map[string]string{"http://h/to": "/a", "http://h/to2": "a"} {
		t.Run(url, func(t *testing.T) {
			if c := sourcetest.LookupOne(t, s, url); c.Redirect != want || c.Bodies != nil {
				t.Errorf("%s leads to %q, want %q", url, c.Redirect, want)
			}
		})
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{
		"4 × an entry without a body",
		"3 × an entry with a value of the wrong type",
		"2 × an entry without a URL",
		"1 × a part of a file (status 206)",
		"1 × a reply to HEAD",
		"1 × a reply to POST",
		"1 × a reply to an unknown method",
		"1 × a reply without a body (status 304)",
	})
	if got := s.Stats(); got.Kept != 13 || got.Files != 1 {
		t.Errorf("Stats() = %+v", got)
	}
}

// TestHARDamaged: entries before the damage are used, and the place of the damage is reported.
func TestHARDamaged(t *testing.T) {
	whole := sourcetest.HAR(sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, ""),
		sourcetest.HAREntry("GET", "http://h/2", 200, `{"text": "two"}`, ""))
	second := strings.Index(whole, ",\n")
	dir := t.TempDir()
	for i, damaged := range []string{
		whole[:second], whole[:second+1], whole[:second+20], whole[:second+1] + "?" + whole[second+1:],
		whole[:second+2] + strings.Repeat("[", 20000), whole[:second+2] + "}",
		whole[:second] + "]}", whole[:second] + "]", whole[:second] + "] }?",
		whole[:second] + `], "pages": [{"title": `, whole[:second] + `], "pages": ?`, // values that are skipped
	} {
		t.Run(damaged, func(t *testing.T) {
			path := sourcetest.WriteFile(t, damaged, dir, fmt.Sprint(i))
			s := opened(t, HAR, path)
			sourcetest.Equal(t, damaged, sourcetest.ReadForms(t, sourcetest.LookupOne(t, s, "http://h/1")),
				[]string{"as stored: one"})
			sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × damaged JSON, and all later entries"})
			if where := s.Stats().Skipped[0].First; !strings.HasPrefix(where, path+", offset ") {
				t.Errorf("damage at %q", where)
			}
		})
	}
	// An invalid body is an error of its entry. A file that has changed is another error.
	path := sourcetest.WriteFile(t,
		sourcetest.HAR(sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "?", "encoding": "base64"}`, ""),
			sourcetest.HAREntry("GET", "http://h/2", 200, `{"text": "two"}`, "")), dir, "x")
	s := opened(t, HAR, path)
	for c, err := range s.Lookup("http://h/1") {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, %v", c, err)
		}
	}
	c := sourcetest.LookupOne(t, s, "http://h/2")
	if err := os.Truncate(filepath.Join(dir, "x"), 50); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Bodies[0].Open(); err == nil {
		r.Close()
		t.Error("a body can be read that is gone")
	}
	lookups := 0
	for c, err := range s.Lookup("http://h/2") {
		if lookups++; err == nil {
			t.Errorf("what is gone is found: %+v", c)
		}
	}
	if lookups != 1 {
		t.Errorf("what is gone is looked up with %d results, want one error", lookups)
	}
}

// TestHARHasOneTooOften: a look-up of a URL with very many entries stops one entry after the limit of Find.
func TestHARHasOneTooOften(t *testing.T) {
	entry := sourcetest.HAREntry("GET", "http://h/", 301, `{}`, `, "redirectURL": "a"`)
	s := opened(t, HAR, sourcetest.WriteFile(t, sourcetest.HAR(slices.Repeat([]string{entry}, capture.MaxKept+5)...),
		t.TempDir(), "x"))
	if list := sourcetest.Lookup(t, s, "http://h/"); len(list) != capture.MaxKept+1 {
		t.Errorf("%d are found, want %d", len(list), capture.MaxKept+1)
	}
}

// TestHARWithBadBody: a body that is not a string, or has no valid base64, is an error. A body that is valid base64
// only at the start ends in a flaw.
func TestHARWithBadBody(t *testing.T) {
	s := opened(t, HAR, sourcetest.WriteFile(t, sourcetest.HAR(
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "?", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "YSBwYXJ0?", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "YSBwYXJ0YQ", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": 777}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "good"}`, "")), t.TempDir(), "x"))
	var got []string
	for c, err := range s.Lookup("http://h/") {
		if err != nil {
			got = append(got, "error")
			continue
		}
		data, err := sourcetest.ReadAll(c.Bodies[0])
		if flaw, ok := errors.AsType[*Flaw](err); ok && strings.Contains(flaw.Reason, "base64") {
			data = append(data, " and a flaw"...)
		} else if err != nil {
			t.Error(err)
		}
		got = append(got, string(data))
	}
	sourcetest.Equal(t, "found", got, []string{"error", "error", "a part and a flaw", "a parta and a flaw", "good"})
}

func FuzzHAR(f *testing.F) {
	dir := f.TempDir()
	data, err := os.ReadFile(makeHAR(f, dir))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:2000])
	f.Add([]byte(sourcetest.HAR(sourcetest.HAREntry("GET", "http://h/", 302,
		`{"text": "\u00e9\ud800", "encoding": "base64"}`, `, "redirectURL": "x"`))))
	f.Add([]byte(`{"log":{"log":{},"entries":[{}],"entries":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, HAR, dir, data) })
}

// hostile opens a file of any bytes, and looks up and reads all its captures. A source that opens must have captures.
func hostile(t *testing.T, kind Kind, dir string, data []byte) {
	s, err := Open(kind, sourcetest.WriteFile(t, string(data), dir, "x"))
	if err != nil {
		return
	}
	defer s.Close()
	var urls []string
	for c, err := range All(s) {
		if err != nil {
			t.Error(err)
			continue
		}
		urls = append(urls, c.URL)
	}
	if len(urls) == 0 || s.Stats().Kept == 0 {
		t.Errorf("%d URLs, %+v", len(urls), s.Stats())
	}
	for _, url := range urls {
		n := 0
		for c, err := range s.Lookup(url) {
			n++
			if err != nil {
				continue
			}
			for _, b := range c.Bodies {
				if r, err := b.Open(); err == nil {
					io.Copy(io.Discard, r)
					r.Close()
				}
			}
		}
		if n == 0 {
			t.Errorf("nothing at %q", url)
		}
	}
}
