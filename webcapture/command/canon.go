package command

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
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
  webcap canon --check < urls.txt

` + details("canonicalization.md"),
		Flags: slices.Concat(grouped(manual.Input,
			&cli.StringFlag{Name: "base", Usage: "`URL` Base of relative URLs"},
			switchFlag("null", "URLs end in NUL, in input and output", "0"),
		), formatFlags(), grouped(manual.Output,
			switchFlag("explain", "Show the steps that changed a URL"),
			switchFlag("compare", "Show the result of each profile"),
			switchFlag("check", "Print URLs that are not canonical; exit 1"),
			switchFlag("hash", "Print the WWWOFFLE cache name of a URL"),
			switchFlag("encode-component", "Escape a URL as a component of another one"),
			switchFlag("decode", "Decode escapes once"),
		), grouped(manual.Rules, &cli.StringFlag{Name: "profile", Value: canon.PDF.Name(),
			Usage: "`NAME` Profile [possible: " + strings.Join(profileNames(), ", ") + "]"},
			switchFlag("free-text", "Strip <URL:, <, >, and quotes (hyvatti)"),
			&cli.StringFlag{Name: "local-host", DefaultText: "localhost:8080",
				Usage: "`NAME` Host of URLs without one (wwwoffle)"})),
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

// canonAlternatives are options that exclude each other.
var canonAlternatives = [][]string{
	{"check", "compare", "decode", "encode-component", "hash"},
	{"check", "compare", "explain", "hash"},
	{"compare", "profile"},
	{"decode", "base"},
	{"decode", "profile"},
	{"encode-component", "base"},
	{"encode-component", "profile"},
}

func (p *program) runCanon(c *cli.Context) error {
	r, err := p.reducer(c)
	if err != nil {
		return err
	}
	in, noun, end, keyboard := p.stdin, "line", byte('\n'), false
	if c.Bool("null") {
		noun, end = "URL", 0
	}
	r.end = end
	if args := c.Args().Slice(); len(args) > 0 && !slices.Equal(args, []string{batch.Stdin}) {
		in, noun, end = strings.NewReader(strings.Join(args, "\x00")+"\x00"), "URL", 0 // arguments cannot contain NUL
	} else if f, ok := p.stdin.(*os.File); ok && terminal.Width(f) > 0 {
		keyboard = true
		p.say("canon reads URLs from the keyboard, one per line; end with Ctrl-D, or Ctrl-Z on Windows")
	}
	rd := &reduction{p: p, r: r, noun: noun}
	if !keyboard {
		defer p.progress.Show(rd.text)()
	}
	return rd.run(c.Context, in, end)
}

// reducer returns the reducer for the options.
func (p *program) reducer(c *cli.Context) (*reducer, error) {
	if err := exclusive(c, canonAlternatives); err != nil {
		return nil, err
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return nil, err
	}
	profile, ok := canon.Lookup(c.String("profile"))
	if !ok {
		var names []string
		for _, p := range canon.Profiles() {
			names = append(names, p.Name())
		}
		return nil, usagef("canon", "unknown profile %q; use one of %s", c.String("profile"),
			strings.Join(names, ", "))
	}
	if c.Bool("hash") && !c.IsSet("profile") {
		profile = canon.WWWOFFLE29 // --hash prints names of a WWWOFFLE cache
	}
	isWWWOFFLE := strings.HasPrefix(profile.Name(), "wwwoffle")
	switch {
	case c.Bool("free-text") && profile != canon.Hyvatti:
		return nil, usagef("canon", "--free-text needs --profile hyvatti")
	case c.IsSet("local-host") && !isWWWOFFLE:
		return nil, usagef("canon", "--local-host needs a profile of WWWOFFLE, such as --profile wwwoffle29")
	}
	if c.Bool("free-text") || c.IsSet("local-host") {
		profile = profile.With(canon.Options{FreeText: c.Bool("free-text"), LocalHost: c.String("local-host")})
	}
	base, err := baseOf(c)
	if err != nil {
		return nil, err
	}
	if c.IsSet("base") && !profile.ResolvesRelative() {
		return nil, usagef("canon", "--base needs a profile that resolves relative URLs; %s does not", profile.Name())
	}
	r := &reducer{
		profile: profile, base: []byte(base),
		check: c.Bool("check"), compare: c.Bool("compare"), explain: c.Bool("explain"), hash: c.Bool("hash"),
		json: asJSON, width: p.width,
	}
	switch {
	case c.Bool("encode-component"):
		r.op = encoded
	case c.Bool("decode"):
		r.op = decoded
	}
	return r, nil
}

// A canonOp is what to do with a URL.
type canonOp uint8

const (
	reduced canonOp = iota
	encoded         // encoded as one component, once
	decoded         // decoded once
)

// reducer computes the results of URLs according to the options. Goroutines share it, because nothing modifies it
// during a run.
type reducer struct {
	op                            canonOp
	profile                       *canon.Profile
	base                          []byte // empty for none
	check, compare, explain, hash bool
	json                          bool
	width                         int  // of the terminal; 0 if results go elsewhere
	end                           byte // delimiter after each result
}

// writer returns a writer for results of several lines, or nil if results have one line.
func (r *reducer) writer(w io.Writer) *show.Writer {
	switch {
	case r.json:
		return show.NewJSON(w)
	case r.explain, r.compare:
		return show.NewText(w, r.width)
	}
	return nil
}

// add appends the result of a URL to the output of b.
func (r *reducer) add(b *portion, url []byte) error {
	result := b.result[:0]
	switch r.op {
	case reduced:
		result = r.profile.Resolve(result, r.base, url)
	case encoded:
		result = canon.EncodeComponent(result, url)
	case decoded:
		result = canon.Decode(result, url)
	}
	b.result = result
	relative := r.op == reduced && len(r.base) == 0 && !canon.Split(url).Absolute() &&
		!canon.Split(result).Absolute() // some profiles complete a URL without a base
	if relative {
		b.note(url)
	}
	b.urls++
	if r.check {
		if !relative && bytes.Equal(result, url) {
			return nil
		}
		b.wrong = true
	}
	if b.w != nil {
		return b.w.Add(r.result(url, result, relative))
	}
	var text []byte
	switch {
	case r.hash:
		text = []byte(canon.CacheName(result))
	case r.check:
		text = url
	default:
		text = result
	}
	if r.width > 0 {
		b.out = append(b.out, layout.Printable(string(text))...)
	} else {
		b.out = append(b.out, text...)
	}
	b.out = append(b.out, r.end)
	return nil
}

// result returns everything that the options request.
func (r *reducer) result(url, result []byte, relative bool) *show.CanonResult {
	res := &show.CanonResult{URL: jsondoc.Key(url), Relative: relative, Explained: r.explain}
	if r.compare {
		for _, p := range canon.Profiles() {
			res.Compare(p, p.Resolve(nil, r.base, url), p.Trace(r.base, url))
		}
		return res
	}
	form := jsondoc.Key(result)
	switch r.op {
	case reduced:
		res.Profile, res.Canonical = r.profile.Name(), &form
	case encoded:
		res.Encoded = &form
	case decoded:
		res.Decoded = &form
	}
	res.Changed = new(form != res.URL)
	if r.hash {
		res.Hash = canon.CacheName(result)
	}
	if r.explain {
		r.explainTo(res, url, result)
	}
	return res
}

// explainTo adds the explanation of a result.
func (r *reducer) explainTo(res *show.CanonResult, url, result []byte) {
	coded := url
	switch r.op {
	case reduced:
		var diagnosis *canon.Diagnosis // exists only for profile PDF
		if r.profile == canon.PDF {
			if d, ok := canon.Diagnose(url); ok {
				diagnosis = &d
			}
		}
		res.Explain(r.profile.Trace(r.base, url), diagnosis)
	case encoded:
		coded = result
	}
	if canon.DoubleCoded(coded) {
		once := canon.Decode(nil, coded)
		res.Twice = &show.CanonTwice{Once: jsondoc.Key(once), Again: jsondoc.Key(canon.Decode(nil, once))}
	}
}

// reduce computes the output of b.
func (r *reducer) reduce(b *portion, end byte) error {
	for rest := b.in; len(rest) > 0; {
		url := rest
		if i := bytes.IndexByte(rest, end); i >= 0 {
			url, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if err := r.add(b, url); err != nil {
			return err
		}
	}
	return nil
}
