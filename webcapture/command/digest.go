package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

func (p *program) digest() *cli.Command {
	return &cli.Command{
		Name:      "digest",
		Usage:     "Compute digital identifiers",
		UsageText: "webcap digest [OPTIONS] FILE...\nwebcap digest [OPTIONS] --source SOURCE URL...",
		Description: `The identifier of an image or PDF file is its MD5. That of a page is the MD5 of its
source and of the files that --source has. ` + sourcesHelp() + `

  webcap digest a.gif b.jpg
  webcap digest --page p.html --url http://h/p.html --source crawl.warc.gz
  webcap digest --source crawl.warc.gz http://h/p.html

` + details("identifiers.md"),
		Flags: slices.Concat(grouped(manual.Input,
			switchFlag("page", "Files are sources of pages"),
			switchFlag("text", "Files are pages; print text identifiers"),
			&cli.StringFlag{Name: "url", Usage: "`URL` URL of the page"},
		), formatFlags("table", "json"), grouped(manual.Output,
			switchFlag("explain", "Show the parts of the MD5 and other readings")),
			sourceFlags("Look up URLs in a source"), []cli.Flag{timeoutFlag("0")}),
		Action: limited(p.runDigest),
	}
}

// digestAlternatives are options that exclude each other.
var digestAlternatives = [][]string{
	{"page", "text"},
	{"source", "text"},
}

func (p *program) runDigest(c *cli.Context) error {
	if err := digestUsage(c); err != nil {
		return err
	}
	d := &digester{p: p, page: c.Bool("page"), text: c.Bool("text"), explain: c.Bool("explain"),
		url: c.String("url")}
	if c.IsSet("source") {
		src, err := p.openSources(c, allOf(c, "source"))
		if err != nil {
			return err
		}
		defer src.all.Close()
		d.src, d.search = src.all, page.FromSource(src.all)
		defer d.saySearch()
	}
	switch {
	case isJSON(c):
		d.w = show.NewJSON(p.stdout)
	case d.explain:
		d.w = show.NewText(p.stdout, p.width)
	}
	if takesURLs(c) {
		return d.runURLs(c.Context, c.Args().Slice())
	}
	return d.run(c.Context, c.Args().Slice())
}

// digestUsage returns an error for an invalid combination of options.
func digestUsage(c *cli.Context) error {
	if c.NArg() == 0 {
		if c.IsSet("source") {
			return usagef("digest", "name at least one file of a page with --page, or a URL without it")
		}
		return usagef("digest", "name at least one file, or - for standard input")
	}
	if err := exclusive(c, digestAlternatives); err != nil {
		return err
	}
	if c.IsSet("url") && !c.IsSet("page") {
		return usagef("digest", "--url needs --page")
	}
	if of := []string{"page", "text", "source"}; c.IsSet("explain") && !slices.ContainsFunc(of, c.IsSet) {
		return usagef("digest", "--explain needs --%s", strings.Join(of, " or --"))
	}
	if _, err := absoluteURL(c, "url"); err != nil {
		return err
	}
	if takesURLs(c) {
		return urlUsage(c)
	}
	return nil
}

