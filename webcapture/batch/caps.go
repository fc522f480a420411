package batch

import "time"

// What an audit takes of the memory that all share, as far as that can be known before: so much
// for any file, and so much for each of its bytes. Files that take more are broken throughout, or
// made to take more, and are bounded by webcapture.Budget.
const (
	anyFile = 8 << 20
	perByte = 4
)

const (
	// grace is how much longer than its time an audit is waited for: it ends where it asks next.
	grace = 2 * time.Second

	// maxKnown is the number of inputs whose reports are kept in case their bytes come again.
	// What is forgotten is audited anew.
	maxKnown = 10_000

	// maxKnownParts is the number of findings and of entries that all of those may have.
	maxKnownParts = 500_000

	// maxNamed is how many members of one archive are looked for together.
	maxNamed = 10_000

	// maxHeld is how many bytes of members may wait for their turn, in memory; of what is over it the
	// archive is read again.
	maxHeld = 64 << 20

	// maxFolders is how deep a pattern with ** looks into folders; systems have shorter paths.
	maxFolders = 4096

	// maxShards is the number of runs that may share the inputs.
	maxShards = 1 << 20

	// maxHashed is the size up to which a file that is not a PDF is read to its end, for its
	// digest alone.
	maxHashed = 1 << 30
)
