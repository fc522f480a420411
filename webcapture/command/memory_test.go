package command

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// The garbage collector keeps commands about single files near a limit that depends on their size. An audit of more
// files has a limit for all of them, and GOMEMLIMIT takes precedence.
func TestMemoryLimits(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(site)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list", []byte(site), 0o666); err != nil {
		t.Fatal(err)
	}
	one := int64(baseHeap + byteHeap*info.Size())
	const unlimited = 1 << 40
	for _, tt := range []struct {
		args, variable string
		want           int64 // 0 for about half of the memory
	}{
		{"audit SITE", "", one},
		{"audit SITE SITE", "", 0},
		{"audit --files-from list", "", 0},
		{"audit --files-from list SITE", "", 0},
		{"audit gone.pdf", "", 0},
		{"audit .", "", 0},
		{"diff SITE SITE", "", int64(2*baseHeap + 2*byteHeap*info.Size())},
		{"diff SITE gone.pdf", "", one},
		{"source list gone", "", baseHeap},
		{"audit SITE", "1GiB", unlimited},
		{"diff SITE SITE", "1GiB", unlimited},
	} {
		t.Run(tt.args+tt.variable, func(t *testing.T) {
			debug.SetMemoryLimit(unlimited)
			t.Setenv("GOMEMLIMIT", tt.variable)
			run(strings.NewReader(""), io.Discard, strings.Fields(strings.ReplaceAll(tt.args, "SITE", site))...)
			got := debug.SetMemoryLimit(-1)
			if tt.want != 0 && got != tt.want || tt.want == 0 && (got == one || got == unlimited) {
				t.Errorf("a limit of %d bytes, want %d", got, tt.want)
			}
		})
	}
}
