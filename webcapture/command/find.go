package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) find() *cli.Command {
	return &cli.Command{
		Name:      "find",
		Usage:     "Find captures of a URL as a viewer does",
		UsageText: "webcap find [OPTIONS] URL|ID PATH...\nwebcap find [OPTIONS] --urls-from FILE PATH...",
		Description: `webcap reduces the URL to canonical form and looks it up in the name trees, as a
viewer does. If a viewer does not find it, webcap searches all content sets for it
and for other forms of it. An ID is 32 hexadecimal digits. A PATH is the same as in
webcap audit.

  webcap find http://www.example.com/ site.pdf
  webcap find --urls-from urls.txt archive/

` + details("inventory.md"),
		Flags: slices.Concat(formatFlags(show.FindFormats()...), grouped(manual.Input,
			&cli.StringFlag{Name: "urls-from", Usage: "`FILE` Find the URLs and IDs listed in FILE, or in -"}),
			lookFlags()),
		Action: p.runFind,
	}
}

func (p *program) runFind(c *cli.Context) error {
	queries, arguments, err := p.queries(c)
	if err != nil {
		return err
	}
	run, err := p.lookAt(c, arguments)
	if err != nil {
		return err
	}
	defer run.paths.close()
	run.opt.NoHash = c.String("format") != "csv" // only its rows have the SHA-256
	searcher := find.New(queries)
	search := func(f *webcapture.File) ([]find.Match, *audit.Report, error) {
		res, err := searcher.Search(f)
		if err != nil {
			return nil, nil, err
		}
		return res.Matches, &audit.Report{Facts: res.Facts, Unread: res.Unread}, nil
	}
	w := show.NewFindWriter(c.String("format"), p.stdout, p.width, moduleVersion(), queries)
	found := make([]bool, len(queries)) // by query: in some file, a viewer finds the URL
	missed := false                     // a viewer misses a capture in some file
	err = look(run, search, func(rec *report.Record, matches []find.Match) error {
		for _, m := range matches {
			found[m.Query] = found[m.Query] || m.Answer == find.Found
			missed = missed || m.Answer == find.Missed
		}
		if err := errors.Join(w.Add(rec, matches), p.stdout.Flush()); err != nil {
			return err
		}
		p.searched(rec)
		return nil
	})
	if err == nil {
		err = w.Close(run.isComplete())
	}
	if err := run.end(err); err != nil {
		return err
	}
	p.wrong = p.found && (missed || slices.Contains(found, false))
	return nil
}

// searched records the outcome of an input, and reports unread parts.
func (p *program) searched(rec *report.Record) {
	switch {
	case rec.Report != nil:
		p.found = true
		p.unread(rec.Path, "searched", rec.Report.Unread)
	case !rec.Outcome().Audited():
		p.fail(rec.Path, rec.Err)
	default: // the error of a folder or an archive without files
		p.say("%s: %s", rec.Path, rec.Reason())
	}
}

// queries returns the queries, and the arguments that are paths.
func (p *program) queries(c *cli.Context) (queries []find.Query, paths []string, err error) {
	paths = c.Args().Slice()
	add := func(text string) error {
		q, err := find.Parse(text)
		if err != nil {
			return usagef("find", "cannot look for %q: %v", text, err)
		}
		queries = append(queries, q)
		return nil
	}
	name := c.String("urls-from")
	if name == "" {
		if len(paths) == 0 {
			return nil, nil, usagef("find", "name a URL or an ID, and at least one file or folder")
		}
		err = add(paths[0])
		return queries, paths[1:], err
	}
	if err := standardInputOnce(c); err != nil {
		return nil, nil, err
	}
	list := nameList{name, p.stdin, '\n'}
	if name != batch.Stdin {
		f, err := infile.Open(name)
		if err != nil {
			return nil, nil, usagef("find", "cannot read the list of URLs: %v", err)
		}
		defer f.Close()
		list.in = f
	}
	for line, err := range list.entries() {
		if err != nil {
			return nil, nil, usagef("find", "cannot read the list of URLs: %v", err)
		}
		if text := strings.TrimSpace(line); text != "" {
			if err := add(text); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(queries) == 0 {
		return nil, nil, usagef("find", "%s lists no URLs", name)
	}
	return queries, paths, nil
}
