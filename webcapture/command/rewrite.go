package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

func (p *program) rewrite() *cli.Command {
	return &cli.Command{
		Name:      "rewrite",
		Usage:     "Repair PDF files",
		UsageText: "webcap rewrite [OPTIONS] PATH...",
		Description: `A PATH is a PDF file, a folder, or a pattern, as of webcap audit. Without -o and
--in-place, webcap only prints the plan. A repair appends an update and leaves the
bytes of the file unchanged; webcap checks the new file before saving it.

  webcap rewrite site.pdf -o repaired.pdf
  webcap rewrite archive/ -o repaired/
  webcap rewrite --from original.pdf pages.pdf -o repaired.pdf

` + details("rewrite.md"),
		Flags:  rewriteFlags(),
		Action: p.runRewrite,
	}
}

func rewriteFlags() []cli.Flag {
	return slices.Concat(formatFlags("table", "json"), grouped(manual.Output,
		&cli.StringFlag{Name: "output", Aliases: []string{"o"},
			Usage: "`FILE` Write to FILE or FOLDER/"},
		switchFlag("in-place", "Replace the file; keep FILE.bak"),
		switchFlag("no-backup", "With --in-place, keep no FILE.bak"),
		switchFlag("full", "Write a new file, not an update"),
		switchFlag("break-signatures", "Allow changes that invalidate signatures"),
		journalFlag("Record progress in FILE; rerun to resume"),
	), inputFlags(), grouped(manual.Rules,
		&cli.StringFlag{Name: "only", Usage: "`RULES` Repair only RULES, also optional repairs"},
		&cli.StringFlag{Name: "disable", Usage: "`RULES` Do not repair findings of RULES"},
		&cli.StringFlag{Name: "prefer", Usage: "`SIDE` Side that wins a contradiction [possible: keys, sets, data]"},
		&cli.StringFlag{Name: "profile", Value: canon.PDF.Name(),
			Usage: "`PROFILE` Form of canonical URLs [possible: pdf, pdf2]"},
		baseFlag(),
		switchFlag("rebuild", "Find content sets that have no key"),
	), grouped(manual.Sources,
		&cli.GenericFlag{Name: "from", Value: new(stringList),
			Usage: "`ORIGINAL` Restore the database of an original file"}),
		limitFlags(), passwordFlags(),
		grouped(manual.General, switchFlag("verbose", "List all files, and missing content sets", "v")))
}

func (p *program) runRewrite(c *cli.Context) error {
	paths, err := p.paths(c, c.Args().Slice())
	if err != nil {
		return err
	}
	defer paths.close()
	w := &rewriteRun{p: p, verbose: c.Bool("verbose"), single: paths.isSingle(), asJSON: isJSON(c)}
	defer w.plan.Close()
	if w.opt, err = p.rewriteOptions(c); err != nil {
		return err
	}
	if w.target, err = rewriteTarget(c); err != nil {
		return err
	}
	if err := w.usage(c); err != nil {
		return err
	}
	r := &auditRun{}
	if r.opt, err = runOptions(c, audit.Options{}); err != nil {
		return err
	}
	if err := w.find(c.Context, paths, p.pathOptions(c)); err != nil {
		return err
	}
	p.watchProgress(&r.opt)
	r.inputs, r.opt.Do = slices.Values(w.inputs), w.rewrite
	head, err := w.head(c)
	if err != nil {
		return err
	}
	if err := r.openJournal(c, head); err != nil {
		return err
	}
	err = w.write(p.over(r.records(c.Context)))
	if err != nil || r.err != nil || c.Context.Err() != nil {
		w.installing.Lock() // an installation in progress ends soon, and no other one begins
	}
	if c.Context.Err() != nil {
		p.endRun(c, r, nil, false)
		return p.interruption()
	}
	p.endRun(c, r, nil, r.err == nil)
	if r.err != nil && w.writes() { // files that are not in the journal have no line
		p.say("files written in this run: %d", w.written)
	}
	if err == nil {
		err = w.writeTotals()
	}
	if err != nil {
		return cannotWrite(err)
	}
	return nil
}

