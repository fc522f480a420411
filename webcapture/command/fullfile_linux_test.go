package command

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// If the only output is a file that cannot grow, the run stops.
func TestRunsStopWithFullFiles(t *testing.T) {
	withOptions(t, "audit a.pdf", func(p *program, c *cli.Context) {
		p.stdout = bufio.NewWriter(io.Discard)
		ndjson, _ := format.Lookup("ndjson")
		n := 0
		records := func(yield func(*report.Record) bool) {
			for n++; n < 10000 && yield(&report.Record{Path: "a.pdf", Report: new(audit.Report)}); n++ {
			}
		}
		err := p.results(c, []*output{{format: ndjson, path: "/dev/full"}}, judgement{end: func() report.End { return 0 }},
			records)
		if n >= 10000 || err != nil || p.code() != exitFailed ||
			strings.Count(said(p), "webcap: cannot write /dev/full: no space left on device\n") != 1 {
			t.Errorf("%d records, %v, exit %d, it says %q", n, err, p.code(), said(p))
		}
	})
}
