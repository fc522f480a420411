package command

import (
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/command/show"
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
		Flags:  slices.Concat(formatFlags(show.CaptureFormats()...), lookFlags()),
		Action: p.runList,
	}
}

func (p *program) runList(c *cli.Context) error {
	run, err := p.lookAt(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer run.paths.close()
	format := c.String("format")
	l := &captureLister{writer: show.NewCaptureWriter(format, p.stdout, p.width, moduleVersion())}
	p.told = format == "table" // it shows failures
	run.opt.NoHash = p.told    // and no SHA-256
	err = look(run, l.read, func(rec *report.Record, rows *show.CaptureRows) error {
		if rows == nil {
			rows = new(show.CaptureRows)
		}
		defer rows.Close()
		if err := errors.Join(l.writer.Add(rec, rows), p.stdout.Flush()); err != nil {
			return err
		}
		p.audited(rec, rule.Error+1) // level above all: findings do not change the exit code
		return nil
	})
	if err == nil {
		err = l.writer.Close(run.isComplete())
	}
	return run.end(err)
}

// captureLister collects the captures of files.
type captureLister struct {
	writer *show.CaptureWriter
}

// read collects the captures of an open file.
func (l *captureLister) read(f *webcapture.File) (*show.CaptureRows, *audit.Report, error) {
	db, err := f.Database()
	if err != nil {
		return nil, nil, err
	}
	c, err := catalog.New(f, db)
	if err != nil {
		return nil, nil, err
	}
	rows, err := l.writer.Rows(c.Captures(),
		func(n int) error { return f.Meter().Pay(outputPrice * int64(n)) })
	if err != nil {
		return nil, nil, err
	}
	rep := &audit.Report{Facts: f.Facts(db), Unread: c.Unread()}
	return rows, rep, rule.NoteOver(&rep.Unread, f.Meter().Over())
}

// outputPrice is the price of a byte of output: it is made, kept until all rows of the file are known, and written.
const outputPrice = 4
