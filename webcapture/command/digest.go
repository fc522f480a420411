package command

import (
	"cmp"
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) digest() *cli.Command {
	return &cli.Command{
		Name:      "digest",
		Usage:     "Compute the identifiers of captured URLs",
		UsageText: "webcap digest [OPTIONS] --source SOURCE URL...",
		Description: `The identifier of an image or PDF file is its MD5. That of a page is the MD5 of its
source and of its images. webcap computes those of captured URLs.
` + sourcesHelp() + `

  webcap digest --source crawl.warc.gz http://h/p.html
  webcap digest --source mirror/ http://h/p.html --explain

` + details("identifiers.md"),
		Flags: slices.Concat(formatFlags("table", "json"), grouped(manual.Output,
			switchFlag("explain", "Show the parts of the MD5 and other readings")),
			sourceFlags("Look up URLs in a source")),
		Action: p.runDigest,
	}
}

func (p *program) runDigest(c *cli.Context) error {
	urls := c.Args().Slice()
	if !c.IsSet("source") || len(urls) == 0 {
		return usagef("digest", "name a source and a URL, as in --source crawl.warc.gz http://h/; for a file, use md5sum")
	}
	for _, url := range urls {
		if !canon.Split([]byte(url)).Absolute() {
			return usagef("digest", "expected an absolute URL, not %q", url)
		}
	}
	saveMemory(sourcePaths(c)...)
	src, err := p.openSources(c, allOf(c, "source"))
	if err != nil {
		return err
	}
	defer src.all.Close()
	d := &digester{p: p, search: page.FromSource(src.all), explain: c.Bool("explain")}
	defer d.saySearch()
	switch {
	case isJSON(c):
		d.w = show.NewJSON(p.stdout)
	case d.explain:
		d.w = show.NewText(p.stdout, p.width)
	}
	return d.run(c.Context, urls)
}

// digester computes the identifiers of captures of URLs.
type digester struct {
	p       *program
	w       *show.Writer // nil for lines in the format of md5sum
	search  *page.Search
	explain bool
}

// saySearch reports the errors of looking up files in sources, and limits that were reached.
func (d *digester) saySearch() {
	errs, more := d.search.Errors()
	shown := errs[:min(len(errs), maxNotes)]
	if err := d.search.Capped(); err != nil {
		d.p.partial = true
		if !slices.Contains(shown, err) {
			d.p.say("%s", layout.OneLine(err))
		}
	}
	for _, err := range shown {
		d.p.say("%s", layout.OneLine(err))
	}
	if more += len(errs) - len(shown); more > 0 {
		d.p.say("… and %s", layout.Count(more, "more error"))
	}
}

// run computes the identifiers of all captures of URLs.
func (d *digester) run(ctx context.Context, urls []string) error {
	for _, url := range urls {
		found := false
		for f := range d.search.Find(url) { // saySearch reports the errors
			if ctx.Err() != nil {
				return errInterrupted
			}
			found = true
			if err := d.add(url, &f); err != nil {
				return cannotWrite(err)
			}
		}
		if !found {
			d.p.partial = true
			d.p.say("%s: no source has a readable capture of the URL", url)
		}
	}
	return nil
}

// add writes the identifier of one capture of a URL: that of a page with auxiliary files, or of a single file. The
// error is a write error.
func (d *digester) add(url string, f *page.File) error {
	res := &show.Digest{URL: nametree.Key(url), Where: nametree.Key(f.Where), ID: f.ID, Reading: "the file itself"}
	if f.Refers() {
		data, err := d.search.Data(f)
		if err != nil {
			d.p.partial = true
			d.p.say("%s: %s: %s", url, f.Where, layout.OneLine(err))
			return nil
		}
		d.computePage(res, page.New(data, f.MediaType, cmp.Or(f.URL, url), d.search.Find))
	}
	if f.Doubt != "" {
		d.p.say("%s: %s may differ from the retrieved data: %s", url, f.Where, f.Doubt)
	}
	if d.w != nil {
		return d.w.Add(res)
	}
	name := url
	if d.p.width > 0 {
		name = layout.Printable(name)
	}
	return d.p.printf("%v  %s\n", res.ID, name)
}

// computePage computes the identifier of a page, and reports auxiliary files that were not found.
func (d *digester) computePage(res *show.Digest, pg *page.Page) {
	reading := page.Readings()[0]
	c := pg.Compute(reading)
	for _, m := range c.Missing[:min(len(c.Missing), maxNotes)] {
		d.p.say("%s: not found: %v %s", string(res.URL), m.Kind, m.URL)
	}
	if more := len(c.Missing) - maxNotes; more > 0 {
		d.p.say("%s: … and %s not found", string(res.URL), layout.Count(more, "more file"))
	}
	if pg.Capped() { // it has too many references or captures
		d.p.say("%s: %v", string(res.URL), page.ErrCapped)
		d.p.partial = true
	}
	res.ID, res.Reading = c.ID, reading.String()
	if d.explain {
		c.Pieces[0].Where = string(res.Where)
		res.Explain(c.Pieces, c.Missing)
		for _, o := range pg.Each() {
			addReading(res, o.Reading.String(), o.ID)
		}
	}
}

// addReading adds the result of a reading, unless res already has it.
func addReading(res *show.Digest, reading string, id digest.ID) {
	if id != res.ID && !slices.ContainsFunc(res.Others, func(o show.DigestReading) bool { return o.ID == id }) {
		res.Others = append(res.Others, show.DigestReading{Reading: reading, ID: id})
	}
}
