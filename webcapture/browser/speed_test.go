//go:build browser

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSpeedInBrowser prints, with -v, how long the page takes, next to the command line in the same rounds. The figures
// are in docs/browser.md. Only results can fail the test: machines differ.
func TestSpeedInBrowser(t *testing.T) {
	const rounds = 3
	program := filepath.Join(t.TempDir(), "webcap")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	browser := newBrowser(t)
	start := time.Now()
	b := openPage(t, browser)
	t.Logf("from opening the page until it is ready: %v", since(start))
	b.choose("#file-input", damaged) // a worker is slower the first time
	b.audited()
	want := []string{"errors"}
	for _, sets := range []int{140, 14_300} { // 200 kB and 20 MB
		path, size := capture(t, sets)
		var page, native []time.Duration
		for range rounds {
			start = time.Now()
			b.choose("#file-input", path)
			want = append(want, "clean")
			b.want(fmt.Sprintf("document.querySelectorAll('#files tbody tr').length === %d", len(want)))
			b.audited()
			page = append(page, since(start))
			start = time.Now()
			if out, err := exec.Command(program, "audit", path).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			native = append(native, since(start))
		}
		slices.Sort(page)
		slices.Sort(native)
		t.Logf("%d bytes: page %v, command line %v, %.0f %% of its rate", size, page, native,
			100*native[rounds/2].Seconds()/page[rounds/2].Seconds())
	}
	if got := b.results(); got != strings.Join(want, ",") {
		t.Errorf("the results are %s", got)
	}
}

// since returns the time since start, in milliseconds.
func since(start time.Time) time.Duration { return time.Since(start).Round(time.Millisecond) }
