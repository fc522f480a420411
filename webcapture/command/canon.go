package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/printer"
)

func (p *program) canon() *cli.Command {
	var profiles strings.Builder
	for _, c := range canon.Profiles() {
		label := "  " + pad(c.Name(), len("wwwoffle29e")) + "  "
		for _, l := range layout.Wrap(c.Doc(), 80-len(label)) {
			profiles.WriteString(label + l + "\n")
			label = strings.Repeat(" ", len(label))
		}
	}
	return &cli.Command{
		Name:      "canon",
		Usage:     "reduce URLs to the form in which they are keys",
		UsageText: "webcap canon [OPTIONS] [URL...]",
		Description: `Without a URL, or with - for the only one, URLs are read from standard input,
one a line, and what becomes of each is a line of the output. A line holds any
bytes, a carriage return at its end included, which come out unharmed; a
terminal is shown escapes for those that it cannot print. Profiles:

` + profiles.String() + `
  webcap canon HTTP://WWW.Example.com:80/a/./b#top
  webcap canon --explain --base http://a.example/b/c ../d
  webcap canon --check < urls.txt`,
		Flags: []cli.Flag{
			formatFlag(),
			&cli.StringFlag{Name: "profile", Value: canon.PDF.Name(), Usage: "reduce as the profile `NAME` does"},
			&cli.StringFlag{Name: "base", Usage: "make relative URLs absolute by means of this `URL`"},
			&cli.BoolFlag{Name: "explain", Usage: "say which steps changed a URL, and by which clause", DisableDefaultText: true},
			&cli.BoolFlag{Name: "compare", Usage: "show what every profile makes of a URL, and by which steps", DisableDefaultText: true},
			&cli.BoolFlag{Name: "check", Usage: "print the URLs that are not canonical, and exit with 1 if there are any", DisableDefaultText: true},
			&cli.BoolFlag{Name: "hash", Usage: "print the name that a WWWOFFLE cache has for a URL; the profile is wwwoffle29 then, if none is named", DisableDefaultText: true},
			&cli.BoolFlag{Name: "encode-component", Usage: "escape a URL as one component of another, once", DisableDefaultText: true},
			&cli.BoolFlag{Name: "decode", Usage: "decode escapes, once", DisableDefaultText: true},
			&cli.BoolFlag{Name: "null", Aliases: []string{"0"}, Usage: "end URLs with NUL instead of a line end, in and out", DisableDefaultText: true},
		},
		Action: p.runCanon,
	}
}

// canonAlternatives are options of which one call can have one.
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
	in, noun, end := p.stdin, "line", byte('\n')
	if c.Bool("null") {
		noun, end = "URL", 0
	}
	r.end = end
	if args := c.Args().Slice(); len(args) > 0 && !slices.Equal(args, []string{batch.Stdin}) {
		in, noun, end = strings.NewReader(strings.Join(args, "\x00")+"\x00"), "URL", 0 // which no argument can hold
	}
	rd := &reduction{p: p, r: r, noun: noun, progress: p.progress()}
	return rd.run(c.Context, in, end)
}

// reducer returns what the options ask for.
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
		return nil, usagef("canon", "there is no profile %q; it is one of %s", c.String("profile"), strings.Join(names, ", "))
	}
	if c.Bool("hash") && !c.IsSet("profile") {
		profile = canon.WWWOFFLE29 // whose names they are
	}
	base := []byte(c.String("base"))
	if c.IsSet("base") && !canon.Split(base).Absolute() {
		return nil, usagef("canon", "--base is an absolute URL, not %q", base)
	}
	r := &reducer{
		profile: profile, base: base,
		check: c.Bool("check"), compare: c.Bool("compare"), explain: c.Bool("explain"), hash: c.Bool("hash"),
		json: asJSON, terminal: p.width > 0,
	}
	switch {
	case c.Bool("encode-component"):
		r.op = printer.Encoded
	case c.Bool("decode"):
		r.op = printer.Decoded
	}
	return r, nil
}

// A reducer makes results of URLs as the options say. It is not changed once
// made, so that all cores can share it.
type reducer struct {
	op                            printer.CanonOp
	profile                       *canon.Profile
	base                          []byte // empty if there is none
	check, compare, explain, hash bool
	json, terminal                bool
	end                           byte // of a result
}

// writer returns what writes results that are more than a line of bytes; nil
// for those that are not.
func (r *reducer) writer(w io.Writer) printer.CanonWriter {
	switch {
	case r.json:
		return printer.NewCanonJSON(w)
	case r.explain, r.compare:
		return printer.NewCanonTable(w)
	}
	return nil
}

