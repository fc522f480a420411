package command

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) clusterResults() *cli.Command {
	return &cli.Command{
		Name:      "cluster results",
		Usage:     "Write the results of a job",
		UsageText: "webcap cluster results [OPTIONS] JOB",
		Description: `webcap writes the records of a job in the order of its inputs and waits for the
last one. Ignore patterns and baselines of this folder apply, not those of
workers.

  webcap cluster results JOB -o results.ndjson

` + details(queueDetails),
		Flags: append(accessFlags(),
			grouped(manual.Audit, slices.Concat(resultFlags(), baselineFlags(), configFlags())...)...),
		Action: p.runResults,
	}
}

func (p *program) runResults(c *cli.Context) error {
	id, err := oneJob(c)
	if err != nil {
		return err
	}
	outs, err := outputs(c, []string{c.String("baseline")})
	if err != nil {
		return err
	}
	conf, err := readConfig(c.String("config"))
	if err != nil {
		return err
	}
	return p.atQueue(c, func(q *cluster.Queue) error {
		job, all, err := q.Results(c.Context, id)
		if err != nil {
			return err
		}
		job.Head.Directory = directoryBelow(job.Head.Directory, conf.base)
		conf.directory = job.Head.Directory // that of the submitter
		filter, err := p.openFilter(c, conf)
		if err != nil {
			return err
		}
		var failed error
		err = p.results(c, outs, judgement{Options: report.Options{Head: job.Head, Time: job.Begun, Base: conf.base},
			remarks: filter.Remarks, end: func() report.End { return endIf(failed == nil) }},
			p.suppressed(c, filter, untilError(all, &failed)))
		if failed != nil && c.Context.Err() == nil {
			p.partial = true
			p.say("%s", layout.OneLine(failed))
		}
		return err
	})
}
