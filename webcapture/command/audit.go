package command

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) audit() *cli.Command {
	return &cli.Command{
		Name:      "audit",
		Usage:     "check the content database of PDF files",
		UsageText: "webcap audit [OPTIONS] PATH...",
		Description: `A PATH is a PDF file, whatever its name; a folder, of which all *.pdf files are
audited, those in the folders below included; or - for standard input. Symbolic
links to folders are followed only where they are a PATH.

  webcap audit site.pdf
  webcap audit archive/ --format json > results.json
  webcap audit archive/ --output table --output ndjson:results.ndjson
  webcap audit --fail-on warning --quiet archive/
  webcap audit --source crawl.warc.gz --source wwwoffle:/var/spool/wwwoffle site.pdf

With --source, the ID of every content set is held against what the source has
for its URL.

` + sourcesHelp(fmt.Sprintf("  %-9s  %s", embedded, "the files in the PDF itself; it has no PATH")),
		Flags: slices.Concat(resultFlags(), []cli.Flag{baselineFlag(), colourFlag()},
			sourceFlags("hold identifiers against what `KIND:PATH` keeps; may be repeated"), ruleFlags(), passwordFlags(), configFlags()),
		Action: p.runAudit,
	}
}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the results: table, json"}
}

func (p *program) runAudit(c *cli.Context) error {
	paths := c.Args().Slice()
	if len(paths) == 0 {
		return usagef("audit", "name at least one file or folder")
	}
	conf, err := p.configure(c)
	if err != nil {
		return err
	}
	// A configuration may have it for the audits that have sources.
	if conf.from("source-index") == byCommandLine && !c.IsSet("source") {
		return usagef("audit", "--source-index needs --source")
	}
	failOn, err := levelOf(c)
	if err != nil {
		return err
	}
	outs, err := outputs(c, slices.Concat(paths, sourcePaths(c), []string{c.String("baseline"), c.String("password-file")}))
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
	aside, err := p.openFilter(c, conf, rules, paths)
	if err != nil {
		return err
	}
	passwords, err := p.passwords(c, paths...)
	if err != nil {
		return err
	}
	src, err := p.openSources(c)
	if err != nil {
		return err
	}
	defer src.Close()
	p.saySources(c, src.stats)
	opt := batch.Options{Audit: audit.Options{Passwords: passwords, Rules: rules, Embedded: src.embedded, Outline: wantsOutline(outs)}, Stdin: p.stdin}
	if src.given {
		opt.Audit.Source = src
	}
	return p.results(c, outs, judgement{
		head:    report.Head{Version: moduleVersion(), Directory: conf.directory, Sources: src.stats, Rules: rules},
		base:    conf.base,
		colour:  colour,
		failOn:  failOn,
		remarks: aside.Remarks,
	}, p.suppressed(c, aside, batch.Run(c.Context, paths, opt)))
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
