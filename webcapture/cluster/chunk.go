package cluster

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// inputChunk is a group of consecutive inputs that a worker audits together.
type inputChunk struct {
	Refs  []batch.Ref
	Bytes int64 // bytes of its inputs, as far as known
	size  int   // approximate size when encoded
}

// add adds an input. It reports whether the chunk is now full.
func (c *inputChunk) add(ref batch.Ref, bytes int64, most int) (full bool) {
	c.Refs = append(c.Refs, ref)
	c.Bytes += bytes
	c.size += len(ref.Name) + len(ref.Archive) + len(ref.Reason) + refBytes
	// To read a member, the worker reads the archive up to it. So chunks grow with the position in the archive;
	// otherwise the archive would be read once for each chunk.
	if ref.Archive != "" {
		most = max(most, ref.At/archiveShare)
	}
	return len(c.Refs) >= most || c.Bytes >= chunkBytes && ref.Archive == "" || c.size >= chunkSize
}

// encode returns the chunk in the format that decodeChunk reads.
func (c *inputChunk) encode() ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err := gob.NewEncoder(z).Encode(c.Refs); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// decodeChunk reads a chunk.
func decodeChunk(data []byte) (*inputChunk, error) {
	c := &inputChunk{}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		err = gob.NewDecoder(io.LimitReader(z, maxChunk)).Decode(&c.Refs)
	}
	if err != nil {
		return nil, fmt.Errorf("not a chunk: %w", err)
	}
	return c, nil
}
