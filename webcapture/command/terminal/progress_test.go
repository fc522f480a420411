package terminal

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	g := Progress{W: &out, Width: 60, start: start,
		text: func(time.Duration) string { return strings.Repeat("working ", 10) }}
	g.show(start.Add(time.Second))
	g.clear()
	if out.Len() > 0 {
		t.Errorf("a short run shows %q", out.String())
	}
	g.show(start.Add(4 * time.Second))
	line := strings.TrimSuffix(strings.TrimPrefix(out.String(), "\r"), "\x1b[K")
	if n := len([]rune(line)); n != 59 || !strings.HasPrefix(line, "working") {
		t.Errorf("it shows %d characters: %q", n, line)
	}
	out.Reset()
	g.clear()
	g.clear()
	if got, want := out.String(), "\r\x1b[K"; got != want {
		t.Errorf("it clears by %q, want %q", got, want)
	}
}

// If a line cannot be redrawn, it is written every half minute, but only if Often is set.
func TestProgressInLogs(t *testing.T) {
	for often, want := range map[bool]int{true: 3, false: 0} {
		t.Run(fmt.Sprint(often), func(t *testing.T) {
			start := time.Now()
			var out strings.Builder
			g := &Progress{W: &out, Often: often, start: start, last: start,
				text: func(time.Duration) string { return "working" }}
			for s := range 95 {
				g.show(start.Add(time.Duration(s) * time.Second))
			}
			if got := strings.Count(out.String(), "webcap: working\n"); got != want ||
				strings.Contains(out.String(), "\r") {
				t.Errorf("often %v: %q, want %d lines", often, out.String(), want)
			}
		})
	}
}

// Results remove the line first, and it does not appear within them.
func TestProgressAmongResults(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	g := &Progress{W: &out, Width: 60, start: start, text: func(time.Duration) string { return "working" }}
	results := g.Writer(&out)
	g.show(start.Add(time.Minute))
	io.WriteString(results, "half a")
	g.show(start.Add(time.Minute))
	io.WriteString(results, " line\n")
	g.show(start.Add(time.Minute))
	if got, want := out.String(), "\rworking\x1b[K\r\x1b[Khalf a line\n\rworking\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
