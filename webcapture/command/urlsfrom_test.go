package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// A list of URLs from standard input or a file has one URL or ID a line. Spaces around them, empty lines, and the end
// of the last line do not matter.
func TestURLsFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", brokenKey)
	longest := "http://a.example/" + strings.Repeat("a", maxPath-len("http://a.example/\n"))
	for _, tt := range []struct {
		name, in string
		queries  int // 0 for a wrong list
		says     string
	}{
		{"one", "http://a.example/", 1, ""},
		{"lines", "http://a.example/\n\r\n  http://b.example/ \r\n\na0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n\n", 3, ""},
		{"empty", "", 0, "webcap: find: LIST lists no URLs\n"},
		{"only lines", "\n \n", 0, "webcap: find: LIST lists no URLs\n"},
		{"longest", longest + "\nhttp://a.example/\n", 2, ""},
		{"too long", "http://a.example/\nx" + longest + "\n", 0,
			"webcap: find: cannot read the list of URLs: LIST: a line is longer than 65536 bytes\n"},
		{"wrong", "http://a.example/\n/b\nhttp://a.example/", 0, "webcap: find: cannot look for \"/b\": "},
		{"wrong at the end", "http://a.example/\n/b", 0, "webcap: find: cannot look for \"/b\": "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile("list", []byte(tt.in), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, list := range []string{"-", "list"} {
				var out bytes.Buffer
				code, stderr := run(strings.NewReader(tt.in), &out, "find", "-f", "json", "--urls-from", list, "a.pdf")
				if (code == exitUsage) != (tt.queries == 0) || code == exitFailed ||
					!strings.HasPrefix(stderr, strings.ReplaceAll(tt.says, "LIST", list)) || (stderr == "") != (tt.says == "") {
					t.Errorf("%s: exit %d, it says %q", list, code, stderr)
				}
				if want := fmt.Sprintf(`"queries":%d,`, tt.queries); tt.queries > 0 && !strings.Contains(out.String(), want) {
					t.Errorf("%s: no %s in\n%.2000s", list, want, out.String())
				}
			}
		})
	}
	code, stderr := run(iotest.ErrReader(errors.New("bad disk")), io.Discard, "find", "--urls-from", "-", "a.pdf")
	if want := "webcap: find: cannot read the list of URLs: -: bad disk\n"; code != exitUsage ||
		!strings.HasPrefix(stderr, want) {
		t.Errorf("exit %d, it says %q, want %q", code, stderr, want)
	}
}

// Standard input is not closed by a command that reads a list from it.
func TestStandardInputStaysOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", brokenKey)
	writeFiles(t, map[string]string{"list": "a.pdf\n"})
	stdin, err := os.Open("list")
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if code, stderr := run(stdin, io.Discard, "list", "--files-from", "-"); code != exitClean {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, err := stdin.Stat(); err != nil {
		t.Errorf("standard input is closed: %v", err)
	}
}
