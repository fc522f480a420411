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

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Names that are hard to write on one line.
var hardNames = []string{"plain", "with space", " blank first", "back\\slash", "new\nline", "return\r", "\\n",
	"comma,comma", "MD5 (x) = y", "*star", "#hash", "\xff\xfe", "ümlaut"}

func TestSumLines(t *testing.T) {
	id, _ := digest.Parse("00412e5cff102030405060708090a0b0")
	for _, name := range hardNames {
		line := (&program{}).sumLine(id, name)
		if strings.ContainsAny(line, "\n\r") {
			t.Errorf("%q gives %q, which is not a line", name, line)
		}
		if got, back, ok := parseSum(line); !ok || got != id || back != name {
			t.Errorf("parseSum(%q) = %v, %q, %t, want %v, %q", line, got, back, ok, id, name)
		}
	}
}

func TestParseSum(t *testing.T) {
	const sum = "00412e5cff102030405060708090a0b0"
	for _, f := range []struct{ line, name string }{
		{sum + "  a", "a"},
		{sum + " *a", "a"},
		{"  " + strings.ToUpper(sum) + "  a", "a"},
		{`\` + sum + `  a\\b\nc`, "a\\b\nc"},
		{sum + `  a\n`, `a\n`},
		{"MD5 (a) = " + sum, "a"},
		{"MD5 (a) = b) = " + sum, "a) = b"},
		{`\MD5 (a\nb) = ` + sum, "a\nb"},
	} {
		t.Run(f.name, func(t *testing.T) {
			if id, name, ok := parseSum(f.line); !ok || id.String() != sum || name != f.name {
				t.Errorf("parseSum(%q) = %v, %q, %t, want %s, %q", f.line, id, name, ok, sum, f.name)
			}
		})
	}
	for _, line := range []string{"", sum, sum + " ", sum + "  ", sum + " a", sum + "\ta", sum[1:] + "  aa",
		"x" + sum[1:] + "  a", sum + "0  a",
		`\` + sum + `  a\`, `\` + sum + `  a\x`, "MD5 (a)", "MD5 (a) = ", "MD5 (a) = " + sum[1:], "MD5 () = " + sum,
		"SHA1 (a) = " + sum} {
		t.Run(line, func(t *testing.T) {
			if id, name, ok := parseSum(line); ok {
				t.Errorf("parseSum(%q) = %v, %q, want none", line, id, name)
			}
		})
	}
}

func FuzzParseSum(f *testing.F) {
	f.Add("00412e5cff102030405060708090a0b0  a")
	f.Add(`\MD5 (a\nb) = 00412e5cff102030405060708090a0b0`)
	f.Fuzz(func(t *testing.T, line string) {
		id, name, ok := parseSum(line)
		if !ok {
			return
		}
		again, back, ok := parseSum((&program{}).sumLine(id, name))
		if !ok || again != id || back != name {
			t.Errorf("parseSum(%q) = %v, %q, which comes back as %v, %q, %t", line, id, name, again, back, ok)
		}
	})
}

// webcap and md5sum read each other's lists.
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
	args := append([]string{"digest", "--"}, names...)
	var ours bytes.Buffer
	if code, stderr := run(nil, &ours, args...); code != exitClean {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	check := exec.Command(md5sum, "--check", "--strict", "-")
	check.Stdin = bytes.NewReader(ours.Bytes())
	if out, err := check.CombinedOutput(); err != nil || bytes.Count(out, []byte(": OK\n")) != len(names) {
		t.Errorf("md5sum --check: %v\n%s", err, out)
	}
	for _, option := range []string{"--text", "--binary", "--tag"} {
		t.Run(option, func(t *testing.T) {
			list, err := exec.Command(md5sum, append([]string{option, "--"}, names...)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			if option == "--text" && !bytes.Equal(list, ours.Bytes()) {
				t.Errorf("webcap digest writes\n%swant\n%s", ours.String(), list)
			}
			var out bytes.Buffer
			code, stderr := run(bytes.NewReader(list), &out, "digest", "--check", "-")
			if code != exitClean || stderr != "" || strings.Count(out.String(), ": OK\n") != len(names) {
				t.Errorf("--check of md5sum %s: exit %d\n%s%s", option, code, stderr, out.String())
			}
		})
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
	for width, want := range map[int]string{0: name + ": OK\n", 80: "a\\x1b[31m: OK\n"} {
		out.Reset()
		p := &program{stdin: strings.NewReader("d41d8cd98f00b204e9800998ecf8427e  " + name), stderr: io.Discard,
			stdout: bufio.NewWriter(&out), width: width}
		err := p.run(context.Background(), []string{"webcap", "digest", "--check", "-"})
		if p.stdout.Flush(); err != nil || out.String() != want {
			t.Errorf("--check with width %d: %q, %v, want %q", width, out.String(), err, want)
		}
	}
}

// A list may name standard input, unless the list itself is standard input.
func TestDigestListNamesStdin(t *testing.T) {
	const line = "d41d8cd98f00b204e9800998ecf8427e  -\n"
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(line), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code, stderr := run(strings.NewReader(""), &out, "digest", "--check", list); code != exitClean ||
		stderr != "" || out.String() != "-: OK\n" {
		t.Errorf("in a file: exit %d, it says %q, output %q", code, stderr, out.String())
	}
	out.Reset()
	code, stderr := run(strings.NewReader(line), &out, "digest", "--check", "-")
	if want := "webcap: -: 1 line is not of the form DIGEST NAME\nwebcap: -: no digests to check\n"; code != exitFailed ||
		stderr != want || out.Len() > 0 {
		t.Errorf("in itself: exit %d, it says %q, want %q; output %q", code, stderr, want, out.String())
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
	for _, args := range [][]string{{"-"}, {"--page", "-"}, {"--text", "-"}, {"--check", "-"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			code, stderr := run(iotest.ErrReader(errors.New("gone")), io.Discard,
				append([]string{"digest"}, args...)...)
			if code != exitFailed || !strings.HasPrefix(stderr, "webcap: -: ") || !strings.Contains(stderr, "gone\n") {
				t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
			}
		})
	}
}

// An empty list, or one that is not text, ends with an error.
func TestDigestCheckTakesAnything(t *testing.T) {
	for name, list := range map[string]string{
		"empty":     "",
		"NUL":       strings.Repeat("\x00", 1000),
		"long line": strings.Repeat("a", maxLine+1),
	} {
		t.Run(name, func(t *testing.T) {
			code, stderr := run(strings.NewReader(list), io.Discard, "digest", "--check", "-")
			if code != exitFailed || !strings.HasPrefix(stderr, "webcap: -: ") || strings.Contains(stderr, "bufio") {
				t.Errorf("%s: exit %d, stderr %q", name, code, stderr)
			}
		})
	}
}

func TestDigestFullDisk(t *testing.T) {
	dir := t.TempDir()
	file, list := filepath.Join(dir, "p.html"), filepath.Join(dir, "list")
	for path, data := range map[string]string{file: "<img src=a>",
		list: "4be2d26a4d1d6ed1a1c0c8b0a0a0a0a0  " + file + "\n"} {
		t.Run(path, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	for i, args := range [][]string{{file}, {"--page", "--explain", file}, {"--format", "json", file},
		{"--check", list}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			code, stderr := run(nil, &fullWriter{1}, append([]string{"digest"}, args...)...)
			if want := "webcap: cannot write the results: no space left on device\n"; code != exitFailed ||
				!strings.HasSuffix(stderr, want) {
				t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
			}
		})
	}
}

func TestDigestIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("# no list\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	for _, args := range [][]string{{file}, {"--check", file}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			p := &program{stderr: io.Discard, stdout: bufio.NewWriter(io.Discard)}
			if err := p.run(ctx, append([]string{"webcap", "digest"}, args...)); !errors.Is(err, errInterrupted) {
				t.Errorf("%v: %v, want %v", args, err, errInterrupted)
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
	for _, args := range [][]string{{"-"}, {"--text", "-"}, {"--page", "--aux", "-", empty}, {"--check", "-"}} {
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

// Lines of a list may be long; a line that begins with # is a comment.
func TestDigestListWithLongLines(t *testing.T) {
	var out bytes.Buffer
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	list := "#" + strings.Repeat("x", 100_000) + "\nd41d8cd98f00b204e9800998ecf8427e  " + name + "\n"
	code, stderr := run(strings.NewReader(list), &out, "digest", "--check", "-")
	if code != exitClean || stderr != "" || out.String() != name+": OK\n" {
		t.Errorf("exit %d, it says %.200q, output %q", code, stderr, out.String())
	}
}
