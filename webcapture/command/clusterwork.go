package command

import (
	"cmp"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterWork() *cli.Command {
	return &cli.Command{
		Name:      "cluster work",
		Usage:     "Audit inputs from a queue",
		UsageText: "webcap cluster work [OPTIONS] [JOB]",
		Description: `Without JOB, a worker audits the inputs of all jobs until an interrupt. It skips
and reports jobs that another version of webcap submitted, or that have settings
other than its own. The exit code is 0 unless the worker itself fails.

  webcap cluster work --nats tls://queue.example.org --credentials token -j 8

` + details(queueDetails),
		Flags:  slices.Concat(accessFlags(), grouped(manual.Audit, limitFlags()...), jobFlags()),
		Action: p.runWork,
	}
}

func (p *program) runWork(c *cli.Context) error {
	if c.NArg() > 1 {
		return usagef(c.Command.Name, "name one job, or none for all jobs")
	}
	head, opt, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	defer src.all.Close()
	err = p.atQueue(c, func(q *cluster.Queue) error {
		p.needsTime(cmp.Or(opt.Timeout, 24*time.Hour) + longGrace)
		return q.Work(c.Context, c.Args().First(), head, opt)
	})
	if c.Context.Err() != nil && !c.Args().Present() { // the regular end
		return nil
	}
	return err
}
