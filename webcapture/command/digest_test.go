package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Names that are hard to write on one line.
var hardNames = []string{"plain", "with space", " blank first", "back\\slash", "new\nline", "return\r", "\\n",
	"comma,comma", "MD5 (x) = y", "*star", "#hash", "\xff\xfe", "ümlaut"}

// md5sum reads the output of webcap digest, and writes the same.
func TestMD5Sum(t *testing.T) {
	md5sum := webcapturetest.Program(t, "md5sum")
	t.Chdir(t.TempDir())
	var names []string
	for _, name := range hardNames {
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			t.Logf("%q: %v", name, err)
			continue
		}
		names = append(names, name)
	}
	var ours bytes.Buffer
	if code, stderr := run(nil, &ours, append([]string{"digest", "--"}, names...)...); code != exitClean {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	theirs, err := exec.Command(md5sum, append([]string{"--"}, names...)...).Output()
	if err != nil || !bytes.Equal(theirs, ours.Bytes()) {
		t.Errorf("webcap digest writes\n%swant\n%s%v", ours.String(), theirs, err)
	}
}

// No bytes of a name that could move the cursor reach a terminal.
func TestDigestOnTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	const name = "a\x1b[31m"
	if runtime.GOOS == "windows" {
		t.Skip("no file can have such a name")
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := &program{stderr: io.Discard, stdout: bufio.NewWriter(&out), width: 80}
	if err := p.run(context.Background(), []string{"webcap", "digest", name}); err != nil {
		t.Fatal(err)
	}
	p.stdout.Flush()
	if got, want := out.String(), "d41d8cd98f00b204e9800998ecf8427e  a\\x1b[31m\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

// The media type of a page follows from the extension of its name, in any case. Other names are those of HTML.
func TestMediaTypeOf(t *testing.T) {
	for name, want := range map[string]string{"a.css": "text/css", "a.PDF": "application/pdf", "b.svg": "image/svg+xml",
		"a.b.txt": "text/plain", "a.xht": "application/xhtml+xml", "a.xhtml": "application/xhtml+xml",
		"a.html": "text/html", "a.htm": "text/html", "css": "text/html", "-": "text/html", "": "text/html"} {
		if got := mediaTypeOf(name); got != want {
			t.Errorf("mediaTypeOf(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDigestBrokenStdin(t *testing.T) {
	for _, args := range [][]string{{"-"}, {"--page", "-"}, {"--text", "-"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			code, stderr := run(iotest.ErrReader(errors.New("gone")), io.Discard,
				append([]string{"digest"}, args...)...)
			if code != exitFailed || !strings.HasPrefix(stderr, "webcap: -: ") || !strings.Contains(stderr, "gone\n") {
				t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
			}
		})
	}
}

func TestDigestFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.html")
	if err := os.WriteFile(file, []byte("<img src=a>"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, args := range [][]string{{file}, {"--page", "--explain", file}, {"--format", "json", file}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			code, stderr := run(nil, &fullWriter{1}, append([]string{"digest"}, args...)...)
			if want := "webcap: cannot write the results: no space left on device\n"; code != exitFailed ||
				!strings.HasSuffix(stderr, want) {
				t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
			}
		})
	}
}

// An interrupt also ends the reading of an endless file.
func TestDigestIsInterruptedWithinAFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-"}, {"--text", "-"}, {"--page", "-"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			p := &program{stdin: &stoppableReader{line: "no digest\n", then: func() { cancel(errInterrupted) }},
				stderr: io.Discard, stdout: bufio.NewWriter(io.Discard)}
			if err := p.run(ctx, append([]string{"webcap", "digest"}, args...)); err != errInterrupted {
				t.Errorf("%v: %v, want %v", args, err, errInterrupted)
			}
		})
	}
}

// Parts of the MD5 of a page and other readings are shown only with --explain.
func TestDigestExplainsOnRequest(t *testing.T) {
	page := filepath.Join(t.TempDir(), "a.html")
	if err := os.WriteFile(page, []byte("<img src=a.gif> <b>text</b>"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"--page", "--text"} {
		for _, explain := range []bool{false, true} {
			args := []string{"digest", "-f", "json", kind, page}
			if explain {
				args = append(args, "--explain")
			}
			var out bytes.Buffer
			if code, stderr := run(nil, &out, args...); code != exitClean {
				t.Errorf("%q: exit %d: %s", args, code, stderr)
			}
			for member, want := range map[string]bool{"pieces": explain && kind == "--page",
				"otherReadings": explain && kind == "--text", "reading": true} {
				if got := strings.Contains(out.String(), `"`+member+`":`); got != want {
					t.Errorf("%q: member %s: %v\n%s", args, member, got, out.String())
				}
			}
		}
	}
}
