package source

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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
	return write(t, byteOrderMark+`{ "log": {"version": "1.2", "pages": [{"entries": [1, {}]}], "entries": [`+strings.Join(list, " ,\n")+`], "comment": ""}}`, dir, "site.har")
}

// entryOf returns an entry of a HAR file. What goes between quotes is JSON already.
func entryOf(method, url string, status int, content, more string) string {
	return fmt.Sprintf(`{"request": {"method": "%s", "url": "%s"}, "response": {"status": %d, "content": %s %s}}`, method, url, status, content, more)
}

func harOf(entries ...string) string {
	return `{"log": {"entries": [` + strings.Join(entries, ",\n") + `]}}`
}

func TestHAR(t *testing.T) {
	data := harOf(
		`{"startedDateTime": "2024-01-02T00:00:00Z", `+entryOf("GET", "http://h/a", 200, `{"size": 3, "mimeType": "text/css; charset=x", "text": "new"}`, "")[1:],
		`{"startedDateTime": "2024-01-01T00:00:00Z", `+entryOf("get", "http://h/a", 404, `{"size": 0, "text": "old"}`, "")[1:],
		entryOf("POST", "http://h/a", 200, `{"text": "posted"}`, ""),
		entryOf("HEAD", "http://h/a", 200, `{"text": ""}`, ""),
		entryOf("\\u001b[31m", "http://h/a", 200, `{"text": ""}`, ""),
		entryOf("GET", "http://h/none", 200, `{"size": 9}`, ""),
		entryOf("GET", "http://h/null", 200, `{"size": 9, "text": null}`, ""),
		entryOf("GET", "http://h/part", 206, `{"text": "part"}`, ""),
		entryOf("GET", "http://h/cached", 304, `{"text": "cached"}`, ""),
		entryOf("GET", "http://h/unchanged", 304, `{"text": ""}`, ""),
		entryOf("GET", "http://h/blocked", 0, `{"text": "blocked by nobody"}`, ""),
		entryOf("GET", "http://h/cut", 200, `{"size": 5, "text": "cut"}`, ""),
		entryOf("GET", "http://h/latin1", 200, `{"size": 1, "text": "é"}`, ""),
		entryOf("GET", "http://h/to", 302, `{"size": 0, "text": ""}`, `, "redirectURL": "ignored", "headers": [{"name": "location", "value": "/a"}]`),
		entryOf("GET", "http://h/to2", 301, `{}`, `, "redirectURL": "a"`),
		entryOf("GET", "http://h/gzip", 200, `{"text": "plain"}`, `, "headers": [{"name": "Content-Encoding", "value": "gzip"}]`),
		entryOf("GET", "", 200, `{"text": ""}`, ""),
		`{"request": 1}`, `[]`, `"entry"`, `null`,
		entryOf("GET", "http://h/empty", 200, `{"size": 0, "text": ""}`, ""),
		entryOf("GET", "http://h/unknown", 200, `{"size": -1, "text": ""}`, ""),
		entryOf("GET", "http://h/lost", 200, `{"size": 7, "text": ""}`, ""),
		entryOf("GET", "http://h/float", 200, `{"size": 5.0, "text": "float"}`, ""),
		entryOf("GET", "http://h/last", 200, `{"text": "last"}`, ""),
	)
	s := opened(t, "", write(t, data, t.TempDir(), "x.har"))
	var got []string
	for _, c := range found(t, s, "http://h/a") {
		got = append(got, fmt.Sprint(c.Time.Format("02"), " ", c.MediaType, " ", c.Uncertain, " ", c.Failed, " ", strings.Join(forms(t, c), "|")))
	}
	equal(t, "newest last", got, []string{"01  false true as stored: old", "02 text/css; charset=x false false as stored: new"})
	for _, row := range []struct {
		url, body string
		uncertain bool
	}{
		{"http://h/cached", "cached", false},
		{"http://h/blocked", "blocked by nobody", false},
		{"http://h/cut", "cut", true},
		{"http://h/latin1", "é", true},
		{"http://h/gzip", "plain", false},
		{"http://h/empty", "", false},
		{"http://h/float", "float", false},
		{"http://h/last", "last", false},
	} {
		c := one(t, s, row.url)
		if c.Uncertain != row.uncertain || !c.Time.IsZero() {
			t.Errorf("%s: uncertain %v, time %v", row.url, c.Uncertain, c.Time)
		}
		equal(t, row.url, forms(t, c), []string{"as stored: " + row.body})
	}
	for url, want := range map[string]string{"http://h/to": "/a", "http://h/to2": "a"} {
		if c := one(t, s, url); c.Redirect != want || c.Bodies != nil {
			t.Errorf("%s leads to %q, want %q", url, c.Redirect, want)
		}
	}
	equal(t, "skipped", skips(s), []string{
		"4 × an entry without the body",
		"3 × an entry that is not as HAR has it",
		"2 × an entry without a URL",
		"1 × a part of a file (status 206)",
		"1 × a reply to HEAD",
		"1 × a reply to POST",
		"1 × a reply to an unknown method",
		"1 × a reply without the file (status 304)",
	})
	if got := s.Stats(); got.Kept != 12 || got.Files != 1 {
		t.Errorf("Stats() = %+v", got)
	}
}

