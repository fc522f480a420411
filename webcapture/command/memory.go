package command

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// collectGarbage sets the frequency of garbage collection. An audit keeps few large pieces of memory without
// pointers, so frequent collections are cheap, and they halve the memory for a large file. Below 16 MB nothing is
// collected: most runs never need more, and collections would take half of their time. Runs over many small files
// have less than a megabyte of live data, so ballast is added to it. The ballast is never written, so it takes no
// memory. The caller must keep a reference to it.
func collectGarbage() (ballast *[]byte) {
	ballast = new([]byte)
	debug.SetGCPercent(400) // percent of the minimum heap of 4 MB
	first := new([64]byte)  // garbage for the first collection
	runtime.AddCleanup(first, func(percent int) {
		*ballast = make([]byte, 16<<20)
		debug.SetGCPercent(percent)
	}, 30)
	return ballast
}

// collectGarbageOnce calls collectGarbage once, and keeps the ballast for all runs of a process.
var collectGarbageOnce = sync.OnceValue(collectGarbage)

// memoryLimit returns the memory limit of all audits in bytes, or 0 if it is unknown: GOMEMLIMIT, or else half of the
// memory of the machine or the container, which it makes the limit of the Go runtime. Close to it, the garbage
// collector runs more often.
func memoryLimit() int64 {
	if limit := debug.SetMemoryLimit(-1); os.Getenv("GOMEMLIMIT") != "" && limit < math.MaxInt64 {
		return limit
	}
	there, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
	if err != nil {
		return 0
	}
	debug.SetMemoryLimit(int64(there / 2))
	return int64(there / 2)
}

// The memory limit of the Go runtime in commands about a few files. It is lower than the limit in docs/SECURITY.md,
// which includes the rest of the program.
const (
	baseHeap = 224 << 20 // for each file
	byteHeap = 2         // for each byte of the files
)

// saveMemory sets the memory limit of the Go runtime for a command about a few files. Close to the limit, the garbage
// collector runs more often. GOMEMLIMIT takes precedence.
func saveMemory(paths ...string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit := int64(0)
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			limit += baseHeap + byteHeap*st.Size()
		}
	}
	debug.SetMemoryLimit(min(max(limit, baseHeap), debug.SetMemoryLimit(-1)))
}

// saveMemory sets the memory limit of the Go runtime for a command about a single file.
func (l *listedPaths) saveMemory() {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return
	}
	if st, err := os.Stat(l.arguments[0]); err == nil && st.Mode().IsRegular() {
		saveMemory(l.arguments[0])
	}
}
