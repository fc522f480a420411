package rewrite

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command/pdfcpu"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) {
	pdfcpu.Register() // it opens files without a catalog
	webcapturetest.Run(m)
}
