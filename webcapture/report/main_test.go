package report_test

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) {
	report.SetFormats(format.All())
	webcapturetest.Run(m)
}
