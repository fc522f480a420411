package cluster

import "time"

const (
	// maxPayload is the maximum size of a message: nats-server warns about a higher setting.
	maxPayload = 8 << 20

	// partSize is the maximum part of a result that a worker holds. If servers accept only smaller messages, parts are
	// smaller.
	partSize = 4 << 20

	// maxDeaths is how often a chunk may come back before its inputs are audited one by one, and then how often one of
	// them may crash the worker.
	maxDeaths = 2

	// maxUpload is the maximum size of a file that is sent through the queue: submitter and worker hold it in memory.
	maxUpload = 256 << 20

	// maxWaiting is the maximum number of chunks that wait for workers; then the submitter waits. It exceeds the needs
	// of any number of workers.
	maxWaiting = 20_000

	// maxHeld is the maximum number of chunks that all workers hold together; each has two or three.
	maxHeld = 1 << 16

	// maxStore is the size of a store without a configured size: unlimited. By default, a server would take three
	// quarters of the free space at its start, even if there is more space later.
	maxStore = 1 << 60

	// leaseShare is the number of signs of life in the time of a lease.
	leaseShare = 5

	// stillLeases is the number of leases without progress of a job after which chunks of other workers are given out
	// again.
	stillLeases = 10

	// patience is the time to wait for an answer of a server before the request is repeated. An election takes up to 9
	// s.
	patience = 10 * time.Second

	// sayAfter is the time after which a failing request is reported.
	sayAfter = 5 * time.Second

	// leastPause and mostPause are the limits of the pause between requests of a worker without work, or of a reader of
	// results.
	leastPause, mostPause = 20 * time.Millisecond, time.Second

	// signEvery is the interval between signs of life of a worker, and signsKept the time for which they are kept.
	signEvery, signsKept = 2 * time.Second, 24 * time.Hour
)

const (
	// stuckAfter is the time over its limit after which an audit counts as stuck and the worker lets its chunks go.
	stuckAfter = time.Minute

	// flushed is the time for an interrupted worker to give back its chunks. Some supervisors kill a process after ten
	// seconds.
	flushed = 2 * time.Second
)

const (
	// chunkBytes is the approximate number of bytes of files in a chunk: some seconds to a minute of work.
	chunkBytes = 256 << 20

	// chunkSize is the approximate maximum size of a chunk before compression: by default, servers accept messages of 1
	// MB.
	chunkSize = 1 << 20

	// maxChunk is the maximum number of bytes read of a chunk: one input may have a name of 64 kB.
	maxChunk = 4 << 20

	// refBytes is the size of a ref without its texts.
	refBytes = 16

	// archiveShare: a chunk of members of one archive has at least one member for so many that precede them. So an
	// archive is read at most six times, and not once for each chunk.
	archiveShare = 4
)

// Times that are too long for tests, which set shorter ones.
var (
	// ownLease is the lease of a queue in one process. It dies with its worker, and restarts soon.
	ownLease = 5 * time.Second

	// overPause is the time for which a worker for all jobs does not check a finished job: with many jobs and workers,
	// servers would be busy with these requests.
	overPause = 5 * time.Second
)
