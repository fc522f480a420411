package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// resultHead is the first line of a result. The end of the records, as NDJSON, follows it.
type resultHead struct {
	Split bool   `json:"split,omitempty"` // each input has its own result
	Token string `json:"token,omitempty"` // the parts of this result
	Parts int    `json:"parts,omitempty"`
}

// putResult publishes the result of a chunk, unless the chunk has one.
func (j *job) putResult(ctx context.Context, subject string, head resultHead, end []byte) error {
	line, err := json.Marshal(head)
	if err == nil {
		_, err = j.put(ctx, subject, append(append(line, '\n'), end...))
	}
	return err
}

// resultWriter publishes the records of a chunk, which include a head, in parts.
type resultWriter struct {
	ctx     context.Context
	job     *job
	key     string
	head    resultHead
	buf     bytes.Buffer // end of the records, which is in no part
	records report.Writer
}

func (j *job) newResult(ctx context.Context, key string) *resultWriter {
	r := &resultWriter{ctx: ctx, job: j, key: key, head: resultHead{Token: rand.Text()}}
	r.records = report.NDJSON.New(r, report.Options{Head: j.Head})
	return r
}

// Write publishes full parts.
func (r *resultWriter) Write(data []byte) (int, error) {
	r.buf.Write(data)
	for r.buf.Len() > partSize {
		subject := r.job.subject("part.%s.%s.%d", r.key, r.head.Token, r.head.Parts)
		if _, err := r.job.put(r.ctx, subject, r.buf.Next(partSize)); err != nil {
			return 0, err
		}
		r.head.Parts++
	}
	return len(data), nil
}

// commit publishes the result.
func (r *resultWriter) commit(subject string) error {
	return r.job.putResult(r.ctx, subject, r.head, r.buf.Bytes())
}

var errDamaged = errors.New("its result is damaged in the queue")

// partReader reads the records of a result. It reads the parts one by one.
type partReader struct {
	ctx  context.Context
	job  *job
	key  string
	head resultHead
	end  []byte
	next int // number of the next part
	left []byte
	err  error // of the queue
}

func (p *partReader) Read(b []byte) (int, error) {
	for len(p.left) == 0 {
		switch {
		case p.next < p.head.Parts:
			m, err := p.job.get(p.ctx, p.job.subject("part.%s.%s.%d", p.key, p.head.Token, p.next))
			if p.err = err; err != nil {
				return 0, err
			}
			if m == nil {
				return 0, errDamaged
			}
			p.left = m.Data
		case p.next == p.head.Parts:
			p.left = p.end
		default:
			return 0, io.EOF
		}
		p.next++
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}
