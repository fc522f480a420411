package report

import (
	"io"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// Options says how to write results. The zero value suits a file; each format
// takes of it what it has a use for.
type Options struct {
	Head

	Width        int        // of a line on a terminal in characters; 0 for as long as it takes
	Colour       bool       // for a terminal that shows it
	Verbose      bool       // more examples, and keys as long as they are
	OnlyFailures bool       // leave out inputs without errors and warnings
	Notes        bool       // list notes; otherwise formats for people only count them
	Folder       string     // the folder that was named, with a slash at its end: people read paths relative to it
	Command      string     // the command line that makes the results, for formats that say it
	FailOn       rule.Level // the lowest level that is a failure; errors if it is not set
	Summary      io.Writer  // for formats with a Summary; nil for none
	Time         time.Time  // of the audit, for formats that say it
	Base         string     // an absolute path: formats that want relative paths have those below it relative to it
}

// Hides reports whether a record is not shown: OnlyFailures is set, and the input needs no attention.
func (o *Options) Hides(r *Record) bool {
	return o.OnlyFailures && (r.Outcome() == Nothing || o.isQuiet(r))
}

// isQuiet reports whether an input is clean, or has only notes that are not listed.
func (o *Options) isQuiet(r *Record) bool {
	switch r.Outcome() {
	case Clean:
		return true
	case Findings:
		return !o.lists(r.Report.Worst())
	}
	return false
}

// lists reports whether findings of a level are listed, and not only counted.
func (o *Options) lists(l rule.Level) bool { return l > rule.Note || o.Notes || o.Verbose }

// Display returns a path as people read it: relative to the folder that was named.
func (o *Options) Display(path string) string { return strings.TrimPrefix(path, o.Folder) }

// folderText says what displayed paths are relative to; empty if that is the working directory.
func (o *Options) folderText() string {
	if o.Folder == "" || o.Folder == "./" {
		return ""
	}
	return "Paths are relative to " + layout.Printable(o.Folder) + "."
}

// A Format is a way to write the results of an audit.
type Format struct {
	Name string                              // one word, in lower case
	Doc  string                              // what it is good for, in a few words
	New  func(w io.Writer, o Options) Writer // nil for a format with Files

	// Files: the format is a folder, with a file in each of these formats, whose names
	// are those of the files.
	Files []Format

	// Summary: the format writes one apart from the results, to Options.Summary.
	Summary bool

	// Outline: the format shows Report.Outline, which an audit makes on demand.
	Outline bool

	// Entries: the format shows Report.Entries, which an audit makes on demand.
	Entries bool

	// Grows: what has been written is of use while there is more to come, and
	// says itself whether it is complete.
	Grows bool
}

// format returns what makes a writer of type W, as a Format has it.
func format[W Writer](make func(io.Writer, Options) W) func(io.Writer, Options) Writer {
	return func(w io.Writer, o Options) Writer { return make(w, o) }
}

// The formats of this package. Those of all packages are in report/format.
var (
	Table  = Format{Name: "table", Doc: "for people", New: format(newTable)}
	JSON   = Format{Name: "json", Doc: "one document, for programs", New: format(newJSON)}
	NDJSON = Format{Name: "ndjson", Doc: "a JSON object on each line, for programs and to keep", Grows: true,
		New: format(newNDJSON)}
	CSV      = Format{Name: "csv", Doc: "for spreadsheets", New: format(newCSV)}
	Markdown = Format{Name: "markdown", Doc: "for wikis, issues and mail", New: format(newMarkdown)}
	PREMIS   = Format{Name: "premis", Doc: "PREMIS 3, for archives", New: format(newPREMIS)}
	SARIF    = Format{Name: "sarif", Doc: "SARIF 2.1.0, for code scanning and editors", New: format(newSARIF)}
	JUnit    = Format{Name: "junit", Doc: "for test reports of CI servers", New: format(newJUnit)}
	GitLab   = Format{Name: "gitlab", Doc: "Code Quality of GitLab", New: format(newGitLab)}
	GitHub   = Format{Name: "github", Doc: "annotations and job summary of GitHub Actions", Summary: true,
		New: format(newGitHub)}
)
