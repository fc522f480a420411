package cluster

import "time"

// Limits of messages. By default, servers accept messages of 1 MiB.
const (
	maxMessage = 1 << 20
	partSize   = 512 << 10 // bytes of a result in one message

	maxInputs  = 500       // inputs of a chunk
	chunkSize  = 256 << 10 // a chunk of this encoded size is full
	chunkBytes = 1 << 30   // a chunk of files with this size is full

	maxLabel = 200 // bytes of a label
)

const (
	// maxDeaths is the number of workers that may die of a chunk before its inputs are audited one by one. It is also
	// the number of workers that may die of one of these inputs.
	maxDeaths = 2

	// maxHeld is the maximum number of chunks that all workers together hold.
	maxHeld = 1 << 16

	// stillLeases is the number of leases without progress after which a reader gives a chunk to the workers again.
	stillLeases = 10

	// leaseShare is the number of signs of life of a worker during a lease.
	leaseShare = 6

	// patience is the time to wait for a server's answer before a request is repeated. An election takes up to 9 s.
	patience = 10 * time.Second

	// sayAfter is the time after which a failing request is reported.
	sayAfter = 5 * time.Second

	// leastPause and mostPause limit the pause between two looks for work, or for a result.
	leastPause, mostPause = 20 * time.Millisecond, time.Second

	// stuckAfter is the time beyond its time limit after which an audit counts as stuck. The worker then ends.
	stuckAfter = time.Minute

	// lateAfter is the time beyond the time limit of an input in which a worker may still publish its result.
	lateAfter = 5 * time.Second

	// flushed is the time for an interrupted worker to return its chunk.
	flushed = 2 * time.Second
)

// Settings that are too large for tests, which set smaller ones.
var (
	// lease is the time after which the chunk of a silent worker is given to another one.
	lease = 30 * time.Second

	// chunkInputs is the number of inputs after which a chunk is full.
	chunkInputs = maxInputs
)
