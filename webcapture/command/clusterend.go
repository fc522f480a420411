package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

func (p *program) clusterCancel() *cli.Command {
	return &cli.Command{
		Name:        "cluster cancel",
		Usage:       "end a job before it is done",
		UsageText:   "webcap cluster cancel [OPTIONS] JOB",
		Description: `No more of its inputs are begun. The results that there are stay.`,
		Flags:       accessFlags(),
		Action:      p.onJob((*cluster.Queue).Cancel),
	}
}

func (p *program) clusterPurge() *cli.Command {
	return &cli.Command{
		Name:        "cluster purge",
		Usage:       "remove a job and its results from the queue",
		UsageText:   "webcap cluster purge [OPTIONS] JOB",
		Description: `The results are lost, unless they were written with webcap cluster results.`,
		Flags:       accessFlags(),
		Action:      p.onJob((*cluster.Queue).Purge),
	}
}
