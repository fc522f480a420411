package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) report() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "Convert audit results to other formats",
		UsageText: "webcap report [OPTIONS] RESULTS...",
		Description: `RESULTS is a JSON or NDJSON file of webcap audit, or - for standard input. Several
files become one report. The exit code is that of the audit.

  webcap report results.ndjson -o report.html
  webcap report part-*.ndjson --fail-on warning

` + details("formats.md#report"),
		Flags:  resultFlags(),
		Action: p.runReport,
	}
}

func (p *program) runReport(c *cli.Context) error {
	paths := c.Args().Slice()
	if len(paths) == 0 {
		return usagef("report", "name at least one file with results")
	}
	outs, err := outputs(c, paths)
	if err != nil {
		return err
	}
	conf, err := readConfig("none")
	if err != nil {
		return err
	}
	s := &joinedResults{p: p}
	defer s.close()
	s.open(c.Context, paths)
	if len(s.list) == 0 {
		p.partial = true
		return nil
	}
	var names []string
	var readers []*report.Reader
	for _, one := range s.list {
		names, readers = append(names, one.path), append(readers, one.Reader)
	}
	head, err := report.Join(names, readers)
	if err != nil {
		return err
	}
	for _, src := range head.Sources {
		p.partial = p.partial || src.Capped() != nil
	}
	return p.results(c, outs, judgement{Options: report.Options{Head: head, Time: s.when, Base: conf.base},
		end: func() report.End { return s.end }}, s.records(c))
}

// joinedResults reads the results of several files as one.
type joinedResults struct {
	p    *program
	list []openResults
	end  report.End // how all results together end

	// when is the time when the newest results were last written, which is about the end of their audit. For
	// standard input, it is the current time.
	when time.Time
}

type openResults struct {
	path string
	file io.Closer
	*report.Reader
}

// open opens all results, because their heads are needed first. It reports results that cannot be read. The results
// end when ctx is done.
func (s *joinedResults) open(ctx context.Context, paths []string) {
	for _, path := range paths {
		if err := s.openOne(ctx, path); err != nil {
			s.fail(path, err)
		}
	}
}

func (s *joinedResults) openOne(ctx context.Context, path string) error {
	in, file := s.p.stdin, io.Closer(nil)
	if path != batch.Stdin {
		f, err := infile.Open(path)
		if err != nil {
			return err
		}
		in, file = f, f
	}
	r, err := report.NewReader(bufio.NewReaderSize(infile.Interruptible(ctx, infile.Bounded(in)), 1<<16))
	if err != nil {
		if file != nil {
			file.Close()
		}
		return err
	}
	s.list = append(s.list, openResults{path, file, r})
	if written := lastWritten(path); written.After(s.when) {
		s.when = written
	}
	return nil
}

func lastWritten(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return time.Now()
	}
	return info.ModTime()
}

func (s *joinedResults) fail(path string, err error) {
	s.end = max(s.end, report.Missing)
	rec := report.Record{Path: path, Err: err}
	reason := rec.Reason()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "the results end too early"
	}
	s.p.say("%s: %s", path, reason)
}

// records yields the records of all results, in order, and reports missing records.
func (s *joinedResults) records(c *cli.Context) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		for _, sh := range s.list {
			for {
				rec, err := sh.Next()
				if c.Context.Err() != nil {
					return // the record is incomplete
				}
				if err == nil {
					if !yield(rec) {
						return
					}
					continue
				}
				switch {
				case err != io.EOF:
					s.fail(sh.path, err)
				case sh.End() != report.Complete:
					s.fail(sh.path, errors.New("the results are not complete"))
				}
				s.end = max(s.end, sh.End())
				break
			}
		}
	}
}

func (s *joinedResults) close() {
	for _, sh := range s.list {
		if sh.file != nil {
			sh.file.Close()
		}
	}
}
