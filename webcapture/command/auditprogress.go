package command

import (
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// auditProgress counts finished inputs for the progress line.
type auditProgress struct {
	current atomic.Pointer[auditStep]

	mu     sync.Mutex
	files  int
	bytes  int64
	levels [rule.Error + 1]int
}

// auditStep is the latest step of any audit: a file and the phase of its audit.
type auditStep struct{ file, what string }

func (a auditStep) String() string {
	if a.what == "" {
		return layout.Printable(a.file)
	}
	return layout.Printable(a.file) + ": " + a.what
}

// began records that the audit of a file, or a phase of it, has begun.
func (g *auditProgress) began(file, what string) { g.current.Store(&auditStep{file, what}) }

// watchProgress reports the steps of a run to the progress line.
func (p *program) watchProgress(opt *batch.Options) {
	p.progress.Often = true
	opt.Began = func(name string) { p.files.began(name, "") }
	opt.Phase = p.files.began
}

// over yields records unchanged. Meanwhile, it shows the progress.
func (p *program) over(records iter.Seq[*report.Record]) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		defer p.progress.Show(p.files.text)()
		for rec := range records {
			p.files.add(rec)
			if !yield(rec) {
				return
			}
		}
	}
}

func (g *auditProgress) add(rec *report.Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files++
	g.bytes += rec.Size
	if rec.Report == nil {
		return
	}
	for l := range g.levels {
		g.levels[l] += rec.Report.Count(rule.Level(l))
	}
}

// text returns the progress line.
func (g *auditProgress) text(took time.Duration) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	current := g.current.Load()
	if current != nil && g.files == 0 {
		return fmt.Sprintf("auditing %v, %.0fs", current, took.Seconds())
	}
	parts := []string{layout.Count(g.files, "file"), sizeText(g.bytes),
		fmt.Sprintf("%.0f files/s", float64(g.files)/max(took.Seconds(), 0.001))}
	for l := rule.Error; l >= rule.Note; l-- {
		if n := g.levels[l]; n > 0 {
			parts = append(parts, layout.Count(n, l.String()))
		}
	}
	text := strings.Join(parts, ", ")
	if current != nil {
		text += ": " + current.String()
	}
	return text
}

// sizeText formats a number of bytes with a unit.
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
