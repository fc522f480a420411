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
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// usage returns an error for options that do not apply to a single file, or to several.
func (w *rewriteRun) usage(c *cli.Context, paths []string) error {
	to := w.target.Path
	st, err := os.Stat(to)
	isFolder := err == nil && st.IsDir()
	switch {
	case w.single && c.String("journal") != "":
		return usagef("rewrite", "--journal is for several files or a folder")
	case w.single && w.target.InPlace && strings.Contains(paths[0], archive.Separator):
		return usagef("rewrite", "%s is in an archive, which webcap cannot change; name a file with -o", paths[0])
	case w.single:
		return nil
	case c.IsSet("format"):
		return usagef("rewrite", "--format is for a single file; use --journal for details of several")
	case to != "" && !isFolder && (err == nil || strings.EqualFold(filepath.Ext(to), ".pdf")):
		return usagef("rewrite", "-o %s is one file; name a folder for several, such as -o repaired/", to)
	}
	for _, path := range paths {
		if st, err := os.Stat(path); to != "" && err == nil && st.IsDir() && overlap(path, to) {
			return usagef("rewrite", "-o %s overlaps %s; name a separate folder, or use --in-place", to, path)
		}
	}
	return nil
}

// find finds the inputs, and the paths of the new files. It returns an error if two new files have the same path, or if
// one would replace an input. An input that is named twice is rewritten once.
func (w *rewriteRun) find(ctx context.Context, paths *listedPaths, where batch.PathOptions) error {
	w.below, w.outputs = map[string]string{}, map[string]string{}
	seen := map[string]bool{}
	for _, path := range paths.arguments {
		w.findIn(ctx, path, where, seen)
	}
	where.Literal = true
	for path := range paths.listed() {
		w.findIn(ctx, path, where, seen)
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
func (w *rewriteRun) findIn(ctx context.Context, path string, where batch.PathOptions, seen map[string]bool) {
	folder := batch.Root(path)
	for in := range batch.Inputs(slices.Values([]string{path}), where) {
		if ctx.Err() != nil {
			return
		}
		in.Close()
		file := cmp.Or(in.Path(), in.Name)
		switch {
		case in.Err != nil:
			w.inputs = append(w.inputs, &batch.Input{Name: in.Name, Err: in.Err})
			continue
		case in.Path() == "" && (!w.single || w.target.InPlace):
			w.inputs = append(w.inputs, &batch.Input{Name: in.Name,
				Err: &report.SkippedError{Reason: "webcap does not rewrite archives"}})
			continue
		case seen[realName(file)]:
			continue
		}
		seen[realName(file)] = true
		w.inputs = append(w.inputs, in)
		below, err := filepath.Rel(folder, file)
		if err != nil || w.single {
			below = filepath.Base(file)
		}
		w.below[in.Name] = below
		switch {
		case w.target.Path == "":
		case w.single:
			w.outputs[in.Name] = inFolderOf(w.target.Path, in.Name)
		case err == nil:
			w.outputs[in.Name] = batch.Join(w.target.Path, w.target.Path, below)
		}
	}
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

// writeFates writes a line for each file that changes, with -v for each file that did not fail, and returns the
// number of files by outcome, and whether there is a line.
func (p *program) writeFates(w *rewriteRun, records iter.Seq[*report.Record]) (
	count map[fate]int, listed bool, err error,
) {
	if w.writes() {
		p.noteDone("no file was rewritten")
	}
	p.seek(false)
	count = map[fate]int{}
	n := 0
	for rec := range records {
		p.audited(rec, rule.Error)
		p.wrong = false // the outcome is about the rewrite, not the file
		if rec.Rewrite != nil && rec.Rewrite.Steps > 0 {
			p.seek(true) // even a file without a database counts: its original may have one
		}
		if rec.Report == nil && rec.Outcome() == report.Nothing {
			continue // the error of a folder without files
		}
		if w.single {
			continue // its plan is the output
		}
		what := fateOf(rec)
		count[what]++
		n++
		p.noteDone("%s done", isAre(n, "file"))
		if what == isFailed || !w.verbose && !what.isChange() {
			continue // the failure is already on standard error
		}
		if err := p.printf("%s\n", layout.Printable(w.name(rec)+": "+lineOf(rec))); err != nil {
			return nil, false, err
		}
		listed = true
	}
	return count, listed, nil
}

// writeFateCounts writes the last line, with the number of files by outcome, after an empty line if files are listed.
// It writes nothing if there are no files.
func (p *program) writeFateCounts(w *rewriteRun, count map[fate]int, listed bool) error {
	var parts []string
	n := 0
	for _, what := range fates {
		if count[what] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[what], what))
			n += count[what]
		}
	}
	if n == 0 {
		return nil
	}
	text := fmt.Sprintf("%s: %s\n", layout.Count(n, "file"), strings.Join(parts, ", "))
	if listed {
		text = "\n" + text
	}
	left := count[isPart] + count[isBroken] + count[isLost] + count[isSound] + count[isWithout]
	if w.target.Path != "" && left > 0 {
		text += fmt.Sprintf("Not copied to %s: %s without repairs\n", layout.Printable(w.target.Path),
			layout.Count(left, "file"))
	}
	if !w.writes() && count[isPlanned] > 0 {
		text += "This is the plan; nothing is written yet. Use -o FOLDER/ or --in-place to carry it out.\n"
	}
	return p.printf("%s", text)
}

// name returns the path of a file. If the rewritten file is another file, its path follows.
func (w *rewriteRun) name(rec *report.Record) string {
	if to := w.outputs[rec.Path]; rec.Report != nil && rec.Rewrite.Written && to != "" {
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
	isBroken  fate = "with errors that cannot be repaired"
	isLost    fate = "that only --from ORIGINAL repairs"
	isSound   fate = "with nothing to repair"
	isWithout fate = "without a content database"
	isFailed  fate = "failed"
)

// fates are all outcomes, in the order of the last line.
var fates = []fate{isWritten, isPlanned, isPart, isBroken, isLost, isSound, isWithout, isFailed}

// isChange reports whether the file was or would be changed.
func (f fate) isChange() bool { return f == isWritten || f == isPlanned }

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
	case !rec.Report.Present:
		return isWithout
	case report.LostDatabase(rec.Report):
		return isLost
	case rec.Report.Count(rule.Error) > 0:
		return isBroken
	}
	return isSound
}

// lineOf returns the line for a file that did not fail. It includes the findings of the audit after the rewrite.
func lineOf(rec *report.Record) string {
	var text string
	steps := layout.Count(rec.Rewrite.Steps, "step")
	switch fateOf(rec) {
	case isWithout:
		return "no Web Capture content database: nothing to rewrite"
	case isWritten:
		text = steps + ", written"
	case isPlanned:
		text = steps
	case isPart:
		text = "nothing to repair in the part that could be read"
		if rec.Rewrite.Steps > 0 {
			text = "cannot be written; recover it with qpdf or mutool first"
		}
	case isBroken:
		text = "no error can be repaired"
	case isLost:
		text = "only an original restores the database"
	default:
		text = "nothing to repair"
	}
	rep := rec.Report
	text += fmt.Sprintf(": %s, %s, %s", layout.Count(rep.Count(rule.Error), "error"),
		layout.Count(rep.Count(rule.Warning), "warning"), layout.Count(rep.Count(rule.Note), "note"))
	return text
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

// overlap reports whether two folders are the same, or one contains the other. The folder b need not exist.
func overlap(a, b string) bool {
	a, b = realPath(a), realPath(b)
	inside := func(folder, path string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	}
	return inside(a, b) || inside(b, a)
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
