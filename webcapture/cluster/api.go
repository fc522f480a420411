package cluster

import (
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Job is one audit.
type Job struct {
	ID    string      // given by [Queue.Create], and never used again
	Head  report.Head // Directory is absolute
	Begun time.Time   // time of Create, by the clock of the server

	q      *Queue
	stream jetstream.Stream
}

// Status is the progress of a job.
type Status struct {
	*Job
	State   string // one of the states below
	Inputs  int    // number of inputs when the job was last complete
	Waiting int    // chunks that no worker has
	Taken   int    // chunks that workers have
}

// The states of a job.
const (
	Open      = "being submitted"
	Submitted = "submitted"
	Done      = "done"
)

// Errors of jobs.
var (
	ErrNoJob = errors.New("no such job")
	ErrOther = errors.New("was submitted differently")
	ErrGone  = errors.New("no longer exists")
	ErrBusy  = errors.New("another submitter adds to job")
)

// Limits of messages. By default, servers accept messages of 1 MiB.
const (
	maxMessage = 1 << 20
	maxHead    = 120 << 10 // head of a job; servers accept 128 kB
	partSize   = 512 << 10 // bytes of a result in one message
	maxInputs  = 500       // inputs of a chunk
	chunkSize  = 256 << 10 // encoded size at which a chunk is full
	chunkBytes = 1 << 30   // size of the files at which a chunk is full
)

const (
	maxDeaths = 2                // workers that may die of a chunk, and then of each of its inputs
	patience  = 10 * time.Second // for an answer of a server; an election takes up to 9 s
	sayAfter  = 5 * time.Second  // until a wait is reported

	// The pause between two looks for work, or for a result, grows.
	leastPause, mostPause = 20 * time.Millisecond, time.Second
)

// Settings that are too large for tests, which set smaller ones.
var (
	lease       = 30 * time.Second // the chunk of a worker that is silent for this time is given to another one
	chunkInputs = maxInputs        // inputs at which a chunk is full
)
