package command

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) audit() *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "check the content database of PDF files",
		UsageText: "webcap audit [OPTIONS] PATH...",
		Description: `A PATH is a PDF file, whatever its name; an archive (zip, tar, WARC, ARC, WACZ), of
which the PDF files are audited where they are; ARCHIVE!MEMBER for one of them; a
folder, with the PDF files and archives in it and below; a pattern in which ** is
any folders; or - for standard input. Symbolic links are followed only where they
are a PATH, or with --follow-links.

  webcap audit site.pdf
  webcap audit crawl.wacz
  webcap audit archive/ --format json > results.json
  webcap audit archive/ --journal run.ndjson
  webcap audit archive/ --output table --output ndjson:results.ndjson
  webcap audit archive/ --output parquet:tables
  webcap audit --fail-on warning --quiet archive/
  webcap audit --source crawl.warc.gz --source wwwoffle:/var/spool/wwwoffle site.pdf

With --source, the ID of every content set is held against what the source has
for its URL.

` + sourcesHelp(fmt.Sprintf("  %-9s  %s", embedded, "the files in the PDF itself; it has no PATH")),
		Flags: slices.Concat(resultFlags(), inputFlags(), runFlags(), []cli.Flag{baselineFlag(), colourFlag()},
			sourceFlags("hold identifiers against what `KIND:PATH` keeps; may be repeated"), ruleFlags(), passwordFlags(), configFlags()),
		Action: p.runAudit,
	}
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the results: table, json"}
}

func (p *program) runAudit(c *cli.Context) error {
	conf, err := p.configure(c)
	if err != nil {
		return err
	}
	paths, err := p.paths(c)
	if err != nil {
		return err
	}
	defer paths.close()
	if err := auditUsage(c, conf, paths.arguments); err != nil {
		return err
	}
	failOn, err := levelOf(c)
	if err != nil {
		return err
	}
	outs, err := outputs(c, slices.Concat(paths.arguments, allOf(c, "files-from"), sourcePaths(c), []string{c.String("baseline"), c.String("password-file"), c.String("journal")}))
	if err != nil {
		return err
	}
	rules, err := selectRules(c)
	if err != nil {
		return err
	}
	colour, err := p.colour(c)
	if err != nil {
		return err
	}
	aside, err := p.openFilter(c, conf, rules, paths.arguments)
	if err != nil {
		return err
	}
	shard, err := shardOf(c)
	if err != nil {
		return err
	}
	passwords, err := p.passwords(c, paths.arguments...)
	if err != nil {
		return err
	}
	src, err := p.openSources(c, allOf(c, "source"))
	if err != nil {
		return err
	}
	defer p.closeSources(src)
	p.saySources(c, src.stats)
	how := audit.Options{Passwords: passwords, Rules: rules, Embedded: src.embedded, Outline: wantsOutline(outs), Entries: wantsEntries(outs)}
	if src.given {
		how.Source, how.SourceLost = src, src.failed
	}
	r := auditRun{inputs: p.inputs(c, paths, shard)}
	if r.opt, err = runOptions(c, how); err != nil {
		return err
	}
	progress := p.auditProgress(&r)
	if p.progress.width > 0 && len(paths.lists) == 0 && shard.Count == 0 && !c.Bool("no-recurse") {
		progress.expect(paths.arguments)
	}
	head, err := headOf(c, report.Head{Version: moduleVersion(), Directory: conf.directory, Sources: src.stats, Rules: rules}, shard, how)
	if err != nil {
		return err
	}
	if err := r.openJournal(c, head); err != nil {
		return err
	}
	if err := p.openQueue(c, &r, cluster.Job{Head: head, Base: conf.base}); err != nil {
		return err
	}
	if r.queue != nil {
		defer r.queue.Close()
	}
	complete := false
	err = p.results(c, outs, judgement{
		head:    head,
		when:    time.Now(),
		base:    conf.base,
		colour:  colour,
		failOn:  failOn,
		remarks: aside.Remarks,
		end:     func() report.End { complete = paths.err == nil && r.err == nil; return endIf(complete) },
	}, p.over(progress, p.suppressed(c, aside, r.records(c.Context))))
	return p.endRun(c.String("journal"), &r, paths.err, complete, err)
}