// digester computes identifiers according to the options.
type digester struct {
	p          *program
	w          *show.Writer // nil for lines in the format of md5sum
	page, text bool         // files are sources of pages: identify pages, or their texts; else other files
	src        source.Source
	search     *page.Search // search in src; nil without a source
	url        string
	explain    bool
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

// open opens the named file, or standard input, and passes it to read. The error names the file, unless the context
// is done.
func (d *digester) open(ctx context.Context, name string, read func(io.Reader) error) error {
	var err error
	if name == batch.Stdin {
		err = read(infile.Interruptible(ctx, infile.Bounded(d.p.stdin)))
	} else if f, done, e := openNamed(name); e == nil {
		defer done()
		err = read(infile.Interruptible(ctx, infile.Bounded(f)))
	} else {
		err = e
	}
	if isEnd(err) {
		return context.Cause(ctx)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = oserror.Reason(e) // the read failed, not the function that processes the data
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// openNamed opens a file. If there is no such file, it opens a member of an archive. For a URL, the error
// says that the name is a URL.
func openNamed(name string) (*os.File, func(), error) {
	f, err := infile.Open(name)
	if err == nil {
		return f, func() { f.Close() }, nil
	}
	if !oserror.IsMissing(err) || !strings.Contains(name, archive.Separator) && !strings.Contains(name, "://") {
		return nil, nil, err
	}
	at, done, err := batch.Local(name)
	if err != nil {
		return nil, nil, err
	}
	if f, err = os.Open(at); err != nil {
		done()
		return nil, nil, err
	}
	return f, func() { f.Close(); done() }, nil
}

func (d *digester) run(ctx context.Context, names []string) error {
	for i, name := range names {
		var res *show.Digest
		end := d.p.working("file %d of %d: computing the identifier of %s", i+1, len(names), name)
		err := d.open(ctx, name, func(r io.Reader) (err error) {
			res, err = d.compute(name, r)
			return err
		})
		end()
		switch {
		case isEnd(err):
			return err
		case err != nil:
			d.p.say("%s", layout.OneLine(err))
			d.p.partial = true
			continue
		}
		if err := d.add(res); err != nil {
			return err
		}
	}
	return nil
}

// compute returns the identifier of a file in the selected reading.
func (d *digester) compute(name string, r io.Reader) (*show.Digest, error) {
	res := &show.Digest{File: nametree.Key(name)}
	if !d.page && !d.text {
		var err error
		res.ID, err = digest.Image(r)
		return res, err
	}
	src, err := page.ReadSource(r)
	if err != nil {
		return nil, err
	}
	if d.text {
		d.computeText(res, src)
		return res, nil
	}
	d.computePage(res, d.pageOf(name, src), name)
	return res, nil
}

// computePage computes the identifier of a page from its source.
func (d *digester) computePage(res *show.Digest, pg *page.Page, where string) {
	reading := page.Readings()[0]
	c := pg.Compute(reading)
	d.sayMissing(res.Name(), c.Missing)
	d.sayCapped(res.Name(), pg)
	res.ID, res.Reading = c.ID, reading.String()
	if d.explain {
		c.Pieces[0].Where = where
		res.Explain(c.Pieces, c.Missing)
		for _, o := range pg.Each() {
			addReading(res, o.Reading.String(), o.ID)
		}
	}
}

func (d *digester) computeText(res *show.Digest, src []byte) {
	mediaType := mediaTypeOf(res.Name())
	reading := page.TextReadings()[0]
	res.ID, res.Reading = page.Text(src, mediaType, reading), reading.String()
	if d.explain {
		for _, r := range page.TextReadings() {
			addReading(res, r.String(), page.Text(src, mediaType, r))
		}
	}
}

// addReading adds the result of a reading, unless res already has it.
func addReading(res *show.Digest, reading string, id digest.ID) {
	if id != res.ID && !slices.ContainsFunc(res.Others, func(o show.DigestReading) bool { return o.ID == id }) {
		res.Others = append(res.Others, show.DigestReading{Reading: reading, ID: id})
	}
}

func (d *digester) pageOf(name string, src []byte) *page.Page {
	if d.search == nil {
		return page.New(src, mediaTypeOf(name), d.url, nil)
	}
	url := d.url
	if url == "" && name != batch.Stdin {
		url = source.FileURL(name)
	}
	return page.New(src, mediaTypeOf(name), url, d.search.Find)
}

// sayMissing reports auxiliary files that were not found.
func (d *digester) sayMissing(name string, missing []page.Reference) {
	for _, m := range missing[:min(len(missing), maxNotes)] {
		d.p.say("%s: not found: %v %s", name, m.Kind, m.URL)
	}
	if more := len(missing) - maxNotes; more > 0 {
		d.p.say("%s: … and %s not found", name, layout.Count(more, "more file"))
	}
	if len(missing) > 0 && d.page && d.search != nil && d.url == "" {
		d.p.say("%s: if these URLs are wrong, give the URL of the page with --url", name)
	}
}

// mediaTypeOf guesses the media type of a file from its name; the default is HTML.
func mediaTypeOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".css":
		return "text/css"
	case ".pdf":
		return "application/pdf"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain"
	case ".xht", ".xhtml":
		return "application/xhtml+xml"
	}
	return "text/html"
}

// sayCapped reports that not all identifiers of a page were tried, because it has too many references or captures.
func (d *digester) sayCapped(name string, pg *page.Page) {
	if pg.Capped() {
		d.p.say("%s: %v", name, page.ErrCapped)
		d.p.partial = true
	}
}

// sumLine returns a line in the format of md5sum. It escapes bytes that would end the line, and marks a line with
// escapes by a backslash at its start.
func (p *program) sumLine(id digest.ID, name string) string {
	mark := ""
	if strings.ContainsAny(name, "\\\n\r") {
		mark, name = `\`, strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(name)
	}
	if p.width > 0 {
		name = layout.Printable(name)
	}
	return mark + id.String() + "  " + name
}
