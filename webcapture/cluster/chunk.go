package cluster

import (
	"encoding/json"
	"errors"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// chunk is a group of consecutive inputs that a worker audits together.
type chunk struct {
	refs  []batch.Ref
	size  int   // approximate encoded size
	bytes int64 // size of the files, as far as it is known
}

// add adds an input, unless the chunk is full.
func (c *chunk) add(ref batch.Ref, bytes int64) bool {
	const frame = 72 // bytes of a ref without its texts
	size := frame + 4*(len(ref.Name)+len(ref.Archive))/3 + len(ref.Outcome) + len(ref.Reason)
	if n := len(c.refs); n > 0 && (n == chunkInputs || c.size+size > chunkSize || c.bytes+bytes > chunkBytes) {
		return false
	}
	c.refs, c.size, c.bytes = append(c.refs, ref), c.size+size, c.bytes+bytes
	return true
}

func encodeRefs(refs []batch.Ref) []byte {
	data, _ := json.Marshal(refs) // such a list has no error
	return data
}

var errChunk = errors.New("not a chunk")

func decodeRefs(data []byte) (refs []batch.Ref, err error) {
	if err := json.Unmarshal(data, &refs); err != nil || len(refs) == 0 || len(refs) > maxInputs {
		return nil, errChunk
	}
	for _, ref := range refs {
		if ref.Outcome != "" && report.ErrorOf(ref.Outcome, ref.Reason) == nil {
			return nil, errChunk
		}
	}
	return refs, nil
}
