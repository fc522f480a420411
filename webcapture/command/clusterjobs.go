package command

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/queue"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// accessFlags are the options that say where the queue is.
func accessFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Value: "nats://127.0.0.1:4222", Usage: "the servers of the queue: `URL`s, with commas between them"},
		&cli.StringFlag{Name: "credentials", Usage: "show what is in `FILE`: credentials with a JWT, the seed of an NKey, or user:password"},
		&cli.StringFlag{Name: "tls-ca", Usage: "trust the certificates in `FILE`, and not those of the system"},
		&cli.StringFlag{Name: "tls-cert", Usage: "show the certificate in `FILE`"},
		&cli.StringFlag{Name: "tls-key", Usage: "the key of --tls-cert, in `FILE`"},
	}
}

// dial connects to the queue.
func (p *program) dial(c *cli.Context) (queue.Queue, error) {
	to := queue.Access{URL: c.String("nats"), Credentials: c.String("credentials"), CA: c.String("tls-ca"), Cert: c.String("tls-cert"), Key: c.String("tls-key"), Say: p.say}
	if (to.Cert == "") != (to.Key == "") {
		return nil, usagef(c.Command.Name, "--tls-cert and --tls-key belong together")
	}
	if p.engine == nil {
		return nil, errNoEngine
	}
	return p.engine.Dial(c.Context, to)
}

var errNoEngine = errors.New("this webcap was built without queues")

