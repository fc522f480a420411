package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

func (p *program) clusterCancel() *cli.Command {
	return &cli.Command{
		Name:        "cluster cancel",
		Usage:       "Stop a job",
		UsageText:   "webcap cluster cancel [OPTIONS] JOB",
		Description: `Workers start no more inputs of the job. Its results stay in the queue.`,
		Flags:       accessFlags(),
		Action:      p.onJob((*cluster.Queue).Cancel),
	}
}

func (p *program) clusterPurge() *cli.Command {
	return &cli.Command{
		Name:        "cluster purge",
		Usage:       "Remove a job and its results",
		UsageText:   "webcap cluster purge [OPTIONS] JOB",
		Description: `To keep the results, write them with webcap cluster results first.`,
		Flags:       accessFlags(),
		Action:      p.onJob((*cluster.Queue).Purge),
	}
}
