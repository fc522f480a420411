package command

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
)

// screen is a terminal that tests read while something is written to it.
type screen struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // has room for one
}

func newScreen() *screen { return &screen{changed: make(chan struct{}, 1)} }

// await waits until the screen shows a text, with a long timeout.
func (s *screen) await(text string) {
	late := time.After(time.Minute)
	for !strings.Contains(s.String(), text) {
		select {
		case <-s.changed:
		case <-late:
			return
		}
	}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Each command that may take long shows a progress line, and removes it at the end.
func TestCommandsShowProgress(t *testing.T) {
	for args, want := range map[string]string{
		"keys -":  "0 files, 2s",
		"audit -": "0 files, 2s",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			in, typing := io.Pipe()
			shown := newScreen()
			p := &program{stdin: in, stdout: bufio.NewWriter(io.Discard), stderr: shown,
				progress: terminal.Progress{W: shown, Width: 80}}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				p.run(t.Context(), append([]string{"webcap"}, strings.Fields(args)...))
			}()
			shown.await(want)
			if got := shown.String(); !strings.HasPrefix(got, "\r"+want) {
				t.Errorf("the terminal shows %q, want %q", got, want)
			}
			typing.Close()
			<-ended
			if got := shown.String(); !strings.Contains(got, "\r\x1b[K") ||
				strings.LastIndex(got, "\r\x1b[K") < strings.LastIndex(got, want) {
				t.Errorf("the line is left: %q", got)
			}
		})
	}
}

// The progress line of a command ends with it, and with each of its steps.
func TestProgressEnds(t *testing.T) {
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	warc := testSource(t)
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", brokenKey)
	for _, args := range []string{
		"audit SITE", "audit --source WARC SITE", "list SITE", "keys SITE", "find http://h/ SITE",
		"rewrite a.pdf", "rewrite a.pdf -o out.pdf", "rewrite gone.pdf", "source list WARC",
		"source list gone", "diff SITE SITE", "digest --source WARC http://h/f",
		"export -o a.warc SITE", "canon http://h/", "rewrite .",
	} {
		t.Run(args, func(t *testing.T) {
			p := &program{stdin: strings.NewReader(""), stdout: bufio.NewWriter(io.Discard), stderr: io.Discard,
				progress: terminal.Progress{W: io.Discard, Width: 80}}
			line := strings.NewReplacer("SITE", site, "WARC", warc).Replace(args)
			p.run(t.Context(), append([]string{"webcap"}, strings.Fields(line)...))
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			if strings.Contains(string(stacks), "terminal.(*Progress).draw(") {
				t.Error("the progress line is still drawn")
			}
		})
	}
}

// On a terminal, results replace the progress line.
func TestResultsReplaceTheProgressLine(t *testing.T) {
	t.Parallel() // a progress line appears after two seconds
	for _, width := range []int{0, 80} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			shown := newScreen()
			p := &program{stderr: shown, width: width, progress: terminal.Progress{W: shown, Width: 80}}
			p.writeTo(io.Discard)
			defer p.working("reading")()
			shown.await("reading")
			fmt.Fprint(p.stdout, "result\n")
			p.stdout.Flush()
			if hidden := strings.Contains(shown.String(), "\r\x1b[K"); hidden != (width > 0) {
				t.Errorf("the terminal shows %q", shown)
			}
		})
	}
}