func (p *program) clusterServe() *cli.Command {
	return &cli.Command{
		Name:      "cluster serve",
		Usage:     "be a server of a queue",
		UsageText: "webcap cluster serve --store FOLDER [--listen HOST:PORT] [--config FILE]",
		Description: `A server of NATS with JetStream, which keeps what it has in FOLDER, on the disk before
it answers. It listens on loopback, unless --listen or --config says otherwise; for
that, --config has to say who may connect. FILE is a configuration of nats-server:
users, accounts, TLS, and the other servers of a cluster stand there.

  webcap cluster serve --store /var/lib/webcap
  webcap cluster serve --store /var/lib/webcap --config /etc/webcap/nats.conf

It ends with an interrupt, or SIGTERM.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "store", Usage: "keep the queue in `FOLDER`"},
			&cli.StringFlag{Name: "listen", DefaultText: "127.0.0.1:4222", Usage: "listen on `HOST:PORT`; port 0 for any that is free"},
			&cli.StringFlag{Name: "config", Usage: "read `FILE`, a configuration of nats-server"},
			metricsFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if p.engine == nil {
				return errNoEngine
			}
			p.needsTime(longGrace)
			return p.engine.Serve(c.Context, queue.Server{Store: c.String("store"), Listen: c.String("listen"), Config: c.String("config"), Metrics: c.String("metrics"), Say: p.say})
		},
	}
}

func metricsFlag() cli.Flag {
	return &cli.StringFlag{Name: "metrics", Usage: "answer Prometheus at `HOST:PORT`, under /metrics"}
}

func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef(c.Command.Name, "it takes no arguments")
	}
	return nil
}

// jobFlags are the options on which the records of a job depend. Who submits one and who works
// on it have to give the same.
func jobFlags() []cli.Flag {
	flags := slices.Concat(sourceFlags("hold identifiers against what `KIND:PATH` keeps; may be repeated"), ruleFlags(), passwordFlags())
	return append(flags, &cli.GenericFlag{Name: "for", Value: new(words), Usage: "have what results in `FORMAT` show and others do not, html or parquet; may be repeated"})
}

// jobHead returns the head of jobs, and how their inputs are audited. The caller closes the sources.
func (p *program) jobHead(c *cli.Context) (head report.Head, how audit.Options, src *sources, err error) {
	if how.Rules, err = selectRules(c); err != nil {
		return
	}
	if how.Passwords, err = flagPasswords(c); err != nil {
		return
	}
	for _, name := range allOf(c, "for") {
		f, ok := report.LookupFormat(name)
		if !ok {
			err = usagef(c.Command.Name, "--for is %s, not %q", formatNames(" or "), name)
			return
		}
		outs := []*output{{format: f}}
		for _, f := range f.Files {
			outs = append(outs, &output{format: f})
		}
		how.Outline, how.Entries = how.Outline || wantsOutline(outs), how.Entries || wantsEntries(outs)
	}
	if src, err = p.openSources(c, allOf(c, "source")); err != nil {
		return
	}
	how.Embedded = src.embedded
	if src.given {
		how.Source = src
	}
	head = report.Head{Version: moduleVersion(), Sources: src.stats, Rules: how.Rules}
	head.Settings, err = settings(c, how)
	// Which files there are is up to who submits them.
	head.Settings = slices.DeleteFunc(head.Settings, func(s string) bool { return s == "follow-links" })
	return
}

func (p *program) clusterSubmit() *cli.Command {
	return &cli.Command{
		Name:      "cluster submit",
		Usage:     "put the audit of PDF files into a queue",
		UsageText: "webcap cluster submit [OPTIONS] PATH...",
		Description: `A PATH is what webcap audit takes, but standard input. Workers have to find the files
under the same names, in the working directory of this command. What standard output
gets is the name of the job. The same command, given again, adds what is new; it goes
on if it was killed, and waits while the queue has more than workers need.

  webcap cluster submit /archive/pdfs
  find /archive -name '*.pdf' -print0 | webcap cluster submit -0 --files-from -`,
		Flags: slices.Concat(accessFlags(), []cli.Flag{
			&cli.StringFlag{Name: "job", DefaultText: "made of what is audited, and how", Usage: "call the job `NAME`"}, chunkFlag(),
			&cli.BoolFlag{Name: "upload", Usage: "send the bytes of files through the queue, to workers that do not see them", DisableDefaultText: true},
			&cli.StringFlag{Name: "lease", Value: "60s", Usage: "give a chunk to another worker if its own shows no sign of life for this `TIME`"},
			&cli.StringFlag{Name: "replicas", Value: "1", Usage: "keep the job on `N` servers: 1, 3 or 5"},
		}, withoutFlag(withoutFlag(inputFlags(), "shard"), "stdin-name"), settingFlags(), jobFlags()),
		Action: p.runSubmit,
	}
}

// settingFlags are those options of a run on which records depend.
func settingFlags() []cli.Flag {
	return slices.DeleteFunc(runFlags(), func(f cli.Flag) bool { return !slices.Contains([]string{"timeout", "no-hash"}, f.Names()[0]) })
}

func (p *program) runSubmit(c *cli.Context) error {
	paths, err := p.paths(c)
	if err != nil {
		return err
	}
	defer paths.close()
	if slices.Contains(paths.arguments, batch.Stdin) {
		return usagef(c.Command.Name, "workers do not see standard input: name files")
	}
	perChunk, err := chunkOf(c)
	if err != nil {
		return err
	}
	job := queue.Job{Name: c.String("job"), Begun: time.Now()}
	if job.Lease, err = time.ParseDuration(c.String("lease")); err != nil || job.Lease < time.Second {
		return usagef(c.Command.Name, "--lease is a time such as 60s, and 1s at least, not %q", c.String("lease"))
	}
	if job.Replicas, err = strconv.Atoi(c.String("replicas")); err != nil || !slices.Contains([]int{1, 3, 5}, job.Replicas) {
		return usagef(c.Command.Name, "--replicas is 1, 3 or 5, not %q", c.String("replicas"))
	}
	if _, err = runOptions(c, audit.Options{}); err != nil {
		return err
	}
	head, _, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	src.Close()
	conf, _, err := readConfig("", true, nil)
	if err != nil {
		return err
	}
	head.Directory = conf.directory
	job.Head, job.Base = head, conf.base
	if job.Directory, err = os.Getwd(); err != nil {
		return err
	}
	if job.Name == "" {
		job.Name = jobName(job, append(paths.arguments, allOf(c, "files-from")...))
	}
	q, err := p.dial(c)
	if err != nil {
		return err
	}
	defer q.Close()
	if err := p.ofJob(c, job.Name, q.Begin(c.Context, job)); err != nil {
		return err
	}
	p.noteDone("the job %s is not submitted as a whole", job.Name)
	if err := p.printf("%s\n", job.Name); err != nil {
		return err
	}
	p.stdout.Flush()
	if err := p.ofJob(c, job.Name, q.Submit(c.Context, job.Name, p.inputs(c, paths, batch.Shard{}), queue.Submission{PerChunk: perChunk, Upload: c.Bool("upload")})); err != nil {
		return err
	}
	if paths.err != nil {
		p.partial = true
		return fmt.Errorf("cannot read the list of files: %w", paths.err)
	}
	return nil
}

// jobName returns a name for a job: the same for the same inputs, audited in the same way.
func jobName(job queue.Job, paths []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q", job.Head.Version, job.Directory, job.Head.Settings, paths)
	for _, r := range job.Head.Rules {
		io.WriteString(h, r.ID)
	}
	return fmt.Sprintf("audit-%x", h.Sum(nil)[:6])
}

// ofJob returns an error about a job as the command line sees it.
func (p *program) ofJob(c *cli.Context, name string, err error) error {
	switch {
	case c.Context.Err() != nil:
		return p.interruption()
	case errors.Is(err, queue.ErrOther), errors.Is(err, queue.ErrNoJob):
		return usagef(c.Command.Name, "%s: %v", name, err)
	}
	return err
}

func (p *program) clusterWork() *cli.Command {
	return &cli.Command{
		Name:      "cluster work",
		Usage:     "audit what is in a queue",
		UsageText: "webcap cluster work [OPTIONS] [JOB...]",
		Description: `Audits the inputs of all jobs, and of those to come, until it is interrupted; of
jobs that are named, until they are done. Jobs that were submitted by another version,
or with other rules, sources or settings, are refused: they are said, and left to
others. What is wrong with a file is in its record; the exit code is 0 unless the
worker itself could not do its work.

  webcap cluster work --nats nats://queue.example.org -j 8`,
		Flags:  slices.Concat(accessFlags(), workerFlags(), jobFlags(), []cli.Flag{metricsFlag()}),
		Action: p.runWork,
	}
}

