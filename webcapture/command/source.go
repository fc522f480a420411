package command

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// sourceFlags are the options for sources. text describes the purpose of --source.
func sourceFlags(text string) []cli.Flag {
	return grouped(manual.Sources, &cli.GenericFlag{Name: "source", Value: new(stringList),
		Usage: "`KIND:PATH` " + text})
}

// compareSources is the help text of --source in audits.
const compareSources = "Check identifiers against a source"

// sourcesHelp lists the kinds of sources for the help of commands.
func sourcesHelp() string {
	var kinds []string
	for _, k := range source.Kinds() {
		kinds = append(kinds, string(k))
	}
	return "A source is a PATH or KIND:PATH, where KIND is " + strings.Join(kinds[:len(kinds)-1], ", ") + ", or " +
		kinds[len(kinds)-1] + "."
}

// sources holds the open sources of the options.
type sources struct {
	all   source.Source   // no embedded field: a search needs the Source itself, whose work can be metered
	lost  bool            // a part of a source could not be read
	stats []report.Source // one for each source
}

// addTo adds the sources to the options of an audit.
func (s *sources) addTo(how *audit.Options) {
	if len(s.stats) > 0 {
		how.Source, how.SourceLost = s.all, s.lost
	}
}

// sourcePaths returns the paths of the sources in the options.
func sourcePaths(c *cli.Context) []string {
	var paths []string
	for _, spec := range allOf(c, "source") {
		_, path := source.SplitSpec(spec)
		paths = append(paths, path)
	}
	return paths
}

// openSources opens the sources in specs. A source that cannot be opened is an error of the command line. Exceeded
// limits become part of the outcome of the run.
func (p *program) openSources(c *cli.Context, specs []string) (*sources, error) {
	s := &sources{}
	for _, spec := range specs {
		if _, path := source.SplitSpec(spec); path == "" {
			return nil, usagef(c.Command.Name, "the source %q has no path", spec)
		}
	}
	var open []source.Source
	for _, spec := range specs {
		kind, path := source.SplitSpec(spec)
		end := p.working("indexing %s", path)
		src, err := source.Open(kind, path)
		end()
		if err != nil {
			source.Join(open...).Close()
			return nil, usagef(c.Command.Name, "source %s", layout.OneLine(err))
		}
		open = append(open, src)
		stats := src.Stats()
		s.lost = s.lost || stats.Lost
		p.partial = p.partial || stats.Capped() != nil
		s.stats = append(s.stats, report.Source{Name: spec, Stats: stats})
		if kind == "" && stats.Files > 1 {
			p.say("source %s: %s in %d files", spec, layout.Count(stats.Kept, "record"), stats.Files)
		}
		for _, k := range stats.Skipped[:min(len(stats.Skipped), maxNotes)] {
			p.say("source %s: %v", spec, k)
		}
		if more := len(stats.Skipped) - maxNotes; more > 0 {
			p.say("source %s: … and %s", spec, layout.Count(more, "more reason"))
		}
	}
	s.all = source.Join(open...)
	return s, nil
}
