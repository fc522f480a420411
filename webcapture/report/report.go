// Package report writes the results of audits in formats for people and programs. It can read JSON and NDJSON,
// which are complete.
//
//	w := report.Markdown.New(os.Stdout, report.Options{}) // report/format lists all formats
//	err := w.Add(&report.Record{Path: path, Report: rep, Err: err})
//	…
//	err = w.Close(report.Complete)
//
// Writers of JSON, NDJSON, CSV, and JUnit write each record in Add, and hold one record at a time. Table, Markdown,
// and HTML begin with totals, so they collect their text until Close; long text is in temporary files. SARIF keeps
// findings until Close, because a limit may not leave room for all. The exit code does not depend on the format: the
// caller chooses the code.
//
// A [Reader] reads JSON and NDJSON. [Fingerprints] identify a finding in later results.
package report

import (
	"errors"
	"fmt"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// A Writer writes records in one format.
type Writer interface {
	// Add writes or stores a record. The error is that of the underlying writer, or of a temporary file.
	Add(*Record) error

	// Close writes the end of the output, which tells whether the output is complete or why not. Close does not
	// close the underlying writer.
	Close(end End) error
}

// A Record is the result of one input. One of Report and Err is set.
type Record struct {
	Path    string        // as the user named it, or as found in a folder
	Archive string        // path of the archive with the input, a prefix of Path; empty for other inputs
	Report  *audit.Report // result of the audit
	Err     error         // reason why there is no result

	// Size and digest of the input's bytes; 0 and "" if unknown.
	Size   int64
	SHA256 string // hexadecimal

	Seconds float64 // duration of the audit; 0 if not measured

	// Modified is the time of the last change of the file, or of the archive with the input; zero if unknown.
	Modified time.Time

	Rewrite *Rewrite // result of rewriting the file in Report; nil for an audit

	// Ignored are findings that the user has chosen to ignore. Report does not include or count them.
	Ignored []Ignored

	// Accepted is the reason why the user accepts that the input, or a part of it, could not be audited; empty if not.
	Accepted string
}

// A Rewrite is the result of rewriting a file.
type Rewrite struct {
	Steps   int  `json:"steps"`   // number of steps that the file needs, or needed before the rewrite
	Written bool `json:"written"` // Report is the report of the rewritten file

	Errors  int          `json:"errors"`            // number of errors that stay
	Left    []string     `json:"left,omitempty"`    // these errors, and a lost database: of each rule and reason the first
	Missing []MissingSet `json:"missing,omitempty"` // content sets of originals that are not in the file
}

// MissingSet is a content set of an original that is not restored.
type MissingSet struct {
	Kind     string       `json:"kind"`     // contentSet
	Original string       `json:"original"` // name of the original
	Subtype  string       `json:"subtype"`  // such as "page set"
	ID       nametree.Key `json:"id"`
	URL      nametree.Key `json:"url"`
	Reason   string       `json:"reason"`
}

// An Ignored is a finding that is ignored.
type Ignored struct {
	rule.Finding
	Reason string // reason given by the user, on one line
}

// Err of a folder or an archive without PDF files.
var (
	ErrNoFiles   = errors.New("no PDF files in this folder")
	ErrNoMembers = errors.New("no PDF files in this archive")
)

// A TimeoutError is the Err of an input whose audit exceeded its time limit.
type TimeoutError struct{ Reason string }

// Error returns the reason.
func (e *TimeoutError) Error() string { return e.Reason }

// TimeLimit returns the error for an input whose audit exceeded limit.
func TimeLimit(limit time.Duration) *TimeoutError {
	return &TimeoutError{fmt.Sprintf("time limit of %v exceeded; see --timeout", limit)}
}

// A SkippedError is the Err of an input that was skipped on purpose.
type SkippedError struct{ Reason string }

// Error returns the reason.
func (e *SkippedError) Error() string { return e.Reason }

// A PanicError is the Err of an input whose reading or audit panicked, which is a bug.
type PanicError struct {
	Value any
	Stack []byte // stack of the goroutine
}

// Error returns the value on one line.
func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error, please report it: %v", e.Value)
}

// An Outcome summarizes a record.
type Outcome uint8

// The outcomes.
const (
	Clean    Outcome = iota // audited, without violated rules
	Findings                // audited, with violated rules
	Nothing                 // no content database, or a folder or archive without PDF files
	Partial                 // a part could not be checked; the rest may have findings
	Failed                  // could not be audited
	TimedOut                // exceeded its time limit
	Skipped                 // skipped on purpose, such as an archive of an unsupported kind

	outcomes
)

// String returns the name in JSON.
func (o Outcome) String() string {
	return [outcomes]string{"clean", "findings", "none", "partial", "error", "timeout", "skipped"}[o]
}

// Audited reports whether an input with this outcome was audited, or had nothing to audit.
func (o Outcome) Audited() bool { return o < Failed }

// Outcome returns the record's outcome.
func (r *Record) Outcome() Outcome {
	switch {
	case errors.Is(r.Err, ErrNoFiles), errors.Is(r.Err, ErrNoMembers):
		return Nothing
	case isError[*TimeoutError](r.Err):
		return TimedOut
	case isError[*SkippedError](r.Err):
		return Skipped
	case r.Err != nil:
		return Failed
	case len(r.Report.Unread) > 0:
		return Partial
	case !r.Report.Present:
		return Nothing
	case len(r.Report.Findings) > 0:
		return Findings
	}
	return Clean
}

func isError[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Reason returns the reason why a record has no Report, on one printable line. It is "" if there is a Report. The
// text does not include the path.
func (r *Record) Reason() string {
	if r.Err == nil {
		return ""
	}
	reason := layout.OneLine(oserror.ReasonOf(r.Err, r.Path))
	if errors.Is(r.Err, webcapture.ErrPassword) {
		reason += "; see --password-file"
	}
	return reason
}
