package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) merge() *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "put the results of the parts of one audit together",
		UsageText: "webcap merge [OPTIONS] RESULTS...",
		Description: `RESULTS is what webcap audit wrote as json, ndjson or journal, such as those of
--shard 1/4 to 4/4. Nothing is written unless they belong together: all parts are
there, each of them once and complete, made by the same version with the same
rules, sources and settings. webcap report joins whatever there is.

  webcap merge part-*.ndjson --output ndjson:all.ndjson`,
		Flags:  append(resultFlags(), colourFlag()),
		Action: p.runMerge,
	}
}

func (p *program) runMerge(c *cli.Context) error {
	paths := c.Args().Slice()
	if len(paths) == 0 {
		return usagef("merge", "name the results of all parts")
	}
	if slices.Contains(paths, batch.Stdin) {
		return usagef("merge", "results are read twice: name files")
	}
	if err := p.belongTogether(paths); err != nil {
		p.say("%s", layout.OneLine(err))
		p.partial = true
		return nil
	}
	return p.runReport(c)
}

// belongTogether returns an error unless files are the results of all parts of one audit.
func (p *program) belongTogether(paths []string) error {
	var first report.Head
	parts := map[string]string{} // the files, by shard
	for i, path := range paths {
		head, err := wholeResults(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if i == 0 {
			first = head
		} else if why := difference(first, head); why != "" {
			return fmt.Errorf("%s and %s do not belong together: they have %s", paths[0], path, why)
		}
		if other := parts[head.Shard]; head.Shard != "" && other != "" {
			return fmt.Errorf("%s and %s are both part %s", other, path, head.Shard)
		}
		parts[head.Shard] = path
	}
	return missingParts(first.Shard, parts)
}

// missingParts returns an error if shards are missing.
func missingParts(one string, parts map[string]string) error {
	if one == "" {
		return nil
	}
	shard, err := batch.ParseShard(one)
	if err != nil {
		return err
	}
	var missing []string
	for i := range shard.Count {
		if s := (batch.Shard{Index: i, Count: shard.Count}).String(); parts[s] == "" {
			missing = append(missing, s)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	more := ""
	if len(missing) > 5 {
		missing, more = missing[:5], ", …"
	}
	return fmt.Errorf("%d of %d parts are there; missing: %s%s", len(parts), shard.Count, strings.Join(missing, ", "), more)
}

// wholeResults reads results to their end, and returns their head. The error says that they
// cannot be read, or are not complete.
func wholeResults(path string) (report.Head, error) {
	f, err := os.Open(path)
	if err != nil {
		return report.Head{}, errors.Unwrap(err)
	}
	defer f.Close()
	r, err := report.NewReader(f)
	if err != nil {
		return report.Head{}, err
	}
	for err == nil {
		_, err = r.Next()
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return report.Head{}, errors.New("the results end before they are complete")
	case err != io.EOF:
		return report.Head{}, err
	case !r.Complete():
		return report.Head{}, errors.New("the results are not complete")
	}
	return r.Head(), nil
}

// difference says in what two heads differ that belong together otherwise; "" if in nothing.
func difference(a, b report.Head) string {
	ids := func(h report.Head) (list []string) {
		for _, r := range h.Rules {
			list = append(list, r.ID+r.Level.String())
		}
		return list
	}
	sources := func(h report.Head) (list []string) {
		for _, s := range h.Sources {
			list = append(list, fmt.Sprint(s.Name, s.Files, s.Kept))
		}
		return list
	}
	count := func(h report.Head) string { _, n, _ := strings.Cut(h.Shard, "/"); return n }
	switch {
	case a.Version != b.Version:
		return fmt.Sprintf("other versions of webcap, %s and %s", a.Version, b.Version)
	case !slices.Equal(ids(a), ids(b)):
		return "other rules"
	case !slices.Equal(sources(a), sources(b)):
		return "other sources"
	case !slices.Equal(a.Settings, b.Settings):
		return "other settings"
	case count(a) != count(b):
		return "other numbers of parts"
	}
	return ""
}
