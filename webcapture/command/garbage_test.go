package command

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// After the first collection, garbage is collected often, so that a large file takes half of the memory.
func TestGarbageIsCollectedOften(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	collectGarbage()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
		if percent := debug.SetGCPercent(400); percent == 30 {
			return
		}
	}
	t.Error("garbage is collected as seldom as at the start")
}

// The frequency of garbage collection is set unless the user has set it.
func TestGOGCTakesPrecedence(t *testing.T) {
	defer func(f func() *[]byte) { collectGarbageOnce = f }(collectGarbageOnce)
	for value, want := range map[string]int{"": 1, "100": 0, "off": 0} {
		n := 0
		collectGarbageOnce = func() *[]byte { n++; return nil }
		t.Setenv("GOGC", value)
		if code, stderr := run(nil, io.Discard, "--version"); code != exitClean || n != want {
			t.Errorf("GOGC=%s: set %d times, want %d; exit %d: %s", value, n, want, code, stderr)
		}
	}
}
