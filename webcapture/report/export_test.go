package report

// tables are formats of another package, which has tests of what is in them.
var tables []Format

// AlsoTest has formats of other packages keep what all formats keep.
func AlsoTest(list []Format) { tables = list }
