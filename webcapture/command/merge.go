package command

import (
	"errors"
	"fmt"
	"hash/maphash"
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
		Usage:     "Combine the results of all parts of an audit",
		UsageText: "webcap merge [OPTIONS] RESULTS...",
		Description: `RESULTS is a JSON file, NDJSON file, or journal of webcap audit, such as those of
--shard 1/4 to 4/4. webcap merges only complete parts of the same audit; webcap
report accepts any results.

  webcap merge part-*.ndjson -o all.ndjson

` + details("many-files.md#several-machines-shards"),
		Flags:  resultFlags(),
		Action: p.runMerge,
	}
}

func (p *program) runMerge(c *cli.Context) error {
	paths := c.Args().Slice()
	if len(paths) == 0 {
		return usagef("merge", "name the results of all parts")
	}
	if slices.Contains(paths, batch.Stdin) {
		return usagef("merge", "merge reads results twice; name files")
	}
	end := p.working("reading %s", layout.Count(len(paths), "result"))
	err := p.belongTogether(paths)
	end()
	if err != nil {
		p.say("%s", layout.OneLine(err))
		p.partial = true
		return nil
	}
	return p.runReport(c)
}

// belongTogether returns an error unless the files at paths can be merged: all parts of one audit, or audits of
// different files with the same settings.
func (p *program) belongTogether(paths []string) error {
	var first report.Head
	parts := map[string]string{} // file by shard
	seen := map[uint64]int{}     // file by hash of the name of a record in it
	seed := maphash.MakeSeed()
	for i, path := range paths {
		belongs := func(head report.Head) error {
			if i == 0 {
				first = head
			} else if why := report.Difference(first, head); why != "" {
				return fmt.Errorf("not a part of the same audit as %s: it has %s", paths[0], why)
			}
			if other := parts[head.Shard]; head.Shard != "" && other != "" {
				return fmt.Errorf("part %s is also in %s", head.Shard, other)
			}
			parts[head.Shard] = path
			return nil
		}
		once := func(name string) error {
			h := maphash.String(seed, name)
			if other, ok := seen[h]; ok && other != i {
				return fmt.Errorf("%s is also in %s", name, paths[other])
			}
			seen[h] = i
			return nil
		}
		if err := wholeResults(path, belongs, once); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
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
	if len(parts) == shard.Count {
		return nil
	}
	const shown = 5
	var missing []string
	for i := 0; i < shard.Count && len(missing) < shown; i++ {
		if s := (batch.Shard{Index: i, Count: shard.Count}).String(); parts[s] == "" {
			missing = append(missing, s)
		}
	}
	more := ""
	if shard.Count-len(parts) > shown {
		more = ", …"
	}
	return fmt.Errorf("found %d of %d parts; missing: %s%s", len(parts), shard.Count, strings.Join(missing, ", "),
		more)
}

// wholeResults reads results to their end. It calls head with their head, and each with the name of each record.
// The error is that of head or each, or means that the results are unreadable or incomplete.
func wholeResults(path string, head func(report.Head) error, each func(name string) error) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return errors.New("not a regular file; merge reads results twice")
	}
	f, err := os.Open(path)
	if err != nil {
		return errors.Unwrap(err)
	}
	defer f.Close()
	r, err := report.NewReader(f)
	if err == nil {
		err = head(r.Head())
	}
	for err == nil {
		var rec *report.Record
		if rec, err = r.Next(); err == nil {
			err = each(rec.Path)
		}
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the results end too early")
	case err != io.EOF:
		return err
	case r.End() == report.FailFast:
		return errors.New(stoppedEarly)
	case r.End() != report.Complete:
		return errors.New("the results are not complete")
	}
	return nil
}
