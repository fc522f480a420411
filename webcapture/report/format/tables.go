//go:build !js

package format

import (
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/parquet"
)

// tables are the formats for programs that analyze data.
var tables = []report.Format{parquet.Format}
