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
		UsageText: "webcap cluster work [OPTIONS] JOB",
		Description: `A worker audits inputs until the job is done. Run it with the options of the
submitter. The exit code is 0 unless the worker itself fails.

  webcap cluster work --nats tls://queue.example.org --credentials token JOB

` + details(queueDetails),
		Flags:  slices.Concat(accessFlags(), grouped(manual.Audit, limitFlags()...), jobFlags()),
		Action: p.runWork,
	}
}

func (p *program) runWork(c *cli.Context) error {
	id, err := oneJob(c)
	if err != nil {
		return err
	}
	head, opt, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	defer src.all.Close()
	return p.atQueue(c, func(q *cluster.Queue) error {
		p.needsTime(cmp.Or(opt.Timeout, 24*time.Hour) + longGrace)
		return q.Work(c.Context, id, head, opt)
	})
}