func (p *program) runWork(c *cli.Context) error {
	head, how, src, err := p.jobHead(c)
	if err != nil {
		return err
	}
	defer src.Close()
	opt, err := runOptions(c, how)
	if err != nil {
		return err
	}
	opt.Timings = true
	q, err := p.dial(c)
	if err != nil {
		return err
	}
	defer q.Close()
	p.needsTime(longGrace)
	err = q.Work(c.Context, queue.Worker{Head: head, Options: opt, Jobs: c.Args().Slice(), Metrics: c.String("metrics"), Say: p.say})
	if c.Context.Err() != nil {
		return nil // that is how it ends
	}
	return p.ofJob(c, strings.Join(c.Args().Slice(), ", "), err)
}

func (p *program) clusterResults() *cli.Command {
	return &cli.Command{
		Name:      "cluster results",
		Usage:     "write the results of a job",
		UsageText: "webcap cluster results [OPTIONS] JOB",
		Description: `The records of a job, in the order of its inputs, as soon as they are there, until
all are. Exit codes and formats are those of webcap audit.

  webcap cluster results JOB --output ndjson:results.ndjson`,
		Flags:  slices.Concat(accessFlags(), resultFlags(), []cli.Flag{colourFlag()}),
		Action: p.runResults,
	}
}

func (p *program) runResults(c *cli.Context) error {
	name, err := oneJob(c)
	if err != nil {
		return err
	}
	failOn, err := levelOf(c)
	if err != nil {
		return err
	}
	outs, err := outputs(c, nil)
	if err != nil {
		return err
	}
	colour, err := p.colour(c)
	if err != nil {
		return err
	}
	q, err := p.dial(c)
	if err != nil {
		return err
	}
	defer q.Close()
	job, all, err := q.Results(c.Context, name)
	if err != nil {
		return p.ofJob(c, name, err)
	}
	var failed error
	records := untilError(all, &failed)
	err = p.results(c, outs, judgement{head: job.Head, when: job.Begun, base: job.Base, colour: colour, failOn: failOn,
		complete: func() bool { return failed == nil }}, p.over(new(auditProgress), records))
	if failed != nil && c.Context.Err() == nil {
		p.partial = true
		p.say("job %s: %s", name, layout.OneLine(failed))
	}
	return err
}

// untilError yields records until there is an error, which it keeps.
func untilError(all iter.Seq2[*report.Record, error], failed *error) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		for rec, err := range all {
			if err != nil {
				*failed = err
				return
			}
			if !yield(rec) {
				return
			}
		}
	}
}

func oneJob(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", usagef(c.Command.Name, "name one job; webcap cluster status lists them")
	}
	return c.Args().First(), nil
}

func (p *program) clusterCancel() *cli.Command {
	return &cli.Command{
		Name:        "cluster cancel",
		Usage:       "end a job before it is done",
		UsageText:   "webcap cluster cancel [OPTIONS] JOB",
		Description: `No more of its inputs are begun. The results that there are stay.`,
		Flags:       accessFlags(),
		Action:      p.onJob(queue.Queue.Cancel),
	}
}

func (p *program) clusterPurge() *cli.Command {
	return &cli.Command{
		Name:        "cluster purge",
		Usage:       "remove a job and its results from the queue",
		UsageText:   "webcap cluster purge [OPTIONS] JOB",
		Description: `The results are lost, unless they were written with webcap cluster results.`,
		Flags:       accessFlags(),
		Action:      p.onJob(queue.Queue.Purge),
	}
}

// onJob is a command that does something with one job.
func (p *program) onJob(do func(queue.Queue, context.Context, string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		name, err := oneJob(c)
		if err != nil {
			return err
		}
		q, err := p.dial(c)
		if err != nil {
			return err
		}
		defer q.Close()
		return p.ofJob(c, name, do(q, c.Context, name))
	}
}
