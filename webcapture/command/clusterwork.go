package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

func (p *program) clusterWork() *cli.Command {
	return &cli.Command{
		Name:      "cluster work",
		Usage:     "audit what is in a queue",
		UsageText: "webcap cluster work [OPTIONS] [JOB...]",
		Description: `Audits the inputs of all jobs, and of those to come, until it is interrupted; of
jobs that are named, until they are done. Jobs that were submitted by another version,
or with other rules, sources or settings, are refused: they are said, and left to
others. What is wrong with a file is in its record; the exit code is 0 unless the
worker itself could not do its work.

  webcap cluster work --nats nats://queue.example.org -j 8`,
		Flags:  slices.Concat(accessFlags(), workerFlags(), jobFlags(), []cli.Flag{metricsFlag()}),
		Action: p.runWork,
	}
}

func (p *program) runWork(c *cli.Context) error {
	head, how, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	defer src.Close()
	opt, err := runOptions(c, how)
	if err != nil {
		return err
	}
	opt.Timings = true
	return p.atQueue(c, func(q *cluster.Queue) error {
		p.needsTime(longGrace)
		err := q.Work(c.Context, cluster.Worker{Head: head, Options: opt, Jobs: c.Args().Slice(),
			Metrics: c.String("metrics"), Say: p.say})
		if c.Context.Err() != nil {
			return nil // that is how it ends
		}
		return p.ofJob(c, strings.Join(c.Args().Slice(), ", "), err)
	})
}
