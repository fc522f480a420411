package cluster

import "time"

const (
	// maxPayload is the size of a message that a server takes: above it nats-server warns.
	maxPayload = 8 << 20

	// partSize is the most of a result that a worker holds. Where servers take smaller
	// messages, parts are smaller.
	partSize = 4 << 20

	// maxDeaths is how often a chunk may come back before its inputs are audited one by one, and
	// then how often the worker may die of one of them.
	maxDeaths = 2

	// maxUpload is the size of a file that is sent through the queue: submitter and worker hold it.
	maxUpload = 256 << 20

	// maxWaiting is how many chunks may wait for workers before who submits waits, too: more
	// than any number of workers has need of.
	maxWaiting = 20_000

	// maxHeld is how many chunks all workers may have at a time; each has two or three.
	maxHeld = 1 << 16

	// maxStore is the size of a store of which the configuration says none: what the disk has. The server would take
	// three quarters of what is free when it begins, and keep to that when there is room again.
	maxStore = 1 << 60

	// leaseShare: so many signs of life are given in the time of a lease.
	leaseShare = 5

	// stillLeases is for how many leases a job may not get on until chunks are given out again that
	// others have, or had.
	stillLeases = 10

	// patience is how long an answer of a server is waited for, until it is asked for again. An
	// election takes up to 9 s.
	patience = 10 * time.Second

	// sayAfter is how long something may not be possible until that is said.
	sayAfter = 5 * time.Second

	// leastPause and mostPause are how long a worker without work waits before it asks again, and
	// who waits for results.
	leastPause, mostPause = 20 * time.Millisecond, time.Second

	// signEvery is how often a worker gives a sign of life, and signsKept how long it is seen.
	signEvery, signsKept = 2 * time.Second, 24 * time.Hour
)

const (
	// stuckAfter is how much longer than its time an audit may take until the worker lets its
	// chunks go: it does not get on.
	stuckAfter = time.Minute

	// flushed is what an interrupted worker may take to give its chunks back. Of who ends it, some
	// wait for ten seconds.
	flushed = 2 * time.Second
)

const (
	// chunkBytes is how many bytes of files a chunk has, about: some seconds to a minute of work.
	chunkBytes = 256 << 20

	// chunkSize is how large a chunk may become before it is compressed, about: servers take
	// messages of 1 MB unless they are told otherwise.
	chunkSize = 1 << 20

	// maxChunk is how much of a chunk is read: one input may have a name of 64 kB.
	maxChunk = 4 << 20

	// refBytes is what a ref takes besides its words.
	refBytes = 16

	// archiveShare: a chunk of members of one archive may have one for so many that stand before
	// them. An archive is read six times in all then, at most, and not once for each chunk.
	archiveShare = 4
)

// What tests would wait for too long, and have shorter.
var (
	// ownLease is the lease of a queue of one process. It dies with its worker, and is back soon.
	ownLease = 5 * time.Second

	// overPause is how long a worker for all jobs does not ask after one that was over: with many jobs and
	// workers, servers would have nothing else to do.
	overPause = 5 * time.Second
)
