package command

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/urfave/cli/v2"
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
		{"files", []string{small, large}, "", math.MaxInt64, 224<<20 + 2*(1000+8<<20)},
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

// The memory limit of audits is that of --memory, or half of the memory. The Go runtime gets it, unless GOMEMLIMIT is
// set.
func TestMemoryOfAudits(t *testing.T) {
	for _, tt := range []struct {
		args, environment string
		want              int64 // 0 for half of the memory
		runtime           bool  // the Go runtime gets this limit
	}{
		{"--memory 64M", "", 64 << 20, true},
		{"--memory 2g", "", 2 << 30, true},
		{"--memory 2G", "8GiB", 2 << 30, false},
		{"", "", 0, true},
		{"", "8GiB", 0, false},
	} {
		t.Setenv("GOMEMLIMIT", tt.environment)
		withOptions(t, "audit a.pdf "+tt.args, func(_ *program, c *cli.Context) {
			var size int64
			var err error
			after := withMemoryLimit(math.MaxInt64, func() { size, err = memoryOf(c) })
			all, _ := memlimit.FromSystem() // a container may have less
			if err != nil || tt.want > 0 && size != tt.want || tt.want == 0 && size > int64(all/2) || size < leastMemory {
				t.Errorf("%q: %d bytes, %v, want %d", tt.args, size, err, tt.want)
			}
			if want := map[bool]int64{true: size, false: math.MaxInt64}[tt.runtime]; after != want {
				t.Errorf("%q, GOMEMLIMIT=%s: the limit is %d, want %d", tt.args, tt.environment, after, want)
			}
		})
	}
}
