package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// Two paths are the same file under any name, also before it exists.
func TestSameFile(t *testing.T) {
	t.Chdir(t.TempDir())
	err := errors.Join(os.Mkdir("in", 0o777), os.Mkdir("out", 0o777), os.WriteFile("a", nil, 0o666),
		os.WriteFile("in/a", nil, 0o666), os.WriteFile("in/b", nil, 0o666))
	if err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink("in", "link") == nil && os.Link("in/a", "out/hard") == nil
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"a", "a", true}, {"a", "./a", true}, {"a", "in/../a", true}, {"a", "in/a", false}, {"in/a", "in/b", false},
		{"gone", "gone", true}, {"gone", "./gone", true}, {"gone/a", "gone/b", false}, {"gone", "a", false},
		{"a", "gone", false}, {"in/new", "in/new2", false}, {"in/new", "out/new", false}, {"gone/new", "other/new", false},
		{"in/new", "gone/new", false}, {"gone/new", "in/new", false}, {"link/a", "in/a", linked},
		{"link/new", "in/new", linked}, {"out/hard", "in/a", linked},
		{"link/new", "out/new", false}, {"link/new", "in/other", false}, {"in/hard", "out/hard", false},
	} {
		if got := sameFile(tt.a, tt.b); got != tt.want {
			t.Errorf("sameFile(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

// The time of results that are made of others is that of the newest. Standard input is as new as can be.
func TestTimeOfResults(t *testing.T) {
	dir := t.TempDir()
	older, newer := resultsOf(t, dir, "old.json"), resultsOf(t, dir, "new.json")
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	err := errors.Join(os.Chtimes(older, at, at.Add(-time.Hour)), os.Chtimes(newer, at, at))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	for _, tt := range []struct {
		paths []string
		want  time.Time // zero for now
	}{
		{[]string{older}, at.Add(-time.Hour)}, {[]string{older, newer}, at}, {[]string{newer, older}, at},
		{[]string{older, "-"}, time.Time{}}, {[]string{"-", newer}, time.Time{}},
	} {
		s := &joinedResults{p: &program{stdin: bytes.NewReader(text), stderr: new(strings.Builder)}}
		s.open(context.Background(), tt.paths)
		if s.close(); !tt.want.IsZero() && !s.when.Equal(tt.want) || tt.want.IsZero() && s.when.Before(started) {
			t.Errorf("%q: %v, want %v", tt.paths, s.when, tt.want)
		}
	}
}
