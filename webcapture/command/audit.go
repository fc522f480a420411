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
webcap also checks identifiers against captured sources.

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

// absoluteURL returns the value of an option, which must be an absolute URL.
func absoluteURL(c *cli.Context, option string) (string, error) {
	url := c.String(option)
	if c.IsSet(option) && !canon.Split([]byte(url)).Absolute() {
		return "", usagef(c.Command.Name, "--%s must be an absolute URL, not %q", option, url)
	}
	return url, nil
}

// formatFlags returns the --format option of a command that does not write results of audits.
func formatFlags(formats ...string) []cli.Flag {
	return grouped(manual.Output, &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Value: "table",
		Usage: "`FORMAT` Format of the results [possible: " + strings.Join(formats, ", ") + "]"})
}

// auditConfig is the parsed command line of an audit.
type auditConfig struct {
	*configuration
	paths  *listedPaths
	outs   []*output
	how    audit.Options // without sources
	filter *suppress.Filter
}

// parseAudit parses the command line of an audit. The caller closes the paths.
func (p *program) parseAudit(c *cli.Context) (a *auditConfig, err error) {
	a = new(auditConfig)
	if a.configuration, err = p.configure(c); err != nil {
		return nil, err
	}
	paths, err := p.paths(c, c.Args().Slice())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			paths.close()
		}
	}()
	a.paths, paths.exclude = paths, a.excludes()
	inputs := paths.arguments
	if journal := c.String("journal"); journal != "" && slices.ContainsFunc(inputs,
		func(in string) bool { return sameFile(in, journal) }) {
		return nil, usagef("audit", "%s is an input; write the journal to another file", journal)
	}
	others := []string{c.String("baseline"), c.String("password-file"), c.String("journal")}
	if a.outs, err = outputs(c, slices.Concat(inputs, allOf(c, "files-from"), sourcePaths(c), others)); err != nil {
		return nil, err
	}
	if a.how.Rules, err = selectRules(c); err != nil {
		return nil, err
	}
	if a.how.Base.URL, err = absoluteURL(c, "base"); err != nil {
		return nil, err
	}
	if a.filter, err = p.openFilter(c, a.configuration); err != nil {
		return nil, err
	}
	a.how.Passwords, err = p.passwords(c)
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
	src.addTo(&a.how)
	r := &auditRun{inputs: p.inputs(c, a.paths)}
	if err := p.prepare(c, a, r); err != nil {
		return err
	}
	head := report.Head{Version: moduleVersion(), Directory: a.directory, Sources: src.stats, Rules: a.how.Rules}
	if keepsRecords(c) {
		folder, err := folderSetting()
		if err != nil {
			return err
		}
		head.Settings = append(settings(c, "timeout", "base", "follow-links"), passwordSetting(a.how.Passwords), folder)
	}
	if err := r.openJournal(c, head); err != nil {
		return err
	}
	head.Configuration = a.clauses // set after the journal is opened: it does not affect records
	complete := false
	err = p.results(c, a.outs, judgement{
		Options: report.Options{Head: head, Time: time.Now(), Base: a.base, Folder: a.paths.folder(),
			Inputs: a.paths.words(c)},
		remarks: a.filter.Remarks,
		end:     func() report.End { complete = a.paths.err() == nil && r.err == nil; return endIf(complete) },
	}, p.suppressed(c, a.filter, r.records(c.Context)))
	p.endRun(c, r, a.paths.err(), complete && err == nil)
	return err
}

// prepare sets the batch options of an audit, and its progress line.
func (p *program) prepare(c *cli.Context, a *auditConfig, r *auditRun) (err error) {
	if r.opt, err = runOptions(c, a.how); err != nil {
		return err
	}
	r.opt.NoHash = !wantsSHA256(a.outs) && !keepsRecords(c)
	a.paths.saveMemory()
	p.watchProgress(&r.opt)
	return nil
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

// settings returns options with their values, except those that are off or empty.
func settings(c *cli.Context, options ...string) (list []string) {
	for _, name := range options {
		if value := fmt.Sprint(c.Value(name)); !slices.Contains([]string{"", "false", "[]"}, value) {
			list = append(list, name+" "+value)
		}
	}
	return list
}

// passwordSetting returns the setting for the passwords of a run: only their number, because they are secret.
func passwordSetting(list []string) string { return fmt.Sprintf("passwords %d", len(list)) }

// folderSetting returns the setting for the working directory of a run that can resume: its hash.
func folderSetting() (string, error) {
	folder, err := os.Getwd()
	hash := sha256.Sum256([]byte(folder))
	return fmt.Sprintf("%s%x", report.FolderSetting, hash[:8]), err
}

func isJSON(c *cli.Context) bool { return c.String("format") == "json" }
