package cluster

import (
	"encoding/json"
	"errors"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// encodeRefs returns the message of a chunk: consecutive inputs that a worker audits together.
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
