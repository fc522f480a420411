package command

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// withMemoryLimit runs do with a memory limit of the Go runtime, and returns the limit afterwards.
func withMemoryLimit(limit int64, do func()) (after int64) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	do()
	return debug.SetMemoryLimit(-1)
}

// A command about a few files limits its memory to a base and a share of their sizes. It never raises a limit, and
// keeps that of GOMEMLIMIT.
func TestSaveMemory(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small.pdf"), filepath.Join(dir, "large.pdf")
	for path, size := range map[string]int64{small: 1000, large: 8 << 20} {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name         string
		paths        []string
		environment  string
		before, want int64
	}{
		{"no file", nil, "", math.MaxInt64, 224 << 20},
		{"files", []string{small, large}, "", math.MaxInt64, 448<<20 + 2*(1000+8<<20)},
		{"others", []string{dir, filepath.Join(dir, "gone"), "-", small}, "", math.MaxInt64, 224<<20 + 2*1000},
		{"a lower limit", []string{small}, "", 200 << 20, 200 << 20},
		{"GOMEMLIMIT", []string{small}, "8GiB", 8 << 30, 8 << 30},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("GOMEMLIMIT", tt.environment)
			if got := withMemoryLimit(tt.before, func() { saveMemory(tt.paths...) }); got != tt.want {
				t.Errorf("the limit is %d, want %d", got, tt.want)
			}
		})
	}
}

// The memory limit of audits is that of the Go runtime if GOMEMLIMIT sets it, or half of the memory, which the Go
// runtime gets then.
func TestMemoryOfAudits(t *testing.T) {
	all, err := memlimit.FromSystem() // a container may have less
	if err != nil {
		all = 0 // then webcap has no limit of its own
	}
	for _, environment := range []string{"", "8GiB"} {
		t.Setenv("GOMEMLIMIT", environment)
		before := int64(math.MaxInt64)
		if environment != "" {
			before = 8 << 30
		}
		var size int64
		after := withMemoryLimit(before, func() { size = memoryLimit() })
		if size != 0 && after != size || environment != "" && size != before || environment == "" && size > int64(all/2) {
			t.Errorf("GOMEMLIMIT=%s: %d bytes, the limit is %d", environment, size, after)
		}
	}
}
