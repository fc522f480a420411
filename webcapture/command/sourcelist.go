package command

import (
	"cmp"
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
Totals follow, except in CSV.
Exit codes: 0 listed, 2 wrong command line, 3 not read completely, 4 nothing.

  webcap source list crawl.warc.gz
  webcap source list mirror/ --url http://www.example.com/ --md5
  webcap source list archive.wacz -f csv > archive.csv

` + details("format-tools.md#source"),
		Flags: slices.Concat(grouped(manual.Input, &cli.StringFlag{Name: "url",
			Usage: "`URL` List only this URL, or similar ones"}),
			formatFlags("table", "json", "csv"), grouped(manual.Output, switchFlag("md5", "Also read the data and show MD5s")),
			[]cli.Flag{timeoutFlag("0")}),
		Action: limited(p.runSourceList),
	}
}

func (p *program) runSourceList(c *cli.Context) error {
	w := &sourceLister{out: countingWriter{w: p.stdout}}
	w.list = show.NewSourceList(c.String("format"), &w.out, p.width, c.Bool("md5"))
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
	src, err := p.openSources(c, specs)
	if err != nil {
		return err
	}
	defer src.all.Close()
	stats := src.all.Stats()
	w.limit = baseListed + byteListed*stats.Bytes
	w.meter = meter.New(stats.Bytes)
	view := src.all.Metered(w.meter)
	var records iter.Seq2[*source.Candidate, error] = view.All
	if c.IsSet("url") {
		records = view.Lookup(url)
	}
	n, err := p.listSources(c, records, w)
	if n == 0 && err == nil && c.IsSet("url") {
		p.say("no source has a capture of %s", url)
		n, err = p.listSources(c, view.LookupAlike(url), w)
	}
	if err != nil {
		return err
	}
	if n == 0 && !c.IsSet("url") {
		p.say("no source has captures of URLs")
	}
	p.seek(n > 0)
	if w.full {
		return nil // the totals are unknown
	}
	if err := w.list.Close(stats); err != nil {
		return cannotWrite(err)
	}
	return nil
}

// The maximum size of a list of sources. For hostile files it matters: URLs that repeat one byte are a thousand
// times as long as their compressed form. A list of real files has ten bytes for each stored byte.
const (
	baseListed = 64 << 20
	byteListed = 64 // bytes of the list for each stored byte
)

// sourceLister writes a list of records until a size limit is reached.
type sourceLister struct {
	list  *show.SourceList
	out   countingWriter
	meter *meter.Meter // of the sources
	limit int64
	full  bool // the limit was reached

	known map[string]*show.SourceRecord // digested records, by the position of the data in the source
}

// listSources writes records, and reports those that could not be read. n is the number of written records.
func (p *program) listSources(c *cli.Context, records iter.Seq2[*source.Candidate, error], w *sourceLister) (n int,
	err error) {
	failed := 0
	p.noteDone("the list is not complete")
	for r, err := range records {
		switch {
		case c.Context.Err() != nil:
			return n, p.ended(c.Context)
		case w.out.n > w.limit:
			p.partial, w.full = true, true
			p.say("records after this one are omitted: too much output for sources of this size")
			return n, nil
		case w.meter.Over() != nil: // see below
			continue
		case err != nil:
			w.list.Skip()
			if failed++; failed <= maxNotes {
				p.say("%s", layout.OneLine(err))
			}
			continue
		case r.Body == nil && r.Redirect == "": // unusable; the statistics count it
			continue
		}
		out := &show.SourceRecord{Candidate: r, Key: canon.URL(r.URL)}
		if c.Bool("md5") {
			if err := w.digest(c.Context, p, out); err != nil {
				return n, err
			}
		}
		if err := w.list.Add(out); err != nil {
			return n, cannotWrite(err)
		}
		n++
	}
	if more := failed - maxNotes; more > 0 {
		p.say("… and %s", layout.Count(more, "more error"))
	}
	if err := w.meter.Over(); err != nil {
		p.partial, w.full = true, true
		p.say("%v", err)
	}
	return n, nil
}

// maxKnownBodies is the maximum number of bodies whose digests are kept. An archive may have any number of revisits,
// but usually they follow their original soon.
const maxKnownBodies = 1 << 12

// digest sets the digests of the data of a record. It digests data that several records share once, as long as they are
// known. The error is that of an interrupt or of the time limit.
func (w *sourceLister) digest(ctx context.Context, p *program, r *show.SourceRecord) error {
	if r.Body == nil {
		return nil
	}
	at := cmp.Or(r.Revisit, r.Where)
	if same := w.known[at]; same != nil && slices.Equal(same.Body.Digests, r.Body.Digests) {
		r.Sums, r.Err = same.Sums, same.Err
		return nil
	}
	sums, err := r.Body.Sums(func(n int64) error { return cmp.Or(context.Cause(ctx), w.meter.Pay(n)) })
	if isEnd(err) {
		return p.ended(ctx)
	}
	if err != nil && w.meter.Over() == nil {
		p.say("%s: %s", r.Where, layout.OneLine(err))
	}
	r.Sums, r.Err = &sums, err
	if sums.Doubt == "" && err != nil {
		r.Sums = nil
	}
	if w.known == nil || len(w.known) == maxKnownBodies {
		w.known = map[string]*show.SourceRecord{}
	}
	w.known[at] = r
	return nil
}

// countingWriter counts the bytes written.
type countingWriter struct {
	w io.Writer
	n int64
}

// Write writes p to the underlying writer.
func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
