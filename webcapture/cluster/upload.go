package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// files returns the object store with the contents of inputs, by digest. If make is set, it creates a missing
// store.
func (j *job) files(ctx context.Context, make bool) (store jetstream.ObjectStore, err error) {
	err = j.q.again(ctx, func() error {
		store, err = j.q.js.ObjectStore(ctx, filesPrefix+j.Name)
		if make && errors.Is(err, jetstream.ErrBucketNotFound) {
			store, err = j.q.js.CreateObjectStore(ctx,
				jetstream.ObjectStoreConfig{Bucket: filesPrefix + j.Name,
					Replicas: j.chunks.CachedInfo().Config.Replicas, Compression: true})
		}
		return err
	})
	return store, err
}

// upload sends the contents of an input, unless the store already has them. If they cannot be read, or are too large,
// it sends nothing, and the Ref has the reason.
func (s *submitter) upload(ctx context.Context, in *batch.Input) (batch.Ref, error) {
	ref, data := in.WithBytes(maxUpload)
	if ref.SHA256 == "" {
		return ref, nil
	}
	err := s.q.askStream(ctx, filesStream(s.Name), func() error {
		_, err := s.files.GetInfo(ctx, ref.SHA256)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			_, err = s.files.PutBytes(ctx, ref.SHA256, data)
		}
		return err
	})
	return ref, err
}

var (
	errNotSent = errors.New("its contents are no longer in the queue")
	errArrived = errors.New("its contents arrived damaged: the SHA-256 differs")
)

// fetcher returns a function that downloads the contents of inputs.
func (j *job) fetcher(ctx context.Context) func(batch.Ref) ([]byte, error) {
	return func(ref batch.Ref) (data []byte, err error) {
		store, err := j.files(ctx, false)
		if err == nil {
			err = j.q.askStream(ctx, filesStream(j.Name), func() error {
				data, err = store.GetBytes(ctx, ref.SHA256)
				return err
			})
		}
		switch {
		case errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrObjectNotFound), isGone(err):
			return nil, errNotSent
		case errors.Is(err, jetstream.ErrDigestMismatch):
			return nil, errArrived
		case err != nil:
			return nil, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != ref.SHA256 {
			return nil, errArrived
		}
		return data, nil
	}
}
