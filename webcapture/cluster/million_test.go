package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// inputsWithoutFiles yields n inputs with records of a typical length.
func inputsWithoutFiles(n int) iter.Seq[*batch.Input] {
	err := errors.New(strings.Repeat("as many words as a record has of most files, ", 6))
	return func(yield func(*batch.Input) bool) {
		for i := range n {
			if !yield(&batch.Input{Name: fmt.Sprintf("/archive/%04d/%s-%07d.pdf", i/1000, "some-document", i),
				Err: err}) {
				return
			}
		}
	}
}

// BenchmarkMillion is a simulation with a real server in another process, its real queue and records, and 200
// workers whose simulated audits take 20 ms on average. It measures the time to submit, audit, and read a million
// inputs, and the memory and disk of the server.
func BenchmarkMillion(b *testing.B) {
	const workers = 200
	n := 1_000_000
	if *inputsFlag > 0 {
		n = *inputsFlag
	}
	for b.Loop() {
		m := single(b)
		open := func() *cluster.Queue {
			q, err := cluster.Dial(b.Context(), cluster.Access{URL: m.url})
			if err != nil {
				b.Fatal(err)
			}
			return q
		}
		q := open()
		defer q.Close()
		job := cluster.Job{Name: "million", Directory: "/", Lease: time.Minute,
			Head: report.Head{Version: "v1", Rules: audit.Rules()}}
		begun := time.Now()
		if err := q.Begin(b.Context(), job); err != nil {
			b.Fatal(err)
		}
		if err := q.Submit(b.Context(), job.Name, inputsWithoutFiles(n),
			cluster.Submission{PerChunk: 500}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s/submit")
		begun = time.Now()
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				q := open()
				defer q.Close()
				opt := batch.Options{Workers: 1,
					Began: func(string) { time.Sleep(time.Duration(rand.ExpFloat64() * float64(20*time.Millisecond))) }}
				if err := q.Work(b.Context(), cluster.Worker{Head: job.Head, Options: opt,
					Jobs: []string{job.Name}}); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		b.ReportMetric(time.Since(begun).Seconds(), "s/work")
		begun = time.Now()
		if got := count(b, q, job.Name); got != n {
			b.Errorf("%d records", got)
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s/read")
		s, err := q.Status(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(s.Jobs[0].Bytes)/1e6, "MB/disk")
		b.ReportMetric(mostMemory(b, m.Process.Pid), "MB/server")
	}
}

func count(b *testing.B, q *cluster.Queue, job string) (n int) {
	_, records, err := q.Results(context.Background(), job)
	if err != nil {
		b.Fatal(err)
	}
	for _, err := range records {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}

// mostMemory returns the maximum memory of a process in megabytes.
func mostMemory(b *testing.B, pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kB float64
	fmt.Sscan(rest, &kB)
	return kB / 1000
}
