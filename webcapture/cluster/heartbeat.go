package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// heartbeat is the heartbeat of a worker. It has no time of day, because the clock of the worker may be wrong.
type heartbeat struct {
	Version string
	Age     time.Duration // time since the worker's start
	Inputs  int
	Bytes   int64
}

// signs publishes heartbeats. It ignores errors, because a lost heartbeat does not matter.
func (w *worker) signs(ctx context.Context) {
	if w.q.own != nil {
		return // no other process can read heartbeats
	}
	since := time.Now()
	w.q.again(ctx, func() error {
		_, err := w.q.js.CreateStream(ctx,
			jetstream.StreamConfig{Name: signsStream, Subjects: []string{signSubject + ">"},
				Storage: jetstream.MemoryStorage, MaxMsgsPerSubject: 1, MaxAge: signsKept})
		return err
	})
	host, _ := os.Hostname()
	subject := signSubject + workerName(host)
	for ctx.Err() == nil {
		n, bytes := w.tally.sum()
		data, _ := json.Marshal(heartbeat{w.Head.Version, time.Since(since), n, bytes})
		w.q.nc.Publish(subject, data)
		sleep(ctx, signEvery)
	}
}

// workerName returns the host name and the process ID as one word of a subject.
func workerName(host string) string {
	return fmt.Sprintf("%s-%d", strings.Map(func(r rune) rune {
		if strings.ContainsRune(". *>", r) || !unicode.IsPrint(r) {
			return '-'
		}
		return r
	}, host), os.Getpid())
}

// tally counts the finished inputs of a worker.
type tally struct {
	mu    sync.Mutex
	n     int
	bytes int64
}

func (t *tally) add(rec *report.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	t.bytes += rec.Size
}

func (t *tally) sum() (inputs int, bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n, t.bytes
}

// workers returns the last heartbeat of each worker. Their age is measured by the clock of the servers only.
func (q *Queue) workers(ctx context.Context, now time.Time) (list []WorkerStatus, err error) {
	var s jetstream.Stream
	var info *jetstream.StreamInfo
	err = q.again(ctx, func() error {
		if s, err = q.js.Stream(ctx, signsStream); err != nil {
			return err
		}
		info, err = s.Info(ctx, jetstream.WithSubjectFilter(signSubject+">"))
		return err
	})
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, subject := range slices.Sorted(maps.Keys(info.State.Subjects)) {
		m, err := q.last(ctx, s, subject)
		if err != nil {
			return nil, err
		}
		var one heartbeat
		if m == nil || json.Unmarshal(m.Data, &one) != nil {
			continue
		}
		name := strings.TrimPrefix(subject, signSubject)
		seen := now.Add(-max(info.TimeStamp.Sub(m.Time), 0))
		list = append(list, WorkerStatus{Name: name, Version: one.Version, Seen: seen, Since: seen.Add(-one.Age),
			Inputs: one.Inputs, Bytes: one.Bytes})
	}
	return list, nil
}
