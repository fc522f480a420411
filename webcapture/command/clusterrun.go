package command

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) clusterRun() *cli.Command {
	return &cli.Command{
		Name:      "cluster run",
		Usage:     "Audit through a crash-safe queue",
		UsageText: "webcap cluster run --store FOLDER [OPTIONS] PATH...",
		Description: `Like webcap audit --journal, with a queue in FOLDER. To resume, run the same
command again. An input that crashes webcap twice is skipped and recorded.

  webcap cluster run --store queue archive/ -o results.ndjson

` + details("cluster.md#on-one-machine"),
		Flags: slices.Concat(grouped(manual.Input,
			&cli.StringFlag{Name: "store", Usage: "`FOLDER` Folder in which the queue is kept"}, chunkFlag()),
			grouped(manual.Audit, slices.Concat(resultFlags(), inputFlags(),
				withoutFlag(runFlags(), "journal"), baselineFlags(), sourceFlags(compareSources), ruleFlags(),
				passwordFlags(), configFlags())...)),
		Action: func(c *cli.Context) error {
			if c.String("store") == "" {
				return usagef(c.Command.Name, "name the folder of the queue with --store")
			}
			return p.runAudit(c)
		},
	}
}

func chunkFlag() cli.Flag {
	return &cli.StringFlag{Name: "chunk", Value: "500", Usage: "`N` Largest number of inputs per worker turn"}
}

// maxChunk is the maximum number of inputs in a chunk. If a worker dies, the whole chunk is audited again.
const maxChunk = 10_000

func chunkOf(c *cli.Context) (int, error) {
	n, err := strconv.Atoi(c.String("chunk"))
	if err != nil || n < 1 || n > maxChunk {
		return 0, usagef(c.Command.Name, "--chunk must be a number from 1 to %d, not %q", maxChunk,
			c.String("chunk"))
	}
	return n, nil
}

// runJob is the name of the job if the queue serves only one job.
const runJob = "run"

// openQueue opens the queue of a run, if an option requests it.
func (p *program) openQueue(c *cli.Context, r *auditRun, job cluster.Job) (err error) {
	store := c.String("store")
	if store == "" {
		return nil
	}
	if r.chunk, err = chunkOf(c); err != nil {
		return err
	}
	if job.Directory, err = os.Getwd(); err != nil {
		return err
	}
	if r.queue, err = cluster.Open(c.Context, store); err != nil {
		return err
	}
	job.Name, job.Begun = runJob, time.Now()
	r.name = job.Name
	if err = r.queue.Begin(c.Context, job); err != nil {
		r.queue.Close()
		r.queue = nil
	}
	if errors.Is(err, cluster.ErrOther) {
		return usagef(c.Command.Name, "--store %s: %v", store, err)
	}
	return err
}

// throughQueue submits the inputs to the queue, audits them, and yields the records.
func (r *auditRun) throughQueue(ctx context.Context) iter.Seq2[*report.Record, error] {
	return func(yield func(*report.Record, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		job, records, err := r.queue.Results(ctx, r.name)
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			stop(nil)
			yield(nil, err)
			return
		}
		ended := make(chan error, 2)
		task := func(do func() error) {
			err := do()
			if err != nil {
				stop(err)
			}
			ended <- err
		}
		go task(func() error { return r.queue.Submit(ctx, r.name, r.inputs, cluster.Submission{PerChunk: r.chunk}) })
		go task(func() error {
			return r.queue.Work(ctx, cluster.Worker{Head: job.Head, Options: r.opt, Jobs: []string{r.name}})
		})
		defer func() {
			stop(nil)
			<-ended
			<-ended
		}()
		for rec, err := range records {
			if ctx.Err() != nil { // the error is only a consequence of the canceled context
				err = context.Cause(ctx)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
