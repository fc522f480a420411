package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
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
			Usage: "`FILE` Write to FILE, to FOLDER/, or to - (stdout)"},
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
	w := &rewriteRun{p: p, verbose: c.Bool("verbose")}
	if w.opt, err = p.rewriteOptions(c); err != nil {
		return err
	}
	if w.target, err = rewriteTarget(c); err != nil {
		return err
	}
	path := paths.single()
	if path == "" {
		return p.rewriteFiles(c, w, paths)
	}
	if c.String("journal") != "" {
		return usagef("rewrite", "--journal is for several files or a folder")
	}
	w.target.Path = inFolderOf(w.target.Path, path)
	return timed(func(c *cli.Context) error { return p.rewriteFile(c, w, path) })(c) // steps of findings take memory
}

// rewriteRun is a rewrite of one or several files: its settings, inputs, and messages.
type rewriteRun struct {
	p       *program
	opt     rewrite.Options
	target  rewrite.Target // for several files, Path is the path of a folder
	verbose bool           // list all files, and each content set that was not restored

	// For several files.
	inputs  []*batch.Input
	below   map[string]string // paths below the folders that the user named, by path of the input
	outputs map[string]string // paths of the new files, by path of the input
}

// writes reports whether files are written, and not only planned.
func (w *rewriteRun) writes() bool { return w.target.InPlace || w.target.Path != "" }

// single returns the only path if it is one file, or ""; otherwise it returns "".
func (l *listedPaths) single() string {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return ""
	}
	path := l.arguments[0]
	if st, err := os.Stat(path); err == nil && st.IsDir() || batch.IsPattern(path) && !strings.Contains(path, "!") {
		return ""
	}
	return path
}

// inFolderOf returns the path of a rewritten file. If to is a folder or ends in a slash, it is the name of the file
// in that folder; otherwise it is to.
func inFolderOf(to, path string) string {
	st, err := os.Stat(to)
	isFolder := err == nil && st.IsDir()
	if !isFolder && !strings.HasSuffix(to, "/") && !strings.HasSuffix(to, string(filepath.Separator)) {
		return to
	}
	name := path[strings.LastIndexAny(filepath.ToSlash(path), "/!")+1:]
	return batch.Join(to, to, name)
}

// rewriteFile rewrites one file. path is the path as given on the command line.
func (p *program) rewriteFile(c *cli.Context, w *rewriteRun, path string) error {
	target := w.target
	at, done, err := batch.Local(path)
	if err != nil {
		p.fail(path, err)
		return nil
	}
	defer done()
	if target.InPlace && at != path {
		return usagef("rewrite", "%s is in an archive, which webcap cannot change; name a file with -o", path)
	}
	if w.writes() {
		p.noteDone("nothing was written")
	}
	end := p.working("auditing %s and planning its repair", path)
	opt := w.opt
	opt.From = originalsOf(opt.From, filepath.Base(at))
	plan, err := rewrite.Open(c.Context, at, opt)
	end()
	if errors.Is(err, errInterrupted) {
		return p.interruption()
	}
	if err != nil {
		p.fail(path, err)
		return nil
	}
	defer plan.Close()
	plan.Path, plan.Report.Path = path, path
	res := &show.Rewrite{Plan: plan, Target: target}
	if w.writes() && plan.Worthwhile(target) {
		if err := p.install(c.Context, res, target); err != nil {
			return err
		}
	}
	var said io.Writer = p.stdout
	if target.Path == "-" {
		said = p.stderr
		if res.Result == nil { // the reader of standard output expects a file
			if err := copyTo(p.stdout, at); err != nil {
				return cannotWrite(err)
			}
		}
	}
	if res.Result == nil && plan.Worthwhile(target) {
		if err := plan.Permitted(target); err != nil {
			p.say("%s: %v", path, refusal(err))
		}
	}
	return p.sayRewrite(said, res, w.verbose, isJSON(c))
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

// sayRewrite reports the changes, made or planned, and the findings that cannot be repaired.
func (p *program) sayRewrite(said io.Writer, res *show.Rewrite, verbose, asJSON bool) (err error) {
	for _, line := range res.Plan.Unmatched {
		p.say("%s", line)
	}
	for _, line := range restoredLines(res.Plan.Restored, verbose) {
		p.say("%s", line)
	}
	p.unread(res.Plan.Path, "checked", res.Plan.Report.Unread)
	p.seek(res.Plan.Report.Present || !res.Plan.Empty())
	if asJSON {
		err = show.WritePlanJSON(said, res, moduleVersion())
	} else {
		err = show.WritePlan(said, res, p.width)
	}
	if err != nil {
		return cannotWrite(err)
	}
	return nil
}

// copyTo copies a file to w.
func copyTo(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// install carries out a plan.
func (p *program) install(ctx context.Context, r *show.Rewrite, target rewrite.Target) error {
	path := r.Plan.Path
	toStdout := target.Path == "-"
	if r.Output = target.Path; toStdout {
		r.Output = "standard output"
	}
	if target.InPlace {
		r.Output = path
	}
	if target.Full && r.Plan.Report.WithoutXRef {
		p.say("%s: its cross-reference data is damaged; objects that cannot be found without it are not in %s", path,
			r.Output)
	}
	if target.Path != "" {
		if err := os.MkdirAll(filepath.Dir(target.Path), 0o777); err != nil {
			return cannotWriteFile(target.Path, err)
		}
	}
	end := p.working("writing %s and auditing the result", r.Output)
	var res *rewrite.Result
	var err error
	if toStdout {
		res, err = r.Plan.WriteTo(ctx, p.stdout, target)
		if e := p.stdout.Flush(); e != nil {
			err = cannotWrite(e)
		}
	} else {
		res, err = r.Plan.Install(ctx, target)
	}
	end()
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return p.interruption()
	case errors.Is(err, rewrite.ErrLost), refusal(err) != err:
		return fmt.Errorf("%s: %w", path, refusal(err))
	case err != nil:
		return err
	}
	p.noteDone("%s is written", r.Output)
	r.Result = res
	if r.Plan.Report.Signed() {
		what := "signatures stay valid for the old bytes; viewers will report later changes"
		if target.Full {
			what = "its signatures are no longer valid"
		}
		p.say("%s: the document is signed: %s", r.Output, what)
	}
	return nil
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
	case c.IsSet("output") && t.Path == "":
		err = usagef("rewrite", "-o needs a file name")
	case t.InPlace && t.Path != "":
		err = usagef("rewrite", "-o and --in-place exclude each other")
	case t.NoBackup && !t.InPlace:
		err = usagef("rewrite", "--no-backup needs --in-place")
	}
	return t, err
}
