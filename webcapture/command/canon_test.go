package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
)

// reduceEach is the reference for webcap canon: one URL after the other.
func reduceEach(in, end string) string {
	var out strings.Builder
	for in != "" {
		var url string
		url, in, _ = strings.Cut(in, end)
		out.WriteString(canon.URL(url) + end)
	}
	return out.String()
}

func TestCanonKeepsOrder(t *testing.T) {
	lines := string(captured(100_000))
	want := reduceEach(lines, "\n")
	for _, row := range []struct {
		name string
		in   io.Reader
	}{
		{"at once", strings.NewReader(lines)},
		{"in halves", iotest.HalfReader(strings.NewReader(lines))},
		{"last line without end", strings.NewReader(lines[:len(lines)-1])},
		{"end with the last bytes", iotest.DataErrReader(strings.NewReader(lines))},
	} {
		t.Run(row.name, func(t *testing.T) {
			var out bytes.Buffer
			if code, stderr := run(row.in, &out, "canon"); code != exitClean || stderr != "" {
				t.Fatalf("exit %d, stderr %q", code, stderr)
			}
			if out.String() != want {
				t.Errorf("%d bytes of output are not the %d that are wanted", out.Len(), len(want))
			}
		})
	}
}

// Lines of all lengths, with all bytes, change only as the profile demands.
func TestCanonTakesAnyLine(t *testing.T) {
	var every strings.Builder
	for c := range 256 {
		if c != '\n' && c != '#' {
			every.WriteByte(byte(c))
		}
	}
	for _, n := range []int{0, 1, 1 << 16, 5 << 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			in := "HTTP://A/" + strings.Repeat("x", n) + "\n" + "HTTP://B/" + every.String() + "\r\nhttp://c/"
			var out bytes.Buffer
			code, stderr := run(strings.NewReader(in), &out, "canon")
			if want := reduceEach(in, "\n"); code != exitClean || stderr != "" || out.String() != want {
				t.Errorf("%d bytes: exit %d, stderr %q, %d bytes of output, want %d", n, code, stderr, out.Len(),
					len(want))
			}
		})
	}
}

func FuzzCanonCommand(f *testing.F) {
	f.Add([]byte("HTTP://h/#\n\nhttp://h"))
	f.Add([]byte("a\x00\xff\n\r\n%25%zz"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		code, _ := run(iotest.OneByteReader(bytes.NewReader(in)), &out, "canon")
		if want := reduceEach(string(in), "\n"); code != exitClean && code != exitFailed || out.String() != want {
			t.Errorf("exit %d, output %q, want %q", code, out.String(), want)
		}
		for _, option := range []string{"--explain", "--format=json"} {
			if again, stderr := run(bytes.NewReader(in), io.Discard, "canon", option); again != code {
				t.Errorf("%s: exit %d: %s", option, again, stderr)
			}
		}
	})
}

// A user who pipes URLs one by one gets each answer before the next question.
func TestCanonAnswersAtOnce(t *testing.T) {
	in, questions := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		run(in, out, "canon")
		out.Close()
	}()
	lines := bufio.NewReader(answers)
	for i := range 100 {
		fmt.Fprintf(questions, "HTTP://h%d/\nHTTP://h/", i)
		if got, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(got, "http://h") {
			t.Fatalf("answer %d is %q, %v", i, got, err)
		}
	}
	questions.Close()
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
}

// Lines before a read error are reduced, except one that may have been cut.
func TestCanonBrokenStdin(t *testing.T) {
	in := io.MultiReader(strings.NewReader("HTTP://a/\nHTTP://b/"), iotest.ErrReader(errors.New("gone")))
	var out strings.Builder
	code, stderr := run(in, &out, "canon")
	if code != exitFailed || stderr != "webcap: -: gone\n" || out.String() != "http://a/\n" {
		t.Errorf("exit %d, stderr %q, stdout %q", code, stderr, out.String())
	}
}

func TestCanonFullDisk(t *testing.T) {
	lines := captured(1000)
	for i, args := range [][]string{{"canon"}, {"canon", "--explain"},
		{"canon", "--format=json"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var out bytes.Buffer
			run(bytes.NewReader(lines), &out, args...)
			for n := 0; n < out.Len(); n += 1 + out.Len()/4 {
				code, stderr := run(bytes.NewReader(lines), &fullWriter{n}, args...)
				if want := "webcap: cannot write the results: no space left on device\n"; code != exitFailed ||
					stderr != want {
					t.Errorf("%v with room for %d of %d bytes: exit %d, stderr %q", args, n, out.Len(), code, stderr)
				}
			}
		})
	}
}

