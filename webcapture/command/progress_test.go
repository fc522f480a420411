package command

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
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
			shown := new(screen)
			p := &program{stdin: in, stdout: bufio.NewWriter(io.Discard), stderr: shown,
				progress: terminal.Progress{W: shown, Width: 80}}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				p.run(t.Context(), append([]string{"webcap"}, strings.Fields(args)...))
			}()
			for range 600 {
				if strings.Contains(shown.String(), want) {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
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
