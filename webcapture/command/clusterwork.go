package command

import (
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
	head, how, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	defer src.all.Close()
	opt, err := runOptions(c, how)
	if err != nil {
		return err
	}
	opt.Timings = true
	err = p.atQueue(c, func(q *cluster.Queue) error {
		p.needsTime(workGrace(opt.Timeout))
		return q.Work(c.Context, cluster.Worker{Job: c.Args().First(), Head: head, Options: opt})
	})
	if c.Context.Err() != nil && !c.Args().Present() { // the regular end
		return nil
	}
	return err
}

// workGrace returns the grace time of a worker. It returns its chunk to the queue, or finishes a single input.
func workGrace(timeout time.Duration) time.Duration {
	if timeout == 0 {
		return 24 * time.Hour
	}
	return timeout + longGrace
}
