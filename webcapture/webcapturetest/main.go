package webcapturetest

import (
	"flag"
	"runtime"
	"testing"
)

// Run runs the tests of a package in a clean environment, and returns the exit code. It is for tests that allocate
// much and keep little. Its ballast prevents a garbage collection after each 4 MB, which would take a third of the
// time. Benchmarks have no ballast, because they measure real programs.
func Run(m *testing.M) int {
	flag.Parse()
	CleanEnvironment()
	var ballast []byte // takes no memory, because it is never written
	if flag.Lookup("test.bench").Value.String() == "" {
		ballast = make([]byte, 64<<20)
	}
	code := m.Run()
	runtime.KeepAlive(ballast)
	return code
}
