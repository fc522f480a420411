package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A chunk has from 1 to 10000 inputs, and 500 without the option.
func TestChunkOf(t *testing.T) {
	for option, want := range map[string]int{"": 500, "--chunk 1": 1, "--chunk 10000": 10_000, "--chunk 0": 0,
		"--chunk 10001": 0, "--chunk=-1": 0, "--chunk 5k": 0} {
		withOptions(t, "cluster submit a.pdf "+option, func(_ *program, c *cli.Context) {
			n, err := chunkOf(c)
			if _, ok := errors.AsType[*usageError](err); n != want || ok != (want == 0) {
				t.Errorf("%s: %d, %v, want %d", option, n, err, want)
			}
		})
	}
}

// The job of a submission has the settings of the command line, and their defaults.
func TestSubmittedJob(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, tt := range []struct {
		options  string
		lease    time.Duration
		replicas int
		named    bool
	}{
		{"", time.Minute, 1, false},
		{"--lease 1s --replicas 3", time.Second, 3, false},
		{"--lease 1h --replicas 5 --job one", time.Hour, 5, true},
	} {
		withOptions(t, "cluster submit a.pdf "+tt.options, func(p *program, c *cli.Context) {
			job, err := p.submittedJob(c, &listedPaths{arguments: []string{"a.pdf"}})
			if err != nil || job.Lease != tt.lease || job.Replicas != tt.replicas || (job.Name == "one") != tt.named ||
				job.Directory != dir || job.Base != dir || job.Head.Version == "" || len(job.Head.Rules) == 0 {
				t.Errorf("%s: %+v, %v", tt.options, job, err)
			}
		})
	}
}

// The name of a job depends on everything that changes its results or inputs.
func TestJobName(t *testing.T) {
	seen := map[string]string{}
	for _, line := range []string{"a.pdf", "b.pdf", "a.pdf b.pdf", "--only urls a.pdf",
		"--files-from list a.pdf"} {
		withOptions(t, "cluster submit "+line, func(p *program, c *cli.Context) {
			for range 2 {
				job, err := p.submittedJob(c, &listedPaths{arguments: c.Args().Slice()})
				if other, there := seen[job.Name]; err != nil || there && other != line {
					t.Errorf("%s: the job is %s, as that of %s; %v", line, job.Name, other, err)
				}
				seen[job.Name] = line
			}
		})
	}
	if len(seen) != 5 {
		t.Errorf("%d names for 5 jobs; the same job needs the same name", len(seen))
	}
}

// The options of a job decide what its audits record, and which sources they use.
func TestJobHead(t *testing.T) {
	warc := testSource(t)
	for _, tt := range []struct {
		options          string
		source, embedded bool
	}{
		{"", false, false},
		{"--source " + warc, true, false},
		{"--source embedded", false, true},
	} {
		withOptions(t, "cluster work "+tt.options, func(p *program, c *cli.Context) {
			head, how, src, err := p.jobHead(c)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			if (how.Source != nil) != tt.source ||
				how.Embedded != tt.embedded || (len(head.Sources) > 0) != tt.source {
				t.Errorf("%s: %+v, sources %v", tt.options, how, head.Sources)
			}
			if tt.source && how.SourceLost != src.lost {
				t.Errorf("a part of the source is lost: %v, want %v", how.SourceLost, src.lost)
			}
		})
	}
}

// An unknown job, or another job with the name, is a wrong command line. An interrupt comes first.
func TestErrorsOfJobs(t *testing.T) {
	other := errors.New("the queue is full")
	withOptions(t, "cluster cancel one", func(p *program, c *cli.Context) {
		for err, want := range map[error]string{cluster.ErrOther: "cluster cancel: one: another job has this name",
			fmt.Errorf("%w", cluster.ErrNoJob): "cluster cancel: one: there is no job", other: other.Error()} {
			got := p.ofJob(c, "one", err)
			if _, usage := errors.AsType[*usageError](got); usage != (err != other) || got.Error() != want {
				t.Errorf("%v: %v, want %s", err, got, want)
			}
		}
		if err := p.ofJob(c, "one", nil); err != nil {
			t.Errorf("without an error: %v", err)
		}
		ctx, cancel := context.WithCancel(c.Context)
		cancel()
		c.Context = ctx
		if err := p.ofJob(c, "one", cluster.ErrNoJob); err != errInterrupted {
			t.Errorf("after an interrupt: %v, want %v", err, errInterrupted)
		}
	})
}

