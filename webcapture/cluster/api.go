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
	Credentials string // path of a file: credentials with a JWT, the seed of an NKey, "user:password", or a token
	CA          string // path of a file with trusted certificates; "" for those of the system
	Cert, Key   string // paths of files with the certificate of this process and its key; "" for none

	// Insecure accepts servers on other machines that let everybody in.
	Insecure bool

	// Say reports that this process waits for servers, or has repaired a job; nil if nothing is to be reported.
	Say func(format string, args ...any)
}

// Job is one audit.
type Job struct {
	ID        string // given by [Queue.Create], and never used again
	Label     string
	Head      report.Head
	Directory string    // absolute path, the base of relative names of inputs
	Base      string    // see report.Options
	Begun     time.Time // time of the first submission, by the clock of the submitter
}

// Worker holds the settings of [Queue.Work].
type Worker struct {
	Job     string      // the worker ends when this job is done; "" for all jobs, including later ones
	Head    report.Head // head of the audits that the worker can do
	Options batch.Options
}

// Status is the progress of a job.
type Status struct {
	ID, Label string
	Begun     time.Time // zero if the submitter ended before it described the job
	Open      bool      // inputs are being submitted, or their submitter ended early
	Inputs    int       // number of inputs when the job was last complete
	Chunks    int       // number of their chunks
	Waiting   int       // chunks that no worker has
	Taken     int       // chunks that workers have
	Bytes     int64     // size of the job in the store of one server
}

// State returns the state of the job, as in JSON.
func (s *Status) State() string {
	switch {
	case s.Open:
		return "being submitted"
	case s.Waiting+s.Taken > 0:
		return "waiting"
	}
	return "done"
}

// Errors of jobs. Their texts follow the ID of a job.
var (
	ErrNoJob      = errors.New("no such job")
	ErrOther      = errors.New("submitted differently")
	ErrGone       = errors.New("no longer exists")
	ErrBusy       = errors.New("another submitter adds to the job; repeat the command")
	ErrIncomplete = errors.New("the results are not complete")
)
