package report

// all has the formats of report/format, which tests of this package cannot import.
var all []Format

// SetFormats sets the formats for the tests of this package.
func SetFormats(list []Format) { all = list }
