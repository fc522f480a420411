package command

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

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
and for other forms of it. A * at the end of a URL means any URL that begins so. An
ID is 32 hexadecimal digits. A PATH is the same as in webcap audit.

  webcap find http://www.example.com/ site.pdf
  webcap find 'http://www.example.com/*' archive/

` + details("inventory.md"),
		Flags: slices.Concat(formatFlags("ndjson", "csv"), grouped(manual.Input,
			&cli.StringFlag{Name: "urls-from", Usage: "`FILE` Find the URLs and IDs listed in FILE, or in -"}),
			inputFlags(), limitFlags(), passwordFlags(),
			grouped(manual.General, switchFlag("verbose", "List skipped files", "v"))),
		Action: p.runFind,
	}
}

func (p *program) runFind(c *cli.Context) error {
	queries, arguments, err := p.queries(c)
	if err != nil {
		return err
	}
	format := c.String("format")
	w := show.NewFindWriter(format, p.stdout, p.width, moduleVersion(), queries)
	if w == nil {
		return unknownFormat("find", "format", format, show.FindFormats())
	}
	run, paths, err := p.lookAt(c, arguments)
	if err != nil {
		return err
	}
	defer paths.close()
	s := &searches{searcher: find.New(queries, run.opt.Audit), found: make([]bool, len(queries))}
	run.opt.NoHash, run.opt.Look = true, s.look
	p.seek(false)
	err = p.findIn(w, s, p.over(run.progress, batch.Run(c.Context, run.inputs, run.opt)))
	if err == nil {
		err = w.Close(c.Context.Err() == nil && paths.err() == nil)
	}
	if err := p.looked(c, paths, err); err != nil {
		return err
	}
	p.wrong = p.outcome.found && slices.Contains(s.found, false)
	return nil
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
	in := p.stdin
	if name == batch.Stdin {
		if slices.Contains(paths, batch.Stdin) || slices.Contains(allOf(c, "files-from"), batch.Stdin) {
			return nil, nil, usagef("find", "standard input is used twice; name a file instead")
		}
		if err := checkPasswordFile(c); err != nil {
			return nil, nil, err
		}
	} else {
		f, err := infile.Open(name)
		if err != nil {
			return nil, nil, usagef("find", "cannot read the list of URLs: %v", err)
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewReaderSize(in, maxPath)
	for {
		line, err := lines.ReadSlice('\n')
		if text := strings.TrimSpace(string(line)); text != "" {
			if err := add(text); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case err == io.EOF && len(queries) == 0:
			return nil, nil, usagef("find", "%s lists no URLs", name)
		case err == io.EOF:
			return queries, paths, nil
		case err == bufio.ErrBufferFull:
			return nil, nil, usagef("find", "%s: a line is longer than %d bytes", name, maxPath)
		case err != nil:
			return nil, nil, usagef("find", "cannot read the list of URLs: %v", err)
		}
	}
}

// searches collects the matches of files while they are open.
type searches struct {
	searcher *find.Searcher
	matches  sync.Map // []find.Match by *audit.Report
	found    []bool   // by query: in some file, a viewer finds the URL
}

// look searches an open file.
func (s *searches) look(f *webcapture.File) (*audit.Report, error) {
	res, err := s.searcher.Search(f)
	if err != nil {
		return nil, err
	}
	rep := &audit.Report{Facts: res.Facts, Unread: res.Unread}
	s.matches.Store(rep, res.Matches)
	return rep, nil
}

// findIn writes the matches of all files. The error is a write error.
func (p *program) findIn(w *show.FindWriter, s *searches, records iter.Seq[*report.Record]) error {
	for rec := range records {
		var matches []find.Match
		if kept, ok := s.matches.LoadAndDelete(rec.Report); ok {
			matches = kept.([]find.Match)
		}
		if err := errors.Join(w.Add(rec, matches), p.stdout.Flush()); err != nil {
			return err
		}
		for _, m := range matches {
			s.found[m.Query] = s.found[m.Query] || m.Answer == find.Found
		}
		switch {
		case rec.Report != nil:
			p.outcome.found = true
			p.unread(rec.Path, "searched", rec.Report.Unread)
		case !rec.Outcome().Audited():
			p.fail(rec.Path, rec.Err)
		default: // the error of a folder or an archive without files
			p.say("%s: %s", rec.Path, rec.Reason())
		}
	}
	return nil
}
