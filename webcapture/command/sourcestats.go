package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) sourceStats() *cli.Command {
	return &cli.Command{
		Name:      "source stats",
		Usage:     "Summarize sources",
		UsageText: "webcap source stats [OPTIONS] SOURCE...",
		Description: sourcesHelp() + ` webcap
counts responses, redirects, errors, and revisits, and lists skipped records.
Exit codes: 0 read, 2 wrong command line, 3 not read completely.

  webcap source stats crawl.warc.gz archive.wacz

` + details("format-tools.md#source"),
		Flags:  append(formatFlags(), indexFlag(), timeoutFlag("0")),
		Action: limited(p.runSourceStats),
	}
}

func (p *program) runSourceStats(c *cli.Context) error {
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	if err := sourceUsage(c); err != nil {
		return err
	}
	var list []*show.SourceStats
	for _, spec := range c.Args().Slice() {
		s, err := p.statsOf(c, spec)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if asJSON {
		err = show.SourceStatsJSON(p.stdout, moduleVersion(), list)
	} else {
		err = show.SourceStatsTable(p.stdout, p.width, list)
	}
	if err != nil {
		return cannotWrite(err)
	}
	return nil
}

// statsOf returns the statistics of a source. The error is that of an interrupt or of the time limit.
func (p *program) statsOf(c *cli.Context, spec string) (*show.SourceStats, error) {
	kind, path := source.SplitSpec(spec)
	if kind == "" {
		kind = source.KindOf(path)
	}
	s := &show.SourceStats{Name: spec, Kind: kind}
	defer p.working("reading %s", path)()
	src, err := source.Open(kind, path, source.Options{Indexes: c.String("source-index")})
	if err != nil {
		p.partial, s.Err = true, err
		p.say("source %s", layout.OneLine(err))
		return s, nil
	}
	defer src.Close()
	s.Stats = src.Stats()
	p.partial = p.partial || s.Capped() != nil
	for r, err := range source.All(src) {
		if c.Context.Err() != nil {
			return nil, p.ended(c.Context)
		}
		s.Add(r, err)
	}
	return s, nil
}
