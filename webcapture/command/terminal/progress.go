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

	// plainEvery is the interval of progress lines where a line cannot be redrawn.
	plainEvery = 30 * time.Second
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
	plain time.Time // time of the last line that was not redrawn
	shown bool
	drawn string // line on the terminal
	open  bool   // the last output to the terminal did not end its line
}

// Show shows the text until end is called. text is called on another goroutine.
func (g *Progress) Show(text func(took time.Duration) string) (end func()) {
	g.mu.Lock()
	before := g.text
	g.text = text
	g.mu.Unlock()
	restore := func() {
		g.mu.Lock()
		g.clear()
		g.text = before
		g.mu.Unlock()
	}
	if before != nil {
		return restore
	}
	now := time.Now()
	g.start, g.plain = now, now
	done := make(chan bool)
	var drawing sync.WaitGroup
	drawing.Go(func() { g.draw(done) })
	return func() {
		close(done)
		drawing.Wait()
		restore()
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
	switch {
	case g.Width > 0 && now.Sub(g.start) >= progressAfter && !g.open:
		line := layout.ShortenMiddle(g.text(now.Sub(g.start)), g.Width-1)
		if g.shown && line == g.drawn {
			return
		}
		g.drawn = line
		g.redraw()
	case g.Width == 0 && g.Often && now.Sub(g.plain) >= plainEvery:
		g.plain = now
		fmt.Fprintf(g.W, "webcap: %s\n", g.text(now.Sub(g.start)))
	}
}

// redraw overwrites the line.
func (g *Progress) redraw() {
	g.shown = true
	fmt.Fprintf(g.W, "\r%s\x1b[K", g.drawn)
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

// Writer returns a writer of results to the terminal. The progress line stays below the results.
func (g *Progress) Writer(w io.Writer) io.Writer { return screenWriter{w, g} }

type screenWriter struct {
	io.Writer
	g *Progress
}

// Write removes the line, writes b, and redraws the line immediately, so that the line does not flicker.
func (s screenWriter) Write(b []byte) (int, error) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	shown := s.g.shown
	s.g.clear()
	if len(b) > 0 {
		s.g.open = b[len(b)-1] != '\n'
	}
	n, err := s.Writer.Write(b)
	if shown && !s.g.open && err == nil {
		s.g.redraw()
	}
	return n, err
}
