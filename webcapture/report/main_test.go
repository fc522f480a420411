package report_test

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/report/parquet"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) {
	report.AlsoTest(parquet.Format.Files)
	webcapturetest.Run(m)
}
