package pdfcpu

import (
	"testing"
)

func TestMain(m *testing.M) {
	Register()
	m.Run()
}
