package cluster

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestInterruptedPurge: a purge that failed can be repeated, and then removes the rest. Only a job of which nothing is
// left does not exist.
func TestInterruptedPurge(t *testing.T) {
	for at := range 3 {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			q, l := remote(t)
			j := begun(t, q)
			submitted(t, q, "a")
			finish(t, j, firstChunk)
			if _, err := j.files(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			l.kind, l.at = refused, l.n+at+1
			if err := q.Purge(t.Context(), "job"); !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("the first time: %v", err)
			}
			l.at = 0
			_, noResults := q.js.Stream(t.Context(), resultsStream("job"))
			_, noChunks := q.js.Stream(t.Context(), chunksStream("job"))
			if isGone(noResults) != (at > 0) || isGone(noChunks) != (at > 1) {
				t.Errorf("after %d requests: results %v, chunks %v", at, noResults, noChunks)
			}
			if err := q.Purge(t.Context(), "job"); err != nil {
				t.Errorf("the second time: %v", err)
			}
			for _, stream := range []string{resultsStream("job"), chunksStream("job"), filesStream("job")} {
				if _, err := q.js.Stream(t.Context(), stream); !isGone(err) {
					t.Errorf("%s is left: %v", stream, err)
				}
			}
			if err := q.Purge(t.Context(), "job"); !errors.Is(err, ErrNoJob) {
				t.Errorf("the third time: %v", err)
			}
		})
	}
	q, _ := remote(t)
	if err := q.Purge(t.Context(), "a.b"); err == nil || errors.Is(err, ErrNoJob) {
		t.Errorf("an invalid name: %v", err)
	}
}

// TestAnswerToPurgeIsLost: a purge whose only answer is lost has found its job.
func TestAnswerToPurgeIsLost(t *testing.T) {
	q, l := remote(t)
	begun(t, q)
	if err := q.js.DeleteStream(t.Context(), resultsStream("job")); err != nil {
		t.Fatal(err)
	}
	l.kind, l.at = unanswered, l.n+2 // chunks
	if err := q.Purge(t.Context(), "job"); err != nil {
		t.Error(err)
	}
}

// TestOldResults: a new job does not get results whose chunks are gone. Results of an existing job stay.
func TestOldResults(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	submitted(t, q, "a")
	finish(t, j, firstChunk)
	count := func() uint64 {
		t.Helper()
		info, err := begun(t, q).results.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	if n := count(); n != 1 {
		t.Errorf("an existing job has %d results", n)
	}
	if err := q.js.DeleteStream(t.Context(), chunksStream("job")); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 0 {
		t.Errorf("a new job has %d results", n)
	}

	made := begun(t, q).results.CachedInfo().Created
	if err := q.js.DeleteStream(t.Context(), chunksStream("job")); err != nil {
		t.Fatal(err)
	}
	if now := begun(t, q).results.CachedInfo().Created; !now.Equal(made) { // another submitter may have just made it
		t.Errorf("an empty stream was made again: %v, %v", made, now)
	}
}
