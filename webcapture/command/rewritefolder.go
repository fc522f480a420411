package command

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// folderRewrite rewrites the files of a folder and its subfolders.
type folderRewrite struct {
	folder  string
	opt     rewrite.Options
	target  rewrite.Target // Path is the path of a folder
	write   bool
	verbose bool // print all files, and each content set that was not restored

	mu      sync.Mutex
	cleaned map[string]bool // folders without leftover files of killed runs
	removed []string        // removed files that are not reported yet
	notices []string        // notes about originals and lost objects that are not reported yet
}

// usage returns an error for options that do not apply to a folder.
func (w *folderRewrite) usage(c *cli.Context) error {
	switch {
	case c.IsSet("format"):
		return usagef("rewrite", "%s is a folder; --format is for single files, use --journal for details", w.folder)
	case w.target.Path == "-":
		return usagef("rewrite", "%s is a folder; name an output folder with -o, not standard output", w.folder)
	case w.target.Path != "" && overlap(w.folder, w.target.Path):
		return usagef("rewrite", "-o %s overlaps %s; name a separate folder, or use --in-place",
			w.target.Path, w.folder)
	}
	return nil
}

// rewriteFolder rewrites the files of a folder, and prints the outcome of each. With a journal, a killed run can
// resume.
func (p *program) rewriteFolder(c *cli.Context, w *folderRewrite) error {
	if err := w.usage(c); err != nil {
		return err
	}
	r := auditRun{inputs: batch.Inputs(slices.Values([]string{w.folder}), batch.PathOptions{Except: rewrite.MadeBeside})}
	var err error
	if r.opt.Memory, err = memoryOf(c); err != nil {
		return err
	}
	if r.opt.Timeout, err = timeoutOf(c); err != nil {
		return err
	}
	r.opt.Do = w.rewrite
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
	p.endRun(c, &r, nil, !interrupted && r.err == nil)
	if interrupted {
		return p.interruption()
	}
	return p.writeFateCounts(w, count, listed)
}

