package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

const (
	progressAfter = 2 * time.Second
	progressEvery = time.Second / 4
	plainEvery    = 30 * time.Second // where a line cannot be redrawn
)

// Progress is the line that shows the progress of a long command. On a terminal, the line is redrawn, and removed
// before other output. Elsewhere, a new line is written every half minute if Often is set. The zero value shows nothing.
type Progress struct {
	W     io.Writer // standard error
	Width int       // width of the terminal; 0 if W is not a terminal
	Often bool      // if the line cannot be redrawn, write it regularly

	mu    sync.Mutex // held while other output is written
	text  func(took time.Duration) string
	start time.Time // time of the outermost Show
	last  time.Time // time of the last line that was not redrawn
	shown bool
	open  bool // the last output to the terminal did not end its line
}

// Show shows the text until end is called. text is called on another goroutine.
func (g *Progress) Show(text func(took time.Duration) string) (end func()) {
	g.mu.Lock()
	before := g.text
	g.text = text
	g.mu.Unlock()
	done := make(chan bool)
	var drawing sync.WaitGroup
	if before == nil {
		g.start = time.Now()
		g.last = g.start
		drawing.Go(func() { g.draw(done) })
	}
	return func() {
		close(done)
		drawing.Wait()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.clear()
		g.text = before
	}
}

func (g *Progress) draw(done <-chan bool) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case now := <-tick.C:
			if g.mu.TryLock() { // locked means that other output is in progress
				g.show(now)
				g.mu.Unlock()
			}
		}
	}
}

func (g *Progress) show(now time.Time) {
	text := g.text(now.Sub(g.start))
	switch {
	case g.Width > 0 && now.Sub(g.start) >= progressAfter && !g.open:
		g.shown = true
		fmt.Fprintf(g.W, "\r%s\x1b[K", layout.ShortenMiddle(text, g.Width-1))
	case g.Width == 0 && g.Often && now.Sub(g.last) >= plainEvery:
		g.last = now
		fmt.Fprintf(g.W, "webcap: %s\n", text)
	}
}

func (g *Progress) clear() {
	if g.shown {
		g.shown = false
		io.WriteString(g.W, "\r\x1b[K")
	}
}

// Hide removes the line before other output to the terminal. It does nothing if output is in progress.
func (g *Progress) Hide() {
	if g.mu.TryLock() {
		g.clear()
		g.mu.Unlock()
	}
}

// Writer returns a writer of results to the terminal. They replace the progress line.
func (g *Progress) Writer(w io.Writer) io.Writer { return screenWriter{w, g} }

type screenWriter struct {
	io.Writer
	g *Progress
}

// Write removes the line and writes b.
func (s screenWriter) Write(b []byte) (int, error) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	s.g.clear()
	s.g.open = len(b) > 0 && b[len(b)-1] != '\n'
	return s.Writer.Write(b)
}
