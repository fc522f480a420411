package format

import "github.com/webcap-tools/webcap/webcapture/report"

// tables is empty in the js build: the writer of Parquet files is large.
var tables []report.Format
