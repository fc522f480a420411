package command

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A file has unique names, only others, or none. A file without identifiers, or one that cannot be read, says so.
func TestOutcomesOfNameFind(t *testing.T) {
	t.Chdir(t.TempDir())
	const set = "5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU (http://a.example/) >> >>"
	const names = "names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> "
	for _, tt := range []struct {
		name, objects string
		cut           int // bytes at the end
		code          int
		outcome, says string
	}{
		{"unique", uniqueNames, 0, exitClean, "found", ""},
		{"others", names + "/Dests << /Names [ (a) null (b) null ] >> >>\n" + set, 0, exitNothing, "none",
			"2 names, none with an identifier"},
		{"no names", names + ">>\n" + set, 0, exitNothing, "none", "the file has no names of destinations or fields"},
		{"no database", "catalog: << /Type /Catalog >>\n", 0, exitNothing, "none",
			"no Web Capture content database, so no unique names"},
		{"cut off", uniqueNames, 40, exitFailed, "partial", "1 part could not be read"},
		{"cut off before the catalog", uniqueNames, 650, exitFailed, "error", ""},
		{"unreadable part", names + ">>\n5 0 obj << /S /SPS /ID <a0a1 /O ] >>", 0, exitFailed, "partial",
			"1 part could not be read, the first: content set 5 0 R: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := webcapturetest.Parse(tt.objects)
			if err != nil {
				t.Fatal(err)
			}
			data := doc.Bytes(webcapturetest.Layout{})
			if err := os.WriteFile("a.pdf", data[:len(data)-tt.cut], 0o666); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			code, stderr := run(nil, &out, "name", "find", "-f", "json", "a.pdf")
			if code != tt.code || !strings.Contains(out.String(), fmt.Sprintf(`"outcome":%q`, tt.outcome)) {
				t.Errorf("exit %d, want %d and %s:\n%s", code, tt.code, tt.outcome, out.String())
			}
			if quiet := tt.code == exitClean; quiet != (stderr == "") ||
				!quiet && !strings.HasPrefix(stderr, "webcap: a.pdf: "+tt.says) {
				t.Errorf("it says %q, want %q", stderr, tt.says)
			}
		})
	}
}
