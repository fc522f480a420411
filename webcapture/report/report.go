// Package report writes the results of audits in the formats that people and programs
// read, and reads back those that keep everything.
//
//	w := report.Markdown.New(os.Stdout, report.Options{}) // report/format lists all formats
//	err := w.Add(&report.Record{Path: path, Report: rep, Err: err})
//	…
//	err = w.Close(report.Complete)
//
// Writers write what they are given, in the order in which they are given it, and hold
// one record at a time. They judge nothing: the caller decides which exit code a
// result deserves, and it is the same in every format.
//
// A [Reader] reads JSON and NDJSON. [Fingerprints] recognize a finding in the results of
// another day.
package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A Writer writes records in some format.
type Writer interface {
	// Add writes a record. The error is that of the underlying writer.
	Add(*Record) error

	// Close writes what ends the output, which says whether it is complete, and if
	// not, why. Close does not close the underlying writer.
	Close(end End) error
}

// A Record is the result of one input. One of Report and Err is set.
type Record struct {
	Path    string        // as the user named it, or as it was found in a folder
	Archive string        // the path of the archive that the input is in, with which Path begins; empty for a file
	Report  *audit.Report // what the audit found
	Err     error         // why there was none

	// Of the bytes that were audited, or would have been; 0 and "" if they are not known.
	Size   int64
	SHA256 string // in hexadecimal

	Seconds float64 // that the audit took; 0 if not measured

	Rewrite *Rewrite // of the file that Report is about; nil for an audit

	// Ignored are findings that the user has chosen to ignore. They are not
	// among those of Report, and are not counted.
	Ignored []Ignored
}

// A Rewrite is the result of rewriting a file.
type Rewrite struct {
	Steps   int  // that the file needs, or needed
	Written bool // the Report is that of the rewritten file
	Earlier bool // an earlier rewrite has repaired the file, in place

	Missing []MissingSet // content sets of originals that are not in the file
}

// MissingSet is a content set of an original that does not come back.
type MissingSet struct {
	Original string // its name
	Subtype  string // such as "page set"
	ID, URL  nametree.Key
	Reason   string
}

// An Ignored is a finding that is ignored.
type Ignored struct {
	rule.Finding
	Reason string // that was given, on one line
}

// The Err of a folder and of an archive in which no PDF file was found.
var (
	ErrNoFiles   = errors.New("no PDF files in this folder")
	ErrNoMembers = errors.New("no PDF files in this archive")
)

// A TimeoutError is the Err of an input whose audit was given up.
type TimeoutError struct{ Reason string }

// Error returns the reason.
func (e *TimeoutError) Error() string { return e.Reason }

// A SkippedError is the Err of an input that was left out on purpose.
type SkippedError struct{ Reason string }

// Error returns the reason.
func (e *SkippedError) Error() string { return e.Reason }

// A PanicError is the Err of an input whose reading or audit panicked, which is a bug.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine
}

// Error returns the value on one line.
func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error, please report it: %v", e.Value)
}

// An Outcome sums up a record.
type Outcome uint8

// The outcomes.
const (
	Clean    Outcome = iota // audited, and every rule that was checked is kept
	Findings                // audited, and some rule is broken
	Nothing                 // there was nothing to audit: no content database, or no file
	Partial                 // a part could not be checked; what was checked may have findings
	Failed                  // could not be audited
	TimedOut                // took longer than it may
	Skipped                 // left out on purpose, such as an archive of a kind that is not read

	outcomes
)

// String returns the outcome as JSON has it.
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
	case r.Report.Findings.Len() > 0:
		return Findings
	}
	return Clean
}

func isError[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Reason says on one printable line why a record has no Report; "" if it has one.
// The path is not part of it.
func (r *Record) Reason() string {
	if r.Err == nil {
		return ""
	}
	return layout.OneLine(oserror.ReasonOf(r.Err, r.Path))
}

// Result says on one line what became of the input.
func (r *Record) Result() string {
	rep := r.Report
	switch {
	case r.Outcome() == Nothing && rep == nil:
		return r.Reason() + ": nothing to audit"
	case rep == nil:
		return "could not be audited: " + r.Reason()
	case r.Outcome() == Nothing:
		return "no Web Capture content database: nothing to audit"
	}
	var verdict []string
	for l := rule.Error; l >= rule.Note; l-- {
		if n := rep.Count(l); n > 0 {
			verdict = append(verdict, layout.Count(n, l.String()))
		}
	}
	if n := len(rep.Unread); n > 0 {
		verdict = append(verdict, layout.Count(n, "part")+" could not be checked")
	}
	if rep.Worst() < rule.Warning && len(rep.Unread) == 0 {
		verdict = append([]string{"clean"}, verdict...)
	}
	if n := len(r.Ignored); n > 0 {
		verdict = append(verdict, fmt.Sprintf("%d ignored", n))
	}
	return phrase.Contents(rep) + ": " + strings.Join(verdict, ", ")
}