// add appends what becomes of url to the output of b.
func (r *reducer) add(b *portion, url []byte) error {
	result := b.result[:0]
	switch r.op {
	case printer.Reduced:
		result = r.profile.Resolve(result, r.base, url)
	case printer.Encoded:
		result = canon.EncodeComponent(result, url)
	case printer.Decoded:
		result = canon.Decode(result, url)
	}
	b.result = result
	relative := r.op == printer.Reduced && len(r.base) == 0 && !canon.Split(result).Absolute()
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
	if r.terminal {
		b.out = append(b.out, layout.Printable(string(text))...)
	} else {
		b.out = append(b.out, text...)
	}
	b.out = append(b.out, r.end)
	return nil
}

// result returns all that the options ask for. It aliases url and result.
func (r *reducer) result(url, result []byte, relative bool) *printer.CanonResult {
	res := &printer.CanonResult{URL: url, Result: result, Op: r.op, Relative: relative}
	if r.op == printer.Reduced && !r.compare {
		res.Profile = r.profile
	}
	if r.hash {
		res.Hash = canon.CacheName(result)
	}
	if r.explain {
		res.Explanation = r.explanation(url, result)
	}
	if r.compare {
		for _, p := range canon.Profiles() {
			res.Forms = append(res.Forms, printer.CanonForm{Profile: p, Form: p.Resolve(nil, r.base, url), Changes: p.Trace(r.base, url)})
		}
	}
	return res
}

func (r *reducer) explanation(url, result []byte) *printer.CanonExplanation {
	e := &printer.CanonExplanation{}
	coded := url
	switch r.op {
	case printer.Reduced:
		e.Changes = r.profile.Trace(r.base, url)
		if r.profile != canon.PDF {
			break // it is of PDF that a diagnosis speaks
		}
		if d, ok := canon.Diagnose(url); ok {
			e.Diagnosis = &d
		}
	case printer.Encoded:
		coded = result
	}
	if canon.DoubleCoded(coded) {
		once := canon.Decode(nil, coded)
		e.Twice = &printer.CanonTwice{Once: once, Again: canon.Decode(nil, once)}
	}
	return e
}

const (
	portionSize = 1 << 20 // of input that a core gets at a time, at most, but for long URLs
	verboseSize   = 1 << 16 // the same, where results are many times as long as URLs
	maxNotes    = 20      // that are said; the others are counted
	maxNote     = 200     // bytes of a URL in a note
)

// A portion is a stretch of the input, whole URLs each with its end, which the
// last of the input may lack; and what becomes of it.
type portion struct {
	size   int // of what is read at a time
	in     []byte
	out    []byte
	result []byte              // of one URL
	w      printer.CanonWriter // writes to out
	done   chan error

	urls  int
	wrong bool // not all are canonical
	found int  // relative URLs
	notes []note
}

// A note says that a URL is relative.
type note struct {
	index int // in its portion
	text  string
}

// Write appends to the output.
func (b *portion) Write(text []byte) (int, error) {
	b.out = append(b.out, text...)
	return len(text), nil
}

func (b *portion) note(url []byte) {
	if b.found++; b.found <= maxNotes {
		text := string(url[:min(len(url), maxNote)])
		if len(url) > maxNote {
			text += " …"
		}
		b.notes = append(b.notes, note{b.urls, text})
	}
}

// reset empties b for the next stretch. What an uncommonly long URL needed is
// given back.
func (b *portion) reset() {
	for _, buf := range [...]*[]byte{&b.in, &b.out, &b.result} {
		if cap(*buf) > 4*portionSize {
			*buf = nil
		}
		*buf = (*buf)[:0]
	}
	b.urls, b.wrong, b.found, b.notes = 0, false, 0, b.notes[:0]
}

// fill reads until b has a whole URL, keeps those that are whole, and appends
// what follows them to rest. It does not wait for more: who types URLs, or
// pipes them one by one, gets each answer at once. If in fails, the last URL is
// not whole.
func (b *portion) fill(in io.Reader, end byte, rest []byte) ([]byte, error) {
	for {
		// Here: there is no end in b.in.
		b.in = slices.Grow(b.in, b.size)
		from := len(b.in)
		n, err := in.Read(b.in[from : from+b.size])
		b.in = b.in[:from+n]
		whole := 0
		if i := bytes.LastIndexByte(b.in[from:], end); i >= 0 {
			whole = from + i + 1
		}
		switch {
		case err == io.EOF:
			return rest, err
		case err == nil && whole == 0:
			continue
		}
		rest = append(rest, b.in[whole:]...)
		b.in = b.in[:whole]
		return rest, err
	}
}

