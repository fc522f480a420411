package command

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) sourceList() *cli.Command {
	return &cli.Command{
		Name:      "source list",
		Usage:     "List the captures in archives and mirrors",
		UsageText: "webcap source list [OPTIONS] SOURCE...",
		Description: sourcesHelp() + ` webcap
prints one line per response: time, status, media type, size, URL, and place.
Totals follow.
Exit codes: 0 listed, 2 wrong command line, 3 not read completely, 4 nothing.

  webcap source list crawl.warc.gz
  webcap source list mirror/ --url http://www.example.com/
  webcap source list archive.wacz -f json > archive.ndjson

` + details("format-tools.md#source"),
		Flags: slices.Concat(grouped(manual.Input, &cli.StringFlag{Name: "url",
			Usage: "`URL` List only this URL, or similar ones"}),
			formatFlags("table", "json")),
		Action: p.runSourceList,
	}
}

func (p *program) runSourceList(c *cli.Context) error {
	url, err := absoluteURL(c, "url")
	if err != nil {
		return err
	}
	specs := c.Args().Slice()
	if len(specs) == 0 {
		return usagef(c.Command.Name, "name at least one source, as KIND:PATH or PATH")
	}
	for _, spec := range specs {
		if _, path := source.SplitSpec(spec); path == batch.Stdin {
			return usagef(c.Command.Name, "sources are read more than once; name a file instead of standard input")
		}
	}
	saveMemory(specs...)
	src, err := p.openSources(c, specs)
	if err != nil {
		return err
	}
	defer src.all.Close()
	stats := src.all.Stats()
	m := meter.New(stats.Bytes)
	list := show.NewSourceList(c.String("format"), &meteredWriter{p.stdout, m}, p.width)
	view := src.all.Metered(m)
	var records iter.Seq2[*source.Candidate, error] = view.All
	if c.IsSet("url") {
		records = view.Lookup(url)
	}
	n, err := p.listSources(c.Context, records, list, m)
	switch {
	case err != nil:
		return err
	case n == 0 && c.IsSet("url"):
		p.say("no source has a capture of %s", url)
	case n == 0:
		p.say("no source has captures of URLs")
	}
	p.seek(n > 0)
	if err := m.Over(); err != nil {
		p.partial = true
		p.say("%v; later records are not listed", err)
		return nil // the totals are unknown
	}
	if err := list.Close(stats); err != nil {
		return cannotWrite(err)
	}
	return nil
}

// listSources writes records until the meter of the sources is exceeded, and reports those that could not be read. n is
// the number of written records.
func (p *program) listSources(ctx context.Context, records iter.Seq2[*source.Candidate, error], list *show.SourceList,
	m *meter.Meter) (n int, err error) {
	failed := 0
	p.noteDone("the list is not complete")
	for r, err := range records {
		switch {
		case ctx.Err() != nil:
			return n, p.interruption()
		case m.Over() != nil:
			return n, nil
		case err != nil:
			list.Skip()
			if failed++; failed <= maxNotes {
				p.say("%s", layout.OneLine(err))
			}
			continue
		case r.Body == nil && r.Redirect == "": // unusable; the statistics count it
			continue
		}
		if err := list.Add(show.SourceRecordOf(r, canon.URL(r.URL))); err != nil {
			return n, cannotWrite(err)
		}
		n++
	}
	if more := failed - maxNotes; more > 0 {
		p.say("… and %s", layout.Count(more, "more error"))
	}
	return n, nil
}

// meteredWriter pays for its output. URLs that repeat one byte are a thousand times as long as their compressed form,
// so hostile sources could have an endless list.
type meteredWriter struct {
	w io.Writer
	m *meter.Meter
}

// Write writes p to the underlying writer.
func (w *meteredWriter) Write(p []byte) (int, error) {
	w.m.Pay(outputPrice * int64(len(p))) // listSources checks the meter
	return w.w.Write(p)
}
