package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// resultFlags are the options of commands that write the results of audits.
func resultFlags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "output", Value: new(words), Usage: "write the results as `FORMAT[:PATH]`, to standard output without PATH; may be repeated. Formats: " + formatNames(", ")},
		&cli.StringFlag{Name: "format", DefaultText: "table, without --output", Usage: "short for --output `FORMAT`"},
		&cli.StringFlag{Name: "fail-on", Value: "error", Usage: "exit with 1 from this `LEVEL` on: error, warning, note"},
		&cli.BoolFlag{Name: "exit-zero", Usage: "exit with 0 instead of 1 if there are findings", DisableDefaultText: true},
		&cli.BoolFlag{Name: "allow-empty", Usage: "exit with 0 instead of 4 if there is nothing to audit", DisableDefaultText: true},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q", "only-failures"}, Usage: "leave clean files out of what is for people, those without a database, and tests of junit that pass", DisableDefaultText: true},
	}
}

// resultFormats returns the names of the formats.
func resultFormats() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatNames lists the formats, the last one after a separator of its own.
func formatNames(last string) string {
	names := resultFormats()
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + last + names[n]
}

func levelOf(c *cli.Context) (audit.Level, error) {
	for l := audit.Note; l <= audit.Error; l++ {
		if l.String() == c.String("fail-on") {
			return l, nil
		}
	}
	return 0, usagef(c.Command.Name, "--fail-on is error, warning or note, not %q", c.String("fail-on"))
}

// An output is a format, and where results go in it.
type output struct {
	format report.Format
	folder string // that path is in, and that is made for it; "" for none
	made   bool   // the folder was made by this run
	path   string // "" for standard output

	w       report.Writer
	file    *resultFile // nil for standard output
	summary *os.File    // nil if the format has none, or nobody wants it
	err     error       // of writing, after which nothing more is written
}

// outputs are those that the options ask for, in order. Inputs are the files that
// the command reads.
func outputs(c *cli.Context, inputs []string) ([]*output, error) {
	asked := &outputList{command: c.Command.Name, inputs: inputs}
	if c.IsSet("format") {
		if err := asked.add("format", c.String("format"), ""); err != nil {
			return nil, err
		}
	}
	for _, spec := range allOf(c, "output") {
		name, path, hasPath := strings.Cut(spec, ":") // the first colon: C:\ has another
		if _, known := report.LookupFormat(name); known && hasPath && path == "" {
			return nil, usagef(asked.command, "--output %s names no file", spec)
		}
		if path == "-" {
			path = ""
		}
		if err := asked.add("output", name, path); err != nil {
			return nil, err
		}
	}
	if len(asked.list) == 0 {
		if err := asked.add("format", "table", ""); err != nil {
			return nil, err
		}
	}
	return asked.list, nil
}

// An outputList is what options ask for, as far as they have been looked at.
type outputList struct {
	command string
	inputs  []string
	list    []*output
}

// add adds the output that an option asks for, or those of a format that has several files.
func (l *outputList) add(option, name, path string) error {
	format, ok := report.LookupFormat(name)
	switch {
	case !ok:
		return usagef(l.command, "--%s is %s, not %q%s", option, formatNames(" or "), name, didYouMean(name, "", resultFormats()))
	case format.Files == nil:
		return l.addFile(&output{format: format, path: path})
	case path == "":
		return usagef(l.command, "%s is a folder of files: name it, as in --output %s:PATH", name, name)
	}
	for _, f := range format.Files {
		if err := l.addFile(&output{format: f, folder: path, path: filepath.Join(path, f.Name)}); err != nil {
			return err
		}
	}
	return nil
}

func (l *outputList) addFile(next *output) error {
	name, path := next.format.Name, next.path
	for _, o := range l.list {
		switch {
		case o.path == "" && path == "":
			return usagef(l.command, "%s and %s cannot both go to standard output: name a file, as in --output %s:PATH", o.format.Name, name, name)
		case o.path != "" && path != "" && sameFile(o.path, path):
			return usagef(l.command, "%s and %s cannot both go to %s", o.format.Name, name, path)
		}
	}
	if path != "" && (isAudited(path) || slices.ContainsFunc(l.inputs, func(in string) bool { return sameFile(in, path) })) {
		return usagef(l.command, "%s is what is read, the results cannot go there", path)
	}
	l.list = append(l.list, next)
	return nil
}