// reduce makes the output of b.
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

// A reduction is a run over an input: one goroutine reads portions, as many as
// there are cores reduce them, and one writes them in the order of the input.
// The number of portions is fixed, so that memory does not grow with the input.
type reduction struct {
	p        *program
	r        *reducer
	noun     string // for a URL with its end
	progress progress

	urls  int // that have been written, as all of this
	found int // relative ones
	wrong bool
	err   error // that ended the input, once all has been read
}

func (rd *reduction) run(ctx context.Context, in io.Reader, end byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cores := runtime.GOMAXPROCS(0)
	free := make(chan *portion, cores+2) // one is read, one written
	work, order := make(chan *portion, cap(free)), make(chan *portion, cap(free))
	for range cap(free) {
		b := &portion{size: portionSize, done: make(chan error, 1)}
		if b.w = rd.r.writer(b); b.w != nil {
			b.size = verboseSize
		}
		free <- b
	}
	go rd.read(ctx, in, end, free, work, order)
	for range cores {
		go func() {
			for b := range work {
				b.done <- rd.r.reduce(b, end)
			}
		}()
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	defer rd.progress.clear()
	var b *portion // whose turn it is; nil if that is not known yet
	for {
		next, done := order, chan error(nil)
		if b != nil {
			next, done = nil, b.done
		}
		select {
		case <-ctx.Done():
			return errInterrupted
		case now := <-tick.C:
			rd.progress.show(now, rd.urls)
		case first, ok := <-next:
			if !ok {
				rd.finish()
				return nil
			}
			b = first
		case err := <-done:
			if err == nil {
				err = rd.write(b)
			}
			if err == nil && len(order) == 0 {
				err = rd.p.stdout.Flush() // somebody may be waiting for it
			}
			if err != nil {
				return cannotWrite(err)
			}
			free <- b
			b = nil
		}
	}
}

// read reads in, portion by portion.
func (rd *reduction) read(ctx context.Context, in io.Reader, end byte, free <-chan *portion, work, order chan<- *portion) {
	defer close(order)
	defer close(work)
	var rest []byte
	for rd.err == nil {
		select {
		case <-ctx.Done():
			return
		case b := <-free:
			b.reset()
			b.in = append(b.in, rest...)
			rest, rd.err = b.fill(in, end, rest[:0])
			work <- b // there is room for all portions
			order <- b
		}
	}
}

// write writes what became of b, and says which of its URLs are relative.
func (rd *reduction) write(b *portion) error {
	if len(b.notes) > 0 && rd.found < maxNotes {
		rd.progress.clear()
		for _, n := range b.notes[:min(len(b.notes), maxNotes-rd.found)] {
			rd.p.say("%s %d: a relative URL, and no --base: %q", rd.noun, rd.urls+n.index+1, n.text)
		}
	}
	rd.urls += b.urls
	rd.found += b.found
	rd.wrong = rd.wrong || b.wrong
	_, err := rd.p.stdout.Write(b.out)
	return err
}

// finish says what is left to say at the end of the input.
func (rd *reduction) finish() {
	rd.progress.clear()
	if more := rd.found - maxNotes; more > 0 {
		rd.p.say("… and %s", layout.Count(more, "more relative URL"))
	}
	switch {
	case rd.err != io.EOF:
		rd.p.say("%s: %s", batch.Stdin, layout.OneLine(rd.err))
		rd.p.code = exitFailed
	case rd.wrong:
		rd.p.code = exitFindings
	}
}

const (
	progressAfter = 2 * time.Second
	progressEvery = time.Second / 4
)

// progress is a line on a terminal that says how far a long run has got. It is
// none if w is nil.
type progress struct {
	w     io.Writer
	start time.Time
	shown bool
}

// progress returns one for standard error, unless that is not a terminal, or the
// results go to one too.
func (p *program) progress() progress {
	if p.width > 0 || terminalWidth(p.stderr) == 0 {
		return progress{}
	}
	return progress{w: p.stderr, start: time.Now()}
}

func (g *progress) show(now time.Time, urls int) {
	if g.w == nil || now.Sub(g.start) < progressAfter {
		return
	}
	g.shown = true
	fmt.Fprintf(g.w, "\r%d URLs, %d a second\x1b[K", urls, int(float64(urls)/now.Sub(g.start).Seconds()))
}

func (g *progress) clear() {
	if g.shown {
		g.shown = false
		io.WriteString(g.w, "\r\x1b[K")
	}
}
