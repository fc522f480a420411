package command

import (
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterStatus() *cli.Command {
	return &cli.Command{
		Name:      "cluster status",
		Usage:     "Show the jobs and workers of a queue",
		UsageText: "webcap cluster status [OPTIONS]",
		Description: `Shows the progress of each job, the last sign of life of each worker, and inputs
that crashed workers.

  webcap cluster status --watch

` + details("cluster.md#on-several-machines"),
		Flags: slices.Concat(accessFlags(), formatFlags(),
			grouped(manual.Output, switchFlag("watch", "Update every two seconds until an interrupt"))),
		Action: p.runStatus,
	}
}

// watchEvery is the interval at which --watch shows the status. Tests shorten it.
var watchEvery = 2 * time.Second

func (p *program) runStatus(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	isJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	connect := p.atQueue
	if c.Bool("watch") {
		connect = p.watchQueue
	}
	return connect(c, func(q *cluster.Queue) error {
		for first := (*cluster.Status)(nil); ; {
			s, err := q.Status(c.Context)
			if err != nil {
				return p.ofJob(c, "", err)
			}
			if first == nil {
				first = s
			}
			err = p.showStatus(c, first, s, isJSON)
			if err != nil || !c.Bool("watch") {
				return err
			}
			select {
			case <-time.After(watchEvery):
			case <-c.Context.Done():
				return nil
			}
		}
	})
}

// showStatus shows the status s. Rates of jobs are computed from the difference to first.
func (p *program) showStatus(c *cli.Context, first, s *cluster.Status, isJSON bool) (err error) {
	if c.Bool("watch") && p.width > 0 {
		io.WriteString(p.stdout, "\x1b[H\x1b[2J") // clears the screen
	}
	if isJSON {
		err = statusJSON(p.stdout, moduleVersion(), s)
	} else {
		err = statusTable(p.stdout, p.width, first, s)
	}
	if err != nil {
		return err
	}
	return p.stdout.Flush()
}
