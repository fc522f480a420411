package command

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// resultsOf writes the results of an audit of testdata/site.pdf, and returns their path.
func resultsOf(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	args = append([]string{"audit", "--config", "none", root + "/testdata/site.pdf", "-o", path}, args...)
	code, stderr := run(nil, io.Discard, args...)
	if code != exitClean {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	return path
}

// A list of files that cannot be read to its end makes results incomplete, in any command.
func TestListsThatFail(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list")
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err == nil {
		err = os.WriteFile(list, []byte(site+"\n"+strings.Repeat("x", maxPath+1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, incomplete string }{
		{"audit -f json", `"complete":false,"end":"missing"`},
		{"list -f json", `"complete":false`},
		{"find -f json http://www.example.com/", `"complete":false`},
		{"export -o " + filepath.Join(dir, "a.warc"), ""},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(nil, &out, append(strings.Fields(tt.args), "--files-from", list)...)
			want := "webcap: cannot read the list of files: " + list + ": a line is longer than 65536 bytes\n"
			if code != exitFailed || !strings.Contains(stderr, want) || !strings.Contains(out.String(), tt.incomplete) {
				t.Errorf("exit %d, it says %q, output\n%s", code, stderr, out.String())
			}
		})
	}
}

// -v prints the stack of an audit that panicked, for a report of the bug.
func TestStackOfAPanic(t *testing.T) {
	for args, says := range map[string]bool{"": false, "-v": true} {
		withOptions(t, "audit a.pdf "+args, func(p *program, c *cli.Context) {
			p.stdout = bufio.NewWriter(io.Discard)
			table, _ := format.Lookup("table")
			bug := &report.PanicError{Value: "a bug", Stack: []byte("goroutine 1 [running]:")}
			records := func(yield func(*report.Record) bool) { yield(&report.Record{Path: "a.pdf", Err: bug}) }
			err := p.results(c, []*output{{format: table}}, judgement{end: func() report.End { return 0 }}, records)
			if err != nil || strings.Contains(said(p), "goroutine 1 [running]:\n") != says || p.code() != exitFailed {
				t.Errorf("%q: %v, exit %d, it says %s", args, err, p.code(), said(p))
			}
		})
	}
}

// A report does not depend on a configuration, not even on a wrong one.
func TestReportWithAWrongConfiguration(t *testing.T) {
	results := resultsOf(t, t.TempDir(), "a.json")
	t.Chdir(t.TempDir())
	if err := os.WriteFile(configName, []byte("no-such-key: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stderr := run(nil, io.Discard, "report", results); code != exitClean || stderr != "" {
		t.Errorf("exit %d, it says %q", code, stderr)
	}
}

// An interrupted run says how many inputs its results have.
func TestInterruptedResults(t *testing.T) {
	for n, want := range map[int]string{0: "no input is", 1: "1 input is", 2: "2 inputs are"} {
		withOptions(t, "audit a.pdf", func(p *program, c *cli.Context) {
			p.stdout = bufio.NewWriter(io.Discard)
			ctx, interrupt := context.WithCancelCause(c.Context)
			c.Context = ctx
			records := func(yield func(*report.Record) bool) {
				for range n {
					yield(&report.Record{Path: "a.pdf", Report: new(audit.Report)})
				}
				interrupt(errInterrupted)
			}
			table, _ := format.Lookup("table")
			err := p.results(c, []*output{{format: table}}, judgement{end: func() report.End { return 0 }}, records)
			if want := "interrupted, the results are not complete: " + want + " in them"; err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
