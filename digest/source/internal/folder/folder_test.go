package folder

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "data", dir, "a.png")
	sourcetest.WriteFile(t, "secret", filepath.Dir(dir), "secret")
	long := strings.Repeat("x", (1<<20)+1)
	path := sourcetest.WriteFile(t,
		"\n# list\r\nhttp://h/a?b\ta.png\r\nHTTP://h:80/a?b\ta.png\nhttp://h/no\tno\nno "+
			"tab\n/rel\ta.png\nhttp://h/s\t../secret\nhttp://h/d\t.\nhttp://h/n\ta\x00b\nhttp://h/e\t\n"+
			long+"\nhttp://h/after\ta.png\n", dir, "list.tsv")
	s := opened(t, path)
	list := sourcetest.Lookup(t, s, "http://h/a?b#c")
	if len(list) != 2 {
		t.Fatalf("found %d times, want 2", len(list))
	}
	for i, want := range []struct{ url, mediaType, where string }{
		{"http://h/a?b", "image/png", path + ", line 3: a.png"},
		{"HTTP://h:80/a?b", "image/png", path + ", line 4: a.png"},
	} {
		t.Run(want.url, func(t *testing.T) {
			if c := list[i]; c.URL != want.url || c.MediaType != want.mediaType || c.Where != want.where || (c.Doubt != "") {
				t.Errorf("%+v, want %+v", c, want)
			}
			sourcetest.Equal(t, "forms", sourcetest.ReadForms(list[i]), []string{`stored "data"`})
		})
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{
		"3 × a line that is not of the form URL, tab, file, with an absolute URL",
		"3 × a missing or unreadable file",
		fmt.Sprintf("1 × a line longer than %d bytes, and all later lines", (1 << 20)),
	})
	if got := s.Stats(); got.Files != 1 || got.Kept != 3 || got.Skipped[1].First != path+", line 5" ||
		got.Skipped[2].First != path+", line 12" {
		t.Errorf("Stats() = %+v", got)
	}
	if list := sourcetest.Lookup(t, s, "http://h/s"); len(list) != 1 ||
		sourcetest.MustRead(t, list[0]) != "secret" {
		t.Errorf("a file next to the folder of the manifest is found %d times, want 1", len(list))
	}
	for _, useless := range []string{"http://h/no\tno\n", long + "\n"} {
		t.Run(useless, func(t *testing.T) {
			if s, err := openList(sourcetest.WriteFile(t, useless, dir, "useless.tsv")); err == nil ||
				!strings.Contains(err.Error(), "line 1") {
				t.Errorf("%.20q opens as %v: %v", useless, s, err)
			}
		})
	}
	absolute := opened(t, sourcetest.WriteFile(t, "http://h/a\t"+filepath.Join(dir, "a.png")+"\n", t.TempDir(),
		"list.tsv"))
	if list := sourcetest.Lookup(t, absolute, "http://h/a"); len(list) != 1 ||
		sourcetest.MustRead(t, list[0]) != "data" {
		t.Errorf("a file with an absolute path is found %d times, want 1", len(list))
	}
}

// A line has a URL with a host, and a file. Line ends do not belong to it.
func TestLine(t *testing.T) {
	for line, want := range map[string]string{
		"http://h/a\tf.gif": "http://h/a|f.gif", "http://h/a\tf.gif\r\n": "http://h/a|f.gif",
		"http://h/a\tf\tx/y\r\n": "http://h/a|f\tx/y", "http://h/a\t\n": "http://h/a|", "file:///a\tf": "file:///a|f",
		"http://h/a": "http://h/a|", "a\tf": "|", "urn:a\tf": "|", "# a\tf": "-", "": "-", " \t\r\n": "-", " # x": "|",
	} {
		t.Run(line, func(t *testing.T) {
			e, ok := parseLine(line)
			got := "-"
			if ok {
				got = e.url + "|" + e.file
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
