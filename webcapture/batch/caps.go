package batch

import "time"

// Estimated memory of an audit: a base for each file, and a share for each of its bytes. Only files with very many
// defects, or hostile files, need more; their meter limits those.
const (
	anyFile = 8 << 20
	perByte = 4
)

const (
	// grace is the time to wait for an audit after its time limit: the audit ends at its next check.
	grace = 2 * time.Second

	// maxHashed is the maximum size of a file that is not a PDF and is read only for its digest.
	maxHashed = 1 << 30
)
