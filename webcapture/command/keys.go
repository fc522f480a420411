package command

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/keys"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) keys() *cli.Command {
	return &cli.Command{
		Name:      "keys",
		Usage:     "Judge each key of URLS and IDS",
		UsageText: "webcap keys [OPTIONS] PATH...",
		Description: `For each key, webcap shows the verdict of an audit, the key by the standard, and the
reason, wrong keys first. A PATH is the same as in webcap audit. -f wayback lists the
addresses of captures that are not proven in the Internet Archive.

  webcap keys site.pdf
  webcap keys archive/ -f html > keys.html
  webcap keys site.pdf -f wayback > addresses.txt

` + details("inventory.md"),
		Flags: slices.Concat(formatFlags("ndjson", "csv", "html", "wayback"), inputFlags(), limitFlags(),
			sourceFlags(compareSources), passwordFlags(),
			grouped(manual.General, switchFlag("verbose", "List skipped files", "v"))),
		Action: p.runKeys,
	}
}

func (p *program) runKeys(c *cli.Context) error {
	format := c.String("format")
	w := show.NewKeyWriter(format, p.stdout, p.width, moduleVersion())
	if w == nil {
		return unknownFormat("keys", "format", format, show.KeyFormats())
	}
	run, paths, err := p.lookAt(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer paths.close()
	src, err := p.openSources(c, allOf(c, "source"))
	if err != nil {
		return err
	}
	defer src.all.Close()
	l := &keyLister{writer: w, opt: run.opt.Audit}
	l.opt.Keys, l.opt.Embedded = true, src.embedded
	if src.given {
		l.opt.Source, l.opt.SourceLost = src.all, src.lost
	}
	run.opt.Look = l.read
	p.told = format == "table" // it shows failures
	run.opt.NoHash = p.told || format == "wayback"
	p.seek(false)
	err = p.listKeys(l, p.over(run.progress, batch.Run(c.Context, run.inputs, run.opt)))
	if err == nil {
		err = w.Close(c.Context.Err() == nil && paths.err() == nil)
	}
	if text := w.Omitted(); text != "" {
		p.say("omitted %s", text)
	}
	return p.looked(c, paths, err)
}

// keyLister audits files, and collects the rows of their keys while they are open.
type keyLister struct {
	writer *show.KeyWriter
	opt    audit.Options
	rows   sync.Map // *show.KeyRows by *audit.Report
}

// read audits an open file.
func (l *keyLister) read(f *webcapture.File) (*audit.Report, error) {
	db, err := f.Database()
	if err != nil {
		return nil, err
	}
	opt := l.opt
	opt.Database = db
	rep, err := audit.Run(f, opt)
	if err != nil {
		return nil, err
	}
	rows, err := l.rowsOf(f, db, rep)
	if err == nil {
		l.rows.Store(rep, rows)
	}
	return rep, rule.NoteOver(&rep.Unread, cmp.Or(f.Meter().Over(), err))
}

func (l *keyLister) rowsOf(f *webcapture.File, db *webcapture.Database, rep *audit.Report) (*show.KeyRows, error) {
	list, err := keys.Of(f, db, rep)
	if err != nil {
		return nil, err
	}
	return l.writer.Rows(list, func(n int) error { return f.Meter().Pay(outputPrice * int64(n)) })
}

// listKeys writes the keys of all files. The error is a write error.
func (p *program) listKeys(l *keyLister, records iter.Seq[*report.Record]) error {
	for rec := range records {
		rows := new(show.KeyRows)
		if kept, ok := l.rows.LoadAndDelete(rec.Report); ok {
			rows = kept.(*show.KeyRows)
		}
		err := errors.Join(l.writer.Add(rec, rows), p.stdout.Flush())
		rows.Close()
		if err != nil {
			return err
		}
		p.audited(rec, rule.Error)
	}
	return nil
}
