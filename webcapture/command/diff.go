package command

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/report"
)

func (p *program) diff() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "Compare two PDF files",
		UsageText: "webcap diff [OPTIONS] BEFORE AFTER",
		Description: `webcap compares the meaning of two content databases: keys, content sets, IDs of
pages, and links. Object numbers and compression do not count. Exit codes: 0
same, 1 different, 2 wrong command line, 3 not compared, 4 no database.

  webcap diff before.pdf after.pdf

` + details("diff.md"),
		Flags:  slices.Concat(formatFlags("table", "json"), []cli.Flag{timeoutFlag()}, passwordFlags()),
		Action: p.runDiff,
	}
}

func (p *program) runDiff(c *cli.Context) error {
	if c.NArg() != 2 {
		return usagef("diff", "name two files")
	}
	asJSON := isJSON(c)
	limit, err := timeoutOf(c)
	if err != nil {
		return err
	}
	passwords, err := p.passwords(c)
	if err != nil {
		return err
	}
	saveMemory(c.Args().Slice()...)
	ctx := c.Context
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, report.TimeLimit(limit))
		defer cancel()
	}
	end := p.working("comparing %s and %s", c.Args().Get(0), c.Args().Get(1))
	res, err := compare(ctx, c.Args().Get(0), c.Args().Get(1), webcapture.Options{Passwords: passwords})
	end()
	if errors.Is(err, errInterrupted) {
		return p.interruption()
	}
	if e, ok := errors.AsType[*diff.FileError](err); ok {
		p.fail(e.Path, e.Err)
		return nil
	}
	for _, s := range []*audit.Report{res.A, res.B} {
		p.unread(s.Path, "compared", s.Unread)
	}
	if asJSON {
		err = show.WriteDiffJSON(p.stdout, res, moduleVersion())
	} else {
		err = show.WriteDiff(p.stdout, res, p.width)
	}
	if err == nil && lostSets(res) && !asJSON {
		err = p.printf("Restore the lost content sets whose pages still exist: %s\n",
			report.RewriteCommand(res.B.Path, res.A.Path, c.String("password-file")))
	}
	if err != nil {
		return cannotWrite(err)
	}
	p.seek(res.Present())
	p.wrong = !res.Same()
	if !res.Present() && res.Whole() {
		p.say("no Web Capture content database in either file: nothing to compare")
	}
	return nil
}

// compare compares two files, which may be in archives.
func compare(ctx context.Context, a, b string, opt webcapture.Options) (*diff.Result, error) {
	var at [2]string
	for i, name := range []string{a, b} {
		path, done, err := batch.Local(name)
		if err != nil {
			return nil, &diff.FileError{Path: name, Err: err}
		}
		defer done()
		at[i] = path
	}
	res, err := diff.Files(ctx, at[0], at[1], opt)
	if e, ok := errors.AsType[*diff.FileError](err); ok {
		name := a
		if e.Path == at[1] && a != b {
			name = b
		}
		return nil, &diff.FileError{Path: name, Err: e.Err}
	}
	if err != nil {
		return nil, err
	}
	res.A.Path, res.B.Path = a, b
	return res, nil
}

// lostSets reports whether the second file lacks data that a rewrite may restore from the first. Keys alone are
// repaired without it, and links do not change. A file that was not read completely may still have the data.
func lostSets(res *diff.Result) bool {
	return res.Whole() && slices.ContainsFunc(res.Changes, func(c diff.Change) bool {
		return c.Kind == diff.Lost && c.Place.Part != diff.TreeKey && c.Place.Part < diff.RetainedLink
	})
}
