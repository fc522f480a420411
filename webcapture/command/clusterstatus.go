package command

import (
	"errors"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) clusterStatus() *cli.Command {
	return &cli.Command{
		Name:        "cluster status",
		Usage:       "Show the jobs of a queue",
		UsageText:   "webcap cluster status [OPTIONS]",
		Description: "Shows the progress of each job.\n\n" + details(queueDetails),
		Flags:       accessFlags(),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return p.atQueue(c, func(q *cluster.Queue) error {
				jobs, err := q.Status(c.Context)
				if err != nil {
					return err
				}
				if err := p.writeStatus(jobs); err != nil {
					return cannotWrite(err)
				}
				return nil
			})
		},
	}
}

func (p *program) writeStatus(jobs []cluster.Status) error {
	b := layout.NewSheet(p.stdout, p.width, false)
	rows := [][]string{{"JOB", "STATE", "INPUTS", "WAITING", "IN WORK", "BEGUN", "FOLDER"}}
	for _, j := range jobs {
		rows = append(rows, []string{j.ID, j.State, strconv.Itoa(j.Inputs), strconv.Itoa(j.Waiting), strconv.Itoa(j.Taken),
			j.Begun.Format(time.DateTime), layout.Printable(j.Head.Directory)})
	}
	if len(jobs) > 0 {
		b.Columns(rows)
	} else {
		b.Text("no jobs\n")
	}
	return errors.Join(b.Flush(), p.stdout.Flush())
}
