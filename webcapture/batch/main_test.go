package batch

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command/pdfcpu"
)

func TestMain(m *testing.M) {
	pdfcpu.Register() // it opens files without a catalog
	m.Run()
}
