package report

// Options says how to write results. The zero value suits a file; each format
// takes of it what it has a use for.
type Options struct {
	Head

	Width        int    // of a line on a terminal in characters; 0 for as long as it takes
	Colour       bool   // for a terminal that shows it
	OnlyFailures bool   // leave out inputs that are clean, or have nothing to audit
	Base         string // an absolute path: formats that want relative paths have those below it relative to it
}
