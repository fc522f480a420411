package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A file may have more image sets than page sets. Each has a line.
func TestListOfImages(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", `names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 6 0 R ] >> >>
5 0 obj << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 7 0 R ] /SI << /AU (http://a.example/) >> >>
6 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>`)
	var out strings.Builder
	code, stderr := run(nil, &out, "list", "-f", "csv", "a.pdf")
	if code != exitClean || strings.Count(out.String(), ",image,") != 2 {
		t.Errorf("exit %d, it says %q, output\n%s", code, stderr, out.String())
	}
}

// A list that does not fit into memory needs a temporary file. A file without one fails, and says why.
func TestListWithoutTemporaryFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	large := webcapturetest.Sets(6000, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	if err := os.WriteFile("large.pdf", large, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "gone")) // of Windows
	for _, format := range []string{"csv", "json", "ndjson"} {
		var out bytes.Buffer
		code, stderr := run(nil, &out, "list", "-f", format, "large.pdf")
		if code != exitFailed || !strings.Contains(stderr, "temporary file: ") ||
			strings.Contains(out.String(), "http://") {
			t.Errorf("%s: exit %d, it says %q, %d bytes of output", format, code, stderr, out.Len())
		}
	}
}

// If the reader of a list is gone, the rest of the file is not read.
func TestListWithoutReader(t *testing.T) {
	t.Chdir(t.TempDir())
	large := webcapturetest.Sets(2000, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	if err := os.WriteFile("large.pdf", large, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"keys large.pdf", "keys -f json large.pdf", "list large.pdf",
		"list -f csv large.pdf"} {
		var whole bytes.Buffer
		if code, stderr := run(nil, &whole, strings.Fields(args)...); code != exitClean {
			t.Fatalf("%s: exit %d: %s", args, code, stderr)
		}
		for _, n := range []int{0, whole.Len() / 2, whole.Len() - 100} {
			p := &program{stdout: bufio.NewWriter(&fullWriter{n}), stderr: io.Discard}
			err := p.run(t.Context(), append([]string{"webcap"}, strings.Fields(args)...))
			if err == nil { // what is left fits into the buffer
				err = cannotWrite(p.stdout.Flush())
			}
			if !errors.Is(err, errWrite) || !strings.HasSuffix(err.Error(), "no space left on device") {
				t.Errorf("%s with room for %d of %d bytes: %v", args, n, whole.Len(), err)
			}
		}
	}
}

// The list of a small file is bounded, even if its page sets share a long title: the rest is omitted, and that is said.
func TestListIsBounded(t *testing.T) {
	t.Chdir(t.TempDir())
	const sets, title = 1600, 60_000
	var doc strings.Builder
	doc.WriteString("names: << /IDS << /Names [")
	for i := range sets {
		fmt.Fprintf(&doc, " <%032x> %d 0 R", i+1, 10+i)
	}
	doc.WriteString(" ] >> >>\n3 0 obj (" + strings.Repeat("t", title) + ")\n")
	for i := range sets {
		fmt.Fprintf(&doc, "%d 0 obj << /S /SPS /ID <%032x> /O [ ] /T 3 0 R /SI << /AU (http://h/) >> >>\n", 10+i, i+1)
	}
	writePDF(t, "a.pdf", doc.String())
	f, err := webcapture.Open(t.Context(), "a.pdf", webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &captureLister{writer: show.NewCaptureWriter("ndjson", io.Discard, 0, "v1")}
	rows, rep, err := l.read(f)
	if err != nil || len(rep.Unread) != 1 || rep.Unread[0].Err != (meter.Over{}) {
		t.Fatalf("%v, unread %v", err, rep.Unread)
	}
	defer rows.Close()
	if n := rows.Count; n >= sets || n < sets/4 {
		t.Errorf("%d rows of %d", n, sets)
	}
}

// If standard output is full, list, find, and keys do not read further files.
func TestListsStopWithoutOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 100 {
		writePDF(t, fmt.Sprintf("%d.pdf", i), uniqueNames)
	}
	for _, command := range []string{"list -f csv", "find -f ndjson http://a.example/", "keys -f csv"} {
		stderr := new(strings.Builder)
		p := &program{stdout: bufio.NewWriter(&fullWriter{0}), stderr: stderr}
		err := p.run(t.Context(), strings.Fields("webcap "+command+" -j 1 ."))
		if !errors.Is(err, errWrite) || p.files.files.Load() != 1 {
			t.Errorf("%s: %v after %d files, want an error after 1; %s", command, err, p.files.files.Load(), stderr)
		}
	}
}