// endlessReader has no end.
type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) { return copy(b, "HTTP://h/\n"), nil }

// An interrupt ends an endless input; whole lines were written.
func TestCanonInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out := &interruptingReader{after: 1 << 20, interrupt: interrupt}
	var stderr strings.Builder
	p := &program{stdin: endlessReader{}, stdout: bufio.NewWriter(out), stderr: &stderr}
	err := p.run(ctx, []string{"webcap", "canon"})
	if err := p.stdout.Flush(); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(err); code != exitFailed ||
		stderr.String() != "webcap: interrupted, the results are not complete\n" {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
	if out.n == 0 || out.n%len("http://h/\n") != 0 {
		t.Errorf("%d bytes were written, which is not a number of whole lines", out.n)
	}
}

// interruptingReader accepts all output, and calls interrupt once it has more than after bytes.
type interruptingReader struct {
	n, after  int
	interrupt func()
}

func (w *interruptingReader) Write(b []byte) (int, error) {
	if w.n += len(b); w.n > w.after {
		w.interrupt()
	}
	return len(b), nil
}

// On a terminal, unprintable bytes become escapes and lines end in LF.
func TestCanonOnTerminal(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"canon"}, "http://h/\\x1b[31m\\xff\n"},
	} {
		t.Run(row.want, func(t *testing.T) {
			var out strings.Builder
			p := &program{stdin: strings.NewReader("HTTP://h/\x1b[31m\xff\n"), stdout: bufio.NewWriter(&out),
				stderr: io.Discard, width: 80}
			if err := p.run(t.Context(), append([]string{"webcap"}, row.args...)); err != nil {
				t.Errorf("%v: %v", row.args, err)
			}
			p.stdout.Flush()
			if got := out.String(); got != row.want {
				t.Errorf("%v writes %q, want %q", row.args, got, row.want)
			}
		})
	}
}

// A line that is too long for a URL ends the input with an error, after the results of earlier lines.
func TestCanonTooLong(t *testing.T) {
	for _, n := range []int{maxURL, maxURL + 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(strings.NewReader("http://a/\n"+"http://"+strings.Repeat("x", n-7)+"\nhttp://b/\n"), &out, "canon")
			if n <= maxURL && (code != exitClean || out.Len() != n+21) {
				t.Errorf("%d bytes: exit %d, %d bytes of output", n, code, out.Len())
			}
			if n > maxURL && (code != exitFailed || !strings.HasPrefix(out.String(), "http://a/\n") ||
				!strings.Contains(stderr, fmt.Sprint(maxURL))) {
				t.Errorf("%d bytes: exit %d, %d bytes of output, %s", n, code, out.Len(), stderr)
			}
		})
	}
}

// A diagnosis of a key is about profile PDF, and other profiles have none.
func TestCanonDiagnosesOneProfile(t *testing.T) {
	const url = "http://h/a/../b"
	for profile, want := range map[string]bool{"pdf": true, "pdf2": false, "wwwoffle29": false} {
		withOptions(t, "canon --explain --profile "+profile+" "+url, func(p *program, c *cli.Context) {
			r, err := p.reducer(c)
			if err != nil {
				t.Fatal(err)
			}
			e := r.result([]byte(url), false)
			if (e.FormOf != nil) != want || len(e.Steps) == 0 {
				t.Errorf("%s: %+v", profile, e)
			}
		})
	}
}

// Up to twenty relative URLs are all shown, and then the last line counts nothing.
func TestRelativeURLs(t *testing.T) {
	for n, more := range map[int]string{0: "", 1: "", 20: "", 21: "webcap: … and 1 more relative URL\n",
		22: "webcap: … and 2 more relative URLs\n"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var in, want bytes.Buffer
			for i := range n {
				fmt.Fprintf(&in, "u%d\n", i+1)
				if i < 20 {
					fmt.Fprintf(&want, "webcap: line %d: relative URL without --base: \"u%d\"\n", i+1, i+1)
				}
			}
			want.WriteString(more)
			var out bytes.Buffer
			code, stderr := run(bytes.NewReader(in.Bytes()), &out, "canon")
			if (code == exitFailed) != (n > 0) || stderr != want.String() || out.String() != in.String() {
				t.Errorf("exit %d, output %q, it says\n%swant\n%s", code, out.String(), stderr, want.String())
			}
		})
	}
}
