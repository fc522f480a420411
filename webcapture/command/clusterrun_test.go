package command

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// An audit through a queue has the results of an audit. The same command again shows them, and another job cannot use
// the folder.
func TestClusterRun(t *testing.T) {
	t.Chdir(t.TempDir())
	site := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for _, name := range []string{"a.pdf", "b.pdf", "c.pdf"} {
		if err := os.WriteFile(name, site, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var want bytes.Buffer
	if code, stderr := run(nil, &want, "audit", "a.pdf", "b.pdf", "c.pdf"); code != exitClean {
		t.Fatal(stderr)
	}
	store := filepath.Join(t.TempDir(), "queue")
	for range 2 {
		var out bytes.Buffer
		code, stderr := run(nil, &out, "cluster", "run", "--store", store, "--chunk", "2", "a.pdf", "b.pdf", "c.pdf")
		if code != exitClean || stderr != "" || out.String() != want.String() {
			t.Errorf("exit %d, it says %q, got\n%swant\n%s", code, stderr, out.String(), want.String())
		}
	}
	var out bytes.Buffer
	code, stderr := run(nil, &out, "cluster", "run", "--store", store, "--only", "urls", "a.pdf")
	if code != exitUsage || !strings.HasPrefix(stderr, "webcap: cluster run: --store "+store+": ") || out.Len() > 0 {
		t.Errorf("other rules: exit %d, it says %q", code, stderr)
	}
}

// openedQueue opens the queue in a new folder.
func openedQueue(t *testing.T) *cluster.Queue {
	t.Helper()
	q, err := cluster.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return q
}

// errorOf returns the number of records before the first error, and the error.
func errorOf(records iter.Seq2[*report.Record, error]) (n int, failed error) {
	for _, err := range records {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// A run through a queue ends with the error of the queue: of a job that is missing, and of an input that the queue
// cannot hold.
func TestQueueFails(t *testing.T) {
	r := &auditRun{queue: openedQueue(t), name: runJob, chunk: 1}
	if n, err := errorOf(r.throughQueue(t.Context())); n != 0 || !errors.Is(err, cluster.ErrNoJob) {
		t.Errorf("without a job: %d records, %v", n, err)
	}
	job := cluster.Job{Name: runJob, Lease: time.Minute, Replicas: 1}
	if err := r.queue.Begin(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	r.inputs = slices.Values([]*batch.Input{{Name: strings.Repeat("x", 16<<20), Err: errors.New("gone")}})
	if n, err := errorOf(r.throughQueue(t.Context())); n != 0 || err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("with an input of 16 MB: %d records, %v", n, err)
	}
}

// A run has a queue only with --store, and only if the folder has no other job.
func TestOpenQueue(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		line, version    string
		opens, otherwise bool
	}{
		{"audit a.pdf", "v1", false, false},
		{"cluster run --store s a.pdf", "v1", true, false},
		{"cluster run --store s a.pdf", "v1", true, false},
		{"cluster run --store s a.pdf", "v2", false, true},
	} {
		withOptions(t, tt.line, func(p *program, c *cli.Context) {
			r := new(auditRun)
			err := p.openQueue(c, r, cluster.Job{Head: report.Head{Version: tt.version}})
			if _, usage := errors.AsType[*usageError](err); usage != tt.otherwise || (err != nil) != tt.otherwise ||
				(r.queue != nil) != tt.opens {
				t.Errorf("%s of %s: a queue: %v, %v", tt.line, tt.version, r.queue != nil, err)
			}
			if r.queue != nil {
				r.queue.Close()
			}
		})
	}
}

// After an interrupt, no more records of a queue come, and its error is the interrupt.
func TestQueueIsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.pdf", "b.pdf"} {
		fileOfSets(t, name, 1)
	}
	job := cluster.Job{Name: runJob, Lease: time.Minute, Replicas: 1}
	r := &auditRun{queue: openedQueue(t), name: runJob, chunk: 2,
		inputs: batch.Inputs(slices.Values([]string{"a.pdf", "b.pdf"}), batch.PathOptions{})}
	if err := r.queue.Begin(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var errs []error
	for _, err := range r.throughQueue(ctx) {
		cancel(errInterrupted)
		if errs = append(errs, err); err != nil {
			break
		}
	}
	if !slices.Equal(errs, []error{nil, errInterrupted}) {
		t.Errorf("%v", errs)
	}
	if n, err := errorOf(r.throughQueue(ctx)); n != 0 || err != errInterrupted {
		t.Errorf("interrupted before: %d records, %v", n, err)
	}
}