// auditUsage returns what is wrong with options together.
func auditUsage(c *cli.Context, conf *configuration, paths []string) error {
	// A configuration may have it for the audits that have sources.
	if conf.from("source-index") == byCommandLine && !c.IsSet("source") {
		return usagef(c.Command.Name, "--source-index needs --source")
	}
	if journal := c.String("journal"); slices.ContainsFunc(paths, func(in string) bool { return journal != "" && sameFile(in, journal) }) {
		return usagef(c.Command.Name, "%s is what is read, the journal cannot go there", journal)
	}
	return nil
}

// auditProgress returns what a terminal shows of a run.
func (p *program) auditProgress(r *auditRun) *auditProgress {
	progress := new(auditProgress)
	p.progress.often = true
	r.opt.Began = func(name string) {
		progress.began(name, "")
		p.doing.Store(&name)
	}
	r.opt.Phase = progress.began
	return progress
}

// headOf adds to the head of results what tells which of them belong together, where they may
// be joined or gone on with.
func headOf(c *cli.Context, head report.Head, shard batch.Shard, how audit.Options) (report.Head, error) {
	if shard.Count > 0 {
		head.Shard = shard.String()
	}
	var err error
	if keepsRecords(c) || shard.Count > 0 {
		head.Settings, err = settings(c, how)
	}
	return head, err
}

// endRun closes the journal of a run, which is at path, and says what went wrong beside the records. Err is
// that of writing the results.
func (p *program) endRun(path string, r *auditRun, listErr error, complete bool, err error) error {
	p.sayBeside()
	if listErr != nil {
		p.say("cannot read the list of files: %s", layout.OneLine(listErr))
	}
	if r.queue != nil && r.err != nil {
		p.say("the queue fails, and what follows is not audited: %s", layout.OneLine(r.err))
		p.partial = true
	}
	if r.journal == nil {
		return err
	}
	closed := r.journal.Close(complete && err == nil)
	if d, ok := errors.AsType[*report.LineError](r.err); ok {
		p.say("--journal %s: line %d %s, and what follows is not audited: begin a new journal, or go on with the lines before that (head -n %d)", path, d.Line, d.Reason, d.Line-1)
		p.partial = true
		return err
	}
	if failed := cmp.Or(r.err, closed); failed != nil {
		p.say("cannot write the journal, and what follows is not audited: %s", layout.OneLine(failed))
		p.partial = true
	}
	return err
}

// keepsRecords reports whether a run goes on where it was killed.
func keepsRecords(c *cli.Context) bool { return c.String("journal") != "" || c.String("store") != "" }

// settings are those that the records of a run depend on, beside rules and sources. Neither
// names nor passwords are told.
func settings(c *cli.Context, how audit.Options) ([]string, error) {
	list := []string{"timeout " + c.String("timeout")}
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"embedded", how.Embedded}, {"entries", how.Entries}, {"outline", how.Outline}, {"no-hash", c.Bool("no-hash")},
		{"follow-links", c.Bool("follow-links")}, {"no-recurse", c.Bool("no-recurse")}, {fmt.Sprintf("passwords %d", len(how.Passwords)), len(how.Passwords) > 0},
	} {
		if s.set {
			list = append(list, s.name)
		}
	}
	if keepsRecords(c) {
		folder, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		list = append(list, fmt.Sprintf("%s%x", report.FolderSetting, sha256.Sum256([]byte(folder)))[:len(report.FolderSetting)+16])
	}
	return list, nil
}

func isJSON(c *cli.Context) (bool, error) {
	switch f := c.String("format"); f {
	case "json":
		return true, nil
	case "table":
		return false, nil
	default:
		return false, usagef(c.Command.Name, "--format is table or json, not %q", f)
	}
}
