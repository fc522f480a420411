package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Results returns the job with this name, and yields its records.
func (q *Queue) Results(ctx context.Context, name string) (Job, iter.Seq2[*report.Record, error], error) {
	j, err := q.job(ctx, name)
	if err != nil {
		return Job{}, nil, err
	}
	head, err := encodeHead(j.Head)
	if err != nil {
		return Job{}, nil, err
	}
	return j.Job, func(yield func(*report.Record, error) bool) {
		lines := &resultReader{ctx: ctx, job: j, left: head, next: firstChunk}
		r, err := report.NewReader(lines)
		for err == nil {
			var rec *report.Record
			if rec, err = r.Next(); err == nil && !yield(rec, nil) {
				return
			}
		}
		if lines.err != nil {
			err = lines.err
		}
		if err != io.ErrUnexpectedEOF { // this error only means that there is no summary
			yield(nil, purgedError(err, name))
		}
	}, nil
}

// resultReader reads the head of a job and its results as NDJSON without a summary. The results come in the order
// of chunks. It waits for missing results.
type resultReader struct {
	ctx   context.Context
	job   *job
	next  uint64
	left  []byte
	parts []string // subjects of the remaining parts of the current result
	rest  []byte   // end of the current result, after its parts
	sum   hash.Hash
	want  string
	err   error // nil for io.EOF
}

func (l *resultReader) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		if err := l.fill(); err != nil {
			if err != io.EOF {
				l.err = err
			}
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// fill reads the next part of the results.
func (l *resultReader) fill() error {
	switch {
	case len(l.parts) > 0:
		m, err := l.job.q.last(l.ctx, l.job.results, l.parts[0])
		if err != nil {
			return err
		}
		if m == nil {
			return fmt.Errorf("the servers have lost a part of the result of chunk %d; "+
				"purge the job, and submit it again", l.next-1)
		}
		l.left, l.parts = m.Data, l.parts[1:]
		l.sum.Write(m.Data)
		return nil
	case l.sum != nil:
		l.sum.Write(l.rest)
		if hex.EncodeToString(l.sum.Sum(nil)) != l.want {
			return fmt.Errorf("the result of chunk %d is damaged: "+
				"its digest has changed; purge the job, and submit it again", l.next-1)
		}
		l.left, l.sum, l.rest = l.rest, nil, nil
		return nil
	}
	m, err := l.result()
	if err != nil {
		return err
	}
	l.sum, l.want, l.rest = sha256.New(), m.Header.Get(sumHeader), m.Data
	if subject, count, ok := strings.Cut(m.Header.Get(partsHeader), " "); ok {
		n, _ := strconv.Atoi(count)
		for i := range n {
			l.parts = append(l.parts, subject+"."+strconv.Itoa(i))
		}
	}
	return nil
}

// result waits for the next result. It returns io.EOF after the last one.
func (l *resultReader) result() (*jetstream.RawStreamMsg, error) {
	for pause := leastPause; l.ctx.Err() == nil; pause = min(2*pause, mostPause) {
		news := l.job.q.news.wait()
		m, err := l.ask()
		if m != nil || err != nil {
			return m, err
		}
		sleepUntil(l.ctx, news, pause)
	}
	return nil, context.Cause(l.ctx)
}

// ask returns the next result, or nil if it does not exist yet.
func (l *resultReader) ask() (*jetstream.RawStreamMsg, error) {
	chunk, err := l.chunk()
	if chunk == "" || err != nil {
		return nil, err
	}
	m, err := l.job.q.last(l.ctx, l.job.results, resultSubject(l.job.Name, chunk))
	if err != nil {
		return nil, err
	}
	if m != nil {
		l.next++
		return m, nil
	}
	// The result may be lost. Then a worker must audit the chunk again, unless the job was canceled.
	cancelled, err := l.job.cancelled(l.ctx)
	if cancelled {
		err = errors.Join(err, ErrCancelled)
	}
	if err != nil {
		return nil, err
	}
	return nil, l.job.requeueLost(l.ctx, l.next, chunk)
}

// chunk returns the name of the next chunk, or "" if it does not exist yet. The error is io.EOF if the job is
// complete.
func (l *resultReader) chunk() (string, error) {
	for {
		m, err := l.job.q.message(l.ctx, l.job.chunks, l.next)
		switch {
		case err != nil:
			return "", err
		case m == nil:
			return "", l.job.checkChunk(l.ctx, l.next)
		case m.Subject == cancelSubject(l.job.Name):
			return "", ErrCancelled
		case m.Subject == chunkSubject(l.job.Name):
			return chunkName(l.next, m.Data), nil
		}
		after, err := l.job.q.message(l.ctx, l.job.chunks, l.next+1) // it marks the end, unless there is more
		if err != nil {
			return "", err
		}
		if after == nil {
			return "", io.EOF
		}
		l.next++
	}
}
