package command

import (
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
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

	mu       sync.Mutex
	done     fileCount
	levels   [rule.Error + 1]int
	expected *fileCount // count of all files; nil if unknown
	dropped  bool       // expected is wrong, and stays nil
}

// fileCount counts files and their bytes.
type fileCount struct {
	files int
	bytes int64
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
	g.done.files++
	g.done.bytes += rec.Size
	if strings.Contains(rec.Path, "!") || !strings.EqualFold(filepath.Ext(rec.Path), ".pdf") {
		g.expected, g.dropped = nil, true // expect counts by names, so the total is wrong
	}
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
	if current != nil && g.done.files == 0 {
		return fmt.Sprintf("auditing %v, %.0fs", current, took.Seconds())
	}
	parts := g.done.progress(g.expected, max(took.Seconds(), 0.001))
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

// progress describes the progress: the files and bytes done, and the speed. If the total is known, it adds the total
// and the remaining time.
func (n fileCount) progress(all *fileCount, seconds float64) []string {
	rate := fmt.Sprintf("%.0f files/s", float64(n.files)/seconds)
	if all == nil || n.bytes == 0 || n.bytes > all.bytes || n.files > all.files {
		return []string{layout.Count(n.files, "file"), sizeText(n.bytes), rate}
	}
	left := time.Duration(float64(all.bytes-n.bytes) / float64(n.bytes) * seconds * float64(time.Second))
	return []string{
		fmt.Sprintf("%d%%", 100*n.bytes/all.bytes),
		fmt.Sprintf("%d of %s", n.files, layout.Count(all.files, "file")),
		fmt.Sprintf("%s of %s", sizeText(n.bytes), sizeText(all.bytes)),
		rate,
		fmt.Sprintf("%v left", left.Round(time.Second)),
	}
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

// expect counts the files to audit and their bytes, in parallel to the audit. add drops the count when a file is
// audited that expectedFiles does not count.
func (g *auditProgress) expect(paths []string) {
	go func() { g.setExpected(expectedFiles(paths)) }()
}

// setExpected stores the count of all files, unless add has dropped it before it was complete.
func (g *auditProgress) setExpected(all *fileCount) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.dropped {
		g.expected = all
	}
}

// expectedFiles counts the files with the extension .pdf, and their bytes. It gives up after an error, and returns nil.
func expectedFiles(paths []string) *fileCount {
	var sum fileCount
	for _, p := range paths {
		err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".pdf") {
				return err
			}
			info, err := d.Info()
			if err == nil {
				sum.files++
				sum.bytes += info.Size()
			}
			return err
		})
		if err != nil {
			return nil
		}
	}
	return &sum
}
