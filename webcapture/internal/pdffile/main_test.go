package pdffile_test

import (
	"testing"

	_ "github.com/webcap-tools/webcap/webcapture/command/pdfcpu" // the last way to the objects
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { webcapturetest.Run(m) }
