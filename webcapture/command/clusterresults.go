package command

import (
	"iter"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) clusterResults() *cli.Command {
	return &cli.Command{
		Name:      "cluster results",
		Usage:     "write the results of a job",
		UsageText: "webcap cluster results [OPTIONS] JOB",
		Description: `The records of a job, in the order of its inputs, as soon as they are there, until
all are. Exit codes and formats are those of webcap audit.

  webcap cluster results JOB --output ndjson:results.ndjson`,
		Flags:  slices.Concat(accessFlags(), resultFlags(), []cli.Flag{colourFlag()}),
		Action: p.runResults,
	}
}

func (p *program) runResults(c *cli.Context) error {
	name, err := oneJob(c)
	if err != nil {
		return err
	}
	failOn, err := levelOf(c)
	if err != nil {
		return err
	}
	outs, err := outputs(c, nil)
	if err != nil {
		return err
	}
	colour, err := p.colour(c)
	if err != nil {
		return err
	}
	q, err := p.dial(c)
	if err != nil {
		return err
	}
	defer q.Close()
	job, all, err := q.Results(c.Context, name)
	if err != nil {
		return p.ofJob(c, name, err)
	}
	var failed error
	records := untilError(all, &failed)
	err = p.results(c, outs, judgement{head: job.Head, when: job.Begun, base: job.Base, colour: colour, failOn: failOn,
		complete: func() bool { return failed == nil }}, p.over(new(auditProgress), records))
	if failed != nil && c.Context.Err() == nil {
		p.partial = true
		p.say("job %s: %s", name, layout.OneLine(failed))
	}
	return err
}

// untilError yields records until there is an error, which it keeps.
func untilError(all iter.Seq2[*report.Record, error], failed *error) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		for rec, err := range all {
			if err != nil {
				*failed = err
				return
			}
			if !yield(rec) {
				return
			}
		}
	}
}