// rewriteRun is a rewrite of files: its settings, inputs, and messages.
type rewriteRun struct {
	p       *program
	opt     rewrite.Options
	target  rewrite.Target // Path is that of a folder, or the new file of a single one
	verbose bool           // list all files, and each content set that was not restored
	single  bool           // the user named one file, so its plan is the output
	asJSON  bool           // of a single file

	inputs  []*batch.Input
	below   map[string]string // paths below the folders that the user named, by name of the input
	outputs map[string]string // paths of the new files, by name of the input

	installing sync.RWMutex // held for reading while a file is written
	noting     sync.Mutex   // guards written
	written    int          // number of files
	plan       spool.Spool  // of a single file

	count  map[fate]int // files by outcome
	listed bool         // there is a line for a file
}

// writes reports whether files are written, and not only planned.
func (w *rewriteRun) writes() bool { return w.target.InPlace || w.target.Path != "" }

// isSingle reports whether the paths name one file.
func (l *listedPaths) isSingle() bool {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return false
	}
	path := l.arguments[0]
	isMember := strings.Contains(path, archive.Separator)
	return !isFolder(path) && !isArchive(path) && (isMember || !batch.IsPattern(path))
}

func isFolder(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// rewrite plans the changes of one file. If w.writes() is set and there are any, it writes the file.
func (w *rewriteRun) rewrite(ctx context.Context, in *batch.Input, rec *report.Record) {
	at := in.Path()
	if at == "" {
		file, done, err := batch.Local(in.Name)
		if err != nil {
			rec.Err = err
			return
		}
		defer done()
		at = file
	}
	opt := w.opt
	opt.From = originalsOf(opt.From, w.below[in.Name])
	plan, err := rewrite.Open(ctx, at, opt)
	if err != nil {
		rec.Err = oserror.ReasonOf(err, at)
		return
	}
	defer plan.Close()
	plan.Path, plan.Report.Path = in.Name, in.Name
	for _, line := range slices.Concat(plan.Unmatched, restoredLines(plan.Restored, w.verbose)) {
		w.p.say("%s: %s", in.Name, line)
	}
	res := &show.Rewrite{Plan: plan, Target: w.target}
	res.Target.Path = w.outputs[in.Name]
	if plan.Worthwhile(res.Target) {
		if w.writes() {
			err = w.install(ctx, res)
		} else if e := plan.Permitted(res.Target); e != nil {
			w.p.say("%s: %v", in.Name, refusal(e))
		}
	}
	if err == nil && w.single {
		err = w.show(res)
	}
	if err != nil {
		rec.Err = refusal(err)
		return
	}
	rec.Report = plan.Report
	rec.Rewrite = &report.Rewrite{Steps: len(plan.Steps), Missing: missingSets(plan)}
	rec.Rewrite.Errors, rec.Rewrite.Left = leftErrors(plan)
	if res.Result != nil {
		rec.Rewrite.Written, rec.Report = true, res.Result
		rec.Report.Path = in.Name
	}
}

// show writes the plan of a single file to w.plan.
func (w *rewriteRun) show(res *show.Rewrite) error {
	if w.asJSON {
		return show.WritePlanJSON(&w.plan, res, moduleVersion())
	}
	return show.WritePlan(&w.plan, res, w.p.width)
}

// install carries out a plan.
func (w *rewriteRun) install(ctx context.Context, r *show.Rewrite) (err error) {
	w.installing.RLock()
	defer w.installing.RUnlock()
	path := r.Plan.Path
	r.Output = cmp.Or(r.Target.Path, path)
	if r.Target.Full && r.Plan.Report.WithoutXRef {
		w.p.say("%s: its cross-reference data is damaged; objects that cannot be found without it are not in %s", path,
			r.Output)
	}
	if err := os.MkdirAll(filepath.Dir(r.Output), 0o777); err != nil {
		return cannotWriteFile(r.Output, err)
	}
	if r.Result, err = r.Plan.Install(ctx, r.Target); err != nil {
		return err
	}
	w.noteWritten(r.Output)
	if r.Plan.Report.Signed() {
		what := "signatures stay valid for the old bytes; viewers will report later changes"
		if r.Target.Full {
			what = "its signatures are no longer valid"
		}
		w.p.say("%s: the document is signed: %s", r.Output, what)
	}
	return nil
}

// noteWritten sets the message for an interruption after a file was written.
func (w *rewriteRun) noteWritten(output string) {
	w.noting.Lock()
	defer w.noting.Unlock()
	if w.written++; w.single {
		w.p.noteDone("%s is written", output)
	} else {
		w.p.noteDone("%s written", isAre(w.written, "file"))
	}
}

// leftErrors returns the number of errors that a plan does not repair, and describes them: of each rule and reason the
// first. A lost database is described, too, although it is a warning.
func leftErrors(plan *rewrite.Plan) (n int, list []string) {
	type kind struct{ rule, reason string }
	seen := map[kind]bool{}
	for _, l := range plan.Left {
		k := kind{l.Finding.Rule.ID, l.Reason}
		isError := l.Finding.Level() == rule.Error
		if isError {
			n++
		}
		if (isError || report.LostDatabase(plan.Report)) && !seen[k] {
			seen[k] = true
			list = append(list, fmt.Sprintf("%s, %v: %s. %s", k.rule, l.Finding.Place, l.Finding.Message, k.reason))
		}
	}
	return n, list
}

// originalsOf returns the originals of a file. A folder stands for the file in it that has the same path as the file
// below the folder that the user named.
func originalsOf(from []string, below string) (list []string) {
	for _, name := range from {
		if isFolder(name) {
			name = filepath.Join(name, below)
		}
		list = append(list, name)
	}
	return list
}

// restoredLines returns a line for each original with content sets that the file lacks. The line has the number of
// restored sets. With verbose, there are lines for all originals and for each missing set.
func restoredLines(list []rewrite.Outcome, verbose bool) (lines []string) {
	for i := range list {
		o := &list[i]
		if len(o.Missing) > 0 || verbose {
			lines = append(lines, o.String())
		}
		for k := 0; verbose && k < len(o.Missing); k++ {
			lines = append(lines, fmt.Sprintf("%s: missing %v", o.Original, o.Missing[k]))
		}
	}
	return lines
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

// refusal adds a remedy to an error of rewriting a file.
func refusal(err error) error {
	switch {
	case errors.Is(err, rewrite.ErrForbidden):
		return fmt.Errorf("%w; use --break-signatures to do it anyway", err)
	case errors.Is(err, rewrite.ErrAppend):
		return fmt.Errorf("%w; use --full to write a new file", err)
	}
	return err
}

// rewriteOptions returns the options of a rewrite from the command line.
func (p *program) rewriteOptions(c *cli.Context) (opt rewrite.Options, err error) {
	if opt.Passwords, err = p.passwords(c); err != nil {
		return opt, err
	}
	if opt.Rules, err = rulesToRepair(c); err != nil {
		return opt, err
	}
	opt.Profile, _ = canon.Lookup(c.String("profile"))
	if opt.Base, err = absoluteURL(c, "base"); err != nil {
		return opt, err
	}
	opt.Prefer, _ = rule.ParseSide(c.String("prefer"))
	opt.Rebuild, opt.From = c.Bool("rebuild"), allOf(c, "from")
	return opt, nil
}

// rulesToRepair returns the rules of --only, or else all rules that are repaired by default. It omits those of
// --disable. It returns nil if neither option is given.
func rulesToRepair(c *cli.Context) ([]*rule.Rule, error) {
	if !c.IsSet("only") && !c.IsSet("disable") {
		return nil, nil
	}
	list, err := rulesOf(c, c.IsSet)
	if c.IsSet("only") {
		return list, err
	}
	return slices.DeleteFunc(list, func(r *rule.Rule) bool { return r.OnRequest }), err
}

// rewriteTarget returns the target of the file from the command line.
func rewriteTarget(c *cli.Context) (t rewrite.Target, err error) {
	t = rewrite.Target{
		Path: c.String("output"), InPlace: c.Bool("in-place"), NoBackup: c.Bool("no-backup"),
		Keep: []string{c.String("password-file")}, Full: c.Bool("full"),
		BreakSignatures: c.Bool("break-signatures"),
	}
	switch {
	case c.IsSet("output") && (t.Path == "" || t.Path == "-"):
		err = usagef("rewrite", "-o needs the name of a file or folder")
	case t.InPlace && t.Path != "":
		err = usagef("rewrite", "-o and --in-place exclude each other")
	case t.NoBackup && !t.InPlace:
		err = usagef("rewrite", "--no-backup needs --in-place")
	}
	return t, err
}
