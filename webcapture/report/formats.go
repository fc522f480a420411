package report

import (
	"io"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Options are the options of writers. The zero value suits output to a file. Each format uses the options that
// apply to it.
type Options struct {
	Head

	Width   int    // line width of a terminal in characters; 0 for unlimited
	Colour  bool   // the terminal shows colors
	Verbose bool   // list all inputs, notes, more examples, and full keys
	Folder  string // the audited folder, with a slash at its end; suggested commands write outside it
	Command string // the command line of the run, for formats that include it

	// For suggested commands: words that name the inputs, if some are in lists or patterns, and the value of
	// --password-file.
	Inputs       []string
	PasswordFile string

	FailOn rule.Level // the lowest level that is a failure; the default is errors
	Time   time.Time  // time of the audit, for formats that include it
	Base   string     // absolute path; formats with relative paths use them for files below it
}

// lists reports whether findings of a level are listed, and not only counted.
func (o *Options) lists(l rule.Level) bool {
	return l > rule.Note || o.FailOn == rule.Note || o.Verbose
}

// A Format is a format of audit results.
type Format struct {
	Name string // one word, in lower case
	Doc  string // purpose in a few words
	New  func(w io.Writer, o Options) Writer

	// SHA256 means that the format shows Record.SHA256, for which the whole file must be read.
	SHA256 bool
}

// format converts make, which returns a writer of type W, to the type of Format.New.
func format[W Writer](make func(io.Writer, Options) W) func(io.Writer, Options) Writer {
	return func(w io.Writer, o Options) Writer { return make(w, o) }
}

// The formats of this package. Package report/format lists all formats.
var (
	Table  = Format{Name: "table", Doc: "for people", New: format(newTable)}
	JSON   = Format{Name: "json", Doc: "one document, for programs", SHA256: true, New: format(newJSON)}
	NDJSON = Format{Name: "ndjson", Doc: "a JSON object on each line, for programs and to keep", SHA256: true,
		New: format(newNDJSON)}
	CSV      = Format{Name: "csv", Doc: "for spreadsheets", SHA256: true, New: format(newCSV)}
	Markdown = Format{Name: "markdown", Doc: "for wikis, issues and mail", New: format(newMarkdown)}
	SARIF    = Format{Name: "sarif", Doc: "SARIF 2.1.0, for code scanning and editors", New: format(newSARIF)}
	JUnit    = Format{Name: "junit", Doc: "for test reports of CI servers", New: format(newJUnit)}
)
