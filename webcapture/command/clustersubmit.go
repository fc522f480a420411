package command

import (
	"fmt"
	"os"
	"slices"
	"strconv"
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
		Description: `A PATH is a path of webcap audit, except standard input. Workers need the files
under the same names, or --upload. To resume or to add new files, run the same
command again; it prints the name of the job.

  webcap cluster submit /archive/pdfs
  find /archive -name '*.pdf' -print0 | webcap cluster submit -0 --files-from -

` + details("cluster.md#on-several-machines"),
		Flags: slices.Concat(accessFlags(), grouped(manual.Input,
			&cli.StringFlag{Name: "job", DefaultText: "a hash of the inputs", Usage: "`NAME` Name of the job"},
			chunkFlag(),
			switchFlag("upload", "Send the bytes of files to workers"),
			&cli.StringFlag{Name: "lease", Value: "60s", Usage: "`TIME` Time until a silent worker is replaced"},
			&cli.StringFlag{Name: "replicas", Value: "1",
				Usage: "`N` Servers that keep the job [possible: 1, 3, 5]"},
		), grouped(manual.Audit, slices.Concat(withoutFlag(inputFlags(), "stdin-name"),
			settingFlags())...), jobFlags()),
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
	perChunk, err := chunkOf(c)
	if err != nil {
		return err
	}
	job, err := p.submittedJob(c, paths)
	if err != nil {
		return err
	}
	err = p.atQueue(c, func(q *cluster.Queue) error {
		if err := q.Begin(c.Context, job); err != nil {
			return err
		}
		p.noteDone("job %s was submitted only in part", job.Name)
		if err := p.printf("%s\n", job.Name); err != nil {
			return err
		}
		p.stdout.Flush()
		return q.Submit(c.Context, job.Name, p.inputs(c, paths),
			cluster.Submission{PerChunk: perChunk, Upload: c.Bool("upload")})
	})
	if err != nil {
		return p.ofJob(c, job.Name, err)
	}
	p.saySkipped(c)
	if paths.err() != nil {
		return fmt.Errorf("cannot read the list of files: %w", paths.err())
	}
	return nil
}

// submittedJob returns the job described by the command line.
func (p *program) submittedJob(c *cli.Context, paths *listedPaths) (job cluster.Job, err error) {
	job = cluster.Job{Name: c.String("job"), Begun: time.Now()}
	if job.Lease, err = time.ParseDuration(c.String("lease")); err != nil || job.Lease < time.Second {
		return job, usagef(c.Command.Name, "--lease must be a time such as 60s, at least 1s, not %q", c.String("lease"))
	}
	if job.Replicas, err = strconv.Atoi(c.String("replicas")); err != nil ||
		!slices.Contains([]int{1, 3, 5}, job.Replicas) {
		return job, usagef(c.Command.Name, "--replicas must be 1, 3 or 5, not %q", c.String("replicas"))
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
	if job.Directory, err = os.Getwd(); err != nil {
		return job, err
	}
	if job.Name == "" {
		job.Name = jobName(job, append(paths.arguments, allOf(c, "files-from")...))
	}
	return job, nil
}
