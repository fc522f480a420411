package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
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
			formatFlags("csv"), grouped(manual.Output, switchFlag("md5", "Also read the data and show MD5s")),
			[]cli.Flag{timeoutFlag("0")}),
		Action: limited(p.runSourceList),
	}
}

func (p *program) runSourceList(c *cli.Context) error {
	w := &sourceLister{out: countingWriter{w: p.stdout}}
	switch f := c.String("format"); f {
	case "table":
		w.list = show.NewSourceTable(&w.out, p.width, c.Bool("md5"))
	case "json":
		w.list = show.NewSourceJSON(&w.out)
	case "csv":
		w.list = show.NewSourceCSV(&w.out)
	default:
		return unknownFormat(c.Command.Name, "format", f, []string{"table", "json", "csv"})
	}
	url := c.String("url")
	if c.IsSet("url") && !canon.Split([]byte(url)).Absolute() {
		return usagef(c.Command.Name, "--url must be an absolute URL, not %q", url)
	}
	src, err := p.sourceArguments(c)
	if err != nil {
		return err
	}
	defer src.Close()
	stats := src.Stats()
	w.limit = baseListed + byteListed*stats.Bytes
	records := source.All(src.Source)
	if c.IsSet("url") {
		records, stats.Types = src.Lookup(url), nil
	}
	n, err := p.listSources(c, records, w)
	if n == 0 && err == nil && c.IsSet("url") {
		p.say("no source has a capture of %s", url)
		n, err = p.listSources(c, src.LookupAlike(url), w)
	}
	if err != nil {
		return err
	}
	if text := show.TypesText(stats.Types); n == 0 && text != "" {
		p.say("no source has captures of URLs; the records are: %s", text)
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

// sourceArguments opens the sources that the arguments name.
func (p *program) sourceArguments(c *cli.Context) (*sources, error) {
	specs := c.Args().Slice()
	if len(specs) == 0 {
		return nil, usagef(c.Command.Name, "name at least one source, as KIND:PATH or PATH")
	}
	for _, spec := range specs {
		switch _, path := source.SplitSpec(spec); {
		case isEmbedded(spec):
			return nil, usagef(c.Command.Name, "%s works only with webcap audit", embedded)
		case path == "":
			return nil, namesNoPath(c, spec)
		case path == "-":
			return nil, usagef(c.Command.Name, "sources are read more than once; name a file instead of standard input")
		}
	}
	return p.openSources(c, specs)
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
	limit int64
	full  bool // the limit was reached
}

// listSources writes records, and reports those that could not be read. n is the number of written records.
func (p *program) listSources(c *cli.Context, records iter.Seq2[*source.Candidate, error], w *sourceLister) (n int,
	err error) {
	d := &bodyDigester{p: p, known: map[string][]show.SourceDigest{}}
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
		case err != nil:
			w.list.Skip(err)
			if failed++; failed <= maxNotes {
				p.say("%s", layout.OneLine(err))
			}
			continue
		}
		out := &show.SourceRecord{Candidate: r, Key: canon.URL(r.URL)}
		if c.Bool("md5") {
			if out.Digests, err = d.digests(c.Context, r); err != nil {
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
	return n, nil
}

// maxKnownBodies is the maximum number of bodies whose digests are cached. An archive may have any number of revisits,
// but usually they follow their original soon.
const maxKnownBodies = 1 << 12

// bodyDigester computes digests of bodies. It digests data that several records share once, as long as the digest
// is in its cache.
type bodyDigester struct {
	p     *program
	known map[string][]show.SourceDigest // by position of the data in the source
}

// digests returns the digests of the bodies of a candidate. It skips a body with a coding that the header does not
// declare if the data do not have that coding. It reports a body without a digest only if the body is the stored
// data, or a limit was reached; other bodies usually fail because the data do not have the declared coding. The error
// is that of an interrupt or of the time limit.
func (d *bodyDigester) digests(ctx context.Context, c *source.Candidate) ([]show.SourceDigest, error) {
	at := cmp.Or(c.Revisit, c.Where)
	if list, ok := d.known[at]; ok {
		return list, nil
	}
	var list []show.SourceDigest
	for i, b := range c.Bodies {
		one := d.digest(ctx, b)
		if isEnd(one.Err) {
			return nil, d.p.ended(ctx)
		}
		if b.Undeclared && one.Err != nil && one.Bytes == 0 {
			continue // the body does not exist in this form
		}
		_, tooLarge := errors.AsType[*source.TooLarge](one.Err)
		d.p.partial = d.p.partial || tooLarge
		if one.Err != nil && (i == 0 || tooLarge) {
			d.p.say("%s: %s", c.Where, layout.OneLine(one.Err))
		}
		list = append(list, one)
	}
	if len(d.known) == maxKnownBodies {
		clear(d.known)
	}
	d.known[at] = list
	return list, nil
}

func (d *bodyDigester) digest(ctx context.Context, b source.Body) show.SourceDigest {
	one := show.SourceDigest{Form: b.Form, Coded: b.Coded, Undeclared: b.Undeclared}
	r, err := b.Open()
	if err != nil {
		one.Err = err
		return one
	}
	defer r.Close()
	n := &bodyReader{r: infile.Interruptible(ctx, r)}
	one.ID, one.Err = digest.Image(n)
	one.Bytes = n.n
	if one.Err == nil && n.flaw != nil {
		one.Err = n.flaw
	}
	return one
}

// bodyReader counts the bytes read. A flaw ends the body like io.EOF.
type bodyReader struct {
	r    io.Reader
	n    int64
	flaw *source.Flaw
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if flaw, ok := errors.AsType[*source.Flaw](err); ok {
		b.flaw, err = flaw, io.EOF
	}
	return n, err
}
