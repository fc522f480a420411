package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// With --form, the output is for scripts, which get bytes; a terminal gets escapes.
func TestNameEncodeOnTerminal(t *testing.T) {
	args := []string{"webcap", "name", "encode", "--form", "destination-prefix", "--id",
		"1b5b33316d102030405060708090a0b0", "top\x07"}
	for _, row := range []struct {
		width int
		want  string
	}{
		{0, "\x1b[31m\x10 0@P`p\x80\x90\xa0\xb0top\x07\n"},
		{80, `\x1b[31m\x10 0@P` + "`" + `p\x80\x90\xa0\xb0top\x07` + "\n"},
	} {
		t.Run(row.want, func(t *testing.T) {
			var out bytes.Buffer
			p := &program{stdout: bufio.NewWriter(&out), stderr: &out, width: row.width}
			if err := p.run(context.Background(), args); err != nil {
				t.Fatal(err)
			}
			if p.stdout.Flush(); out.String() != row.want {
				t.Errorf("width %d: %q, want %q", row.width, out.String(), row.want)
			}
		})
	}
}

func TestNameDecodeReadErrors(t *testing.T) {
	bad := errors.New("bad disk")
	var out bytes.Buffer
	code, stderr := run(iotest.ErrReader(bad), &out, "name", "decode", "-")
	if code != exitFailed || stderr != "webcap: -: bad disk\n" {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
}

// A name of any length and bytes is split, and printed on one line.
func TestNameDecodeHostile(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("A", 1<<20), strings.Repeat(`\0`, 1<<19), strings.Repeat("\xff", 1<<20),
		"\x1b]0;t\a" + strings.Repeat("\x00\\p", 1<<10),
	} {
		t.Run(name, func(t *testing.T) {
			var table, document bytes.Buffer
			run(strings.NewReader(name+"\n"), &table, "name", "decode", "-")
			if strings.ContainsAny(table.String(), "\x1b\a\x00") || !strings.Contains(table.String(), "\n") {
				t.Errorf("%.20q…: table %.60q…", name, table.String())
			}
			run(strings.NewReader(name), &document, "name", "decode", "--format=json", "-")
			if !json.Valid(document.Bytes()) || bytes.Count(document.Bytes(), []byte("\n")) != 1 {
				t.Errorf("%.20q…: not a line of JSON: %.60q…", name, document.String())
			}
		})
	}
}

// A file whose cross-reference data is wrong is searched for objects.
func TestNameFindRepairs(t *testing.T) {
	doc, err := webcapturetest.Parse(`names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> /Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> null ] >> >>
		5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU (http://a.example/) >> >>`)
	if err != nil {
		t.Fatal(err)
	}
	file := doc.Bytes(webcapturetest.Layout{})
	shifted := bytes.Replace(file, []byte("5 0 obj"), []byte("    5 0 obj"), 1)
	for name, data := range map[string][]byte{"whole": file, "shifted": shifted} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(bytes.NewReader(data), &out, "name", "find", "-")
			if code != exitClean || stderr != "" || !strings.Contains(out.String(), "page set 5 0 R  top") {
				t.Errorf("%s: exit %d, stderr %q\n%s", name, code, stderr, out.String())
			}
		})
	}
}

// An interrupted run reports that it is not complete.
func TestNameFindInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	p := &program{stdout: bufio.NewWriter(&out), stderr: &out}
	err := p.run(ctx, []string{"webcap", "name", "find", "--format=json", "a.pdf"})
	if p.stdout.Flush(); !errors.Is(err, errInterrupted) ||
		!strings.Contains(out.String(), `"inputs":0,"total":0,"names":0,"foreign":0,"complete":false`) {
		t.Errorf("error %v, output\n%s", err, out.String())
	}
}

// Endless input of names can be interrupted.
func TestNameDecodeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &program{stdin: &stoppableReader{line: "top\n", then: func() { cancel(errInterrupted) }},
		stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	if err := p.run(ctx, []string{"webcap", "name", "decode", "-"}); err != errInterrupted {
		t.Errorf("%v, want %v", err, errInterrupted)
	}
}

// stoppableReader repeats one line, and calls then each time.
type stoppableReader struct {
	line string
	then func()
}

func (u *stoppableReader) Read(b []byte) (int, error) { u.then(); return copy(b, u.line), nil }

// The unique names of real files, for each version of Acrobat that made some.
func TestNameFindCorpus(t *testing.T) {
	corpus := root + "/../shared/corpus/real/"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus next to the repository")
	}
	for _, row := range []struct{ file, head, line string }{
		{"UglyToad+PdfPig__0000505__9a796d00.pdf", ": 6 of 6 names unique\n",
			"  form field             field-root  prefix  63b029fa8709a89cdd65749ee8fe477c  page set 80 0 R               (GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM)\n"},
		{"apache+pdfbox__PDFBOX-5840-410609__a7937dca.pdf", ": 5 of 5 names unique\n",
			"  destination  destination-prefix  prefix  6aff6ffde16c22ad173845d2aad0b489  page set 71 0 R  gen       <6aff6ffde16c22ad173845d2aad0b48967656e>\n"},
		{"openpreserve+format-corpus__webCapture__35d1bb87.pdf", ": 33 of 37 names unique\n",
			"  page set 293 0 R  footer  "},
		{"pdfcpu+pdfcpu__sample01__6efb7a38.pdf", ": 2 of 3 names unique\n", "  page set 128 0 R  skip2content  "},
	} {
		t.Run(row.file, func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(nil, &out, "name", "find", corpus+row.file)
			if code != exitClean || stderr != "" || !strings.Contains(out.String(), row.head) ||
				!strings.Contains(out.String(), row.line) {
				t.Errorf("exit %d, stderr %q, output\n%s", code, stderr, out.String())
			}
		})
	}
}

func TestNameDecodeTooLong(t *testing.T) {
	for _, n := range []int{maxLine, maxLine + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(strings.NewReader(strings.Repeat("x", n)+"\n"), &out, "name", "decode", "-")
			if long := n > maxLine; long != (code == exitFailed) ||
				long != strings.Contains(stderr, "line 1 is longer than") {
				t.Errorf("%d bytes: exit %d, %.200s", n, code, stderr)
			}
		})
	}
}
