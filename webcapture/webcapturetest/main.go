package webcapturetest

import (
	"flag"
	"runtime"
	"testing"
)

// Run runs the tests of a package in a clean environment, and returns the exit code. It is for tests that make much garbage and
// keep little: without ballast, 4 MB of garbage would be collected at a time, which takes a third of
// their time. Benchmarks measure what programs do, and have none.
func Run(m *testing.M) int {
	flag.Parse()
	CleanEnvironment()
	var ballast []byte // takes no memory, since it is never touched
	if flag.Lookup("test.bench").Value.String() == "" {
		ballast = make([]byte, 64<<20)
	}
	code := m.Run()
	runtime.KeepAlive(ballast)
	return code
}
