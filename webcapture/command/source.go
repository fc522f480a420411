package command

import (
	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func sourceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "source", Value: new(specs), Usage: "hold identifiers against what `KIND:PATH` keeps; may be repeated"},
		&cli.StringFlag{Name: "source-index", Usage: "keep the indexes of WARC files in this `FOLDER`, and use those that are there"},
	}
}

// specs is the values of --source, each as it is: paths may have commas.
type specs []string

func (s *specs) Set(v string) error { *s = append(*s, v); return nil }

func (s *specs) String() string { return "" }

// embedded is the source that has no path: the files in the PDF itself.
const embedded = "embedded"

// sources are those that the flags name.
type sources struct {
	source.Source
	given    bool // one that has a path
	embedded bool
	failed   bool // one could not be read
	stats    []report.Source
}

// openSources opens the sources that the flags name. One that cannot be read is
// said, and the others are used.
func (p *program) openSources(c *cli.Context) (*sources, error) {
	s := &sources{}
	var open []source.Source
	for _, spec := range *c.Generic("source").(*specs) {
		kind, path := source.SplitSpec(spec)
		switch {
		case kind == "" && (spec == embedded || spec == embedded+":"):
			s.embedded = true
			continue
		case path == "":
			return nil, usagef(c.Command.Name, "--source %s names no path", spec)
		}
		s.given = true
		src, err := source.Open(kind, path, source.Options{Indexes: c.String("source-index")})
		if err != nil {
			s.failed = true
			s.stats = append(s.stats, report.Source{Name: spec, Err: err})
			p.say("source %s", report.OneLine(err))
			continue
		}
		open = append(open, src)
		stats := src.Stats()
		s.stats = append(s.stats, report.Source{Name: spec, Stats: stats})
		for _, k := range stats.Skipped {
			p.say("source %s: skipped %d: %s; the first: %s", spec, k.Count, k.Reason, k.First)
		}
	}
	s.Source = source.Join(open...)
	return s, nil
}
