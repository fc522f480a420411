package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// inputFlags are the options that add inputs, name them, or select them.
func inputFlags() []cli.Flag {
	return grouped(manual.Input,
		&cli.GenericFlag{Name: "files-from", Value: new(stringList),
			Usage: "`FILE` Also read the paths listed in FILE, or in -"},
		switchFlag("null", "--files-from is NUL-separated (find -print0)", "0"),
		switchFlag("follow-links", "Follow symbolic links in folders"),
	)
}

// runFlags are the options for the audit of inputs.
func runFlags() []cli.Flag {
	return append(limitFlags(), journalFlag("Record progress in FILE; rerun to resume"))
}

// limitFlags are the options for the number of concurrent audits, and their time.
func limitFlags() []cli.Flag {
	return grouped(manual.Limits,
		&cli.StringFlag{Name: "jobs", Aliases: []string{"j"}, DefaultText: "number of cores",
			Usage: "`N` Files to read at the same time"},
		timeoutFlag(),
	)
}

// timeoutFlag returns the option for the time limit. Commands that read PDF files have it.
func timeoutFlag() cli.Flag {
	return grouped(manual.Limits,
		&cli.StringFlag{Name: "timeout", Value: "60s", Usage: "`TIME` Time limit per file, such as 5m; 0 for none"})[0]
}

// timeoutOf returns the time limit, or 0 for none.
func timeoutOf(c *cli.Context) (time.Duration, error) {
	text := c.String("timeout")
	if text == "0" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if seconds, noNumber := time.ParseDuration(text + "s"); err != nil && noNumber == nil && seconds > 0 {
		return 0, usagef(c.Command.Name, "--timeout needs a unit: use %ss", text)
	}
	if err != nil || limit < 0 {
		return 0, usagef(c.Command.Name, "--timeout must be a time such as 90s or 5m, not %q", text)
	}
	return limit, nil
}

func journalFlag(text string) cli.Flag {
	return grouped(manual.Output, &cli.StringFlag{Name: "journal", Usage: "`FILE` " + text})[0]
}

// listedPaths holds the paths from arguments and lists.
type listedPaths struct {
	arguments []string
	lists     []nameList
	exclude   func(path string) bool // see batch.PathOptions; nil for none
	failed    atomic.Pointer[error]  // error of reading a list
}

// err returns the error of reading a list so far. A run that is interrupted does not wait for the end of a list.
func (l *listedPaths) err() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// maxJobs is the maximum number of concurrent audits: few machines have more cores.
const maxJobs = 1024

