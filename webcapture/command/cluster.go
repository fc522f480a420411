package command

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

const queueDetails = "many-files.md#several-machines-a-queue"

// accessFlags are the options for the address of the queue and access to it.
func accessFlags() []cli.Flag {
	return grouped(manual.Input,
		&cli.StringFlag{Name: "nats", Value: "nats://127.0.0.1:4222",
			Usage: "`URLS` Servers of the queue, comma-separated"},
		&cli.StringFlag{Name: "credentials", Usage: "`FILE` Token, or credentials with a JWT"},
	)
}

// atQueue connects to the queue and calls do. A job in the command line that does not exist, or that has other
// settings, is a usage error.
func (p *program) atQueue(c *cli.Context, do func(*cluster.Queue) error) error {
	p.noteDone("webcap %s did not complete", c.Command.Name)
	q, err := cluster.Dial(c.Context, c.String("nats"), c.String("credentials"), p.say)
	if err == nil {
		defer q.Close()
		err = do(q)
	}
	switch {
	case err != nil && c.Context.Err() != nil:
		return p.interruption()
	case errors.Is(err, cluster.ErrNoJob), errors.Is(err, cluster.ErrOther):
		return usagef(c.Command.Name, "%v", err)
	}
	return err
}

func oneJob(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usagef(c.Command.Name, "name one job; webcap cluster status lists them")
	}
	return c.Args().First(), nil
}

// jobFlags are the options that affect the records of a job. The submitter and the workers must give the same values.
func jobFlags() []cli.Flag {
	return grouped(manual.Audit, slices.Concat(sourceFlags(compareSources), ruleFlags(), passwordFlags())...)
}

// jobHead returns the head of a job, without its directory, and the options of its audits. The caller closes the
// sources.
func (p *program) jobHead(c *cli.Context) (head report.Head, opt batch.Options, src *sources, err error) {
	var how audit.Options
	if how.Rules, err = selectRules(c); err != nil {
		return
	}
	if how.Passwords, err = p.filePasswords(c); err != nil {
		return
	}
	if opt, err = runOptions(c, how); err != nil {
		return
	}
	if src, err = p.openSources(c, allOf(c, "source")); err != nil {
		return
	}
	src.addTo(&opt.Audit)
	opt.Timings = true
	head = report.Head{Version: moduleVersion(), Sources: src.stats, Rules: how.Rules}
	head.Settings = append(settings(c, "timeout"), passwordSetting(how.Passwords))
	return
}

func (p *program) clusterRemove() *cli.Command {
	return &cli.Command{
		Name:        "cluster rm",
		Usage:       "Remove a job and its results",
		UsageText:   "webcap cluster rm [OPTIONS] JOB",
		Description: `To keep the results, write them with webcap cluster results first.`,
		Flags:       accessFlags(),
		Action: func(c *cli.Context) error {
			id, err := oneJob(c)
			if err != nil {
				return err
			}
			return p.atQueue(c, func(q *cluster.Queue) error { return q.Remove(c.Context, id) })
		},
	}
}

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
				if err == nil {
					p.writeStatus(jobs)
				}
				return err
			})
		},
	}
}

// writeStatus writes a table of jobs. The end of the command reports that standard output cannot be written.
func (p *program) writeStatus(jobs []cluster.Status) {
	if len(jobs) == 0 {
		p.printf("no jobs\n")
		return
	}
	b := layout.NewSheet(p.stdout, p.width, false)
	rows := [][]string{{"JOB", "STATE", "INPUTS", "WAITING", "IN WORK", "BEGUN", "FOLDER"}}
	for _, j := range jobs {
		rows = append(rows, []string{j.ID, j.State, strconv.Itoa(j.Inputs), strconv.Itoa(j.Waiting), strconv.Itoa(j.Taken),
			j.Begun.Format(time.DateTime), layout.Printable(j.Head.Directory)})
	}
	b.Columns(rows)
	b.Flush()
}
