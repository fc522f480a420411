package command

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// usage returns an error for options that do not apply to a single file, or to several.
func (w *rewriteRun) usage(c *cli.Context) error {
	to := w.target.Path
	_, err := os.Stat(to)
	switch {
	case w.single && c.String("journal") != "":
		return usagef("rewrite", "--journal is for several files or a folder")
	case w.single:
		return nil
	case c.IsSet("format"):
		return usagef("rewrite", "--format is for a single file; use --journal for details of several")
	case to != "" && !isFolder(to) && (err == nil || strings.EqualFold(filepath.Ext(to), ".pdf")):
		return usagef("rewrite", "-o %s is one file; name a folder for several, such as -o repaired/", to)
	}
	return nil
}

// find finds the inputs, and the paths of the new files. It returns an error if two new files have the same path, if
// one would replace an input, or if the output folder overlaps an input folder. An input that is named twice is
// rewritten once.
func (w *rewriteRun) find(ctx context.Context, paths *listedPaths, where batch.PathOptions) error {
	w.below, w.outputs = map[string]string{}, map[string]string{}
	seen := map[string]bool{}
	for _, path := range paths.arguments {
		if err := w.findIn(ctx, path, where, seen); err != nil {
			return err
		}
	}
	where.Literal = true
	for path := range paths.listed() {
		if err := w.findIn(ctx, path, where, seen); err != nil {
			return err
		}
	}
	if err := paths.err(); err != nil {
		return fmt.Errorf("cannot read the list of files: %w", err)
	}
	if w.single && len(w.inputs) > 1 {
		return usagef("rewrite", "%s has several PDF files; name one, such as %s", paths.arguments[0], w.inputs[0].Name)
	}
	return w.checkOutputs(seen)
}

// findIn finds the inputs of a path. seen has the real names of all inputs.
func (w *rewriteRun) findIn(ctx context.Context, path string, where batch.PathOptions, seen map[string]bool) error {
	to, folder := w.target.Path, batch.Root(path)
	// If one folder contains the other, a new file may replace a PDF file that is no input.
	if to != "" && isFolder(path) && (isBelow(path, to) || isBelow(to, path)) {
		return usagef("rewrite", "-o %s overlaps %s; name a separate folder, or use --in-place", to, path)
	}
	toFolder := !w.single || isFolder(to) || strings.HasSuffix(filepath.ToSlash(to), "/")
	for in := range batch.Inputs(slices.Values([]string{path}), where) {
		if ctx.Err() != nil {
			return nil
		}
		in.Close()
		file := cmp.Or(in.Path(), in.Name)
		switch {
		case in.Err != nil:
			w.inputs = append(w.inputs, &batch.Input{Name: in.Name, Err: in.Err})
			continue
		case in.Path() == "" && (!w.single || w.target.InPlace):
			w.inputs = append(w.inputs, &batch.Input{Name: in.Name, Err: &report.SkippedError{
				Reason: "webcap does not change archives; name one file in it, with -o"}})
			continue
		case seen[realName(file)]:
			continue
		}
		seen[realName(file)] = true
		if in.Path() == "" {
			in = &batch.Input{Name: in.Name} // the member is closed, and is read again
		}
		w.inputs = append(w.inputs, in)
		below, err := filepath.Rel(folder, file)
		if err != nil || w.single {
			below = file[strings.LastIndexAny(filepath.ToSlash(file), "/!")+1:]
		}
		w.below[in.Name] = below
		if to != "" {
			w.outputs[in.Name] = to
			if toFolder {
				w.outputs[in.Name] = batch.Join(to, to, below)
			}
		}
	}
	return nil
}

// checkOutputs returns an error if two new files have the same path, or if one would replace an input.
func (w *rewriteRun) checkOutputs(inputs map[string]bool) error {
	of := map[string]string{} // inputs by path of the new file
	for _, in := range w.inputs {
		to, ok := w.outputs[in.Name]
		if !ok {
			continue
		}
		at := realName(to)
		switch first, taken := of[at]; {
		case taken:
			return usagef("rewrite", "%s and %s would both become %s; rewrite them in two runs", first, in.Name, to)
		case inputs[at]:
			return usagef("rewrite", "%s is an input; name another output with -o, or use --in-place", to)
		}
		of[at] = in.Name
	}
	return nil
}

// realName returns an absolute path without symbolic links to folders, for comparisons.
func realName(path string) string {
	name := filepath.Base(path)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // their file systems ignore the case of names
		name = strings.ToLower(name)
	}
	return filepath.Join(realPath(filepath.Dir(path)), name)
}

