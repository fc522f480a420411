package command

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// interruptedReads is a context that an interrupt ends at its n-th use. Commands use it at each read.
type interruptedReads struct {
	context.Context
	uses atomic.Int64
	n    int64
}

func (c *interruptedReads) Err() error {
	if c.uses.Add(1) >= c.n {
		return errInterrupted
	}
	return nil
}

// At any moment, an interrupt ends a command about single files with one message, which says so, and exit code 3.
func TestInterruptedReads(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", uniqueNames)
	writePDF(t, "b.pdf", brokenKey)
	for _, args := range []string{
		"rewrite --timeout 0 a.pdf",
		"rewrite --timeout 0 b.pdf -o out.pdf", "rewrite --timeout 0 --full b.pdf -o out.pdf",
	} {
		t.Run(args, func(t *testing.T) {
			once := func(n int64) (uses int64, code int, stderr string) {
				var errs strings.Builder
				ctx := &interruptedReads{Context: t.Context(), n: n}
				p := &program{stdin: strings.NewReader(""), stdout: bufio.NewWriter(new(strings.Builder)), stderr: &errs}
				code = p.exit(p.run(ctx, append([]string{"webcap"}, strings.Fields(args)...)))
				return ctx.uses.Load(), code, errs.String()
			}
			// Each run is judged by its own uses, whose number may differ.
			for n := int64(1); ; n++ {
				os.Remove("out.pdf")
				uses, code, stderr := once(n)
				if uses < n { // it ended before the interrupt
					if n <= 5 || code == exitFailed {
						t.Errorf("%d uses of the context, exit %d: %s", uses, code, stderr)
					}
					return
				}
				done := "" // what the command has done
				if strings.Contains(args, "-o ") {
					done = "no file was rewritten\n"
					if _, err := os.Stat("out.pdf"); err == nil {
						done = "out.pdf is written\n"
					}
				}
				if code != exitFailed || !strings.HasPrefix(stderr, "webcap: interrupted, "+done) ||
					strings.Count(stderr, "\n") != 1 {
					t.Errorf("interrupted at use %d: exit %d, it says %q", n, code, stderr)
				}
			}
		})
	}
}

// Each command that reads files reports an interrupt at its start, and writes no file.
func TestInterruptedCommands(t *testing.T) {
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	warc, results := testSource(t), resultsOf(t, t.TempDir(), "results.json")
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "in/a.pdf", uniqueNames)
	before, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"audit SITE", "list SITE", "keys SITE", "find http://h/ SITE",
		"rewrite SITE", "rewrite SITE -o out.pdf", "rewrite in", "rewrite in -o out", "report " + results,
		"source list WARC", "export -o out.warc SITE",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, interrupt := context.WithCancelCause(t.Context())
			interrupt(errInterrupted)
			var errs strings.Builder
			p := &program{stdin: strings.NewReader("a\n"), stdout: bufio.NewWriter(new(strings.Builder)), stderr: &errs}
			line := strings.NewReplacer("SITE", site, "WARC", warc).Replace(args)
			code := p.exit(p.run(ctx, append([]string{"webcap"}, strings.Fields(line)...)))
			if says := errs.String(); code != exitFailed || !strings.Contains(says, ": interrupted, ") {
				t.Errorf("exit %d, it says %q", code, says)
			}
			if after, err := filepath.Glob("*"); err != nil || !slices.Equal(after, before) {
				t.Errorf("files %q, %v, want %q", after, err, before)
			}
		})
	}
}
