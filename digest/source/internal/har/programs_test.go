package har

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// Entries that programs write against the specification are read, or cost only themselves.
func TestEntriesOfPrograms(t *testing.T) {
	const whole = `{"size": 4, "mimeType": "image/gif", "encoding": "base64", "text": "ZGF0YQ=="}`
	for name, row := range map[string]struct {
		entry, data, doubt string
	}{
		"as specified": {sourcetest.HAREntry("GET", "http://h/", 200, whole, ""), "data", ""},
		"lines of base64": {sourcetest.HAREntry("GET", "http://h/", 200, strings.Replace(whole, "ZGF0YQ", `ZGF0\r\nYQ`, 1),
			""), "data", ""},
		"blanks in base64": {sourcetest.HAREntry("GET", "http://h/", 200, strings.Replace(whole, "ZGF0YQ", `Z GF0\tYQ`, 1),
			""), "data", ""},
		"text declared as base64": {sourcetest.HAREntry("GET", "http://h/", 200, `{"size": 5, "encoding": "base64", `+
			`"text": "<svg>"}`, ""), "<svg>", "decoded text"},
		"a file": {sourcetest.HAREntry("GET", "http://h/", 200, `{"size": 9, "mimeType": "image/gif", "_file": "a.gif"}`, ""),
			"GIF89a, a", ""},
		"text": {sourcetest.HAREntry("GET", "http://h/", 200, `{"size": 5, "text": "<svg>"}`, ""), "<svg>", "decoded text"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			sourcetest.WriteFile(t, "GIF89a, a", dir, "a.gif")
			next := sourcetest.HAREntry("GET", "http://h/next", 200, `{"text": "next"}`, "")
			s := openFile(t, New(sourcetest.WriteFile(t, sourcetest.HAR(row.entry, next), dir, "x.har")))
			c := sourcetest.LookupOne(t, s, "http://h/")
			if got := sourcetest.MustRead(t, c); got != row.data || (c.Doubt == "") != (row.doubt == "") ||
				!strings.Contains(c.Doubt, row.doubt) || c.Status != 200 {
				t.Errorf("%q, status %d, doubt %q", got, c.Status, c.Doubt)
			}
			if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, "http://h/next")); got != "next" {
				t.Errorf("the next entry has %q", got)
			}
		})
	}
}

// A HAR file names no files in other folders.
func TestAttachedFileElsewhere(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "secret", dir, "a.gif")
	for _, name := range []string{"../a.gif", filepath.ToSlash(filepath.Join(dir, "a.gif")), "gone.gif"} {
		s, _ := opened(t, sourcetest.HAREntry("GET", "http://h/", 200, fmt.Sprintf(`{"_file": %q}`, name), ""))
		for c, err := range s.Lookup("http://h/") {
			if err == nil {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}
