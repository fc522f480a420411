package source

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

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

// TestHARDamaged: entries before the damage are used, and the place of the damage is reported.
func TestHARDamaged(t *testing.T) {
	whole := sourcetest.HAR(sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, ""),
		sourcetest.HAREntry("GET", "http://h/2", 200, `{"text": "two"}`, ""))
	second := strings.Index(whole, ",\n")
	dir := t.TempDir()
	for i, damaged := range []string{
		whole[:second], whole[:second+1], whole[:second+20], whole[:second+2] + "}",
	} {
		t.Run(damaged, func(t *testing.T) {
			path := sourcetest.WriteFile(t, damaged, dir, fmt.Sprint(i))
			s := opened(t, HAR, path)
			sourcetest.Equal(t, damaged, sourcetest.ReadForms(sourcetest.LookupOne(t, s, "http://h/1")),
				[]string{`stored "one"`})
			sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × damaged JSON, and all later entries"})
			if where := s.Stats().Skipped[0].First; !strings.HasPrefix(where, path+", offset ") {
				t.Errorf("damage at %q", where)
			}
		})
	}
	// A file that has changed is an error.
	path := sourcetest.WriteFile(t,
		sourcetest.HAR(sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, ""),
			sourcetest.HAREntry("GET", "http://h/2", 200, `{"text": "two"}`, "")), dir, "x")
	s := opened(t, HAR, path)
	c := sourcetest.LookupOne(t, s, "http://h/2")
	if err := os.Truncate(filepath.Join(dir, "x"), 50); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Body.Open(); err == nil {
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

// TestHARWithBadBody: a body that is not valid base64 is text.
func TestHARWithBadBody(t *testing.T) {
	s := opened(t, HAR, sourcetest.WriteFile(t, sourcetest.HAR(
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "?", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "YSBwYXJ0YQ", "encoding": "base64"}`, ""),
		sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "good"}`, "")), t.TempDir(), "x"))
	var got []string
	for c, err := range s.Lookup("http://h/") {
		if err != nil {
			got = append(got, "error")
			continue
		}
		got = append(got, sourcetest.MustRead(t, c))
		if c.Doubt == "" {
			t.Errorf("%q is certain", got)
		}
	}
	sourcetest.Equal(t, "found", got, []string{"?", "YSBwYXJ0YQ", "good"})
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
	for c, err := range s.All {
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
			if c.Body != nil {
				c.Sums(nil)
			}
		}
		if n == 0 {
			t.Errorf("nothing at %q", url)
		}
	}
}
