package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
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
	queries []find.Query  // all keys of the original
	wanted  []string      // by query: the IDs of the captures that a viewer finds in the original; "" for none
	unread  []rule.Unread // parts of the output that could not be read
}

func (p *program) runKeep(c *cli.Context) (err error) {
	if c.NArg() < 3 {
		return usagef("keep", "expected IN OUT -- COMMAND, as in webcap keep a.pdf b.pdf -- cpdf a.pdf -o b.pdf")
	}
	k, command := &keptFile{in: c.Args().Get(0), out: c.Args().Get(1)}, c.Args().Slice()[2:]
	if _, err := os.Lstat(k.out); err == nil {
		return usagef("keep", "%s exists: remove it, or name another file for OUT, in COMMAND too", k.out)
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return usagef("keep", "there is no program %q", command[0])
	}
	if k.opt.Passwords, err = p.passwords(c); err != nil {
		return err
	}
	if k.wanted, err = k.lookUp(c.Context, k.in); err != nil {
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
		return fmt.Errorf("%s: %w; webcap does not repair %s", command[0], err, k.out)
	}
	if err := p.restoreKept(c.Context, k, filepath.Base(command[0])); err != nil {
		p.fail(k.out, err)
	}
	return nil
}

// restoreKept repairs the output of a command, and reports what is lost.
func (p *program) restoreKept(ctx context.Context, k *keptFile, command string) error {
	before, err := k.lookUp(ctx, k.out)
	if err != nil {
		return err
	}
	repairs, refused := k.repair(ctx)
	if refused != nil {
		p.say("%s: %v; the file stays as %s wrote it", k.out, refusal(refused), command)
	}
	after, err := k.lookUp(ctx, k.out)
	if err != nil {
		return err
	}
	damaged, lost := 0, 0
	for i, q := range k.queries {
		if k.wanted[i] == "" {
			continue
		}
		if before[i] != k.wanted[i] {
			damaged++
		}
		if after[i] != k.wanted[i] {
			lost++
			p.say("lost: %v %v", q.Tree, q.Key)
		}
	}
	p.wrong = lost > 0
	p.unread(k.out, "read", k.unread)
	made := ""
	if repairs > 0 {
		made = " webcap made " + layout.Count(repairs, "repair") + "."
	}
	return p.printf("%s damaged %d of %s; %d are back.%s\n", layout.Printable(command), damaged,
		layout.Count(len(k.queries), "key"), damaged-lost, made)
}

// repair restores the database of the original in the output, and returns the number of changes. Without a change, or
// after an error, the output is as the command wrote it.
func (k *keptFile) repair(ctx context.Context) (changes int, err error) {
	plan, err := rewrite.Open(ctx, k.out, rewrite.Options{Passwords: k.opt.Passwords, From: []string{k.in}})
	if err != nil {
		return 0, err
	}
	defer plan.Close()
	if k.unread = plan.Report.Unread; plan.Empty() {
		return 0, nil
	}
	if _, err = plan.Install(ctx, rewrite.Target{InPlace: true, NoBackup: true}); err != nil {
		return 0, err
	}
	return len(plan.Steps), nil
}

// lookUp looks up all keys of the original in a file, as a viewer does. It returns the IDs of the captures by query: ""
// for a key that a viewer does not find. The first file is the original itself. An unreadable part is an error.
func (k *keptFile) lookUp(ctx context.Context, path string) (captures []string, err error) {
	f, err := webcapture.Open(ctx, path, k.opt)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var res *find.Result
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
		res, err = find.New(k.queries).Search(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(res.Unread) > 0 {
		return nil, fmt.Errorf("a part could not be read: %s", phrase.Unread(res.Unread[0]))
	}
	ids := make([][]string, len(k.queries))
	for _, m := range res.Matches {
		if m.Answer == find.Found {
			ids[m.Query] = append(ids[m.Query], string(m.Capture.ID))
		}
	}
	for _, list := range ids {
		slices.Sort(list) // the order of the captures of a key does not matter
		captures = append(captures, strings.Join(list, " "))
	}
	return captures, nil
}
