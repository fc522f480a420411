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
	size  int   // approximate encoded size
	bytes int64 // size of the files, as far as it is known
}

// add adds an input, unless the chunk is full.
func (c *chunk) add(ref batch.Ref, bytes int64) bool {
	const frame = 48 // bytes of a ref without its texts
	size := frame + 4*(len(ref.Name)+len(ref.Archive))/3 + len(ref.Outcome) + len(ref.Reason)
	if n := len(c.refs); n > 0 && (n == chunkInputs || c.size+size > chunkSize || c.bytes+bytes > chunkBytes) {
		return false
	}
	c.refs, c.size, c.bytes = append(c.refs, ref), c.size+size, c.bytes+bytes
	return true
}

func encodeRefs(refs []batch.Ref) []byte {
	list := make([]storedRef, len(refs))
	for i, r := range refs {
		list[i] = storedRef{[]byte(r.Name), []byte(r.Archive), r.At, r.Outcome, r.Reason}
	}
	data, _ := json.Marshal(list) // such a list has no error
	return data
}

var errChunk = errors.New("not a chunk")

func decodeRefs(data []byte) (refs []batch.Ref, err error) {
	var list []storedRef
	if err := json.Unmarshal(data, &list); err != nil || len(list) == 0 || len(list) > maxInputs {
		return nil, errChunk
	}
	for _, s := range list {
		if s.Outcome != "" && report.ErrorOf(s.Outcome, s.Reason) == nil {
			return nil, errChunk
		}
		refs = append(refs, batch.Ref{Name: string(s.Name), Archive: string(s.Archive), At: s.At, Outcome: s.Outcome,
			Reason: s.Reason})
	}
	return refs, nil
}
