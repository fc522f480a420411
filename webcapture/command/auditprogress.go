package command

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// plainEvery is how often a long run says how far it has got where it cannot redraw a line.
const plainEvery = 30 * time.Second

// An auditProgress says how far an audit has got: on a terminal in a line that is redrawn,
// elsewhere in lines from time to time, and at any time for a signal that asks (SIGUSR1, and
// Ctrl-T where there is one).
type auditProgress struct {
	w     io.Writer
	width int // of the terminal; 0 if w is not one
	start time.Time

	current  atomic.Pointer[string] // the file whose audit began last
	expected atomic.Int64           // bytes of all files; 0 if that is not known

	mu     sync.Mutex // held while records are written, lest the line comes between
	shown  bool
	files  int
	bytes  int64
	levels [audit.Error + 1]int
	plain  time.Time // of the last line that is not redrawn
}

// auditProgress returns one that writes to standard error.
func (p *program) auditProgress() *auditProgress {
	now := time.Now()
	return &auditProgress{w: p.stderr, width: terminalWidth(p.stderr), start: now, plain: now}
}

// began notes that the audit of a file has begun.
func (g *auditProgress) began(name string) { g.current.Store(&name) }

// over yields records, and shows meanwhile how far they have got.
func (g *auditProgress) over(records iter.Seq[*report.Record]) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		asked := make(chan os.Signal, 1)
		if len(progressSignals) > 0 {
			signal.Notify(asked, progressSignals...)
			defer signal.Stop(asked)
		}
		done := make(chan bool)
		var drawing sync.WaitGroup
		drawing.Go(func() { g.draw(done, asked) })
		defer drawing.Wait()
		defer close(done)
		for rec := range records {
			g.mu.Lock()
			g.add(rec)
			g.clear()
			more := yield(rec)
			g.mu.Unlock()
			if !more {
				return
			}
		}
	}
}

func (g *auditProgress) draw(done <-chan bool, asked <-chan os.Signal) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			g.clear()
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

func (g *auditProgress) add(rec *report.Record) {
	g.files++
	g.bytes += rec.Size
	if strings.Contains(rec.Path, "!") || !strings.EqualFold(filepath.Ext(rec.Path), ".pdf") {
		g.expected.Store(0) // files were counted by their names
	}
	if rec.Report == nil {
		return
	}
	for l := range g.levels {
		g.levels[l] += rec.Report.Count(audit.Level(l))
	}
}

func (g *auditProgress) show(now time.Time) {
	switch {
	case g.width > 0 && now.Sub(g.start) >= progressAfter:
		g.shown = true
		fmt.Fprintf(g.w, "\r%s\x1b[K", layout.ShortenMiddle(g.text(now), g.width-1))
	case g.width == 0 && now.Sub(g.plain) >= plainEvery:
		g.plain = now
		g.line(now)
	}
}

func (g *auditProgress) line(now time.Time) { fmt.Fprintf(g.w, "webcap: %s\n", g.text(now)) }

func (g *auditProgress) clear() {
	if g.shown {
		g.shown = false
		io.WriteString(g.w, "\r\x1b[K")
	}
}

// text says how far it has got.
func (g *auditProgress) text(now time.Time) string {
	seconds := max(now.Sub(g.start).Seconds(), 0.001)
	parts := []string{
		layout.Count(g.files, "file"),
		fmt.Sprintf("%.0f a second", float64(g.files)/seconds),
		sizeText(g.bytes),
	}
	if all := g.expected.Load(); all > 0 && g.bytes > 0 && g.bytes <= all {
		left := time.Duration(float64(all-g.bytes) / float64(g.bytes) * seconds * float64(time.Second))
		parts = append(parts, fmt.Sprintf("%v left", left.Round(time.Second)))
	}
	for l := audit.Error; l >= audit.Note; l-- {
		if n := g.levels[l]; n > 0 {
			parts = append(parts, layout.Count(n, l.String()))
		}
	}
	text := strings.Join(parts, ", ")
	if name := g.current.Load(); name != nil {
		text += ": " + layout.Printable(*name)
	}
	return text
}

// sizeText says a number of bytes as people do.
func sizeText(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	size, unit := float64(n), 0
	for size >= 1000 && unit < len(units)-1 {
		size, unit = size/1000, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}

// expect finds out how many bytes there are to audit, beside the audit, if what is named are
// files and folders of files that have the name of a PDF.
func (g *auditProgress) expect(paths []string) {
	if g.width == 0 {
		return // nobody sees it
	}
	go func() {
		var sum int64
		for _, p := range paths {
			err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".pdf") {
					return err
				}
				info, err := d.Info()
				if err == nil {
					sum += info.Size()
				}
				return err
			})
			if err != nil {
				return
			}
		}
		g.expected.Store(sum)
	}()
}