// folder returns the only path, with a slash at its end, if it is a folder; otherwise "".
func (l *listedPaths) folder() string {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return ""
	}
	if !isFolder(l.arguments[0]) {
		return ""
	}
	folder, slash := batch.Join(l.arguments[0], l.arguments[0]), "/"
	if strings.Contains(l.arguments[0], `\`) {
		slash = string(filepath.Separator)
	}
	return strings.TrimSuffix(folder, slash) + slash
}

// nameList is an open list of paths or URLs.
type nameList struct {
	name string
	in   io.Reader
	end  byte // of each entry
}

// maxPath is the maximum length of an entry in a list, in bytes. Paths are shorter on nearly all systems.
const maxPath = 1 << 16

// entries yields the entries of the list while it is read. An error is the last element.
func (l *nameList) entries() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := bufio.NewReaderSize(l.in, maxPath)
		for {
			entry, err := in.ReadSlice(l.end)
			if err == bufio.ErrBufferFull {
				err = fmt.Errorf("a line is longer than %d bytes", maxPath)
			}
			switch entry := l.trimmed(entry); {
			case err != nil && err != io.EOF:
				yield("", fmt.Errorf("%s: %w", l.name, err))
				return
			case entry != "" && !yield(entry, nil), err == io.EOF:
				return
			}
		}
	}
}

// trimmed returns an entry without its end.
func (l *nameList) trimmed(entry []byte) string {
	s := strings.TrimSuffix(string(entry), string(l.end))
	if l.end == '\n' {
		s = strings.TrimSuffix(s, "\r")
	}
	return s
}

// paths opens the lists given with options. The caller closes the result, which has the arguments, too.
func (p *program) paths(c *cli.Context, arguments []string) (*listedPaths, error) {
	l := &listedPaths{arguments: arguments}
	end := byte('\n')
	if c.Bool("null") {
		end = 0
	}
	for _, name := range allOf(c, "files-from") {
		if name == batch.Stdin {
			l.lists = append(l.lists, nameList{name, p.stdin, end})
			continue
		}
		f, err := infile.Open(name)
		if err != nil {
			l.close()
			return nil, usagef(c.Command.Name, "cannot read the list of files: %v", err)
		}
		l.lists = append(l.lists, nameList{name, f, end})
	}
	if len(l.arguments)+len(l.lists) == 0 {
		return nil, usagef(c.Command.Name, "name at least one file or folder")
	}
	return l, nil
}

func (l *listedPaths) close() {
	for _, list := range l.lists {
		if f, ok := list.in.(*os.File); ok && list.name != batch.Stdin {
			f.Close()
		}
	}
}

// listed yields the paths in the lists while it reads the lists. It stores an error in l.failed.
func (l *listedPaths) listed() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.lists {
			for name, err := range l.lists[i].entries() {
				if err != nil {
					l.failed.Store(&err)
					return
				}
				if !yield(name) {
					return
				}
			}
		}
	}
}

// inputs returns the inputs for the paths.
func (p *program) inputs(c *cli.Context, l *listedPaths) iter.Seq[*batch.Input] {
	where := p.pathOptions(c)
	where.Stdin, where.Exclude = infile.Interruptible(c.Context, p.stdin), l.exclude
	named := batch.Inputs(slices.Values(l.arguments), where)
	where.Literal = true
	listed := batch.Inputs(l.listed(), where)
	return func(yield func(*batch.Input) bool) {
		for _, inputs := range []iter.Seq[*batch.Input]{named, listed} {
			for in := range inputs {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// runOptions returns the batch options of a run.
func runOptions(c *cli.Context, opt audit.Options) (batch.Options, error) {
	o := batch.Options{Audit: opt, Timings: keepsRecords(c)}
	var err error
	if text := c.String("jobs"); text != "" {
		if o.Workers, err = strconv.Atoi(text); err != nil || o.Workers < 1 || o.Workers > maxJobs {
			return o, usagef(c.Command.Name, "--jobs must be a number from 1 to %d, not %q", maxJobs,
				text)
		}
	}
	o.Memory = memoryLimit()
	o.Timeout, err = timeoutOf(c)
	return o, err
}

// auditRun is an audit of inputs. It may have a journal.
type auditRun struct {
	inputs  iter.Seq[*batch.Input]
	opt     batch.Options
	journal *batch.Journal
	err     error // error of the journal
}

// openJournal opens the journal, if one is requested. The file of the journal is no longer an input then.
func (r *auditRun) openJournal(c *cli.Context, head report.Head) (err error) {
	path := c.String("journal")
	if path == "" {
		return nil
	}
	r.inputs = without(r.inputs, path)
	r.journal, err = batch.OpenJournal(path, head)
	if errors.Is(err, batch.ErrJournal) {
		return usagef(c.Command.Name, "--journal %s: %v", path, err)
	}
	if err != nil {
		return fmt.Errorf("cannot open the journal: %w", err)
	}
	return nil
}

// records yields the records of the run.
func (r *auditRun) records(ctx context.Context) iter.Seq[*report.Record] {
	if r.journal == nil {
		return batch.Run(ctx, r.inputs, r.opt)
	}
	return untilError(r.journal.Run(ctx, r.inputs, r.opt), &r.err)
}

// untilError yields records until there is an error, which it stores in failed.
func untilError(all iter.Seq2[*report.Record, error], failed *error) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		for rec, err := range all {
			if err != nil {
				*failed = err
				return
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// without yields the inputs except path, which is the file that is being written.
func without(inputs iter.Seq[*batch.Input], path string) iter.Seq[*batch.Input] {
	return func(yield func(*batch.Input) bool) {
		for in := range inputs {
			if filepath.Base(in.Name) == filepath.Base(path) && sameFile(in.Name, path) {
				in.Close()
				continue
			}
			if !yield(in) {
				return
			}
		}
	}
}

// maxWords is the maximum number of paths that a suggested command repeats.
const maxWords = 10

// words returns the words of the command line that name the inputs, for webcap rewrite, which does not read archives
// and standard input. It returns nil if there are neither lists nor patterns, or a command cannot repeat the words.
func (l *listedPaths) words(c *cli.Context) (list []string) {
	if len(l.arguments) > maxWords || len(l.lists) == 0 && !slices.ContainsFunc(l.arguments, batch.IsPattern) {
		return nil
	}
	if c.Bool("follow-links") {
		list = append(list, "--follow-links")
	}
	if c.Bool("null") {
		list = append(list, "-0")
	}
	for _, from := range l.lists {
		if from.name == batch.Stdin {
			return nil
		}
		list = append(list, "--files-from", from.name)
	}
	n := len(list)
	for _, path := range l.arguments {
		if path != layout.Printable(path) {
			return nil
		}
		if path != batch.Stdin && !strings.Contains(path, archive.Separator) && !isArchive(path) {
			list = append(list, path)
		}
	}
	if n == len(list) && len(l.lists) == 0 {
		return nil
	}
	return list
}
