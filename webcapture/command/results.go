package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// judgement holds the settings that outputs and exit codes need in addition to the records.
type judgement struct {
	report.Options                   // of all outputs; results sets those that depend on the command line only
	end            func() report.End // called after the last record
	remarks        func() []string   // printed at the end; nil for none
}

// endIf returns report.Complete or report.Missing.
func endIf(complete bool) report.End {
	if complete {
		return report.Complete
	}
	return report.Missing
}

// results writes records to all outputs, and records the outcome of the run. If an output cannot be written,
// results reports that and continues with the other outputs.
func (p *program) results(c *cli.Context, outs []*output, j judgement, records iter.Seq[*report.Record]) error {
	j.Verbose, j.FailOn, j.PasswordFile = c.Bool("verbose"), levelOf(c), c.String("password-file")
	j.Command = report.CommandLine(p.args)
	r := &resultRun{program: p, c: c, outs: outs, judgement: j}
	defer r.drop()
	// Before open creates files, so that an interrupt names the state of the results.
	p.noteDone("the results are not complete: no input is in them")
	if err := r.open(); err != nil {
		return err
	}
	p.told = onTable(outs)
	if !c.Bool("allow-empty") {
		p.seek(false)
	}
	for rec := range p.over(records) {
		if !r.take(rec) {
			break
		}
	}
	return r.finish()
}

// onTable reports whether standard output is for people, and so shows the content of some messages.
func onTable(outs []*output) bool {
	return slices.ContainsFunc(outs, func(o *output) bool {
		return o.path == "" && (o.format.Name == "table" ||
			o.format.Name == "markdown")
	})
}

// resultRun writes the records of one run.
type resultRun struct {
	*program
	c    *cli.Context
	outs []*output
	judgement
	sum    report.Tally
	inputs int
}

// take writes a record, and reports whether to continue.
func (r *resultRun) take(rec *report.Record) bool {
	r.audited(rec, r.FailOn)
	if bug, ok := errors.AsType[*report.PanicError](rec.Err); ok && r.Verbose {
		fmt.Fprintf(r.stderr, "%s\n", bug.Stack)
	}
	r.sum.Add(rec)
	if !r.each(func(o *output) error { return o.add(rec, r.stdout) }) {
		return false
	}
	r.inputs++
	r.noteDone("the results are not complete: %s in them", isAre(r.inputs, "input"))
	return true
}

// how returns how the results end.
func (r *resultRun) how() report.End {
	end := r.end()
	if r.c.Context.Err() != nil {
		end = report.Interrupted
	}
	return end
}

// sayWritten names the files that the outputs replaced or created.
func (r *resultRun) sayWritten() {
	var names []string
	for _, o := range r.outs {
		if o.err == nil {
			names = append(names, o.path)
		}
	}
	if len(names) > 0 {
		r.say("wrote %s", strings.Join(names, ", "))
	}
}

// finish ends the outputs and prints a summary. It prints totals only if no output shows them.
func (r *resultRun) finish() error {
	end := r.how()
	interrupted := r.c.Context.Err() != nil // an earlier interrupt of results that are read does not count
	r.each(func(o *output) error { return o.close(end, interrupted) })
	if !slices.ContainsFunc(r.outs, func(o *output) bool { return o.path == "" }) {
		r.say("%s", r.sum.String())
		if !interrupted {
			r.sayWritten()
		}
	}
	if text := r.sum.ConfigurationText(&r.Head); text != "" &&
		(len(r.Configuration) > 0 || !onTable(r.outs)) { // always mention a configuration
		r.stdout.Flush() // write the table first; Run checks its error
		r.say("%s", text)
	}
	r.partial = r.partial || end > report.Complete
	r.wrong = r.wrong && !r.c.Bool("exit-zero")
	for _, o := range r.outs {
		if o.err != nil {
			r.partial = true
			if o.file == nil {
				return cannotWrite(o.err)
			}
		}
	}
	if interrupted {
		return r.interruption()
	}
	if r.remarks != nil {
		for _, remark := range r.remarks() {
			r.say("%s", remark)
		}
	}
	return nil
}

func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return layout.Count(n, noun) + " are"
}

// drop removes the output files that were not installed.
func (r *resultRun) drop() {
	for _, o := range r.outs {
		if o.file != nil {
			o.file.drop()
		}
	}
}

// open creates the writers. If a file cannot be created, it returns the error before any work begins.
func (r *resultRun) open() error {
	if err := createFiles(r.outs); err != nil {
		return err
	}
	for _, o := range r.outs {
		opt := r.Options
		var to io.Writer = r.stdout
		if o.file != nil {
			to = o.file.buf
		} else {
			opt.Width = r.width
			opt.Colour = terminal.Colours(r.width > 0, os.Getenv) && terminal.ShowsColours(os.Stdout)
		}
		o.w = o.format.New(to, opt)
	}
	return nil
}

// createFiles creates the files of all outputs.
func createFiles(outs []*output) (err error) {
	for _, o := range outs {
		if o.path == "" {
			continue
		}
		o.file, err = createResult(o.path)
		if errors.Is(err, fs.ErrNotExist) {
			return cannotWriteFile(o.path, fmt.Errorf("the folder %s does not exist", filepath.Dir(o.path)))
		}
		if err != nil {
			return cannotWriteFile(o.path, err)
		}
	}
	return nil
}

// each calls do for all writable outputs, and reports those that fail. It returns whether any output is still
// writable.
func (r *resultRun) each(do func(*output) error) bool {
	left := false
	for _, o := range r.outs {
		if o.err != nil {
			continue
		}
		if o.err = do(o); o.err == nil {
			left = true
		} else if o.file != nil {
			r.say("%s", layout.OneLine(cannotWriteFile(o.path, o.err)))
		}
	}
	return left
}

func (o *output) add(rec *report.Record, stdout *bufio.Writer) error {
	err := o.w.Add(rec)
	if err == nil && o.file == nil {
		err = stdout.Flush() // a reader may be waiting
	}
	return err
}

// close ends the output. If the run was interrupted, existing files are not replaced.
func (o *output) close(end report.End, interrupted bool) error {
	if err := o.w.Close(end); err != nil || o.file == nil {
		return err
	}
	if interrupted && o.file.temp != "" {
		return nil
	}
	return o.file.install()
}

var errWrite = errors.New("cannot write the results")

func cannotWrite(err error) error { return fmt.Errorf("%w: %w", errWrite, err) }

// cannotWriteFile returns the error for a file that cannot be written, and names the file once. Errors of package
// os name the temporary file, or the same file again. A wrapped error is kept, because it is about another file of
// the writer.
func cannotWriteFile(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, oserror.Reason(err))
}
