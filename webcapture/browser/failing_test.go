//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The list of captures has the parts of it that could not be read. It is the list of the command line.
func TestCapturesWithUnreadParts(t *testing.T) {
	const set = "names: << /IDS << /Names [ <00112233445566778899aabbccddeeff> 5 0 R ] >> >>\n9 0 obj << /Broken ] >>\n"
	for name, objects := range map[string]string{
		"a title":       "5 0 obj << /S /SPS /O [ ] /T 9 0 R >>\n",
		"a content set": "5 0 obj << /S /SPS /O [ ] /SI 9 0 R >>\n",
	} {
		t.Run(name, func(t *testing.T) {
			d, err := webcapturetest.Parse(set + objects)
			if err != nil {
				t.Fatal(err)
			}
			r := request{Op: "captures", Format: "ndjson", Out: outIn(t, "out"),
				Paths: []string{fileWith(t, "unread.pdf", d.Bytes(webcapturetest.Layout{}))}}
			ask[written](t, r)
			got := string(read(t, r.Out))
			if !strings.Contains(got, `"unread":[{`) && !strings.Contains(got, `"type":"unread"`) {
				t.Errorf("no part is unread in %s", got)
			}
			var want, errs bytes.Buffer
			command.Run([]string{"webcap", "list", "--format", "ndjson", r.Paths[0]}, strings.NewReader(""), &want, &errs)
			plain := regexp.MustCompile(`"sha256":"[0-9a-f]*",`)
			if want := plain.ReplaceAllString(want.String(), ""); got != want {
				t.Errorf("the list is\n%swant\n%s", got, want)
			}
		})
	}
}

// A capture is listed once, even if the file turns out to be damaged after the first captures.
func TestCapturesOfAFileThatIsDamagedLater(t *testing.T) {
	const text = "names: << /IDS << /Names [ (a) 5 0 R (b) 6 0 R ] >> >>\n5 0 obj << /S /SIS /ID (a) /O [ ] >>\n" +
		"6 0 obj << /S /SIS /ID (b) /O [ ] /T 9 0 R >>\n9 0 obj (77)\n"
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	whole := d.Bytes(webcapturetest.Layout{})
	entry := func(at int) []byte { return fmt.Appendf(nil, "%010d 00000 n", at) }
	at := bytes.Index(whole, []byte("9 0 obj"))
	broken := bytes.Replace(whole, entry(at), entry(at+1), 1) // only the list reads this title
	for _, data := range [][]byte{whole, broken} {
		r := request{Op: "captures", Format: "ndjson", Out: outIn(t, "out"), Paths: []string{fileWith(t, "a.pdf", data)}}
		ask[written](t, r)
		got := string(read(t, r.Out))
		if n := strings.Count(got, `"kind":"image"`); n != 2 || !strings.Contains(got, `"title":"77"`) {
			t.Errorf("%d images, want 2, one of them with the title 77: %s", n, got)
		}
	}
}

// If one read of a file fails, and the next ones do not, the file has an error and no results, or all results.
func TestFailingReadHasNoResults(t *testing.T) {
	path := clean(t)
	for name, r := range map[string]request{
		"audit": {}, "captures": {Format: "ndjson"}, "find": {Format: "ndjson", Query: "http://h/"},
	} {
		t.Run(name, func(t *testing.T) {
			r.Path, r.Paths, r.Out = path, []string{path}, outIn(t, "out")
			c := webcapturetest.NewFailingReads()
			run := func(at int) string {
				c.FailAt(at, false)
				os.Remove(r.Out)
				answer, err := operations[name](c, &r, func(string) {})
				out, _ := os.ReadFile(r.Out)
				text := string(encode(answer)) + fmt.Sprint(err) + string(out)
				return regexp.MustCompile(`"seconds":[^,}]*`).ReplaceAllString(text, "")
			}
			whole := run(0)
			reads := c.Reads()
			for at := range reads {
				got := run(at + 1)
				failed := strings.Contains(got, "the disk failed") && strings.Contains(got, `"outcome":"error"`)
				if got != whole && (!failed || strings.Contains(got, `"database"`) || strings.Contains(got, `"kind":"page"`)) {
					t.Fatalf("read %d of %d fails: %.900s\nwant\n%.900s", at+1, reads, got, whole)
				}
			}
		})
	}
}

// held returns the path of a repairable PDF that is large enough to be mapped while it is open.
func held(t *testing.T) string {
	t.Helper()
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (HTTP://a.example/) 5 0 R ] >> >>\n" +
		"5 0 obj << /S /SPS /O [ ] /SI << /AU (http://a.example/) >> >>\n")
	if err != nil {
		t.Fatal(err)
	}
	d.AddStream("", make([]byte, 2<<20))
	path, err := filepath.EvalSymlinks(fileWith(t, "held.pdf", d.Bytes(webcapturetest.Layout{})))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// isMapped reports whether a file is mapped. Only Linux shows that, with real paths.
func isMapped(path string) bool {
	maps, _ := os.ReadFile("/proc/self/maps")
	return strings.Contains(string(maps), path)
}

// A plan that fails at any time releases its file.
func TestFailedPlanReleasesItsFile(t *testing.T) {
	path := held(t)
	refused(t, request{Op: "plan", Path: path, Without: []int{99}})
	if isMapped(path) {
		t.Error("after a step that the plan lacks, the file is still mapped")
	}
	c := webcapturetest.NewFailingReads()
	for at, last := 0, 1<<30; at <= last; at = max(at+1, at*11/10) {
		c.FailAt(at, true)
		p, err := openPlan(c, &request{Path: path, Without: []int{0}})
		if at == 0 {
			last = c.Reads()
			if !isMapped(path) && runtime.GOOS == "linux" {
				t.Fatalf("%v, an open file is not mapped, so this test sees nothing", err)
			}
		}
		if err == nil {
			p.Close()
		}
		if isMapped(path) {
			t.Fatalf("after a failure at read %d of %d (%v), the file is still mapped", at, last, err)
		}
	}
}
