package command

// Identifiers of captures of URLs in sources.

import (
	"cmp"
	"context"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// takesURLs reports whether the arguments are URLs to look up in sources. Otherwise, they are files.
func takesURLs(c *cli.Context) bool { return c.IsSet("source") && !c.IsSet("page") }

// urlUsage returns an error for invalid arguments that are URLs.
func urlUsage(c *cli.Context) error {
	for _, arg := range c.Args().Slice() {
		if canon.Split([]byte(arg)).Absolute() {
			continue
		}
		if _, err := os.Stat(arg); err == nil {
			return usagef("digest", "%q is a file, and --source without --page takes URLs, did you mean --page %s?",
				arg, arg)
		}
		return usagef("digest", "--source without --page takes absolute URLs, not %q", arg)
	}
	return nil
}

// runURLs computes the identifiers of the captures of URLs in the sources.
func (d *digester) runURLs(ctx context.Context, urls []string) error {
	for _, url := range urls {
		found := false
		for f := range d.search.Find(url) { // saySearch reports the errors
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			found = true
			if err := d.addFile(url, &f); err != nil {
				return err
			}
		}
		if !found {
			d.p.partial = true
			d.p.say("%s: no source has a readable capture of the URL", url)
		}
	}
	return nil
}

// addFile writes the identifier of one capture of a URL. The error is a write error.
func (d *digester) addFile(url string, f *page.File) error {
	res, err := d.ofFile(url, f)
	if err != nil {
		d.p.partial = true
		d.p.say("%s: %s: %s", url, f.Where, layout.OneLine(err))
		return nil
	}
	if f.Doubt != "" {
		d.p.say("%s: %s may differ from the retrieved data: %s", url, f.Where, f.Doubt)
	}
	return d.add(res)
}

// ofFile returns the identifier of a page with auxiliary files, or of a single file.
func (d *digester) ofFile(url string, f *page.File) (*show.Digest, error) {
	res := &show.Digest{URL: nametree.Key(url), Where: nametree.Key(f.Where), ID: f.ID, Reading: "the file itself"}
	if !f.Refers() {
		return res, nil
	}
	data, err := d.search.Data(f)
	if err != nil {
		return nil, err
	}
	d.computePage(res, page.New(data, f.MediaType, cmp.Or(f.URL, url), d.search.Find), f.Where)
	return res, nil
}

// add writes a result.
func (d *digester) add(res *show.Digest) error {
	var err error
	if d.w != nil {
		err = d.w.Add(res)
	} else {
		err = d.p.printf("%s\n", d.p.sumLine(res.ID, res.Name()))
	}
	if err != nil {
		return cannotWrite(err)
	}
	return nil
}
