package command

import (
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) list() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "List captured pages and images",
		UsageText: "webcap list [OPTIONS] PATH...",
		Description: `webcap lists each content set of PDF files: the date and URL of the capture, and
the pages that show it. webcap audit checks the captures. A PATH is the same as
in webcap audit.

  webcap list archive/ -f csv > captures.csv

` + details("inventory.md"),
		Flags: slices.Concat(formatFlags("ndjson", "csv", "html"), grouped(manual.Output,
			againstFlag("Show whether a CDXJ index has the URL")), inputFlags(),
			limitFlags(), passwordFlags(),
			grouped(manual.General, switchFlag("verbose", "List skipped files", "v"))),
		Action: p.runList,
	}
}

func (p *program) runList(c *cli.Context) error {
	format := c.String("format")
	w := show.NewCaptureWriter(format, p.stdout, p.width, moduleVersion())
	if w == nil {
		return unknownFormat("list", "format", format, show.CaptureFormats())
	}
	run, paths, err := p.lookAt(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer paths.close()
	l := &captureLister{writer: w}
	if l.against, err = against(c); err != nil {
		return err
	}
	run.opt.Look = l.read
	p.told = format == "table" // it shows failures
	run.opt.NoHash = p.told    // and no SHA-256
	p.seek(false)
	err = p.listCaptures(l, p.over(run.progress, batch.Run(c.Context, run.inputs, run.opt)))
	if err == nil {
		err = w.Close(c.Context.Err() == nil && paths.err() == nil)
	}
	return p.looked(c, paths, err)
}

// captureLister collects the captures of files while they are open.
type captureLister struct {
	writer  *show.CaptureWriter
	against *export.Index // nil without an index
	rows    sync.Map      // *show.CaptureRows by *audit.Report
}

// read collects the captures of an open file.
func (l *captureLister) read(f *webcapture.File) (*audit.Report, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	c, err := catalog.New(f, db)
	if err != nil {
		return nil, err
	}
	rows, err := l.writer.Rows(c.Captures(), l.elsewhere,
		func(n int) error { return f.Meter().Pay(outputPrice * int64(n)) })
	if err != nil {
		return nil, err
	}
	rep := &audit.Report{Facts: f.Facts(db), Unread: c.Unread()}
	l.rows.Store(rep, rows)
	return rep, rule.NoteOver(&rep.Unread, f.Meter().Over())
}

// outputPrice is the price of a byte of output: it is made, kept until all rows of the file are known, and written.
const outputPrice = 4

// elsewhere looks up the URL of a capture in the index.
func (l *captureLister) elsewhere(c *catalog.Capture) show.Elsewhere {
	if l.against == nil {
		return show.Elsewhere{}
	}
	date := c.Captured().Time // zero without a date: then the first capture in the index counts as nearest
	nearest, _ := l.against.Nearest(export.Target(c), date)
	return show.Elsewhere{Compared: true, Nearest: nearest}
}

// listCaptures writes the captures of all files. The error is a write error.
func (p *program) listCaptures(l *captureLister, records iter.Seq[*report.Record]) error {
	for rec := range records {
		rows := new(show.CaptureRows)
		if kept, ok := l.rows.LoadAndDelete(rec.Report); ok {
			rows = kept.(*show.CaptureRows)
		}
		err := errors.Join(l.writer.Add(rec, rows), p.stdout.Flush())
		rows.Close()
		if err != nil {
			return err
		}
		p.audited(rec, rule.Error+1) // level above all: findings do not change the exit code
	}
	return nil
}
