package command

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is a terminal that tests look at while something is written to it.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	g := progress{w: &out, width: 60, start: start, text: func(time.Duration) string { return strings.Repeat("working ", 10) }}
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

// Where a line cannot be redrawn there is none, but for audits, which say one every half minute.
func TestProgressInLogs(t *testing.T) {
	for often, want := range map[bool]int{true: 3, false: 0} {
		start := time.Now()
		var out strings.Builder
		g := &progress{w: &out, often: often, start: start, plain: start, text: func(time.Duration) string { return "working" }}
		for s := range 95 {
			g.show(start.Add(time.Duration(s) * time.Second))
		}
		if got := strings.Count(out.String(), "webcap: working\n"); got != want || strings.Contains(out.String(), "\r") {
			t.Errorf("often %v: %q, want %d lines", often, out.String(), want)
		}
	}
}

// Results take the line away before they come, and it does not come in the middle of theirs.
func TestProgressAmongResults(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	g := &progress{w: &out, width: 60, start: start, text: func(time.Duration) string { return "working" }}
	results := screenWriter{&out, g}
	g.show(start.Add(time.Minute))
	io.WriteString(results, "half a")
	g.show(start.Add(time.Minute))
	io.WriteString(results, " line\n")
	g.show(start.Add(time.Minute))
	if got, want := out.String(), "\rworking\x1b[K\r\x1b[Khalf a line\n\rworking\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every command that can be long says what it does, and nothing of that is left.
func TestCommandsShowProgress(t *testing.T) {
	for args, want := range map[string]string{
		"list -":           "reading -, ",
		"digest -":         "file 1 of 1: computing the identifier of -, ",
		"digest --check -": "checking -, ",
		"name find -":      "file 1 of 1: searching -, ",
		"canon":            "0 URLs, 0 a second",
		"audit -":          "0 files, 0 a second",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			in, typing := io.Pipe()
			terminal := new(screen)
			p := &program{stdin: in, stdout: bufio.NewWriter(io.Discard), stderr: terminal, progress: progress{w: terminal, width: 80}}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				p.run(t.Context(), append([]string{"webcap"}, strings.Fields(args)...))
			}()
			for range 600 {
				if strings.Contains(terminal.String(), want) {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if got := terminal.String(); !strings.HasPrefix(got, "\r"+want) {
				t.Errorf("the terminal shows %q, want %q", got, want)
			}
			typing.Close()
			<-ended
			if got := terminal.String(); !strings.Contains(got, "\r\x1b[K") || strings.LastIndex(got, "\r\x1b[K") < strings.LastIndex(got, want) {
				t.Errorf("the line is left: %q", got)
			}
		})
	}
}
