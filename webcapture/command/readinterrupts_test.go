package command

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
