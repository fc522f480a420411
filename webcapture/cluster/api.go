package cluster

import (
	"errors"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Access holds the addresses of servers, and what they ask for.
type Access struct {
	URL         string // one, or several with commas between
	Credentials string // a file: credentials with a JWT, the seed of an NKey, or "user:password"
	CA          string // a file with the certificates that servers are trusted by; "" for those of the system
	Cert, Key   string // files: the certificate of this process; "" for none

	// Say reports that servers are waited for; nil for no reports.
	Say func(format string, args ...any)
}

// Server holds the settings of a queue server.
type Server struct {
	Store   string // the folder of what it keeps
	Listen  string // HOST:PORT for clients; "" for what Config says, or loopback
	Config  string // a configuration file of nats-server, for clusters, TLS and accounts; "" for none
	Metrics string // HOST:PORT for Prometheus; "" for none
	Say     func(format string, args ...any)
}

// Job is one audit.
type Job struct {
	Name      string // letters, digits, hyphens and underscores
	Head      report.Head
	Directory string        // an absolute path: relative names of inputs are below it
	Base      string        // see report.Options
	Begun     time.Time     // when it was submitted first
	Lease     time.Duration // after this time without a sign of life of its worker, a chunk goes to another one
	Replicas  int           // servers that keep it
}

// Submission holds the settings of [Queue.Submit].
type Submission struct {
	PerChunk int  // inputs in a chunk, at most
	Upload   bool // with their bytes, for workers that do not see the files
}

// Worker holds the settings of [Queue.Work].
type Worker struct {
	Head    report.Head // of what it can audit: jobs of another one are not for it
	Options batch.Options
	Jobs    []string // it ends when they have; none for all jobs, and those to come
	Metrics string   // HOST:PORT for Prometheus; "" for none
	Say     func(format string, args ...any)
}

// Status is the progress of all jobs and workers of a queue. All times are those of the clock of the caller,
// also those of workers.
type Status struct {
	Time    time.Time // of the status
	Jobs    []JobStatus
	Workers []WorkerStatus
}

// JobStatus is the progress of a job.
type JobStatus struct {
	Name                string
	Begun               time.Time
	Inputs              int  // that were submitted so far
	Chunks, Done, Taken int  // all; those with results; those that workers have
	Submitted           bool // all inputs are
	Cancelled           bool
	Poison              []string // inputs that were given up, since workers died of them
	Bytes               int64    // that servers keep of it
}

// WorkerStatus is the last sign of life of a worker.
type WorkerStatus struct {
	Name    string // host and process
	Version string
	Seen    time.Time
	Inputs  int // since it began
	Bytes   int64
	Since   time.Time
}

// State returns the state of the job in a word.
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
	ErrOther     = errors.New("there is another job of this name")
	ErrNoJob     = errors.New("there is no job")
	ErrCancelled = errors.New("it was cancelled")
)