// wantsOutline reports whether one of the formats shows the outline of the trees.
// The others of the run have it then, too.
func wantsOutline(outs []*output) bool {
	return slices.ContainsFunc(outs, func(o *output) bool { return o.format.Outline })
}

// wantsEntries does so for the entries of the trees.
func wantsEntries(outs []*output) bool {
	return slices.ContainsFunc(outs, func(o *output) bool { return o.format.Entries })
}

// isAudited reports whether there is a PDF file or an archive under a path. It may be in a
// folder that is audited, and would be lost.
func isAudited(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(header))
	if _, err := io.ReadFull(f, start); err == nil && string(start) == header {
		return true // further on, results may have it as well
	}
	kind, err := archive.KindOf(f)
	return err == nil && kind.IsArchive()
}

// header is what PDF files begin with (ISO 32000-2:2020, 7.5.2).
const header = "%PDF-"

// sameFile reports whether two paths name one file, or one that is yet to be made.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX != nil && errY != nil && filepath.Base(a) == filepath.Base(b) { // by way of another folder
		x, errX = os.Stat(filepath.Dir(a))
		y, errY = os.Stat(filepath.Dir(b))
	}
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// A judgement is what a command that writes results knows beside the records.
type judgement struct {
	head    report.Head
	when    time.Time // of the audit
	base    string    // see report.Options
	colour  bool      // on standard output
	failOn  audit.Level
	end     func() report.End // asked when there are no more records; nil for Complete
	remarks func() []string   // to be said at the end; nil for none
}

// endIf returns how results end of which nothing is known but whether all are there.
func endIf(complete bool) report.End {
	if complete {
		return report.Complete
	}
	return report.Missing
}

// results writes records to all outputs, and notes what they come to.
// An output that cannot be written is said, and the others go on.
func (p *program) results(c *cli.Context, outs []*output, j judgement, records iter.Seq[*report.Record]) error {
	defer func() {
		for _, o := range outs {
			o.drop()
		}
		for _, o := range outs {
			if o.made {
				tempfile.Remove(o.folder) // unless there are results in it
			}
		}
	}()
	onStdout, err := p.open(c, outs, j)
	if err != nil {
		return err
	}
	p.told = p.width > 0 && terminalWidth(p.stderr) > 0 &&
		slices.ContainsFunc(outs, func(o *output) bool { return o.file == nil && o.format.Name == "table" })
	var sum report.Summary
	inputs, unlisted := 0, 0
	end := report.Complete
	p.noteDone("the results are not complete: no input is in them")
	if !c.Bool("allow-empty") {
		p.seek(false)
	}
	for rec := range records {
		p.audited(rec, j.failOn)
		if bug, ok := errors.AsType[*report.PanicError](rec.Err); ok && c.Bool("verbose") {
			fmt.Fprintf(p.stderr, "%s\n", bug.Stack)
		}
		if rep := rec.Report; rep != nil && rep.Entries == nil && rep.URLS+rep.IDS > 0 {
			unlisted++
		}
		sum.Add(rec)
		if !p.each(outs, func(o *output) error { return o.add(rec, p.stdout) }) {
			break
		}
		inputs++
		p.noteDone("the results are not complete: %s in them", isAre(inputs, "input"))
		if c.Bool("fail-fast") && (p.wrong || !rec.Outcome().Audited()) {
			end = report.FailFast
			p.say("stopped after %s, as --fail-fast asks", layout.Count(inputs, "input"))
			break
		}
	}
	interrupted := c.Context.Err() != nil
	if j.end != nil {
		end = max(end, j.end())
	}
	if interrupted {
		end = report.Interrupted
	}
	p.each(outs, func(o *output) error { return o.close(end, interrupted) })
	if unlisted > 0 && wantsEntries(outs) {
		p.say("the entries of %s are not in these results, which were not written together with parquet: entries.parquet is without them", layout.Count(unlisted, "file"))
	}
	if !onStdout && terminalWidth(p.stderr) > 0 {
		p.say("%s", sum.String())
	}
	p.partial = p.partial || end > report.FailFast
	p.wrong = p.wrong && !c.Bool("exit-zero")
	for _, o := range outs {
		if o.err != nil {
			p.partial = true
			if o.file == nil {
				return cannotWrite(o.err)
			}
		}
	}
	if interrupted {
		return p.interruption()
	}
	if j.remarks != nil {
		for _, remark := range j.remarks() {
			p.say("%s", remark)
		}
	}
	return nil
}