// What stands before the damage is used, and the place is said.
func TestHARDamaged(t *testing.T) {
	whole := harOf(entryOf("GET", "http://h/1", 200, `{"text": "one"}`, ""), entryOf("GET", "http://h/2", 200, `{"text": "two"}`, ""))
	second := strings.Index(whole, ",\n")
	dir := t.TempDir()
	for i, damaged := range []string{
		whole[:second], whole[:second+1], whole[:second+20], whole[:second+1] + "?" + whole[second+1:],
		whole[:second+2] + strings.Repeat("[", 20000), whole[:second+2] + "}",
		whole[:second] + "]}", whole[:second] + "]", whole[:second] + "] }?",
		whole[:second] + `], "pages": [{"title": `, whole[:second] + `], "pages": ?`, // what is passed over
	} {
		path := write(t, damaged, dir, fmt.Sprint(i))
		s := opened(t, HAR, path)
		equal(t, damaged, forms(t, one(t, s, "http://h/1")), []string{"as stored: one"})
		equal(t, "skipped", skips(s), []string{"1 × what follows damaged JSON"})
		if where := s.Stats().Skipped[0].First; !strings.HasPrefix(where, path+", offset ") {
			t.Errorf("damage at %q", where)
		}
	}
	// A body that is not in its coding is one error; a file that has changed another.
	path := write(t, harOf(entryOf("GET", "http://h/1", 200, `{"text": "?", "encoding": "base64"}`, ""), entryOf("GET", "http://h/2", 200, `{"text": "two"}`, "")), dir, "x")
	s := opened(t, HAR, path)
	for c, err := range s.Lookup("http://h/1") {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, %v", c, err)
		}
	}
	c := one(t, s, "http://h/2")
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

// A look-up of what a HAR file has very often ends where Find does.
func TestHARHasOneTooOften(t *testing.T) {
	entry := entryOf("GET", "http://h/", 301, `{}`, `, "redirectURL": "a"`)
	s := opened(t, HAR, write(t, harOf(slices.Repeat([]string{entry}, maxKept+5)...), t.TempDir(), "x"))
	if list := found(t, s, "http://h/"); len(list) != maxKept+1 {
		t.Errorf("%d are found, want %d", len(list), maxKept+1)
	}
}

