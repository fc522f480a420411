package cluster

import (
	"encoding/json"
	"errors"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// storedRef is a batch.Ref in a message. Names may have any bytes.
type storedRef struct {
	Name    []byte `json:"n"`
	Archive []byte `json:"a,omitempty"`
	At      int    `json:"i,omitempty"`
	Outcome string `json:"o,omitempty"`
	Reason  string `json:"r,omitempty"`
}

// chunk is a group of consecutive inputs that a worker audits together.
type chunk struct {
	refs  []batch.Ref
	size  int   // size of the names, as far as it is encoded
	bytes int64 // size of the files, as far as it is known
}

// fits reports whether an input fits into the chunk.
func (c *chunk) fits(ref batch.Ref, bytes int64) bool {
	return len(c.refs) == 0 || len(c.refs) < chunkInputs && c.size+encodedSize(ref) <= chunkSize &&
		c.bytes+bytes <= chunkBytes
}

func (c *chunk) add(ref batch.Ref, bytes int64) {
	c.refs = append(c.refs, ref)
	c.size += encodedSize(ref)
	c.bytes += bytes
}

// encodedSize returns the approximate size of a ref in a message.
func encodedSize(ref batch.Ref) int {
	const frame = 48
	return frame + 4*(len(ref.Name)+len(ref.Archive))/3 + len(ref.Outcome) + len(ref.Reason)
}

func encodeRefs(refs []batch.Ref) ([]byte, error) {
	list := make([]storedRef, len(refs))
	for i, r := range refs {
		list[i] = storedRef{[]byte(r.Name), []byte(r.Archive), r.At, r.Outcome, r.Reason}
	}
	return json.Marshal(list)
}

var errChunk = errors.New("not a chunk")

func decodeRefs(data []byte) ([]batch.Ref, error) {
	var list []storedRef
	if err := json.Unmarshal(data, &list); err != nil || len(list) == 0 || len(list) > maxInputs {
		return nil, errChunk
	}
	refs := make([]batch.Ref, len(list))
	for i, s := range list {
		if s.Outcome != "" && report.ErrorOf(s.Outcome, s.Reason) == nil {
			return nil, errChunk
		}
		refs[i] = batch.Ref{Name: string(s.Name), Archive: string(s.Archive), At: s.At, Outcome: s.Outcome,
			Reason: s.Reason}
	}
	return refs, nil
}
