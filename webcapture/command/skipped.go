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

// skippedFiles counts files in folders and archives that are not inputs. The counts are complete when all inputs
// have been found. A run that is interrupted does not wait for that.
type skippedFiles struct {
	mu    sync.Mutex
	kinds map[batch.Skip]*skippedKind
}

// skippedKind counts skipped files of one kind, and holds the first names.
type skippedKind struct {
	n     int
	first []string
}

// madeByRewrite is the kind of backups and temporary files of webcap rewrite.
const madeByRewrite batch.Skip = "backups or temporary files of webcap rewrite"

// maxSkipped is the maximum number of names listed for each kind of skipped files.
const maxSkipped = 20

// isMade reports whether a rewrite made the file at path: a backup or a temporary file. It counts such files.
func (s *skippedFiles) isMade(path string) bool {
	made := rewrite.MadeBeside(path)
	if made {
		s.add(path, madeByRewrite)
	}
	return made
}

// add counts a file that is not an input.
func (s *skippedFiles) add(name string, why batch.Skip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds = map[batch.Skip]*skippedKind{}
	}
	k := s.kinds[why]
	if k == nil {
		k = new(skippedKind)
		s.kinds[why] = k
	}
	if k.n++; k.n <= maxSkipped {
		k.first = append(k.first, name)
	}
}

// saySkipped reports the skipped files of the inputs found so far, with names if --verbose is set.
func (p *program) saySkipped(c *cli.Context) {
	s, hint := &p.skipped, " (-v lists them)"
	if c.Bool("verbose") {
		hint = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, why := range slices.Sorted(maps.Keys(s.kinds)) {
		k := s.kinds[why]
		switch {
		case why == batch.Link:
			p.say("%s skipped (--follow-links)", layout.Count(k.n, "symbolic link"))
		case why == batch.Excluded:
			p.say("%s skipped%s", layout.Count(k.n, "excluded path"), hint)
		default:
			p.say("%s skipped: %s%s", layout.Count(k.n, "file"), why, hint)
		}
		for _, name := range k.first {
			p.sayVerbose(c, "  %s", name)
		}
		if more := k.n - len(k.first); more > 0 {
			p.sayVerbose(c, "  and %d more", more)
		}
	}
}
