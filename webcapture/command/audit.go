package command

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

func (p *program) audit() *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "Audit PDF files",
		UsageText: "webcap audit [OPTIONS] PATH...",
		Description: `A PATH is a PDF file, an archive (zip, tar, WARC, ARC, WACZ), ARCHIVE!MEMBER, a
folder, a pattern such as "in/**/*.pdf", or - for standard input. With --source,
webcap also checks identifiers against captured sources, or, with
--source embedded, against files in the PDF.

  webcap audit archive/ -o report.html
  webcap audit --exit-zero archive/ -o baseline.json
  webcap audit --baseline baseline.json archive/

` + details("formats.md"),
		Flags: slices.Concat(resultFlags(), inputFlags(), runFlags(), baselineFlags(), sourceFlags(compareSources),
			ruleFlags(), grouped(manual.Rules, baseFlag()), passwordFlags(), configFlags()),
		Action: p.runAudit,
	}
}

// baseFlag returns the --base option of a command that audits or repairs files.
func baseFlag() cli.Flag {
	return &cli.StringFlag{Name: "base", Usage: "`URL` Base of relative keys and sources"}
}

// baseOf returns the value of --base, which must be an absolute URL.
func baseOf(c *cli.Context) (string, error) {
	base := c.String("base")
	if c.IsSet("base") && !canon.Split([]byte(base)).Absolute() {
		return "", usagef(c.Command.Name, "--base must be an absolute URL, not %q", base)
	}
	return base, nil
}

// formatFlags returns the --format option of a command that does not write results of audits. Its values are table,
// json, and others.
func formatFlags(others ...string) []cli.Flag {
	formats := strings.Join(append([]string{"table", "json"}, others...), ", ")
	return grouped(manual.Output, &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "table",
		Usage: "`FORMAT` Format of the results [possible: " + formats + "]"})
}

// auditConfig is the parsed command line of an audit.
type auditConfig struct {
	*configuration
	paths     *listedPaths
	failOn    rule.Level
	outs      []*output
	rules     []*rule.Rule
	baseURL   string // base of relative URLs in files
	filter    *suppress.Filter
	passwords []string
	clauses   []string // see report.Head.Configuration
}

// parseAudit parses the command line of an audit. The caller closes the paths.
func (p *program) parseAudit(c *cli.Context) (a *auditConfig, err error) {
	a = new(auditConfig)
	if a.configuration, err = p.configure(c); err != nil {
		return nil, err
	}
	if a.paths, err = p.paths(c); err != nil {
		return nil, err
	}
	a.paths.exclude = a.excludes()
	paths, inputs := a.paths, a.paths.arguments
	defer func() {
		if err != nil {
			paths.close()
		}
	}()
	if err = auditUsage(c, inputs); err != nil {
		return nil, err
	}
	if a.failOn, err = levelOf(c); err != nil {
		return nil, err
	}
	others := []string{c.String("baseline"), c.String("password-file"), c.String("journal")}
	if a.outs, err = outputs(c, slices.Concat(inputs, allOf(c, "files-from"), sourcePaths(c), others)); err != nil {
		return nil, err
	}
	if a.rules, err = selectRules(c); err != nil {
		return nil, err
	}
	if a.baseURL, err = baseOf(c); err != nil {
		return nil, err
	}
	if a.filter, err = p.openFilter(c, a.configuration, a.rules, inputs); err != nil {
		return nil, err
	}
	if a.clauses, err = clauses(c, a.configuration, a.rules); err != nil {
		return nil, err
	}
	a.passwords, err = p.passwords(c, inputs...)
	return a, err
}

func (p *program) runAudit(c *cli.Context) error {
	a, err := p.parseAudit(c)
	if err != nil {
		return err
	}
	defer a.paths.close()
	src, err := p.openSources(c, allOf(c, "source"))
	if err != nil {
		return err
	}
	defer src.all.Close()
	p.saySources(c, src.stats)
	r, err := p.newAuditRun(c, a, src)
	if err != nil {
		return err
	}
	complete := false
	err = p.results(c, a.outs, judgement{
		head:    r.head,
		when:    time.Now(),
		base:    a.base,
		folder:  a.paths.folder(),
		inputs:  a.paths.words(c),
		failOn:  a.failOn,
		remarks: a.filter.Remarks,
		end:     func() report.End { complete = a.paths.err() == nil && r.err == nil; return endIf(complete) },
	}, p.over(r.progress, p.suppressed(c, a.filter, r.records(c.Context))))
	p.endRun(c, r, a.paths.err(), complete && err == nil)
	return err
}

