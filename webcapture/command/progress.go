package command

import (
	"fmt"
	"io"
	"time"
)

const (
	progressAfter = 2 * time.Second
	progressEvery = time.Second / 4
)

// progress is a line on a terminal that says how far a long run has got. It is
// none if w is nil.
type progress struct {
	w     io.Writer
	start time.Time
	shown bool
}

// progress returns one for standard error, unless that is not a terminal, or the
// results go to one too.
func (p *program) progress() progress {
	if p.width > 0 || terminalWidth(p.stderr) == 0 {
		return progress{}
	}
	return progress{w: p.stderr, start: time.Now()}
}

func (g *progress) show(now time.Time, urls int) {
	if g.w == nil || now.Sub(g.start) < progressAfter {
		return
	}
	g.shown = true
	fmt.Fprintf(g.w, "\r%d URLs, %d a second\x1b[K", urls, int(float64(urls)/now.Sub(g.start).Seconds()))
}

func (g *progress) clear() {
	if g.shown {
		g.shown = false
		io.WriteString(g.w, "\r\x1b[K")
	}
}
