package command

import (
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
