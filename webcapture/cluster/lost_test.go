package cluster_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// If chunks are acknowledged without results, a reader has a record for each of their inputs that says so.
func TestLostResults(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	js := q.jetStream()
	dir := someFiles(t, 40)
	id := q.submit(dir)
	q.begin(dir, "status").ends(0) // makes the consumer
	c, err := js.Consumer(t.Context(), "WEBCAP_JOB_"+id, "w")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		m, err := c.Next(jetstream.FetchMaxWait(testLease))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	q.begin(dir, "work", id).ends(0)
	q.results(dir, id, failed)
	got, want := records(t, filepath.Join(dir, "got.ndjson")), records(t, filepath.Join(dir, "want.ndjson"))
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range 40 {
		isLost := strings.Contains(got[i], "its result is damaged in the queue")
		if isLost != (i < 20) || !isLost && got[i] != want[i] {
			t.Errorf("record %d is %s", i, got[i])
		}
	}
}

// If a consumer is lost, workers and readers make it again.
func TestLostConsumer(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	js := q.jetStream()
	dir := someFiles(t, 100)
	id := q.submit(dir)
	worker := q.begin(dir, "work", "-j", "1", id)
	for range 3 {
		if err := js.DeleteConsumer(t.Context(), "WEBCAP_JOB_"+id, "w"); err != nil && err != jetstream.ErrConsumerNotFound {
			t.Fatal(err)
		}
		q.begin(dir, "status").ends(0)
	}
	q.results(dir, id, 0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
	worker.ends(0)
}

// Servers refuse to overwrite, delete, and purge messages of a job, and to loosen that.
func TestStreamRefusesChanges(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	js := q.jetStream()
	id := q.submit(addFiles(t, t.TempDir(), 0, 3))
	stream, err := js.Stream(t.Context(), "WEBCAP_JOB_"+id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "webcap.job."+id+".in.1", []byte("other")); err == nil {
		t.Error("a message is overwritten")
	}
	if err := stream.DeleteMsg(t.Context(), 1); err == nil {
		t.Error("a message is deleted")
	}
	if err := stream.Purge(t.Context()); err == nil {
		t.Error("the stream is purged")
	}
	config := stream.CachedInfo().Config
	config.DenyDelete, config.DenyPurge = false, false
	if _, err := js.UpdateStream(t.Context(), config); err == nil {
		t.Error("the stream is loosened")
	}
}
