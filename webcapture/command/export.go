package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) export() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "Write captures to a WARC file",
		UsageText: "webcap export [OPTIONS] -o FILE.warc.gz PATH...",
		Description: `webcap writes the captured pages and images of PDF files as records of a WARC file.
A PDF becomes a conversion record under the URL of its first captured page, and
further pages are revisits of it. An image becomes a resource record if its data
match its ID. A PATH is the same as in webcap audit.

  webcap export -o captures.warc.gz archive/
  webcap export --against index.cdxj -o missing.warc.gz archive/

` + details("inventory.md"),
		Flags: slices.Concat(grouped(manual.Output,
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` Write records (.warc.gz or .warc)"},
			switchFlag("local", "Also export local and private URLs"),
			switchFlag("as-resource", "Write PDF files as resource records"),
			&cli.StringFlag{Name: "against", Usage: "`INDEX` Leave out URLs that a CDXJ index has"}), lookFlags()),
		Action: p.runExport,
	}
}

// against reads the index that the option names; nil without the option.
func against(c *cli.Context) (*export.Index, error) {
	name := c.String("against")
	if name == "" {
		return nil, nil
	}
	f, err := infile.Open(name)
	if err != nil {
		return nil, usagef(c.Command.Name, "cannot read the index %s: %v", name, oserror.Reason(err))
	}
	defer f.Close()
	x, err := export.ReadIndex(f)
	switch {
	case err != nil:
		return nil, usagef(c.Command.Name, "cannot read the index %s: %v", name, oserror.Reason(err))
	case x.Len() == 0:
		return nil, usagef(c.Command.Name, "the index %s has no captures", name)
	}
	return x, nil
}

func (p *program) runExport(c *cli.Context) error {
	name, err := exportName(c)
	if err != nil {
		return err
	}
	opt := export.Options{AsResource: c.Bool("as-resource"), Plain: !strings.HasSuffix(name, ".gz"),
		Local: c.Bool("local")}
	if opt.Against, err = against(c); err != nil {
		return err
	}
	run, err := p.lookAt(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer run.paths.close()
	table := show.NewExportTable(p.stdout, p.width)
	err = writeResult(name, func(to io.Writer) error {
		w := export.NewWriter(to, filepath.Base(name), moduleVersion(), opt)
		err := p.exportAll(run, opt, w, table)
		if err == nil && (c.Context.Err() != nil || table.Records() == 0) {
			err = errNothingToExport // or an interrupt left the records incomplete
		}
		return cmp.Or(err, w.Close())
	})
	isEmpty := err == errNothingToExport
	if isEmpty {
		err = nil
	}
	if err := run.end(err); err != nil {
		return err
	}
	if isEmpty {
		p.found = false // even if the files contain other data
		p.say("nothing to export: %s was not written", name)
		return nil
	}
	return table.Close(name)
}

// exportAll writes the records of all files.
func (p *program) exportAll(run *lookRun, opt export.Options, w *export.Writer, table *show.ExportTable) error {
	read := func(f *webcapture.File) (*export.Records, *audit.Report, error) {
		db, err := f.Database()
		if err != nil {
			return nil, nil, err
		}
		r, err := export.New(f, db, opt)
		if err != nil {
			return nil, nil, err
		}
		return r, &audit.Report{Facts: f.Facts(db), Unread: r.Unread()}, nil
	}
	return look(run, read, func(rec *report.Record, r *export.Records) error {
		if r != nil {
			defer r.Close()
			err := w.Add(export.Source{Path: rec.Path, SHA256: rec.SHA256, Size: rec.Size}, r)
			if err = cmp.Or(err, table.Add(rec.Path, r)); err != nil {
				return err
			}
			p.partial = p.partial || slices.ContainsFunc(r.Left, func(l export.Left) bool { return !l.Intended })
		}
		p.audited(rec, rule.Error+1) // level above all: findings do not change the exit code
		return nil
	})
}

var errNothingToExport = errors.New("nothing to export")

// exportName returns the name of the output file, which does not exist yet.
func exportName(c *cli.Context) (string, error) {
	name := c.String("output")
	if name == "" {
		return "", usagef("export", "name the file to write, as in -o captures.warc.gz")
	}
	if !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".warc") {
		return "", usagef("export", "-o %s: the name of the file must end in .warc or .warc.gz", name)
	}
	if _, err := os.Lstat(name); err == nil {
		return "", usagef("export", "%s exists: remove it, or name another file", name)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", usagef("export", "cannot write %s: %v", name, oserror.Reason(err))
	}
	return name, nil
}

// writeResult writes a file. It renames the file to name when it is complete.
func writeResult(name string, write func(io.Writer) error) error {
	f, err := createResult(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, oserror.Reason(err))
	}
	if err := write(f.buf); err != nil {
		f.drop()
		return err
	}
	if err := f.install(); err != nil {
		f.drop()
		return fmt.Errorf("%s: %w", name, oserror.Reason(err))
	}
	return nil
}
