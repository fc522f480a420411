package command

import (
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// auditProgress counts finished inputs for the progress line.
type auditProgress struct {
	current atomic.Pointer[auditStep]
	files   atomic.Int64
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
			p.files.files.Add(1)
			if !yield(rec) {
				return
			}
		}
	}
}

// text returns the progress line.
func (g *auditProgress) text(took time.Duration) string {
	text := fmt.Sprintf("%s, %.0fs", layout.Count(int(g.files.Load()), "file"), took.Seconds())
	if current := g.current.Load(); current != nil {
		text += ": " + current.String()
	}
	return text
}
