package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

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
  webcap keep in.pdf out.pdf -- pdftk in.pdf cat output out.pdf

` + details("rewrite.md"),
		Flags:  passwordFlags(),
		Action: p.runKeep,
	}
}

// keptFile is an original, and the file that a command makes from it.
type keptFile struct {
	in, out   string
	passwords []string
	queries   []find.Query // all keys of the original
}

func (p *program) runKeep(c *cli.Context) (err error) {
	i := slices.Index(p.args, "--")
	if i < 0 || i+1 == len(p.args) || c.NArg() != 2+len(p.args)-i-1 {
		return usagef("keep", "expected IN OUT -- COMMAND, for example: webcap keep in.pdf out.pdf -- "+
			"pdfcpu optimize in.pdf out.pdf")
	}
	k, command := &keptFile{in: c.Args().Get(0), out: c.Args().Get(1)}, p.args[i+1:]
	if sameFile(k.in, k.out) {
		return usagef("keep", "IN and OUT are the same file; name another file for OUT, in COMMAND too")
	}
	if k.passwords, err = p.passwords(c); err != nil {
		return err
	}
	captures, err := k.captures(c.Context, k.in)
	if err != nil {
		p.fail(k.in, err)
		return nil
	}
	if err := p.runTool(c.Context, command, k.out); err != nil {
		return err
	}
	if len(captures) == 0 {
		return p.printf("%s has no captures to keep\n", layout.Printable(k.in))
	}
	return p.restoreKept(c.Context, k, captures, filepath.Base(command[0]))
}

// runTool runs a command that writes the file out.
func (p *program) runTool(ctx context.Context, command []string, out string) error {
	before, _ := os.Stat(out)
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, p.stdout, p.stderr
	err := run.Run()
	if ctx.Err() != nil {
		return p.interruption()
	}
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() > 0 {
			p.passed = failed.ExitCode()
		}
		return fmt.Errorf("%s: %w", command[0], err)
	}
	if after, err := os.Stat(out); err == nil && before != nil && os.SameFile(before, after) &&
		before.ModTime().Equal(after.ModTime()) && before.Size() == after.Size() {
		return fmt.Errorf("%s did not write %s; name the file that it writes", command[0], out)
	}
	return nil
}

// restoreKept repairs the output of a command, and reports what is lost. captures are those of the original.
func (p *program) restoreKept(ctx context.Context, k *keptFile, captures map[int]string, command string) error {
	damaged, err := k.missing(ctx, captures)
	lost := damaged
	if err == nil && len(damaged) > 0 {
		if refused := k.repair(ctx); refused != nil {
			p.say("%s: %v; the file stays as %s wrote it", k.out, refusal(refused), command)
		} else {
			lost, err = k.missing(ctx, captures)
		}
	}
	if err != nil {
		p.fail(k.out, err)
		return nil
	}
	for _, q := range lost {
		p.say("lost: %v %v", q.Tree, q.Key)
	}
	p.wrong = len(lost) > 0
	return p.printf("%s damaged %d of %s; %d are back.\n", layout.Printable(command), len(damaged),
		layout.Count(len(captures), "key"), len(damaged)-len(lost))
}

// repair restores the keys of the original in the output. Without a repair, the output is unchanged.
func (k *keptFile) repair(ctx context.Context) error {
	plan, err := rewrite.Open(ctx, k.out, rewrite.Options{Passwords: k.passwords, From: []string{k.in}})
	if err != nil {
		return err
	}
	defer plan.Close()
	if plan.Empty() {
		return nil
	}
	_, err = plan.Install(ctx, rewrite.Target{InPlace: true, NoBackup: true})
	return err
}

// missing returns the keys that lead to another capture in the output than in the original, or to none.
func (k *keptFile) missing(ctx context.Context, captures map[int]string) (list []find.Query, err error) {
	found, err := k.captures(ctx, k.out)
	for i, q := range k.queries {
		if found[i] != captures[i] && captures[i] != "" {
			list = append(list, q)
		}
	}
	return list, err
}

// captures looks up all keys of the original in a file, as a viewer does. It returns the IDs of the captures that a
// viewer finds, by query. The first file is the original.
func (k *keptFile) captures(ctx context.Context, path string) (captures map[int]string, err error) {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: k.passwords})
	if err != nil {
		return nil, err
	}
	defer f.Close()
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
		captures = map[int]string{}
		res, err := find.New(k.queries).Search(f)
		for i := 0; err == nil && i < len(res.Matches); i++ {
			if m := &res.Matches[i]; m.Answer == find.Found {
				captures[m.Query] += string(m.Capture.ID)
			}
		}
		return err
	})
	return captures, err
}
