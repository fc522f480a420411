package har

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestDiskFails: an error of the disk is not reported as the end of the file.
func TestDiskFails(t *testing.T) {
	entry := sourcetest.HAREntry("GET", "http://h/1", 200, `{"text": "one"}`, "")
	whole := sourcetest.HAR(entry, entry)
	for n := range whole {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := &splitter{limit: 1 << 20, found: func(int64, []byte) {}}
			in := io.NewSectionReader(sourcetest.FailingFile{Data: whole[:n]}, 0, 1<<20)
			if err := s.read(bufio.NewReader(in)); !errors.Is(err, sourcetest.ErrDisk) {
				t.Errorf("after %d bytes: %v", n, err)
			}
		})
	}
}

// The limit is for one entry, and an entry that exceeds it costs only itself.
func TestHARLimit(t *testing.T) {
	entry := func(url, text string) string { return sourcetest.HAREntry("GET", url, 200, `{"text": "`+text+`"}`, "") }
	large := entry("http://h/large", strings.Repeat("x", 5000))
	all := sourcetest.HAR(entry("http://h/1", "one"), large, entry("http://h/2", "two"))
	path := sourcetest.WriteFile(t, all, t.TempDir(), "x")
	s := openFile(t, &File{path, 1000})
	for url, want := range map[string]string{"http://h/1": "one", "http://h/2": "two"} {
		if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, url)); got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × an entry larger than 1000 bytes"})
	if got := s.Stats(); !got.Lost || got.Kept != 2 ||
		got.Skipped[0].First != fmt.Sprintf("%s, offset %d", path, strings.Index(all, large)) {
		t.Errorf("%+v", got)
	}
}

// A damaged entry costs only itself.
func TestDamagedEntry(t *testing.T) {
	good := sourcetest.HAREntry("GET", "http://h/good", 200, `{"text": "good"}`, "")
	next := strings.ReplaceAll(good, "good", "next")
	for name, row := range map[string]struct{ damaged, skipped string }{
		"a missing comma":   {strings.Replace(good, ", ", " ", 1), "an entry with damaged JSON"},
		"an unknown word":   {`{"request": nil}`, "an entry with damaged JSON"},
		"an invalid escape": {`{"request": "\x"}`, "an entry with damaged JSON"},
		"a comma too much":  {`{"request": {},}`, "an entry with damaged JSON"},
		"a value of a type": {`{"request": 7}`, "an entry with a value of the wrong type"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := opened(t, good, row.damaged, next)
			sourcetest.LookupOne(t, s, "http://h/good")
			sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × " + row.skipped})
			if !s.Stats().Lost {
				t.Error("not lost")
			}
			if list := sourcetest.Lookup(t, s, "http://h/next"); len(list) == 0 || sourcetest.MustRead(t, list[0]) != "next" {
				t.Errorf("%d after the damage", len(list))
			}
		})
	}
}

// FuzzSplitter: in valid JSON, the objects in log.entries are found as encoding/json finds them.
func FuzzSplitter(f *testing.F) {
	f.Add(sourcetest.HAR(`{"a": "\"}]"}`, `{"b": [{}]}`, "7", `"x"`, "[1]"))
	f.Add(`{"log": [], "x": {"log": {"entries": [{}]}}, ` +
		`"log": {"entries": {}, "x": [[]], "entries": [{}, {"entries": [{}]}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var got []string
		s := &splitter{limit: 1 << 20, found: func(_ int64, data []byte) { got = append(got, string(data)) }}
		err := s.read(bufio.NewReader(strings.NewReader(text)))
		var all struct {
			Log struct{ Entries []json.RawMessage }
		}
		if json.Unmarshal([]byte(text), &all) != nil || strings.Count(text, "entries") > 1 ||
			!strings.Contains(text, `"log"`) || !strings.Contains(text, `"entries"`) {
			return
		}
		var want []string
		for _, e := range all.Log.Entries {
			if e[0] == '{' {
				want = append(want, string(e))
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	})
}

var _ = capture.Request
