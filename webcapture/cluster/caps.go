package cluster

import "time"

const (
	// maxPayload is the maximum size of a message. nats-server warns if a higher size is set.
	maxPayload = 8 << 20

	// partSize is the maximum size of the part of a result that a worker holds in memory. Parts are smaller if
	// servers accept only smaller messages.
	partSize = 4 << 20

	// maxDeaths is the number of times that a chunk may come back before its inputs are audited one by one. It is
	// also the number of times that one of these inputs may crash a worker.
	maxDeaths = 2

	// maxUpload is the maximum size of a file that is sent through the queue: submitter and worker hold it in memory.
	maxUpload = 256 << 20

	// maxWaiting is the maximum number of chunks that wait for workers. At this number, the submitter waits. It is
	// more than any number of workers needs.
	maxWaiting = 20_000

	// maxHeld is the maximum number of chunks that all workers together hold; each worker holds two or three.
	maxHeld = 1 << 16

	// maxStore is the size limit of a store if none is configured: unlimited. The default of a server would be
	// three quarters of the free space at its start, even if more space is free later.
	maxStore = 1 << 60

	// leaseShare is the number of heartbeats for a chunk during its lease.
	leaseShare = 5

	// stillLeases is the number of leases that a job may make no progress. After that, chunks of other workers are
	// assigned again.
	stillLeases = 10

	// patience is the time to wait for a server's answer before a request is repeated. An election takes up to 9 s.
	patience = 10 * time.Second

	// sayAfter is the time after which a failing request is reported.
	sayAfter = 5 * time.Second

	// leastPause and mostPause limit the pause between two requests of an idle worker, or of a reader that waits
	// for results.
	leastPause, mostPause = 20 * time.Millisecond, time.Second

	// signEvery is the interval between heartbeats of a worker; signsKept is the time for which they are stored.
	signEvery, signsKept = 2 * time.Second, 24 * time.Hour
)

const (
	// stuckAfter is the time beyond its time limit after which an audit counts as stuck. The worker then releases
	// its chunks.
	stuckAfter = time.Minute

	// flushed is the time for an interrupted worker to release its chunks. Some supervisors kill a process after
	// ten seconds.
	flushed = 2 * time.Second
)

const (
	// chunkBytes is the approximate number of bytes of all files in a chunk. They take seconds to a minute of work.
	chunkBytes = 256 << 20

	// chunkSize is the approximate maximum size of an encoded chunk before compression. By default, servers accept
	// messages of 1 MB.
	chunkSize = 1 << 20

	// maxChunk is the maximum number of bytes of a decoded chunk. One input may have a name of 64 kB.
	maxChunk = 4 << 20

	// refBytes is the size of an encoded ref without its texts.
	refBytes = 16

	// archiveShare limits how often an archive is read. A chunk of members has at least one member for every
	// archiveShare members that precede it in the archive. So an archive is read at most six times, and not once
	// for each chunk.
	archiveShare = 4
)

// Times that are too long for tests, which set shorter ones.
var (
	// ownLease is the lease for a queue in one process. The queue ends with its worker, and restarts soon.
	ownLease = 5 * time.Second

	// overPause is the time for which a worker for all jobs does not check a finished job again. With many jobs and
	// workers, servers would otherwise be busy with these checks.
	overPause = 5 * time.Second
)
