package rewrite

import (
	"testing"

	_ "github.com/webcap-tools/webcap/webcapture/command/pdfcpu" // opens files without a catalog
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { webcapturetest.Run(m) }