// write writes the plan of a single file; of several files, a line for each that changes, or that has errors that
// webcap does not repair. With -v, it writes a line for each file that did not fail.
func (w *rewriteRun) write(records iter.Seq[*report.Record]) error {
	p := w.p
	if w.writes() {
		p.noteDone("no file was rewritten")
	}
	p.seek(false)
	w.count = map[fate]int{}
	n := 0
	for rec := range records {
		p.audited(rec, rule.Error+1) // the errors that are left decide, see below
		if rec.Report == nil && rec.Outcome() == report.Nothing {
			continue // the error of a folder without files
		}
		what := fateOf(rec)
		w.count[what]++
		if n++; !w.single && !w.writes() {
			p.noteDone("%s done", isAre(n, "file"))
		}
		if what == isFailed {
			continue // the failure is already on standard error
		}
		if rec.Rewrite.Steps > 0 {
			p.seek(true) // even a file without a database counts: its original may have one
		}
		p.wrong = p.wrong || rec.Rewrite.Errors > 0
		if err := w.writeFile(rec, what); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes the plan or the line of a file.
func (w *rewriteRun) writeFile(rec *report.Record, what fate) error {
	if w.single {
		return w.plan.CopyTo(w.p.stdout)
	}
	if !w.verbose && what != isWritten && what != isPlanned && len(rec.Rewrite.Left) == 0 {
		return nil
	}
	w.listed = true
	w.p.printf("%s\n", layout.Printable(w.name(rec)+": "+lineOf(rec))) // Flush returns its error again
	for i, left := range rec.Rewrite.Left {
		if i == maxLeft && !w.verbose {
			w.p.printf("  … and %d more; -v lists them\n", len(rec.Rewrite.Left)-i)
			break
		}
		w.p.paragraph("  stays: ", layout.Printable(left), w.p.width)
	}
	return w.p.stdout.Flush()
}

// maxLeft is the maximum number of reasons why errors of a file stay.
const maxLeft = 3

// writeTotals writes the number of files by outcome, unless the plan of a single file is the output.
func (w *rewriteRun) writeTotals() error {
	var parts []string
	n := 0
	for _, what := range fates {
		if w.count[what] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", w.count[what], what))
			n += w.count[what]
		}
	}
	if n == 0 || w.single {
		return nil
	}
	text := fmt.Sprintf("%s: %s\n", layout.Count(n, "file"), strings.Join(parts, ", "))
	if w.listed {
		text = "\n" + text
	}
	left := w.count[isPart] + w.count[isBroken] + w.count[isSound] + w.count[isWithout]
	if w.target.Path != "" && left > 0 {
		text += fmt.Sprintf("Not copied to %s: %s without repairs\n", layout.Printable(w.target.Path),
			layout.Count(left, "file"))
	}
	if !w.writes() && w.count[isPlanned] > 0 {
		text += "This is the plan; nothing is written yet. Use -o FOLDER/ or --in-place to carry it out.\n"
	}
	return w.p.printf("%s", text)
}

// name returns the path of a file. If the rewritten file is another file, its path follows.
func (w *rewriteRun) name(rec *report.Record) string {
	if to := w.outputs[rec.Path]; rec.Rewrite.Written && to != "" {
		return rec.Path + " -> " + to
	}
	return rec.Path
}

// fate is the outcome of a file, in the words of the last line.
type fate string

const (
	isWritten fate = "written"
	isPlanned fate = "to be repaired"
	isPart    fate = "read in part"
	isBroken  fate = "with findings that stay"
	isSound   fate = "with nothing to repair"
	isWithout fate = "without a content database"
	isFailed  fate = "failed"
)

// fates are all outcomes, in the order of the last line.
var fates = []fate{isWritten, isPlanned, isPart, isBroken, isSound, isWithout, isFailed}

func fateOf(rec *report.Record) fate {
	switch {
	case rec.Report == nil:
		return isFailed
	case rec.Rewrite.Written:
		return isWritten
	case rec.Rewrite.Steps > 0 && (!rec.Report.FullOnly || len(rec.Report.Unread) == 0):
		return isPlanned
	case len(rec.Report.Unread) > 0:
		return isPart
	case len(rec.Rewrite.Left) > 0:
		return isBroken
	case !rec.Report.Present:
		return isWithout
	}
	return isSound
}

// lineOf returns the line for a file that did not fail. It includes the findings of the audit after the rewrite.
func lineOf(rec *report.Record) string {
	text := "nothing to repair"
	switch fateOf(rec) {
	case isWithout:
		return "no Web Capture content database: nothing to rewrite"
	case isWritten:
		text = layout.Count(rec.Rewrite.Steps, "step") + ", written"
	case isPlanned:
		text = layout.Count(rec.Rewrite.Steps, "step")
	case isPart:
		text += " in the part that could be read"
		if rec.Rewrite.Steps > 0 {
			text = "cannot be written; recover it with qpdf or mutool first"
		}
	case isBroken:
		text = "nothing can be repaired"
	}
	rep := rec.Report
	return text + fmt.Sprintf(": %s, %s, %s", layout.Count(rep.Count(rule.Error), "error"),
		layout.Count(rep.Count(rule.Warning), "warning"), layout.Count(rep.Count(rule.Note), "note"))
}

// head returns a head that distinguishes the journals of different rewrites.
func (w *rewriteRun) head(c *cli.Context) (report.Head, error) {
	folder, err := folderSetting()
	head := report.Head{Version: moduleVersion(), Rules: w.opt.Rules}
	if head.Rules == nil {
		head.Rules = audit.Rules()
	}
	head.Settings = append([]string{"rewrite", folder}, settings(c, "output", "in-place", "no-backup", "full",
		"break-signatures", "prefer", "profile", "base", "rebuild", "from", "timeout", "follow-links")...)
	return head, err
}

// isBelow reports whether path, which may not exist, is the folder or is in it.
func isBelow(folder, path string) bool {
	rel, err := filepath.Rel(realPath(folder), realPath(path))
	return err == nil && filepath.IsLocal(rel)
}

// realPath returns an absolute path. It resolves the symbolic links in the part of the path that exists.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(realPath(dir), filepath.Base(path))
	}
	return path
}