// A body that is not a string, or not at all in base64, is an error; one that is not all in base64 ends in a flaw where that begins.
func TestHARWithBadBody(t *testing.T) {
	s := opened(t, HAR, write(t, harOf(
		entryOf("GET", "http://h/", 200, `{"text": "?", "encoding": "base64"}`, ""),
		entryOf("GET", "http://h/", 200, `{"text": "YSBwYXJ0?", "encoding": "base64"}`, ""),
		entryOf("GET", "http://h/", 200, `{"text": "YSBwYXJ0YQ", "encoding": "base64"}`, ""),
		entryOf("GET", "http://h/", 200, `{"text": 777}`, ""),
		entryOf("GET", "http://h/", 200, `{"text": "good"}`, "")), t.TempDir(), "x"))
	var got []string
	for c, err := range s.Lookup("http://h/") {
		if err != nil {
			got = append(got, "error")
			continue
		}
		data, err := slurp(c.Bodies[0])
		if flaw, ok := errors.AsType[*Flaw](err); ok && strings.Contains(flaw.Reason, "base64") {
			data = append(data, " and a flaw"...)
		} else if err != nil {
			t.Error(err)
		}
		got = append(got, string(data))
	}
	equal(t, "found", got, []string{"error", "error", "a part and a flaw", "a part and a flaw", "good"})
}

// A failingFile has data, and then a disk that fails.
type failingFile struct{ data string }

func (f failingFile) ReadAt(p []byte, at int64) (int, error) {
	if n := copy(p, f.data[min(at, int64(len(f.data))):]); n == len(p) {
		return n, nil
	} else {
		return n, errDisk
	}
}

var errDisk = errors.New("the disk fails")

// A disk that fails is not a file that ends.
func TestDiskFails(t *testing.T) {
	entry := entryOf("GET", "http://h/1", 200, `{"text": "one"}`, "")
	long := `{"log": {"entries": [{"x": "` + strings.Repeat("x", 2*maxHARString)
	for _, data := range []string{"", `{"log": {"entries": [` + entry + ", ", long} {
		h := &har{path: "x", seed: maphash.MakeSeed(), limit: 1 << 20}
		if err := h.index(failingFile{data}); !errors.Is(err, errDisk) {
			t.Errorf("HAR, after %d bytes: %v", len(data), err)
		}
	}
	for n := range len(blink) {
		m := &mhtml{path: "x", parts: map[string][]namedPart{}}
		if err := m.index(io.NewSectionReader(failingFile{blink[:n]}, 0, toEnd)); !errors.Is(err, errDisk) {
			t.Fatalf("MHTML, after %d bytes: %v", n, err)
		}
	}
}

