package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// resultHead is the first line of a result. The end of the records, as NDJSON, follows it.
type resultHead struct {
	Split bool   `json:"split,omitempty"` // each input has its own result
	Token uint64 `json:"token,omitempty"` // in the subjects of the parts
	Parts int    `json:"parts,omitempty"` // their number
}

// putResult publishes the result of a chunk, unless the chunk has one.
func (j *Job) putResult(ctx context.Context, subject string, head resultHead, end []byte) error {
	line, _ := json.Marshal(head) // such a head has no error
	_, err := j.put(ctx, subject, append(append(line, '\n'), end...))
	return err
}

// resultWriter publishes the records of a chunk, which include a head, in parts.
type resultWriter struct {
	ctx     context.Context
	job     *Job
	key     string
	head    resultHead
	buf     bytes.Buffer // end of the records, which is in no part
	records report.Writer
}

func (j *Job) newResult(ctx context.Context, key string) *resultWriter {
	r := &resultWriter{ctx: ctx, job: j, key: key, head: resultHead{Token: rand.Uint64()}}
	r.records = report.NDJSON.New(r, report.Options{Head: j.Head})
	return r
}

// Write publishes full parts.
func (r *resultWriter) Write(data []byte) (int, error) {
	r.buf.Write(data)
	for r.buf.Len() > partSize {
		subject := r.job.subject("part.%s.%d.%d", r.key, r.head.Token, r.head.Parts)
		if _, err := r.job.put(r.ctx, subject, r.buf.Next(partSize)); err != nil {
			return 0, err
		}
		r.head.Parts++
	}
	return len(data), nil
}

// parts returns the records of a result, which its parts and its end have. The parts are read one by one.
func (j *Job) parts(ctx context.Context, key string, head resultHead, end []byte) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		for k := range head.Parts {
			m, err := j.get(ctx, j.subject("part.%s.%d.%d", key, head.Token, k))
			if err == nil && m == nil {
				err = errDamaged
			}
			if err == nil {
				_, err = w.Write(m.Data) // an error means that r was closed
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
		w.Write(end)
		w.Close()
	}()
	return r
}
