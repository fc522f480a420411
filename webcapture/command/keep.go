package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

func (p *program) keep() *cli.Command {
	return &cli.Command{
		Name:      "keep",
		Usage:     "Run a PDF tool, and keep the captures",
		UsageText: "webcap keep [OPTIONS] IN OUT -- COMMAND...",
		Description: `webcap runs COMMAND, which makes OUT from IN. Then it repairs OUT with IN as the
original, and says what is lost. If COMMAND fails, webcap ends with its exit code.

  webcap keep in.pdf out.pdf -- pdfcpu optimize in.pdf out.pdf

` + details("rewrite.md"),
		Flags:  passwordFlags(),
		Action: p.runKeep,
	}
}

// keptFile is an original, and the file that a command makes from it.
type keptFile struct {
	in, out string
	opt     webcapture.Options
	queries []find.Query // all keys of the original
	wanted  []string     // by query: the IDs of the captures that a viewer finds in the original; "" for none
}

func (p *program) runKeep(c *cli.Context) (err error) {
	if c.NArg() < 3 {
		return usagef("keep", "expected IN OUT -- COMMAND, as in webcap keep a.pdf b.pdf -- cpdf a.pdf -o b.pdf")
	}
	k, command := &keptFile{in: c.Args().Get(0), out: c.Args().Get(1)}, c.Args().Slice()[2:]
	if _, err := os.Lstat(k.out); err == nil {
		return usagef("keep", "%s exists: remove it, or name another file for OUT, in COMMAND too", k.out)
	}
	if k.opt.Passwords, err = p.passwords(c); err != nil {
		return err
	}
	if _, err := k.missing(c.Context, k.in); err != nil {
		p.fail(k.in, err)
		return nil
	}
	run := exec.CommandContext(c.Context, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, p.stdout, p.stderr
	if err := run.Run(); err != nil {
		if c.Context.Err() != nil {
			return p.interruption()
		}
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			p.passed = max(failed.ExitCode(), 0)
		}
		return fmt.Errorf("%s: %w", command[0], err)
	}
	if err := p.restoreKept(c.Context, k, filepath.Base(command[0])); err != nil {
		p.fail(k.out, err)
	}
	return nil
}

// restoreKept repairs the output of a command, and reports what is lost.
func (p *program) restoreKept(ctx context.Context, k *keptFile, command string) error {
	damaged, err := k.missing(ctx, k.out)
	if err == nil && len(damaged) > 0 {
		if refused := k.repair(ctx); refused != nil {
			p.say("%s: %v; the file stays as %s wrote it", k.out, refusal(refused), command)
		}
	}
	lost, again := k.missing(ctx, k.out)
	if err = cmp.Or(err, again); err != nil {
		return err
	}
	for _, q := range lost {
		p.say("lost: %v %v", q.Tree, q.Key)
	}
	p.wrong = len(lost) > 0
	return p.printf("%s damaged %d of %s; %d are back.\n", layout.Printable(command), len(damaged),
		layout.Count(len(k.queries), "key"), len(damaged)-len(lost))
}

// repair restores the keys of the original in the output. Without a repair, the output is unchanged.
func (k *keptFile) repair(ctx context.Context) error {
	plan, err := rewrite.Open(ctx, k.out, rewrite.Options{Passwords: k.opt.Passwords, From: []string{k.in}})
	if err != nil {
		return err
	}
	defer plan.Close()
	if !plan.Empty() {
		_, err = plan.Install(ctx, rewrite.Target{InPlace: true, NoBackup: true})
	}
	return err
}

// missing looks up all keys of the original in a file, as a viewer does. It returns the keys that lead to another capture
// than in the original, or to none. The first file is the original itself.
func (k *keptFile) missing(ctx context.Context, path string) (list []find.Query, err error) {
	f, err := webcapture.Open(ctx, path, k.opt)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []string
	err = f.RetryWithoutXRef(func() error {
		if path == k.in {
			db, err := f.Database()
			if err != nil {
				return err
			}
			k.queries = nil
			for _, t := range db.Trees() {
				for _, e := range t.Entries() {
					k.queries = append(k.queries, find.Query{Tree: t.Name, Key: e.Key})
				}
			}
		}
		found = make([]string, len(k.queries))
		res, err := find.New(k.queries).Search(f)
		for i := 0; err == nil && i < len(res.Matches); i++ {
			if m := &res.Matches[i]; m.Answer == find.Found {
				found[m.Query] += string(m.Capture.ID)
			}
		}
		return err
	})
	if path == k.in {
		k.wanted = found
	}
	for i, q := range k.queries {
		if err == nil && k.wanted[i] != "" && k.wanted[i] != found[i] {
			list = append(list, q)
		}
	}
	return list, err
}