// Records end with the first error, which is kept.
func TestUntilError(t *testing.T) {
	a, b, bad := &report.Record{Path: "a"}, &report.Record{Path: "b"}, errors.New("lost")
	all := func(yield func(*report.Record, error) bool) {
		_ = yield(a, nil) && yield(b, nil) && yield(nil, bad) && yield(a, nil)
	}
	var failed error
	if got := slices.Collect(untilError(all, &failed)); !slices.Equal(got, []*report.Record{a, b}) || failed != bad {
		t.Errorf("%v, %v", got, failed)
	}
	failed = nil
	for range untilError(all, &failed) {
		break // the loop would panic if the iterator continued
	}
	if failed != nil {
		t.Errorf("a reader that stops sees %v", failed)
	}
}

// queueProgram returns a program whose standard output has room for n bytes, and the arguments of a command at a queue.
func queueProgram(nats, line string, n int) (*program, []string) {
	p := &program{stdin: iotest.ErrReader(errors.New("bad disk")), stdout: bufio.NewWriterSize(&fullWriter{n}, 16),
		stderr: new(strings.Builder)}
	args := strings.Fields("webcap cluster " + line)
	return p, slices.Concat(args[:3], []string{"--nats", nats}, args[3:])
}

// badJobs leaves two jobs at a queue: done has all results, and stopped was cancelled.
func badJobs(t *testing.T, nats string) {
	t.Helper()
	t.Chdir(t.TempDir())
	site := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	if err := os.WriteFile("a.pdf", site, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"submit --job done a.pdf", "work done", "submit --job stopped a.pdf", "cancel stopped"} {
		p, args := queueProgram(nats, line, 1000)
		if err := p.run(t.Context(), args); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// Errors at a queue reach the user: those of jobs, of the command's own files, and of standard output.
func TestErrorsAtAQueue(t *testing.T) {
	nats := startQueue(t)
	badJobs(t, nats)
	for _, tt := range []struct {
		line string
		code int
		want string // of standard error
	}{
		{"results stopped", exitFailed, "webcap: job stopped: it was cancelled\n"},
		{"results done --baseline gone.json", exitUsage,
			"webcap: cluster results: cannot read the baseline: open gone.json: "},
		{"results done -o json:gone/a.json", exitFailed,
			"webcap: cannot write gone/a.json: the folder gone does not exist\n"},
		{"submit --job stopped a.pdf", exitFailed, "webcap: job stopped: it was cancelled\n"},
		{"submit --job list --files-from -", exitFailed, "webcap: cannot read the list of files: -: bad disk\n"},
		{"submit --job bad.name a.pdf", exitFailed, "webcap: "},
		{"status --credentials gone", exitFailed, "webcap: open gone: "},
	} {
		t.Run(tt.line, func(t *testing.T) {
			p, args := queueProgram(nats, tt.line, 1<<20)
			code := p.exit(p.run(t.Context(), args))
			if code != tt.code || !strings.HasPrefix(said(p), tt.want) {
				t.Errorf("exit %d, want %d; it says %q", code, tt.code, said(p))
			}
		})
	}
	for _, line := range []string{"status", "status -f json", "results done", "submit --job a-long-name-of-a-job a.pdf"} {
		for _, n := range []int{0, 17} {
			p, args := queueProgram(nats, line, n)
			if err := p.run(t.Context(), args); err == nil || !strings.HasSuffix(err.Error(), "no space left on device") {
				t.Errorf("%s with room for %d bytes: %v", line, n, err)
			}
		}
	}
}

// An interrupt ends a command at a queue, also while no server answers. For a worker and a watched status, it is the
// regular end.
func TestInterruptsAtAQueue(t *testing.T) {
	nats := startQueue(t)
	badJobs(t, nats)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for line, want := range map[string]error{"status": errInterrupted, "cancel done": errInterrupted,
		"results done": errInterrupted, "purge done": errInterrupted, "submit --job new a.pdf": errInterrupted, "work": nil,
		"work done": nil, "status --watch": nil} {
		for _, url := range []string{nats, "nats://127.0.0.1:1"} {
			p, args := queueProgram(url, line, 1000)
			if err := p.run(ctx, args); err != want {
				t.Errorf("%s at %s: %v, want %v", line, url, err, want)
			}
		}
	}
}

// The status is shown again and again until an interrupt, which is the regular end at any moment. A terminal is cleared
// before each look.
func TestStatusIsWatched(t *testing.T) {
	nats := startQueue(t)
	defer func(d time.Duration) { watchEvery = d }(watchEvery)
	watchEvery = time.Nanosecond // so that most interrupts come while the queue is asked
	for i := range 20 {
		width, want := 0, strings.Repeat("no jobs\n", 2)
		if i%2 > 0 {
			width, want = 80, strings.Repeat("\x1b[H\x1b[2Jno jobs\n", 2)
		}
		ctx, stop := context.WithCancel(t.Context())
		shown, ended := newScreen(), make(chan error, 1)
		p := &program{stdout: bufio.NewWriter(shown), stderr: io.Discard, width: width}
		go func() { ended <- p.run(ctx, []string{"webcap", "cluster", "status", "--watch", "--nats", nats}) }()
		shown.await(want)
		stop()
		if err := <-ended; err != nil || !strings.HasPrefix(shown.String(), want) {
			t.Fatalf("width %d: %v, it shows %q, want %q", width, err, shown, want)
		}
	}
}

// A job that makes progress while it is watched has a rate.
func TestWatchedRate(t *testing.T) {
	nats := startQueue(t)
	badJobs(t, nats)
	defer func(d time.Duration) { watchEvery = d }(watchEvery)
	watchEvery = time.Millisecond
	does := func(line string) {
		p, args := queueProgram(nats, line, 1000)
		if err := p.run(t.Context(), args); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	does("submit --job new a.pdf")
	ctx, stop := context.WithCancel(t.Context())
	shown, ended := newScreen(), make(chan error, 1)
	p := &program{stdout: bufio.NewWriter(shown), stderr: io.Discard}
	go func() { ended <- p.run(ctx, []string{"webcap", "cluster", "status", "--watch", "--nats", nats}) }()
	shown.await("waiting")
	does("work new")
	shown.await(" inputs/s")
	stop()
	if err := <-ended; err != nil || strings.Count(shown.String(), " inputs/s") == 0 {
		t.Errorf("%v, it shows no rate:\n%s", err, shown)
	}
}

// A server needs a store.
func TestServerWithoutStore(t *testing.T) {
	code, stderr := run(nil, io.Discard, "cluster", "serve")
	if want := "webcap: neither --store nor the configuration names a store\n"; code != exitFailed || stderr != want {
		t.Errorf("exit %d, it says %q, want %q", code, stderr, want)
	}
}

// The folder of a queue has to be one that can be opened.
func TestStoreIsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	code, stderr := run(nil, &out, "cluster", "run", "--store", "file", "a.pdf")
	if code != exitFailed || out.Len() > 0 || !strings.Contains(stderr, "file") {
		t.Errorf("exit %d, it says %q, output %q", code, stderr, out.String())
	}
}

// An error of the queue is reported at the end of a run, which is then partial. Without a queue there is none, and an
// interrupt is not one.
func TestEndOfAQueue(t *testing.T) {
	const want = "webcap: the queue failed, later inputs were not audited: no room\n"
	failed := errors.New("no room")
	withOptions(t, "audit a.pdf", func(_ *program, c *cli.Context) {
		for _, tt := range []struct {
			r           *auditRun
			interrupted bool
			want        string
		}{
			{&auditRun{queue: new(cluster.Queue), err: failed}, false, want},
			{&auditRun{queue: new(cluster.Queue)}, false, ""},
			{&auditRun{err: failed}, false, ""},
			{&auditRun{queue: new(cluster.Queue), err: failed}, true, want}, // it failed before the interrupt
			{&auditRun{queue: new(cluster.Queue), err: errInterrupted}, true, ""},
		} {
			p, before := &program{stderr: new(strings.Builder)}, c.Context
			ctx, cancel := context.WithCancel(t.Context())
			if tt.interrupted {
				cancel()
			}
			c.Context = ctx
			p.endRun(c, tt.r, nil, false)
			c.Context = before
			cancel()
			if said(p) != tt.want || p.partial != (tt.want != "") {
				t.Errorf("it says %q, partial: %v; want %q", said(p), p.partial, tt.want)
			}
		}
	})
}

// An interrupt of a submission says that the job is not complete.
func TestSubmitIsInterrupted(t *testing.T) {
	nats := startQueue(t)
	badJobs(t, nats)
	ctx, cancel := context.WithCancel(t.Context())
	p, args := queueProgram(nats, "submit --job new --files-from -", 1000)
	p.stdin = &stoppableReader{line: "a.pdf\n", then: cancel}
	if err := p.run(ctx, args); err == nil || err.Error() != "interrupted, job new was submitted only in part" {
		t.Errorf("%v", err)
	}
}

// Workers and servers of a queue have more time to end after an interrupt.
func TestGraceAtAQueue(t *testing.T) {
	nats := startQueue(t)
	badJobs(t, nats)
	for line, want := range map[string]time.Duration{"work done": longGrace, "serve --store a.pdf": longGrace,
		"status": 0} {
		p, args := queueProgram(nats, line, 1000)
		if strings.HasPrefix(line, "serve") {
			args = strings.Fields("webcap cluster " + line)
		}
		p.run(t.Context(), args)
		if got := time.Duration(p.grace.Load()); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
