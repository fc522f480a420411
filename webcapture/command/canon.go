package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

func (p *program) canon() *cli.Command {
	return &cli.Command{
		Name:      "canon",
		Usage:     "Convert URLs to canonical form",
		UsageText: "webcap canon [OPTIONS] [URL...]",
		Description: `Without a URL, or with -, webcap reads URLs from standard input, one per line, and
writes one line for each. The canonical form is the key of the URL in URLS.

  webcap canon HTTP://WWW.Example.com:80/a/./b#top
  webcap canon --explain --base http://a.example/b/c ../d
  webcap canon < urls.txt | diff urls.txt -

` + details("canonicalization.md"),
		Flags: slices.Concat(grouped(manual.Input,
			&cli.StringFlag{Name: "base", Usage: "`URL` Base of relative URLs"},
		), formatFlags("table", "json"), grouped(manual.Output,
			switchFlag("explain", "Show the steps that changed a URL"),
		), grouped(manual.Rules, &cli.StringFlag{Name: "profile", Value: canon.PDF.Name(),
			Usage: "`NAME` Profile [possible: " + strings.Join(profileNames(), ", ") + "]"})),
		Action: p.runCanon,
	}
}

func profileNames() []string {
	var names []string
	for _, c := range canon.Profiles() {
		names = append(names, c.Name())
	}
	return names
}

func (p *program) runCanon(c *cli.Context) error {
	r, err := p.reducer(c)
	if err != nil {
		return err
	}
	if args := c.Args().Slice(); len(args) > 0 && !slices.Equal(args, []string{batch.Stdin}) {
		r.noun = "URL"
		for _, url := range args {
			if err := r.add([]byte(url)); err != nil {
				return cannotWrite(err)
			}
		}
		r.countNotes()
		return nil
	}
	if f, ok := p.stdin.(*os.File); ok && terminal.Width(f) > 0 {
		p.say("canon reads URLs from the keyboard, one per line; end with Ctrl-D, or Ctrl-Z on Windows")
	}
	return r.run(c.Context, infile.Interruptible(c.Context, p.stdin))
}

// reducer returns the reducer for the options.
func (p *program) reducer(c *cli.Context) (*reducer, error) {
	base, err := absoluteURL(c, "base")
	if err != nil {
		return nil, err
	}
	profile, _ := canon.Lookup(c.String("profile"))
	if c.IsSet("base") && !profile.ResolvesRelative() {
		return nil, usagef("canon", "--base needs a profile that resolves relative URLs; %s does not", profile.Name())
	}
	r := &reducer{p: p, profile: profile, base: []byte(base), explain: c.Bool("explain"), noun: "line"}
	switch {
	case isJSON(c):
		r.w = show.NewJSON(p.stdout)
	case r.explain:
		r.w = show.NewText(p.stdout, p.width)
	}
	return r, nil
}

// reducer reads URLs, and writes their canonical forms according to the options.
type reducer struct {
	p       *program
	profile *canon.Profile
	base    []byte // empty for none
	explain bool
	w       *show.Writer // nil for results of one line
	noun    string       // noun for a URL in messages

	urls      int    // number of URLs
	relatives int    // number of relative URLs
	buf       []byte // for the result of a URL
}

const (
	maxURL   = 8 << 20 // maximum length of a URL in bytes; longer lines end the input
	maxNotes = 20      // number of printed notes; further notes are only counted
	maxNote  = 200     // maximum length of a URL in a note, in bytes
)

// run reduces the lines of an input. It writes results before it waits for more input: a user who types URLs, or pipes
// them one by one, gets each result immediately.
func (r *reducer) run(ctx context.Context, in io.Reader) error {
	lines := bufio.NewReaderSize(in, maxURL+1)
	for {
		if read, _ := lines.Peek(lines.Buffered()); bytes.IndexByte(read, '\n') < 0 {
			if err := r.p.stdout.Flush(); err != nil {
				return cannotWrite(err)
			}
		}
		line, err := lines.ReadSlice('\n')
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err == nil || err == io.EOF && len(line) > 0 {
			if err := r.add(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
				return cannotWrite(err)
			}
		}
		if err == nil {
			continue
		}
		r.countNotes()
		if err == bufio.ErrBufferFull {
			err = fmt.Errorf("a URL is longer than %d bytes; later URLs were not read", maxURL)
		}
		if err != io.EOF {
			r.p.say("%s: %s", batch.Stdin, layout.OneLine(err))
			r.p.partial = true
		}
		return nil
	}
}

// add writes the result of a URL, and reports a relative URL. The error is a write error.
func (r *reducer) add(url []byte) error {
	result := r.profile.Resolve(r.buf[:0], r.base, url)
	r.buf = result
	r.urls++
	relative := len(r.base) == 0 && !canon.Split(url).Absolute() &&
		!canon.Split(result).Absolute() // some profiles complete a URL without a base
	if relative {
		r.note(url)
	}
	if r.w != nil {
		return r.w.Add(r.result(url, relative))
	}
	if r.p.width > 0 {
		result = []byte(layout.Printable(string(result)))
	}
	r.p.stdout.Write(result)
	return r.p.stdout.WriteByte('\n') // after an error of Write, it returns the same error
}

// countNotes reports the number of relative URLs that note left out.
func (r *reducer) countNotes() {
	if more := r.relatives - maxNotes; more > 0 {
		r.p.say("… and %s", layout.Count(more, "more relative URL"))
	}
}

// note reports a relative URL. Without a base, it has no canonical form.
func (r *reducer) note(url []byte) {
	r.p.partial = true
	if r.relatives++; r.relatives > maxNotes {
		return
	}
	text := string(url[:min(len(url), maxNote)])
	if len(url) > maxNote {
		text += " …"
	}
	r.p.say("%s %d: relative URL without --base: %q", r.noun, r.urls, text)
}

// result returns everything that the options request. r.buf has the canonical form.
func (r *reducer) result(url []byte, relative bool) *show.CanonResult {
	res := &show.CanonResult{URL: nametree.Key(url), Profile: r.profile.Name(), Canonical: nametree.Key(r.buf),
		Changed: !bytes.Equal(url, r.buf), Relative: relative, Explained: r.explain}
	if r.explain {
		var diagnosis *canon.Diagnosis // exists only for profile PDF
		if r.profile == canon.PDF {
			if d, ok := canon.Diagnose(url); ok {
				diagnosis = &d
			}
		}
		res.Explain(r.profile.Trace(r.base, url), diagnosis)
	}
	return res
}
