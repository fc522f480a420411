package command

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterWork() *cli.Command {
	return &cli.Command{
		Name:      "cluster work",
		Usage:     "Audit inputs from a queue",
		UsageText: "webcap cluster work [OPTIONS] [JOB...]",
		Description: `Without a JOB, a worker audits the inputs of all jobs until an interrupt. It skips
and reports jobs that another version of webcap submitted, or that have settings
other than its own. The exit code is 0 unless the worker itself fails.

  webcap cluster work --nats nats://queue.example.org -j 8

` + details("cluster.md#on-several-machines"),
		Flags:  slices.Concat(accessFlags(), grouped(manual.Audit, workerFlags()...), jobFlags(), []cli.Flag{metricsFlag()}),
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
	return p.watchQueue(c, func(q *cluster.Queue) error {
		p.needsTime(longGrace)
		err := q.Work(c.Context, cluster.Worker{Head: head, Options: opt, Jobs: c.Args().Slice(),
			Metrics: c.String("metrics"), Say: p.say})
		return p.ofJob(c, strings.Join(c.Args().Slice(), ", "), err)
	})
}
