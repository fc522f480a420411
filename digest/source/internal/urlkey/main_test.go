package urlkey

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { webcapturetest.Run(m) }
