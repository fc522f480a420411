package har

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// The limit is for one entry. An entry that exceeds it hides the entries after it.
func TestHARLimit(t *testing.T) {
	entry := func(url, text string) string { return sourcetest.HAREntry("GET", url, 200, `{"text": "`+text+`"}`, "") }
	all := sourcetest.HAR(entry("http://h/1", "one"), entry("http://h/2", strings.Repeat("x", 90_000)),
		entry("http://h/large", strings.Repeat("x", 900_000)), entry("http://h/3", "three"))
	path := sourcetest.WriteFile(t, all, t.TempDir(), "x")
	s := openFile(t, &File{path, 200_000})
	for url, want := range map[string]int{"http://h/1": 1, "http://h/2": 1, "http://h/large": 0, "http://h/3": 0} {
		if got := len(sourcetest.Lookup(t, s, url)); got != want {
			t.Errorf("%s is found %d times", url, got)
		}
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × an entry larger than 200000 bytes, and all later entries"})
	if got := s.Stats(); !got.Lost || got.Kept != 2 || got.Capped() == nil {
		t.Errorf("%+v", got)
	}
}

// An invalid entry costs only itself. Damage of the list hides later entries.
func TestDamagedEntry(t *testing.T) {
	good := sourcetest.HAREntry("GET", "http://h/good", 200, `{"text": "good"}`, "")
	next := strings.ReplaceAll(good, "good", "next")
	const invalid, damaged = "1 × an entry with invalid JSON, or a value of the wrong type",
		"1 × damaged JSON, and all later entries"
	for name, row := range map[string]struct {
		entry, skipped string
		next           int
	}{
		"a missing comma":   {strings.Replace(good, ", ", " ", 1), invalid, 1},
		"an unknown word":   {`{"request": nil}`, invalid, 1},
		"an invalid escape": {`{"request": "\x"}`, invalid, 1},
		"a comma too much":  {`{"request": {},}`, invalid, 1},
		"a number":          {`{"time": NaN}`, invalid, 1},
		"a value of a type": {`{"request": 7}`, invalid, 1},
		"a number as value": {`{"response": {"headers": [{"name": "Age", "value": 7}]}}`, invalid, 1},
		"a status as text":  {`{"response": {"status": "200"}}`, invalid, 1},
		"no object":         {`7`, invalid, 1},
		"two ends":          {`7}`, damaged, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := opened(t, good, row.entry, next)
			sourcetest.LookupOne(t, s, "http://h/good")
			sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{row.skipped})
			if !s.Stats().Lost {
				t.Error("not lost")
			}
			if list := sourcetest.Lookup(t, s, "http://h/next"); len(list) != row.next {
				t.Errorf("%d after the damage", len(list))
			}
		})
	}
}
