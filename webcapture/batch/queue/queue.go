// Package queue says what a queue of audits is: something through which many processes, on
// one machine or on many, share the inputs of one audit. Package cluster has one.
//
// A [Job] is one audit. Whoever submits it names its inputs, chunk by chunk; workers audit
// chunks; whoever wants the results reads them in the order in which the inputs were named.
// Each of these may be killed and begin again: a job has one record for each input in the end.
package queue

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// An Engine has queues.
type Engine interface {
	// Open opens the queue in a folder, which it makes if there is none, for this process alone.
	Open(ctx context.Context, folder string) (Queue, error)

	// Dial connects to the queue of servers.
	Dial(ctx context.Context, to Access) (Queue, error)

	// Serve is a server of a queue, until ctx is done.
	Serve(ctx context.Context, s Server) error
}

// Access says where servers are, and what they ask for.
type Access struct {
	URL         string                           // one, or several with commas between
	Credentials string                           // a file: credentials with a JWT, the seed of an NKey, or "user:password"
	CA          string                           // a file with certificates of those who vouch for the servers; "" for those of the system
	Cert, Key   string                           // files: what this process shows of itself; "" for nothing
	Say         func(format string, args ...any) // is told that servers are waited for; nil for nobody
}

// A Server is what a server is told.
type Server struct {
	Store   string // the folder of what it keeps
	Listen  string // HOST:PORT for clients; "" for what Config says, or loopback
	Config  string // a configuration file of nats-server, for clusters, TLS and accounts; "" for none
	Metrics string // HOST:PORT for Prometheus; "" for none
	Say     func(format string, args ...any)
}

// A Job is one audit.
type Job struct {
	Name      string // letters, digits, hyphens and underscores
	Head      report.Head
	Directory string        // an absolute path: relative names of inputs are below it
	Base      string        // see report.Options
	Begun     time.Time     // when it was submitted first
	Lease     time.Duration // after this time without a sign of life of its worker, a chunk goes to another one
	Replicas  int           // servers that keep it
}

// A Submission says how inputs are submitted.
type Submission struct {
	PerChunk int  // inputs in a chunk, at most
	Upload   bool // with their bytes, for workers that do not see the files
}

// A Worker is what audits chunks.
type Worker struct {
	Head    report.Head // of what it can audit: jobs of another one are not for it
	Options batch.Options
	Jobs    []string // it ends when they have; none for all jobs, and those to come
	Metrics string   // HOST:PORT for Prometheus; "" for none
	Say     func(format string, args ...any)
}

// A Queue is where jobs are. Its methods wait while servers cannot be reached, as long as
// their context lets them.
type Queue interface {
	// Begin makes a job, or finds the one of that name. The error has ErrOther in it if that has
	// another head.
	Begin(ctx context.Context, job Job) error

	// Submit adds inputs to a job, and ends it: there are no more. Inputs that the job has are not
	// added again, so that it can be repeated after it was killed, and two processes can do it at
	// a time. It waits while there is more to do than the queue holds.
	Submit(ctx context.Context, name string, inputs iter.Seq[*batch.Input], how Submission) error

	// Work audits chunks of jobs.
	Work(ctx context.Context, w Worker) error

	// Results returns a job, and yields its records, as soon as they are there.
	Results(ctx context.Context, name string) (Job, iter.Seq2[*report.Record, error], error)

	// Status says how far all jobs are.
	Status(ctx context.Context) (*Status, error)

	// Cancel ends a job: what is not being audited is not audited any more.
	Cancel(ctx context.Context, name string) error

	// Purge removes a job, with its results.
	Purge(ctx context.Context, name string) error

	Close() error
}

// A Status says how far a queue is. Times of workers are those of the clock of who asks, too, whatever
// the clocks of workers and servers say.
type Status struct {
	Time    time.Time // of the status
	Jobs    []JobStatus
	Workers []WorkerStatus
}

// A JobStatus says how far a job is.
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

// A WorkerStatus is the last sign of life of a worker.
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

// What is wrong with a job.
var (
	ErrOther     = errors.New("there is another job of this name")
	ErrNoJob     = errors.New("there is no job")
	ErrCancelled = errors.New("it was cancelled")
)
