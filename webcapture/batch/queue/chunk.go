package queue

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// A Chunk is what a worker audits at a time: inputs one after the other.
type Chunk struct {
	Refs  []batch.Ref
	Bytes int64 // of them, as far as that is known
	size  int   // about, when it is encoded
}

// Add adds an input. It reports whether the chunk is full then.
func (c *Chunk) Add(ref batch.Ref, bytes int64, most int) (full bool) {
	c.Refs = append(c.Refs, ref)
	c.Bytes += bytes
	c.size += len(ref.Name) + len(ref.Archive) + len(ref.Reason) + perRef
	// What stands before a member is passed again by the worker. So chunks grow with the archive, lest
	// it is read as often as it has chunks.
	if ref.Archive != "" {
		most = max(most, ref.At/archiveShare)
	}
	return len(c.Refs) >= most || c.Bytes >= chunkBytes && ref.Archive == "" || c.size >= chunkSize
}

// Encode returns the chunk as DecodeChunk reads it.
func (c *Chunk) Encode() ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err := gob.NewEncoder(z).Encode(c.Refs); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// DecodeChunk reads a chunk.
func DecodeChunk(data []byte) (*Chunk, error) {
	c := &Chunk{}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		err = gob.NewDecoder(io.LimitReader(z, maxChunk)).Decode(&c.Refs)
	}
	if err != nil {
		return nil, fmt.Errorf("not a chunk: %w", err)
	}
	return c, nil
}
