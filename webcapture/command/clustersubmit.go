package command

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

func (p *program) clusterSubmit() *cli.Command {
	return &cli.Command{
		Name:      "cluster submit",
		Usage:     "Submit an audit to a queue",
		UsageText: "webcap cluster submit [OPTIONS] PATH...",
		Description: `Prints the ID of the job. A PATH is a path of webcap audit, except standard
input; workers need the files under the same names. To resume an interrupted
submission or to add files, use --job in the same folder.

  webcap cluster submit /archive/pdfs
  find /archive -name '*.pdf' -print0 | webcap cluster submit -0 --files-from -

` + details(queueDetails),
		Flags: slices.Concat(accessFlags(), grouped(manual.Input,
			&cli.StringFlag{Name: "job", DefaultText: "a new job", Usage: "`ID` Resume this job, or add to it"},
			&cli.StringFlag{Name: "label", Usage: "`TEXT` Description of a new job"},
		), grouped(manual.Audit, slices.Concat(withoutFlag(inputFlags(), "stdin-name"),
			[]cli.Flag{timeoutFlag("60s")})...), jobFlags()),
		Action: p.runSubmit,
	}
}

func (p *program) runSubmit(c *cli.Context) error {
	paths, err := p.paths(c)
	if err != nil {
		return err
	}
	defer paths.close()
	if slices.Contains(paths.arguments, batch.Stdin) {
		return usagef(c.Command.Name, "workers cannot read standard input; name files")
	}
	job, err := p.submittedJob(c)
	if err != nil {
		return err
	}
	err = p.atQueue(c, func(q *cluster.Queue) (err error) {
		if job.ID == "" {
			if job.ID, err = q.Create(c.Context, job.Label); err != nil {
				return err
			}
		}
		p.noteDone("job %s is not complete; resume with --job %s", job.ID, job.ID)
		if err := p.printf("%s\n", job.ID); err != nil {
			return err
		}
		if err := p.stdout.Flush(); err != nil {
			return cannotWrite(err)
		}
		return q.Submit(c.Context, job, func(yield func(*batch.Input, error) bool) {
			for in := range p.inputs(c, paths) {
				if !yield(in, nil) {
					return
				}
			}
			if err := paths.err(); err != nil {
				yield(nil, fmt.Errorf("cannot read the list of files: %w", err))
			}
		})
	})
	if err == nil {
		p.saySkipped(c)
	}
	return err
}

const maxLabel = 200

// submittedJob returns the job described by the command line.
func (p *program) submittedJob(c *cli.Context) (job cluster.Job, err error) {
	job = cluster.Job{ID: c.String("job"), Label: c.String("label"), Begun: time.Now()}
	if len(job.Label) > maxLabel {
		return job, usagef(c.Command.Name, "--label is longer than %d bytes", maxLabel)
	}
	if job.ID != "" && job.Label != "" {
		return job, usagef(c.Command.Name, "--label is for new jobs, not for --job")
	}
	if _, err = runOptions(c, audit.Options{}); err != nil {
		return job, err
	}
	head, _, src, err := p.jobHead(c)
	if err != nil {
		return job, err
	}
	src.Close()
	conf, _, err := readConfig("", true, nil)
	if err != nil {
		return job, err
	}
	head.Directory = conf.directory
	job.Head, job.Base = head, conf.base
	job.Directory, err = os.Getwd()
	return job, err
}