// The limit is for one entry, not for all of them.
func TestHARLimit(t *testing.T) {
	var list []string
	for i := range 100 {
		list = append(list, entryOf("GET", fmt.Sprintf("http://h/%d", i), 200, fmt.Sprintf(`{"text": "%d"}`, i), ""))
	}
	list = append(list, entryOf("GET", "http://h/large", 200, `{"text": "`+strings.Repeat("x", 5000)+`"}`, ""), list[0])
	path := write(t, harOf(list...), t.TempDir(), "x")
	s, err := readHAR(path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	equal(t, "the last one before", forms(t, one(t, s, "http://h/99")), []string{"as stored: 99"})
	equal(t, "skipped", skips(s), []string{"1 × an entry of more than 1000 bytes, and what follows it"})
	var offset int
	if _, err := fmt.Sscanf(s.Stats().Skipped[0].First, path+", offset %d", &offset); err != nil || !strings.HasPrefix(strings.TrimLeft(harOf(list...)[offset:], ", \n"), list[100]) {
		t.Errorf("the large entry is said to be at %s: %v", s.Stats().Skipped[0].First, err)
	}
	if list := found(t, s, "http://h/large"); len(list) > 0 || s.Stats().Kept != 100 {
		t.Errorf("%d found, Stats() = %+v", len(list), s.Stats())
	}
}

// A body of any length is read piece by piece, and what stands before and after it is
// found all the same.
func TestLongHARBody(t *testing.T) {
	// The escapes come to lie on every boundary of what is read at a time.
	const unit = `\ud83d\ude00\\\"é\u00e9\ud83dx`
	const decoded = "😀\\\"é\u00e9x"
	n := 3 * maxHARString / len(unit)
	plain, coded := strings.Repeat(unit, n), base64.StdEncoding.EncodeToString([]byte(strings.Repeat("body", maxHARString)))
	path := write(t, harOf(
		entryOf("GET", "http://h/1", 200, `{"text": "one"}`, ""),
		entryOf("GET", "http://h/plain", 200, `{"x": "`+coded+`", "text": "`+plain+`"}`, ""),
		entryOf("GET", "http://h/2", 200, `{"text": "two"}`, ""),
		entryOf("GET", "http://h/coded", 200, `{"text": "`+coded+`", "encoding": "base64"}`, ""),
		entryOf("GET", "http://h/number", 200, `{"text": 7}`, ""),
		entryOf("GET", "http://h/3", 200, `{"text": "three"}`, ""),
	), t.TempDir(), "x")
	s, err := readHAR(path, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for url, want := range map[string]string{
		"http://h/1": "one", "http://h/2": "two", "http://h/3": "three",
		"http://h/plain": strings.Repeat(strings.Replace(decoded, "x", "\uFFFDx", 1), n), "http://h/coded": strings.Repeat("body", maxHARString),
	} {
		if got := read(t, one(t, s, url).Bodies[0]); got != want {
			t.Errorf("%s: %d bytes, want %d", url, len(got), len(want))
		}
	}
	twice := write(t, harOf(
		entryOf("GET", "http://h/1", 200, `{"x": "`+coded+`", "text": "`+plain+`", "y": "`+plain+`"}`, ""),
		entryOf("GET", "http://h/2", 200, `{"y": "`+plain+`", "x": "`+coded+`", "text": "two"}`, ""),
		entryOf("GET", "http://h/3", 200, `{"text": "three"}`, ""),
	), t.TempDir(), "x")
	two, err := readHAR(twice, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	for url, want := range map[string]string{"http://h/1": strings.Repeat(strings.Replace(decoded, "x", "\uFFFDx", 1), n), "http://h/2": "two", "http://h/3": "three"} {
		if got := read(t, one(t, two, url).Bodies[0]); got != want {
			t.Errorf("%s after long strings: %d bytes, want %d", url, len(got), len(want))
		}
	}
	for _, err := range s.Lookup("http://h/number") {
		if err == nil || !strings.Contains(err.Error(), "not a string") {
			t.Errorf("a number for a body: %v", err)
		}
	}
}

// A long string decodes to what package json makes of it.
func FuzzStringReader(f *testing.F) {
	f.Add(`a\u00e9\ud83d\ude00\ud83d\n\"é`, uint8(3))
	f.Add("\xff\\", uint8(1))
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		text = strings.Repeat(text, min(1+int(n)*100, 1+(1<<20)/(1+len(text)))) // more than what is read at a time
		var want string
		wantErr := json.Unmarshal([]byte(`"`+text+`"`), &want)
		got, err := io.ReadAll(newStringReader(strings.NewReader(text + `"`)))
		if (err == nil) != (wantErr == nil) && !strings.Contains(strings.ReplaceAll(text, `\\`, ""), `"`) || wantErr == nil && string(got) != want {
			t.Errorf("%.100q: %.100q, %v, want %.100q, %v", text, got, err, want, wantErr)
		}
	})
}

func FuzzHAR(f *testing.F) {
	dir := f.TempDir()
	data, err := os.ReadFile(makeHAR(f, dir))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:2000])
	f.Add([]byte(harOf(entryOf("GET", "http://h/", 302, `{"text": "\u00e9\ud800", "encoding": "base64"}`, `, "redirectURL": "x"`))))
	f.Add([]byte(`{"log":{"log":{},"entries":[{}],"entries":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, HAR, dir, data) })
}

// hostile opens a file of any bytes and reads all that can be found in it. What
// Stats counts as kept has to be there.
func hostile(t *testing.T, kind Kind, dir string, data []byte) {
	s, err := Open(kind, write(t, string(data), dir, "x"), Options{})
	if err != nil {
		return
	}
	defer s.Close()
	var urls []string
	switch s := s.(type) {
	case *har:
		for _, p := range s.entries {
			if e, _, err := s.entry(p.span); err != nil {
				t.Error(err)
			} else {
				urls = append(urls, e.Request.URL)
			}
		}
	case *mhtml:
		for _, list := range s.parts {
			for _, p := range list {
				urls = append(urls, p.name)
			}
		}
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
