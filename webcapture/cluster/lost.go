package cluster

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Servers may lose results, even if a majority had stored them: docs/cluster.md describes when that happened. Lost
// results can be computed again, because chunks are kept until a job is purged. If a result is missing, a reader,
// or a worker at the end of a job, assigns all chunks from there on again. Chunks with a result cost nothing more,
// because a worker checks for a result before an audit.

// requeue assigns chunks to workers again, starting with number from.
func (j *job) requeue(ctx context.Context, from uint64) error {
	j.q.say("job %s: the servers have lost results from chunk %d on; workers audit the missing chunks again", j.Name,
		from)
	return j.q.askStream(ctx, chunksStream(j.Name), func() error {
		_, err := j.chunks.ResetConsumerToSequence(ctx, consumerName, from)
		return err
	})
}

// requeueLost assigns a chunk to workers again if its result is lost: the chunk was acknowledged, but has no
// result.
func (j *job) requeueLost(ctx context.Context, number uint64, chunk string) error {
	var floor uint64
	err := j.q.askStream(ctx, chunksStream(j.Name), func() error {
		c, err := j.chunks.Consumer(ctx, consumerName)
		if err == nil {
			floor = c.CachedInfo().AckFloor.Stream
		}
		return err
	})
	if err != nil || floor < number {
		return err
	}
	m, err := j.q.last(ctx, j.results, resultSubject(j.Name, chunk)) // the result may have arrived meanwhile
	if err != nil || m != nil {
		return err
	}
	return j.requeue(ctx, number)
}

// firstLost returns the number of the first chunk without a result; 0 if there is none. All chunks of the job must
// be acknowledged.
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

// checkChunk returns an error if a chunk is lost: the chunk is missing although later ones exist.
func (j *job) checkChunk(ctx context.Context, chunk uint64) error {
	var info *jetstream.StreamInfo
	err := j.q.again(ctx, func() (err error) {
		info, err = j.chunks.Info(ctx)
		return err
	})
	if err != nil || info.State.LastSeq < chunk {
		return err
	}
	m, err := j.q.message(ctx, j.chunks, chunk) // the chunk may have arrived meanwhile
	if err == nil && m == nil {
		err = fmt.Errorf("the servers have lost chunk %d; purge the job, and submit it again", chunk)
	}
	return err
}
