package command

import (
	"cmp"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) keys() *cli.Command {
	return &cli.Command{
		Name:      "keys",
		Usage:     "Judge each key of URLS and IDS",
		UsageText: "webcap keys [OPTIONS] PATH...",
		Description: `webcap shows the verdict of an audit on each key, wrong keys first. A key of URLS
is "right" if it is a canonical URL of its content set, which is a page set or an
image set. A key of IDS "agrees" if it is the ID of its content set. It is "proven" if
that ID is also the MD5 of the image, or of a source. -f wayback lists addresses in the
Internet Archive for what is not proven.

  webcap keys site.pdf -f wayback > addresses.txt
  wget -i addresses.txt --warc-file=ia
  webcap keys --source ia.warc.gz site.pdf

` + details("inventory.md"),
		Flags:  slices.Concat(formatFlags(show.KeyFormats()...), sourceFlags(compareSources), lookFlags()),
		Action: p.runKeys,
	}
}

func (p *program) runKeys(c *cli.Context) error {
	run, err := p.lookAt(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer run.paths.close()
	src, err := p.openSources(c, allOf(c, "source"))
	if err != nil {
		return err
	}
	defer src.all.Close()
	format := c.String("format")
	l := &keyLister{writer: show.NewKeyWriter(format, p.stdout, p.width, moduleVersion()), opt: run.opt.Audit}
	l.opt.Keys = true
	src.addTo(&l.opt)
	p.told = format == "table" // it shows failures
	run.opt.NoHash = p.told || format == "wayback"
	err = look(run, l.read, func(rec *report.Record, rows *show.KeyRows) error {
		if rows == nil {
			rows = new(show.KeyRows)
		}
		defer rows.Close()
		if err := errors.Join(l.writer.Add(rec, rows), p.stdout.Flush()); err != nil {
			return err
		}
		p.audited(rec, rule.Error)
		return nil
	})
	if err == nil {
		err = l.writer.Close(run.isComplete())
	}
	if text := l.writer.Omitted(); text != "" {
		p.say("omitted %s", text)
	}
	return run.end(err)
}

// keyLister audits files, and collects the rows of their keys.
type keyLister struct {
	writer *show.KeyWriter
	opt    audit.Options
}

// read audits an open file.
func (l *keyLister) read(f *webcapture.File) (*show.KeyRows, *audit.Report, error) {
	db, err := f.Database()
	if err != nil {
		return nil, nil, err
	}
	opt := l.opt
	opt.Database = db
	rep, err := audit.Run(f, opt)
	if err != nil {
		return nil, nil, err
	}
	rows, err := l.writer.Rows(keys.Of(f, db, rep), func(n int) error { return f.Meter().Pay(outputPrice * int64(n)) })
	return rows, rep, rule.NoteOver(&rep.Unread, cmp.Or(f.Meter().Over(), err))
}
