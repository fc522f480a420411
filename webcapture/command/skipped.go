package command

import (
	"maps"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// skippedFiles counts files in folders and archives that are not inputs, by reason. The counts are complete when all
// inputs have been found. A run that is interrupted does not wait for that.
type skippedFiles struct {
	mu    sync.Mutex
	count map[batch.Skip]int
}

// madeByRewrite is the reason to skip backups and temporary files of webcap rewrite.
const madeByRewrite batch.Skip = "backups or temporary files of webcap rewrite"

// pathOptions returns the options for finding the inputs of a command. They count skipped files, and name them if
// --verbose is set.
func (p *program) pathOptions(c *cli.Context) batch.PathOptions {
	skip := func(name string, why batch.Skip) {
		p.sayVerbose(c, "skipped %s: %s", name, why)
		p.skipped.mu.Lock()
		defer p.skipped.mu.Unlock()
		if p.skipped.count == nil {
			p.skipped.count = map[batch.Skip]int{}
		}
		p.skipped.count[why]++
	}
	return batch.PathOptions{Links: c.Bool("follow-links"), Skipped: skip, Except: func(path string) bool {
		made := rewrite.MadeBeside(path)
		if made {
			skip(path, madeByRewrite)
		}
		return made
	}}
}

// saySkipped reports the number of skipped files among the inputs found so far.
func (p *program) saySkipped(c *cli.Context) {
	s, hint := &p.skipped, " (-v lists them)"
	if c.Bool("verbose") {
		hint = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, why := range slices.Sorted(maps.Keys(s.count)) {
		switch n := s.count[why]; why {
		case batch.Link:
			p.say("%s skipped (--follow-links)", layout.Count(n, "symbolic link"))
		case batch.Excluded:
			p.say("%s skipped%s", layout.Count(n, "excluded path"), hint)
		default:
			p.say("%s skipped: %s%s", layout.Count(n, "file"), why, hint)
		}
	}
}
