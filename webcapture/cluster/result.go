package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// resultHead is the first line of a result. The end of the records, as NDJSON, follows it.
type resultHead struct {
	Bad    bool   `json:"bad,omitempty"`   // the chunk cannot be decoded
	Split  bool   `json:"split,omitempty"` // each input has its own result
	Count  int    `json:"count,omitempty"` // number of records
	SHA256 string `json:"sha256,omitempty"`
	Token  string `json:"token,omitempty"` // the parts of this result
	Parts  int    `json:"parts,omitempty"`
}

// putResult publishes the result of a chunk, unless the chunk has one.
func (j *job) putResult(ctx context.Context, subject string, head resultHead, end []byte) error {
	line, err := json.Marshal(head)
	if err == nil {
		_, err = j.put(ctx, subject, append(append(line, '\n'), end...))
	}
	return err
}

// resultWriter collects the records of a chunk.
type resultWriter struct {
	job   *job
	key   string
	head  resultHead
	buf   bytes.Buffer // records that are in no part
	lines report.Writer
	sum   hash.Hash
}

func (j *job) newResult(key string) *resultWriter {
	r := &resultWriter{job: j, key: key, head: resultHead{Token: rand.Text()}, sum: sha256.New()}
	r.lines = report.NDJSON.New(&r.buf, report.Options{})
	return r
}

// add adds a record. It publishes full parts.
func (r *resultWriter) add(ctx context.Context, rec *report.Record) error {
	if err := r.lines.Add(rec); err != nil {
		return err
	}
	if r.head.Count++; r.head.Count == 1 {
		r.buf.ReadBytes('\n') // the head; the job has one
	}
	for r.buf.Len() > partSize {
		part := r.buf.Next(partSize)
		r.sum.Write(part)
		if _, err := r.job.put(ctx, r.job.subject("part.%s.%s.%d", r.key, r.head.Token, r.head.Parts), part); err != nil {
			return err
		}
		r.head.Parts++
	}
	return nil
}

// commit publishes the result.
func (r *resultWriter) commit(ctx context.Context, subject string) error {
	r.sum.Write(r.buf.Bytes())
	r.head.SHA256 = hex.EncodeToString(r.sum.Sum(nil))
	return r.job.putResult(ctx, subject, r.head, r.buf.Bytes())
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
}

func (p *partReader) Read(b []byte) (int, error) {
	for len(p.left) == 0 {
		switch {
		case p.next < p.head.Parts:
			m, err := p.job.get(p.ctx, p.job.subject("part.%s.%s.%d", p.key, p.head.Token, p.next))
			if err != nil {
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
