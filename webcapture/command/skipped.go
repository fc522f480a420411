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
	made  skippedKind // backups and leftover files of killed rewrites
	other map[batch.Skip]*skippedKind
}

// skippedKind counts skipped files of one kind, and holds the first names.
type skippedKind struct {
	n     int
	first []string
}

// maxSkipped is the maximum number of names listed for each kind of skipped files.
const maxSkipped = 20

func (k *skippedKind) add(name string) {
	if k.n++; k.n <= maxSkipped {
		k.first = append(k.first, name)
	}
}

// isMade reports whether a rewrite made the file at path: a backup or a temporary file. It counts such files.
func (s *skippedFiles) isMade(path string) bool {
	if !rewrite.MadeBeside(path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made.add(path)
	return true
}

// add counts a file that is not an input.
func (s *skippedFiles) add(name string, why batch.Skip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.other == nil {
		s.other = map[batch.Skip]*skippedKind{}
	}
	if s.other[why] == nil {
		s.other[why] = &skippedKind{}
	}
	s.other[why].add(name)
}

// saySkipped reports the skipped files of the inputs found so far.
func (p *program) saySkipped(c *cli.Context) {
	s, verbose := &p.skipped, c.Bool("verbose")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made.n == 1 {
		p.say("skipped %s, a backup or temporary file of webcap rewrite; name it to read it", s.made.first[0])
	} else if s.made.n > 1 {
		p.say("skipped %d backups or temporary files of webcap rewrite, the first: %s; name one to read it",
			s.made.n, s.made.first[0])
	}
	hint := " (-v lists them)"
	if verbose {
		hint = ""
	}
	for _, why := range slices.Sorted(maps.Keys(s.other)) {
		k := s.other[why]
		switch why {
		case batch.Link:
			p.say("%s skipped (--follow-links)", layout.Count(k.n, "symbolic link"))
		case batch.Excluded:
			p.say("%s skipped%s", layout.Count(k.n, "excluded path"), hint)
		default:
			p.say("%s skipped: %s%s", layout.Count(k.n, "file"), why, hint)
		}
		p.sayNames(*k, verbose)
	}
}

// sayNames prints the names of skipped files.
func (p *program) sayNames(k skippedKind, verbose bool) {
	if !verbose {
		return
	}
	for _, name := range k.first {
		p.say("  %s", name)
	}
	if more := k.n - len(k.first); more > 0 {
		p.say("  and %d more", more)
	}
}
