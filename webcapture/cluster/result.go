package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// result is the result of a chunk: lines of NDJSON. A result that does not fit into a message is published in
// parts. The parts count only when the result that names them is published.
type result struct {
	job    *job
	chunk  string // name of the chunk
	by     string // name of the worker
	most   int    // maximum bytes of a part
	inputs int
	parts  int
	body   []byte // bytes that are not in a published part
	sum    hash.Hash
}

func (j *job) newResult(chunk, by string) *result {
	most := min(partSize, int(j.q.nc.MaxPayload())-4096) // leaves room for headers
	return &result{job: j, chunk: chunk, by: by, most: most, sum: sha256.New()}
}

// add adds the lines of an input.
func (r *result) add(ctx context.Context, lines []byte) error {
	r.inputs++
	r.sum.Write(lines)
	r.body = append(r.body, lines...)
	for len(r.body) > r.most {
		m := nats.NewMsg(partSubject(r.job.Name, r.chunk, r.by) + "." + strconv.Itoa(r.parts))
		m.Data = r.body[:r.most]
		m.Header.Set(byHeader, r.by)
		if _, err := r.job.put(ctx, m); err != nil {
			return err
		}
		r.parts++
		r.body = append([]byte(nil), r.body[r.most:]...)
	}
	return nil
}

// commit publishes the result of the chunk, unless the chunk has one already.
func (r *result) commit(ctx context.Context) error {
	m := nats.NewMsg(resultSubject(r.job.Name, r.chunk))
	m.Data = r.body
	m.Header.Set(byHeader, r.by)
	m.Header.Set(inputsHeader, strconv.Itoa(r.inputs))
	m.Header.Set(sumHeader, hex.EncodeToString(r.sum.Sum(nil)))
	if r.parts > 0 {
		m.Header.Set(partsHeader, partSubject(r.job.Name, r.chunk, r.by)+" "+strconv.Itoa(r.parts))
	}
	_, err := r.job.put(ctx, m)
	return err
}

// lineMaker encodes records as lines of NDJSON.
type lineMaker struct {
	buf bytes.Buffer
	w   report.Writer
}

// of returns the lines of a record. They are valid until the next call.
func (m *lineMaker) of(rec *report.Record) ([]byte, error) {
	if m.w == nil {
		m.w = report.NDJSON.New(&m.buf, report.Options{})
		if err := m.w.Add(rec); err != nil { // the first Add also writes the head
			return nil, err
		}
		_, lines, _ := bytes.Cut(m.buf.Bytes(), []byte("\n"))
		return lines, nil
	}
	m.buf.Reset()
	err := m.w.Add(rec)
	return m.buf.Bytes(), err
}
