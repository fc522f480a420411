package command

import (
	"fmt"
	"iter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

func baselineFlags() []cli.Flag {
	return grouped(manual.Rules, &cli.StringFlag{Name: "baseline",
		Usage: "`RESULTS` Report only findings not in RESULTS (JSON)"})
}

// openFilter returns the filter for the suppressed findings of an audit.
func (p *program) openFilter(c *cli.Context, conf *configuration) (*suppress.Filter, error) {
	entries, err := conf.entries()
	if err != nil {
		return nil, err
	}
	opt := suppress.Options{Today: time.Now(), Entries: entries, Root: conf.root, Base: conf.base,
		Directory: conf.directory}
	if name := c.String("baseline"); name != "" {
		if opt.Baseline, err = readBaseline(name, conf.base); err != nil {
			return nil, usagef(c.Command.Name, "cannot read the baseline: %s", layout.OneLine(err))
		}
		p.sayVerbose(c, "baseline %s: %s", name, layout.Count(opt.Baseline.Len(), "finding"))
	}
	filter, err := suppress.New(opt)
	if err != nil {
		return nil, usagef("audit", "%v", err)
	}
	return filter, nil
}

func readBaseline(name, base string) (*suppress.Baseline, error) {
	f, err := infile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := suppress.ReadBaseline(infile.Bounded(f), base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// suppressed yields records without suppressed findings. With --verbose, it reports these and the reasons.
func (p *program) suppressed(c *cli.Context, t *suppress.Filter,
	records iter.Seq[*report.Record]) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		for rec := range records {
			t.Apply(rec)
			if rec.Accepted != "" {
				p.sayVerbose(c, "%s: accepted: %s", rec.Path, rec.Result())
			}
			for _, i := range rec.Ignored {
				p.sayVerbose(c, "%s: ignored (%s): %v", rec.Path, i.Reason, i.Finding)
			}
			if !yield(rec) {
				return
			}
		}
	}
}
