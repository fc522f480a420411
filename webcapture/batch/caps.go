package batch

import "time"

// Estimated memory of an audit: a base for any file, and a share for each of its bytes. Files that need more have
// very many defects, or are hostile, and are bounded by webcapture.Budget.
const (
	anyFile = 8 << 20
	perByte = 4
)

const (
	// grace is the time to wait for an audit after its limit: it ends at its next check.
	grace = 2 * time.Second

	// maxKnown is the maximum number of inputs whose reports are cached for inputs with the same bytes. Others are
	// audited again.
	maxKnown = 10_000

	// maxKnownParts is the maximum number of findings and entries in all cached reports.
	maxKnownParts = 500_000

	// maxNamed is the maximum number of members of one archive that are searched together.
	maxNamed = 10_000

	// maxHeld is the maximum number of bytes of members that wait in memory; beyond it the archive is read again.
	maxHeld = 64 << 20

	// maxFolders is the maximum depth of folders for a pattern with **; systems have shorter paths.
	maxFolders = 4096

	// maxShards is the maximum number of shards.
	maxShards = 1 << 20

	// maxHashed is the maximum size of a file that is not a PDF and is read only for its digest.
	maxHashed = 1 << 30
)
