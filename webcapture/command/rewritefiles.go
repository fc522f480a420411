package command

import (
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
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// usage returns an error for options that do not apply to several files.
func (w *rewriteRun) usage(c *cli.Context, paths []string) error {
	to := w.target.Path
	st, err := os.Stat(to)
	switch isFolder := err == nil && st.IsDir(); {
	case c.IsSet("format"):
		return usagef("rewrite", "--format is for a single file; use --journal for details of several")
	case to == "-":
		return usagef("rewrite", "standard output has room for one file; name an output folder with -o")
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
	add := func(path string) {
		folder := batch.Root(path)
		for in := range batch.Inputs(slices.Values([]string{path}), where) {
			in.Close()
			file := in.Path()
			switch below, err := filepath.Rel(folder, file); {
			case in.Err != nil:
				w.inputs = append(w.inputs, &batch.Input{Name: in.Name, Err: in.Err})
			case file == "":
				w.inputs = append(w.inputs, &batch.Input{Name: in.Name,
					Err: &report.SkippedError{Reason: "webcap does not rewrite archives"}})
			case !seen[realName(file)]:
				seen[realName(file)] = true
				w.inputs = append(w.inputs, in)
				if err != nil {
					below = filepath.Base(file)
				}
				w.below[file] = below
				if w.target.Path != "" && err == nil {
					w.outputs[file] = batch.Join(w.target.Path, w.target.Path, below)
				}
			}
			if ctx.Err() != nil {
				return
			}
		}
	}
	for _, path := range paths.arguments {
		add(path)
	}
	where.Literal = true
	for path := range paths.listed() {
		add(path)
	}
	if err := paths.err(); err != nil {
		return fmt.Errorf("cannot read the list of files: %w", err)
	}
	return w.checkOutputs(seen)
}

// checkOutputs returns an error if two new files have the same path, or if one would replace an input.
func (w *rewriteRun) checkOutputs(inputs map[string]bool) error {
	of := map[string]string{} // inputs by path of the new file
	for _, in := range w.inputs {
		to, ok := w.outputs[in.Path()]
		if !ok {
			continue
		}
		at := realName(to)
		switch first, taken := of[at]; {
		case taken:
			return usagef("rewrite", "%s and %s would both become %s; rewrite them in two runs", first, in.Path(), to)
		case inputs[at]:
			return usagef("rewrite", "%s is an input; name another folder with -o, or use --in-place", to)
		}
		of[at] = in.Path()
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

// rewriteFiles rewrites several files, and prints the outcome of each that changes. With a journal, a killed run can
// resume.
func (p *program) rewriteFiles(c *cli.Context, w *rewriteRun, paths *listedPaths) error {
	err := w.usage(c, paths.arguments)
	if err != nil {
		return err
	}
	r := new(auditRun)
	if r.opt, err = runOptions(c, audit.Options{}); err != nil {
		return err
	}
	where := batch.PathOptions{Links: c.Bool("follow-links"), Except: rewrite.MadeBeside, Skipped: p.skipped.add}
	if err := w.find(c.Context, paths, where); err != nil {
		return err
	}
	r.inputs, r.opt.Do = slices.Values(w.inputs), w.rewrite
	head, err := w.head(c)
	if err != nil {
		return err
	}
	if err := r.openJournal(c, head); err != nil {
		return err
	}
	count, listed, err := p.writeFates(w, r.records(c.Context))
	if err != nil {
		return err
	}
	interrupted := c.Context.Err() != nil
	p.endRun(c, r, nil, !interrupted && r.err == nil)
	if interrupted {
		return p.interruption()
	}
	return p.writeFateCounts(w, count, listed)
}

// writeFates writes a line for each file that changes, with -v for each file that did not fail, and returns the
// number of files by outcome, and whether there is a line.
func (p *program) writeFates(w *rewriteRun, records iter.Seq[*report.Record]) (
	count map[fate]int, listed bool, err error,
) {
	p.noteDone("no file was rewritten")
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
		what := fateOf(rec)
		count[what]++
		n++
		p.noteDone("%s done", isAre(n, "file"))
		if what == isFailed || !w.verbose && !what.isChange() {
			continue // the failure is already on standard error
		}
		if err := p.printf("%s\n", layout.Printable(w.name(rec)+": "+lineOf(rec))); err != nil {
			return nil, false, cannotWrite(err)
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
	if rec.Rewrite.Written && rep.Signed() {
		text += "; the file is signed, so viewers will report changes after the signature"
	}
	return text
}

// rewrite plans the changes of one file. If w.writes() is set and there are any, it writes the file.
func (w *rewriteRun) rewrite(ctx context.Context, in *batch.Input, rec *report.Record) {
	path, target := in.Path(), w.target
	opt := w.opt
	opt.From = originalsOf(opt.From, w.below[path])
	plan, err := rewrite.Open(ctx, path, opt)
	if err != nil {
		rec.Err = oserror.ReasonOf(err, path)
		return
	}
	defer plan.Close()
	for _, line := range slices.Concat(plan.Unmatched, restoredLines(plan.Restored, w.verbose)) {
		w.p.say("%s: %s", path, line)
	}
	rec.Report, rec.Rewrite = plan.Report, &report.Rewrite{Steps: len(plan.Steps), Missing: missingSets(plan)}
	if !w.writes() || !plan.Worthwhile(target) {
		return
	}
	if target.Path = w.outputs[path]; target.Path != "" {
		err = os.MkdirAll(filepath.Dir(target.Path), 0o777)
	}
	if err == nil {
		var res *rewrite.Result
		if res, err = plan.Install(ctx, target); err == nil {
			rec.Rewrite.Written, rec.Report = true, res.Report
			rec.Report.Path = path
			return
		}
	}
	rec.Report, rec.Rewrite, rec.Err = nil, nil, refusal(err)
}

// originalsOf returns the originals of a file. A folder stands for the file in it that has the same path as the file
// below the folder that the user named.
func originalsOf(from []string, below string) (list []string) {
	for _, name := range from {
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			name = filepath.Join(name, below)
		}
		list = append(list, name)
	}
	return list
}

// missingSets returns the content sets of originals that a plan does not restore.
func missingSets(plan *rewrite.Plan) (list []report.MissingSet) {
	for _, o := range plan.Restored {
		for _, m := range o.Missing {
			list = append(list, report.MissingSet{Kind: "contentSet", Original: o.Original,
				Subtype: m.Subtype.String(), ID: m.ID, URL: m.URL, Reason: m.Why})
		}
	}
	return list
}

// head returns a head that distinguishes the journals of different rewrites.
func (w *rewriteRun) head(c *cli.Context) (report.Head, error) {
	head := report.Head{Version: moduleVersion(), Rules: w.opt.Rules, Settings: []string{"rewrite"}}
	if head.Rules == nil {
		head.Rules = audit.Rules()
	}
	var err error
	if head.Directory, err = os.Getwd(); err != nil {
		return head, err
	}
	head.Directory = filepath.ToSlash(head.Directory)
	// The head has the rules already. Passwords are secret. The other options do not change records.
	omitted := []string{"journal", "only", "disable", "password-file", "verbose", "files-from", "null", "jobs", "memory"}
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && !slices.Contains(omitted, name) {
			head.Settings = append(head.Settings, fmt.Sprintf("%s %v", name, c.Value(name)))
		}
	}
	slices.Sort(head.Settings)
	return head, nil
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
