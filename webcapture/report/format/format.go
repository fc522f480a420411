// Package format lists the formats of audit results.
package format

import (
	"slices"

	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/html"
)

// all lists the formats in the order of the help.
var all = []report.Format{
	report.Table, report.JSON, report.NDJSON, html.Format, report.CSV, report.Markdown, report.SARIF, report.JUnit,
}

// All returns all formats, in the order of the help.
func All() []report.Format { return slices.Clone(all) }

// Lookup returns the format with the given name.
func Lookup(name string) (f report.Format, ok bool) {
	i := slices.IndexFunc(all, func(f report.Format) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return all[i], true
}
