package cluster

import (
	"errors"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Access holds the addresses of servers and the credentials for them.
type Access struct {
	URL         string // one URL, or several separated by commas
	Credentials string // path of a file: credentials with a JWT, the seed of an NKey, or "user:password"
	CA          string // path of a file with trusted certificates; "" for those of the system
	Cert, Key   string // paths of files with the certificate of this process and its key; "" for none

	// Say reports that this process waits for servers; nil if nothing is to be reported.
	Say func(format string, args ...any)
}

// Server holds the settings of a queue server.
type Server struct {
	Store   string // folder of the queue's data
	Listen  string // HOST:PORT for clients; "" for the address in Config, or else loopback
	Config  string // path of a configuration file of nats-server, for clusters, TLS, and accounts; "" for none
	Metrics string // HOST:PORT for Prometheus metrics; "" for none
	Say     func(format string, args ...any)
}

// Job is one audit.
type Job struct {
	Name      string // letters, digits, hyphens and underscores
	Head      report.Head
	Directory string        // absolute path, the base of relative names of inputs
	Base      string        // see report.Options
	Begun     time.Time     // time of the first submission
	Lease     time.Duration // a chunk is given to another worker if its worker is silent for this time
	Replicas  int           // number of servers that store the job
}

// Submission holds the settings of [Queue.Submit].
type Submission struct {
	PerChunk int  // maximum number of inputs in a chunk
	Upload   bool // send the contents of files, for workers without access to the files
}

// Worker holds the settings of [Queue.Work].
type Worker struct {
	Head    report.Head // head of the audits that the worker can do; another head in Jobs is an error
	Options batch.Options
	Jobs    []string // the worker ends when these are done; empty for all jobs, including later ones
	Metrics string   // HOST:PORT for Prometheus metrics; "" for none
	Say     func(format string, args ...any)
}

// Status is the progress of all jobs and workers of a queue. Times of workers are converted to the clock of the caller.
// Begun is by the clock of the submitter.
type Status struct {
	Time    time.Time // time of the status
	Jobs    []JobStatus
	Workers []WorkerStatus
}

// JobStatus is the progress of a job.
type JobStatus struct {
	Name                string
	Begun               time.Time
	Inputs              int  // number of inputs submitted so far
	Chunks, Done, Taken int  // numbers of chunks: all, with results, taken by workers
	Submitted           bool // all inputs have been submitted
	Cancelled           bool
	Poison              []string // inputs that were skipped because they crashed workers
	Bytes               int64    // bytes of stored chunks and results, without the contents of inputs
}

// WorkerStatus is the last heartbeat of a worker.
type WorkerStatus struct {
	Name    string // host and process ID
	Version string
	Seen    time.Time
	Inputs  int // number of inputs since the worker's start
	Bytes   int64
	Since   time.Time
}

// State returns the state of the job, as in JSON. "waiting" means that all inputs have been submitted, but not all
// chunks have results; workers may have taken some.
func (j *JobStatus) State() string {
	switch {
	case j.Cancelled:
		return "cancelled"
	case !j.Submitted:
		return "being submitted"
	case j.Done < j.Chunks:
		return "waiting"
	}
	return "done"
}

// Errors of jobs.
var (
	ErrOther     = errors.New("another job has this name")
	ErrNoJob     = errors.New("there is no job")
	ErrCancelled = errors.New("it was cancelled")
	ErrPurged    = errors.New("it no longer exists: it was purged, or its servers lost it")
)