// newAuditRun prepares a run and opens its journal.
func (p *program) newAuditRun(c *cli.Context, a *auditConfig, src *sources) (*auditRun, error) {
	how := audit.Options{Passwords: a.passwords, Rules: a.rules, Embedded: src.embedded, Base: rule.Base{URL: a.baseURL}}
	if src.given {
		how.Source, how.SourceLost = src.all, src.lost
	}
	r := &auditRun{inputs: p.inputs(c, a.paths)}
	var err error
	if r.opt, err = runOptions(c, how); err != nil {
		return nil, err
	}
	// A baseline recognizes renamed files by their SHA-256.
	if !wantsSHA256(a.outs) && !keepsRecords(c) && c.String("baseline") == "" {
		r.opt.NoHash = true
	}
	if len(a.paths.lists) == 0 && len(a.paths.arguments) == 1 && c.String("memory") == "" {
		if st, err := os.Stat(a.paths.arguments[0]); err == nil && st.Mode().IsRegular() {
			saveMemory(a.paths.arguments[0])
		}
	}
	p.watchProgress(r)
	if p.progress.Width > 0 && len(a.paths.lists) == 0 {
		r.progress.expect(a.paths.arguments)
	}
	head := report.Head{Version: moduleVersion(), Directory: a.directory, Sources: src.stats, Rules: a.rules}
	if keepsRecords(c) {
		folder, err := folderSetting()
		if err != nil {
			return nil, err
		}
		head.Settings = append(settings(c, how), folder)
	}
	r.head = head
	err = r.openJournal(c, r.head)
	r.head.Configuration = a.clauses // set after the journal is opened: it does not affect records
	return r, err
}

// auditUsage checks the combination of options.
func auditUsage(c *cli.Context, paths []string) error {
	if journal := c.String("journal"); slices.ContainsFunc(paths,
		func(in string) bool { return journal != "" && sameFile(in, journal) }) {
		return usagef(c.Command.Name, "%s is an input; write the journal to another file", journal)
	}
	return nil
}

// watchProgress reports the steps of a run to the progress line.
func (p *program) watchProgress(r *auditRun) {
	r.progress = new(auditProgress)
	p.progress.Often = true
	r.opt.Began = func(name string) {
		r.progress.began(name, "")
		p.doing.Store(&name)
	}
	r.opt.Phase = r.progress.began
}

// endRun closes the journal of a run, and reports errors other than those of inputs. complete means that all results
// were written.
func (p *program) endRun(c *cli.Context, r *auditRun, listErr error, complete bool) {
	path := c.String("journal")
	p.saySkipped(c)
	if listErr != nil {
		p.say("cannot read the list of files: %s", layout.OneLine(listErr))
	}
	if r.journal == nil {
		return
	}
	if n := r.journal.Changed(); n > 0 {
		p.say("files that changed since the journal recorded them, and that webcap read again: %d", n)
	}
	closed := r.journal.Close(complete)
	if d, ok := errors.AsType[*report.LineError](r.err); ok {
		p.say("--journal %s: line %d %s, webcap skipped later inputs; "+
			"use a new journal, or keep the lines before it (head -n %d)", path, d.Line, d.Reason, d.Line-1)
		p.partial = true
		return
	}
	switch {
	case r.err != nil:
		p.say("cannot write the journal, webcap skipped later inputs: %s", layout.OneLine(r.err))
		p.partial = true
	case closed != nil:
		p.say("cannot write the journal: %s", layout.OneLine(closed))
		p.partial = true
	}
}

// keepsRecords reports whether a killed run can resume.
func keepsRecords(c *cli.Context) bool { return c.String("journal") != "" }

// settings returns the settings that affect records, except rules and sources. It omits file names and passwords: it
// has only the number of passwords.
func settings(c *cli.Context, how audit.Options) []string {
	list := []string{"timeout " + c.String("timeout")}
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"embedded", how.Embedded}, {"base " + how.Base.URL, how.Base.URL != ""},
		{"follow-links", c.Bool("follow-links")},
		{fmt.Sprintf("passwords %d", len(how.Passwords)), len(how.Passwords) > 0},
	} {
		if s.set {
			list = append(list, s.name)
		}
	}
	return list
}

// folderSetting returns the setting for the working directory of a run that can resume: its hash.
func folderSetting() (string, error) {
	folder, err := os.Getwd()
	hash := sha256.Sum256([]byte(folder))
	return fmt.Sprintf("%s%x", report.FolderSetting, hash[:8]), err
}

func isJSON(c *cli.Context) (bool, error) {
	switch f := c.String("format"); f {
	case "json":
		return true, nil
	case "table":
		return false, nil
	default:
		return false, unknownFormat(c.Command.Name, "format", f, []string{"table", "json"})
	}
}
