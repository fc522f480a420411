package command

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

const (
	progressAfter = 2 * time.Second
	progressEvery = time.Second / 4

	// plainEvery is how often a long audit says how far it has got where it cannot redraw a line.
	plainEvery = 30 * time.Second
)

// progress is a line that says how far a long command has got: on a terminal one that is
// redrawn, and gone when there is something else to see; elsewhere it is said for a signal
// that asks (SIGUSR1, and Ctrl-T where there is one), and from time to time if that is wanted.
type progress struct {
	w     io.Writer
	width int  // of the terminal; 0 if w is not one
	often bool // say it where it cannot be redrawn, too

	mu    sync.Mutex // held while anything else is written, lest the line comes between
	text  func(took time.Duration) string
	start time.Time // of the command
	plain time.Time // of the last line that is not redrawn
	shown bool
	open  bool // what was written last to the terminal has not ended its line
}

// showProgress shows how far the command has got, until end is called. The text may be asked
// for at any time.
func (p *program) showProgress(text func(took time.Duration) string) (end func()) {
	g := &p.progress
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
	asked := make(chan os.Signal, 1)
	if len(progressSignals) > 0 {
		signal.Notify(asked, progressSignals...)
	}
	done := make(chan bool)
	var drawing sync.WaitGroup
	drawing.Go(func() { g.draw(done, asked) })
	return func() {
		signal.Stop(asked)
		close(done)
		drawing.Wait()
		restore()
	}
}

// working shows what the command does that may take long, until end is called.
func (p *program) working(format string, args ...any) (end func()) {
	text := layout.Printable(fmt.Sprintf(format, args...))
	return p.showProgress(func(took time.Duration) string { return fmt.Sprintf("%s, %.0fs", text, took.Seconds()) })
}

func (g *progress) draw(done <-chan bool, asked <-chan os.Signal) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-asked:
			g.mu.Lock()
			g.clear()
			g.line(time.Now())
			g.mu.Unlock()
		case now := <-tick.C:
			if g.mu.TryLock() { // else something is being written
				g.show(now)
				g.mu.Unlock()
			}
		}
	}
}

func (g *progress) show(now time.Time) {
	switch {
	case g.width > 0 && now.Sub(g.start) >= progressAfter && !g.open:
		g.shown = true
		fmt.Fprintf(g.w, "\r%s\x1b[K", layout.ShortenMiddle(g.text(now.Sub(g.start)), g.width-1))
	case g.width == 0 && g.often && now.Sub(g.plain) >= plainEvery:
		g.plain = now
		g.line(now)
	}
}

func (g *progress) line(now time.Time) { fmt.Fprintf(g.w, "webcap: %s\n", g.text(now.Sub(g.start))) }

func (g *progress) clear() {
	if g.shown {
		g.shown = false
		io.WriteString(g.w, "\r\x1b[K")
	}
}

// screenWriter writes results to the terminal that also shows the progress line.
type screenWriter struct {
	io.Writer
	g *progress
}

// Write removes the line before it writes.
func (s screenWriter) Write(b []byte) (int, error) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	s.g.clear()
	if len(b) > 0 {
		s.g.open = b[len(b)-1] != '\n'
	}
	return s.Writer.Write(b)
}
