package cluster

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Servers may lose results, though a majority had them: docs/cluster.md says when that was seen. Chunks
// are kept until a job is purged, so what is lost is audited again: who finds a result missing, a
// worker at the end of a job or who reads results, has the chunks from there on given to workers once
// more. A worker looks for a result before it audits, so for a chunk that has one that is all.

// requeue has chunks given to workers again, from one on.
func (j *job) requeue(ctx context.Context, from uint64) error {
	j.q.say("job %s: the servers have lost results, from chunk %d on: what is missing goes to workers again", j.Name,
		from)
	return j.q.again(ctx, func() error {
		_, err := j.chunks.ResetConsumerToSequence(ctx, consumerName, from)
		return err
	})
}

// requeueLost has a chunk given to workers again if it has no result, and had one: it was
// acknowledged after that.
func (j *job) requeueLost(ctx context.Context, number uint64, chunk string) error {
	var floor uint64
	err := j.q.again(ctx, func() error {
		c, err := j.chunks.Consumer(ctx, consumerName)
		if err == nil {
			floor = c.CachedInfo().AckFloor.Stream
		}
		return err
	})
	if err != nil || floor < number {
		return err
	}
	m, err := j.q.last(ctx, j.results, resultSubject(j.Name, chunk)) // it may have come meanwhile
	if err != nil || m != nil {
		return err
	}
	return j.requeue(ctx, number)
}

// firstLost returns the first chunk without a result, of a job of which all were acknowledged; 0 if there
// is none.
func (j *job) firstLost(ctx context.Context) (uint64, error) {
	var chunks, results *jetstream.StreamInfo
	err := j.q.again(ctx, func() (err error) {
		if chunks, err = j.chunks.Info(ctx); err == nil {
			results, err = j.results.Info(ctx, jetstream.WithSubjectFilter(resultsOfChunks(j.Name)))
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	there := map[uint64]bool{}
	for subject := range results.State.Subjects {
		there[numberOf(subject)] = true
	}
	for n := firstChunk; n <= chunks.State.LastSeq; n++ {
		if there[n] {
			continue
		}
		m, err := j.q.message(ctx, j.chunks, n)
		if err != nil {
			return 0, err
		}
		if m != nil && m.Subject == chunkSubject(j.Name) {
			return n, nil
		}
	}
	return 0, nil
}

// checkChunk returns an error if a chunk is not there, though chunks after it are: then it is not to come.
func (j *job) checkChunk(ctx context.Context, chunk uint64) error {
	var info *jetstream.StreamInfo
	err := j.q.again(ctx, func() (err error) {
		info, err = j.chunks.Info(ctx)
		return err
	})
	if err != nil || info.State.LastSeq < chunk {
		return err
	}
	m, err := j.q.message(ctx, j.chunks, chunk) // it may have come meanwhile
	if err == nil && m == nil {
		err = fmt.Errorf("the servers have lost chunk %d: purge the job, and submit it again", chunk)
	}
	return err
}
