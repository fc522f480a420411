package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// countedStore is a store of contents that counts what it gets. Its requests fail with an error, unless that is nil.
type countedStore struct {
	jetstream.ObjectStore
	puts int
	err  error
}

func (s *countedStore) PutBytes(ctx context.Context, name string, data []byte) (*jetstream.ObjectInfo, error) {
	s.puts++
	return s.ObjectStore.PutBytes(ctx, name, data)
}

func (s *countedStore) GetInfo(ctx context.Context, name string, opts ...jetstream.GetObjectInfoOpt) (
	*jetstream.ObjectInfo, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.ObjectStore.GetInfo(ctx, name, opts...)
}

// TestUploadOnce: the contents of files are stored once, in compressed form, and fetched as they were. An input that
// cannot be read is not sent.
func TestUploadOnce(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	store, err := j.files(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := store.Status(t.Context()); err != nil || !s.IsCompressed() || s.Replicas() != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "a"), filepath.Join(dir, "none"), filepath.Join(dir, "same")}
	for _, name := range []string{names[0], names[2]} {
		if err := os.WriteFile(name, []byte("contents"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	counted := &countedStore{ObjectStore: store}
	s := &submitter{job: j, files: counted}
	var refs []batch.Ref
	for in := range batch.Inputs(slices.Values(names), batch.PathOptions{}) {
		ref, err := s.upload(t.Context(), in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("contents")))
	if counted.puts != 1 || len(refs) != 3 || refs[0].SHA256 != sum || refs[1].SHA256 != "" || refs[2].SHA256 != sum {
		t.Errorf("stored %d times: %+v", counted.puts, refs)
	}
	if data, err := j.fetcher(t.Context())(refs[0]); string(data) != "contents" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	counted.err = nats.ErrPermissionViolation
	for in := range batch.Inputs(slices.Values(names[:1]), batch.PathOptions{}) {
		_, err = s.upload(t.Context(), in)
		in.Close()
	}
	if err != nats.ErrPermissionViolation || counted.puts != 1 {
		t.Errorf("a server refused: %v, stored %d times", err, counted.puts)
	}
}

// brokenQueue has a store whose contents cannot be read, with an error or with other contents.
type brokenQueue struct {
	jetstream.JetStream
	data string
	err  error
}

func (q brokenQueue) ObjectStore(context.Context, string) (jetstream.ObjectStore, error) {
	return brokenStore{nil, q}, nil
}

type brokenStore struct {
	jetstream.ObjectStore
	q brokenQueue
}

func (s brokenStore) GetBytes(context.Context, string, ...jetstream.GetObjectOpt) ([]byte, error) {
	return []byte(s.q.data), s.q.err
}

// TestFetchedContents: contents whose digest is another one are an error, and so are contents that are missing.
func TestFetchedContents(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	whole := q.js
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("contents")))
	for name, row := range map[string]struct {
		queue brokenQueue
		want  error
	}{
		"sound":          {brokenQueue{whole, "contents", nil}, nil},
		"other contents": {brokenQueue{whole, "Contents", nil}, errArrived},
		"other digest":   {brokenQueue{whole, "", jetstream.ErrDigestMismatch}, errArrived},
		"missing":        {brokenQueue{whole, "", jetstream.ErrObjectNotFound}, errNotSent},
		"refused":        {brokenQueue{whole, "contents", nats.ErrPermissionViolation}, nats.ErrPermissionViolation},
	} {
		q.js = row.queue
		data, err := j.fetcher(t.Context())(batch.Ref{SHA256: sum})
		if !errors.Is(err, row.want) || (string(data) == "contents") != (row.want == nil) {
			t.Errorf("%s: %q, %v, want %v", name, data, err, row.want)
		}
	}
}

// TestUploadedJob: with contents, a chunk has the digest of its input, and the reason of an input that cannot be read.
func TestUploadedJob(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("contents"), 0o600); err != nil {
		t.Fatal(err)
	}
	inputs := batch.Inputs(slices.Values([]string{name, name + "-none"}), batch.PathOptions{})
	if err := q.Submit(t.Context(), "job", inputs, Submission{PerChunk: 2, Upload: true}); err != nil {
		t.Fatal(err)
	}
	m, err := q.message(t.Context(), j.chunks, firstChunk)
	if err != nil || m == nil {
		t.Fatalf("%v, %v", m, err)
	}
	c, err := decodeChunk(m.Data)
	if err != nil || len(c.Refs) != 2 || c.Refs[0].SHA256 == "" || c.Refs[0].Reason != "" || c.Refs[1].SHA256 != "" ||
		c.Refs[1].Reason == "" {
		t.Errorf("%+v, %v", c, err)
	}
	if n := m.Header.Get(inputsHeader) + " " + m.Header.Get(totalHeader); n != "2 2" ||
		!strings.HasPrefix(m.Header.Get(byHeader), q.id+".") {
		t.Errorf("inputs: %s, by %s", n, m.Header.Get(byHeader))
	}
}