// open makes the writers, and reports whether one of them writes to standard
// output. A file that cannot be made is known before any work is done.
func (p *program) open(c *cli.Context, outs []*output, j judgement) (onStdout bool, err error) {
	if err := createFiles(outs); err != nil {
		return false, err
	}
	if err := openSummary(outs); err != nil {
		return false, err
	}
	for _, o := range outs {
		opt := report.Options{Head: j.head, Time: j.when, Verbose: c.Bool("verbose"), OnlyFailures: c.Bool("quiet"), Base: j.base}
		var to io.Writer = p.stdout
		if o.file != nil {
			to = o.file.buf
		} else {
			onStdout = true
			opt.Width, opt.Colour = p.width, j.colour
		}
		if o.summary != nil {
			opt.Summary = o.summary
		}
		o.w = o.format.New(to, opt)
	}
	return onStdout, nil
}

// createFiles makes the files of all outputs. Those that grow come last, for what
// they replace is lost at once.
func createFiles(outs []*output) (err error) {
	for _, grows := range []bool{false, true} {
		for _, o := range outs {
			if o.path == "" || o.format.Grows != grows {
				continue
			}
			if o.made, err = makeFolder(o.folder); err != nil {
				return cannotWriteFile(o.folder, err)
			}
			if o.file, err = createResult(o.path, grows); err != nil {
				return cannotWriteFile(o.path, err)
			}
		}
	}
	return nil
}

// makeFolder makes a folder unless it is there.
func makeFolder(path string) (made bool, err error) {
	if path == "" {
		return false, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return false, nil
	}
	err = tempfile.Mkdir(path)
	return err == nil, err
}

// openSummary opens the file that GitHub Actions shows with a job. Of several
// outputs that could write to it one does.
func openSummary(outs []*output) (err error) {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	i := slices.IndexFunc(outs, func(o *output) bool { return o.format.Summary })
	if path == "" || i < 0 {
		return nil
	}
	if outs[i].summary, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return cannotWriteFile(path, err)
	}
	return nil
}

// each does something with all outputs that can be written, and says which of
// them cannot any more. It reports whether there are any left.
func (p *program) each(outs []*output, do func(*output) error) bool {
	left := false
	for _, o := range outs {
		if o.err != nil {
			continue
		}
		if o.err = do(o); o.err == nil {
			left = true
		} else if o.file != nil {
			p.say("%s", layout.OneLine(cannotWriteFile(o.path, o.err)))
		}
	}
	return left
}

func (o *output) add(rec *report.Record, stdout *bufio.Writer) error {
	if err := o.w.Add(rec); err != nil {
		return err
	}
	// Somebody may be watching.
	switch {
	case o.file == nil:
		return stdout.Flush()
	case o.format.Grows:
		return o.file.buf.Flush()
	}
	return nil
}

// close ends the output. An interrupted run replaces no file.
func (o *output) close(end report.End, interrupted bool) error {
	if err := o.w.Close(end); err != nil || o.file == nil {
		return err
	}
	if interrupted && o.file.temp != "" {
		return nil
	}
	return o.file.install()
}

func (o *output) drop() {
	if o.file != nil {
		o.file.drop()
	}
	if o.summary != nil {
		o.summary.Close()
	}
}

var errWrite = errors.New("cannot write the results")

func cannotWrite(err error) error { return fmt.Errorf("%w: %w", errWrite, err) }

// cannotWriteFile says which file cannot be written, and once: the errors of
// package os name the one beside it, or the same again. One that is wrapped is
// about a file of the writer's own.
func cannotWriteFile(path string, err error) error {
	return fmt.Errorf("cannot write %s: %w", path, oserror.Reason(err))
}
