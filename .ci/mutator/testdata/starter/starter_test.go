package starter

import (
	"os"
	"os/exec"
	"testing"

	"github.com/webcap-tools/webcap/.ci/mutator/testdata/library"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "as a program" {
		os.Exit(library.Positive(2))
	}
	webcapturetest.CleanEnvironment()
	os.Exit(m.Run())
}

// TestProgram gives the library a negative number itself, and another number in a program.
func TestProgram(t *testing.T) {
	if n := library.Positive(-1); n != 0 {
		t.Error(n)
	}
	c := exec.Command(os.Args[0], "as a program")
	if c.Run(); c.ProcessState.ExitCode() != 2 {
		t.Error(c.ProcessState)
	}
}