// writeFates writes a line for each file that changes, with -v for each file that did not fail, and returns the
// number of files by outcome, and whether there is a line.
func (p *program) writeFates(w *folderRewrite, records iter.Seq[*report.Record]) (
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
		p.sayRemoved(w.takeRemoved())
		for _, line := range w.takeNotices() {
			p.say("%s", line)
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
func (p *program) writeFateCounts(w *folderRewrite, count map[fate]int, listed bool) error {
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
	if left := count[isPart] + count[isBroken] + count[isSound] + count[isWithout]; w.target.Path != "" && left > 0 {
		text += fmt.Sprintf("Not copied to %s: %s without repairs\n", layout.Printable(w.target.Path),
			layout.Count(left, "file"))
	}
	return p.printf("%s", text)
}

// name returns the path of a file. If the rewritten file is another file, its path follows.
func (w *folderRewrite) name(rec *report.Record) string {
	if to := w.output(rec.Path); rec.Report != nil && rec.Rewrite.Written && to != "" {
		return rec.Path + " -> " + to
	}
	return rec.Path
}

// fate is the outcome of a file, in the words of the last line.
type fate string

const (
	isWritten fate = "written"
	isPlanned fate = "to be repaired"
	isEarlier fate = "repaired earlier"
	isPart    fate = "read in part"
	isBroken  fate = "with errors that cannot be repaired"
	isSound   fate = "with nothing to repair"
	isWithout fate = "without a content database"
	isFailed  fate = "failed"
)

// fates are all outcomes, in the order of the last line.
var fates = []fate{isWritten, isPlanned, isEarlier, isPart, isBroken, isSound, isWithout, isFailed}

// isChange reports whether the file was or would be changed.
func (f fate) isChange() bool { return f == isWritten || f == isPlanned }

func fateOf(rec *report.Record) fate {
	switch {
	case rec.Report == nil:
		return isFailed
	case rec.Rewrite.Written:
		return isWritten
	case rec.Rewrite.Steps > 0:
		return isPlanned
	case rec.Rewrite.Earlier:
		return isEarlier
	case len(rec.Report.Unread) > 0:
		return isPart
	case !rec.Report.Present:
		return isWithout
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
	case isEarlier:
		text = "repaired earlier"
	case isPart:
		text = "nothing to repair in the part that could be read"
	case isBroken:
		text = "no error can be repaired"
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

// rewrite plans the changes of one file. If w.write is set and there are any, it writes the file.
func (w *folderRewrite) rewrite(ctx context.Context, in *batch.Input, rec *report.Record) {
	path := in.Path()
	if path == "" {
		rec.Err = &report.SkippedError{Reason: "webcap does not rewrite archives"}
		return
	}
	opt, target := w.opt, w.target
	plan, err := rewrite.Open(ctx, path, opt)
	if err != nil {
		rec.Err = oserror.ReasonOf(err, path)
		return
	}
	defer plan.Close()
	w.note(plan.Path, slices.Concat(plan.Unmatched, restoredLines(plan.Restored, w.verbose)))
	rec.Report, rec.Rewrite = plan.Report, &report.Rewrite{Steps: len(plan.Steps), Missing: missingSets(plan)}
	if !w.write || !plan.Worthwhile(target) {
		rec.Rewrite.Earlier = target.InPlace && plan.Empty() && plan.Report.Present &&
			rewrite.RepairedEarlier(path, target.Full)
		return
	}
	if target.Path = w.output(path); target.Path != "" {
		err = os.MkdirAll(filepath.Dir(target.Path), 0o777)
	}
	if err == nil {
		w.clean(filepath.Dir(cmp.Or(target.Path, path)))
		var res *rewrite.Result
		if res, err = plan.Install(ctx, target); err == nil {
			rec.Rewrite.Written, rec.Report = true, res.Report
			rec.Report.Path = path
			return
		}
	}
	rec.Report, rec.Rewrite, rec.Err = nil, nil, refusal(err)
}

// missingSets returns the content sets of originals that a plan does not restore.
func missingSets(plan *rewrite.Plan) (list []report.MissingSet) {
	for _, o := range plan.Restored {
		for _, m := range o.Missing {
			list = append(list, report.MissingSet{Original: o.Original, Subtype: m.Subtype.String(), ID: m.ID, URL: m.URL,
				Reason: m.Why()})
		}
	}
	return list
}

// clean removes leftover files of killed runs from a folder, before this run writes into it.
func (w *folderRewrite) clean(folder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.cleaned[folder] {
		w.cleaned[folder] = true
		w.removed = append(w.removed, rewrite.RemoveLeftovers(folder, "")...)
	}
}

// note adds lines about a file for takeNotices.
func (w *folderRewrite) note(path string, lines []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range lines {
		w.notices = append(w.notices, path+": "+line)
	}
}

// takeNotices returns the notices since the last call.
func (w *folderRewrite) takeNotices() (notices []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	notices, w.notices = w.notices, nil
	return notices
}

// takeRemoved returns the files removed since the last call.
func (w *folderRewrite) takeRemoved() (removed []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	removed, w.removed = w.removed, nil
	return removed
}

// output returns the path of the new file. It is "" if there is none, or if it replaces the old file.
func (w *folderRewrite) output(path string) string {
	below, err := filepath.Rel(w.folder, path)
	if w.target.Path == "" || err != nil {
		return ""
	}
	return batch.Join(w.target.Path, w.target.Path, below)
}

// head returns a head that distinguishes the journals of different rewrites.
func (w *folderRewrite) head(c *cli.Context) (report.Head, error) {
	head := report.Head{Version: moduleVersion(), Rules: w.opt.Rules, Settings: []string{"rewrite"}}
	if head.Rules == nil {
		head.Rules = audit.Rules()
	}
	var err error
	if head.Directory, err = os.Getwd(); err != nil {
		return head, err
	}
	head.Directory = filepath.ToSlash(head.Directory)
	// The head has the rules already. Passwords are secret. Two options change only what is printed.
	omitted := []string{"journal", "only", "disable", "password-file", "verbose"}
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
