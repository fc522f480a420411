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
	"github.com/webcap-tools/webcap/webcapture/audit"
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
	queries   []find.Query   // keys of the original
	captures  map[int]string // IDs of the captures that a viewer finds in the original, by query
}

func (p *program) runKeep(c *cli.Context) error {
	k, command, err := p.parseKeep(c)
	if err != nil {
		return err
	}
	if err := k.readOriginal(c.Context); err != nil {
		p.fail(k.in, err)
		return nil
	}
	before, _ := os.Stat(k.out)
	run := exec.CommandContext(c.Context, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, p.stdout, p.stderr
	err = run.Run()
	if c.Context.Err() != nil {
		return p.interruption()
	}
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() > 0 {
			p.passed = failed.ExitCode()
		}
		return fmt.Errorf("%s: %w", command[0], err)
	}
	if after, err := os.Stat(k.out); err == nil && before != nil && os.SameFile(before, after) &&
		before.ModTime().Equal(after.ModTime()) && before.Size() == after.Size() {
		return fmt.Errorf("%s did not write %s; name the file that it writes", command[0], k.out)
	}
	if len(k.captures) == 0 {
		return p.printf("%s has no captures to keep\n", layout.Printable(k.in))
	}
	return p.restoreKept(c.Context, k, filepath.Base(command[0]))
}

// parseKeep parses the command line.
func (p *program) parseKeep(c *cli.Context) (k *keptFile, command []string, err error) {
	i := slices.Index(p.args, "--")
	if i < 0 || i+1 == len(p.args) || c.NArg() != 2+len(p.args)-i-1 {
		return nil, nil, usagef("keep", "expected IN OUT -- COMMAND, for example: webcap keep in.pdf out.pdf -- "+
			"pdfcpu optimize in.pdf out.pdf")
	}
	k = &keptFile{in: c.Args().Get(0), out: c.Args().Get(1)}
	if k.in == k.out || sameFile(k.in, k.out) {
		return nil, nil, usagef("keep", "IN and OUT are the same file; name another file for OUT, in COMMAND too")
	}
	k.passwords, err = p.passwords(c, k.in, k.out)
	return k, p.args[i+1:], err
}

// restoreKept repairs the output of a command, and reports what is lost.
func (p *program) restoreKept(ctx context.Context, k *keptFile, command string) error {
	damaged, err := k.missing(ctx)
	if err != nil {
		p.fail(k.out, err)
		return nil
	}
	lost := damaged
	if len(damaged) > 0 {
		if err := k.repair(ctx); err != nil {
			p.say("%s: %v; the file stays as %s wrote it", k.out, refusal(err), command)
		} else if lost, err = k.missing(ctx); err != nil {
			p.fail(k.out, err)
			return nil
		}
	}
	text := command + " damaged no keys"
	switch {
	case len(damaged) > 0 && len(lost) == 0:
		text = fmt.Sprintf("%s damaged %s; all %d are back", command, layout.Count(len(damaged), "key"), len(damaged))
	case len(damaged) > 0:
		text = fmt.Sprintf("%s damaged %s; %d are back", command, layout.Count(len(damaged), "key"),
			len(damaged)-len(lost))
	}
	all, without := map[string]bool{}, map[string]bool{}
	for _, id := range k.captures {
		all[id] = true
	}
	for _, i := range lost {
		without[k.captures[i]] = true
		p.say("lost: %v %v", k.queries[i].Tree, k.queries[i].Key)
	}
	p.wrong = len(lost) > 0
	verb := "are"
	if len(all) == 1 {
		verb = "is"
	}
	return p.printf("%s. %d of %s %s found as before.\n", layout.Printable(text), len(all)-len(without),
		layout.Count(len(all), "capture"), verb)
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

// readOriginal finds the keys of the original, and the captures to which they lead.
func (k *keptFile) readOriginal(ctx context.Context) (err error) {
	if err := k.read(ctx, k.in, func(f *webcapture.File) error {
		k.queries = nil // reading may start again
		db, err := f.Database()
		if err != nil {
			return err
		}
		for _, t := range db.Trees() {
			for _, e := range t.Entries() {
				k.queries = append(k.queries, find.Query{Text: e.Key.String(), Tree: t.Name, Key: e.Key})
			}
		}
		return nil
	}); err != nil {
		return err
	}
	k.captures, err = k.find(ctx, k.in)
	return err
}

// missing returns the keys that lead to another capture in the output than in the original, or to none.
func (k *keptFile) missing(ctx context.Context) (list []int, err error) {
	found, err := k.find(ctx, k.out)
	for i := range k.queries {
		if id, ok := k.captures[i]; ok && found[i] != id {
			list = append(list, i)
		}
	}
	return list, err
}

// find looks up all keys as a viewer does. It returns the IDs of the captures that a viewer finds, by query.
func (k *keptFile) find(ctx context.Context, path string) (captures map[int]string, err error) {
	err = k.read(ctx, path, func(f *webcapture.File) error {
		captures = map[int]string{}
		res, err := find.New(k.queries, audit.Options{}).Search(f)
		if err != nil {
			return err
		}
		for _, m := range res.Matches {
			if m.Answer == find.Found {
				captures[m.Query] += m.Capture.ID
			}
		}
		return nil
	})
	return captures, err
}

func (k *keptFile) read(ctx context.Context, path string, do func(*webcapture.File) error) error {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: k.passwords})
	if err != nil {
		return err
	}
	defer f.Close()
	return f.RetryWithoutXRef(func() error { return do(f) })
}
