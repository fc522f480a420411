package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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

func (p *program) runKeep(c *cli.Context) (err error) {
	if c.NArg() < 3 {
		return usagef("keep", "expected IN OUT -- COMMAND, as in webcap keep a.pdf b.pdf -- cpdf a.pdf -o b.pdf")
	}
	in, out, command := c.Args().Get(0), c.Args().Get(1), c.Args().Slice()[2:]
	if _, err := os.Lstat(out); err == nil {
		return usagef("keep", "%s exists: remove it, or name another file for OUT, in COMMAND too", out)
	}
	opt := rewrite.Options{From: []string{in}}
	if opt.Passwords, err = p.passwords(c); err != nil {
		return err
	}
	wanted, err := foundIn(c.Context, in, opt.Passwords)
	if err != nil {
		p.fail(in, err)
		return nil
	}
	run := exec.CommandContext(c.Context, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, p.stdout, p.stderr
	if err := run.Run(); err != nil {
		if c.Context.Err() != nil {
			return p.interruption()
		}
		p.passed = max(run.ProcessState.ExitCode(), 0) // -1 if it did not start, or a signal ended it
		return fmt.Errorf("%s: %w; webcap does not repair %s", command[0], cmp.Or(errors.Unwrap(run.Err), err), out)
	}
	if len(wanted) == 0 {
		return p.printf("%s has no captures to keep.\n", layout.Printable(in))
	}
	if err := p.restoreKept(c.Context, wanted, out, opt, command[0]); err != nil {
		p.fail(out, err)
	}
	return nil
}

// restoreKept repairs the output of a command, and reports what is lost. wanted are the captures of the original.
func (p *program) restoreKept(ctx context.Context, wanted map[string]string, out string, opt rewrite.Options,
	command string) error {
	if sameFile(out, opt.From[0]) {
		return fmt.Errorf("the same file as %s, which webcap does not repair", opt.From[0])
	}
	before, err := foundIn(ctx, out, opt.Passwords)
	if err != nil {
		return err
	}
	plan, err := rewrite.Open(ctx, out, opt)
	if err != nil {
		return err
	}
	defer plan.Close()
	p.unread(out, "read", plan.Report.Unread)
	repairs := ""
	if !plan.Empty() {
		if _, err := plan.Install(ctx, rewrite.Target{InPlace: true, NoBackup: true}); err != nil {
			p.say("%s: %v; the file stays as %s wrote it", out, refusal(err), command)
		} else {
			repairs = " webcap made " + layout.Count(len(plan.Steps), "repair") + "."
		}
	}
	after, err := foundIn(ctx, out, opt.Passwords)
	if err != nil {
		return err
	}
	damaged, lost := 0, 0
	for _, capture := range slices.Sorted(maps.Keys(wanted)) {
		if before[capture] != "" {
			continue // if it is missing now, its key was wrong in the original, too
		}
		if damaged++; after[capture] == "" {
			lost++
			p.say("lost: %s", wanted[capture])
		}
	}
	p.wrong = lost > 0
	return p.printf("%s damaged %d of %s; %d are back.%s\n", layout.Printable(command), damaged,
		layout.Count(len(wanted), "key"), damaged-lost, repairs)
}

// foundIn returns the keys under which a viewer finds captures in a file, by key and ID of the capture.
func foundIn(ctx context.Context, path string, passwords []string) (found map[string]string, err error) {
	err = webcapture.Read(ctx, path, webcapture.Options{Passwords: passwords}, func(f *webcapture.File) error {
		found = map[string]string{}
		db, err := f.Database()
		if err != nil {
			return err
		}
		unread, r := rule.UnreadOf(f, db), f.NewReader()
		for _, t := range db.Trees() {
			unread = append(unread, rule.UnreadIn(t)...)
			for _, e := range t.Entries() {
				_, isFound := t.Find(e.Key)
				for o, err := range r.Values(e.Value) {
					var set webcapture.ContentSet
					if err := object.IgnoreMalformed(cmp.Or(err, r.Read(o, &set))); err != nil {
						return err
					}
					for m, err := range webcapture.Members(r, &set) {
						if isFound && err == nil && m.Dict.Raw() != nil { // a page or image is there
							key := fmt.Sprintf("%v %v", t.Name, e.Key)
							found[fmt.Sprintf("%s %x", key, set.ID.Bytes)] = key
						}
					}
				}
			}
		}
		if len(unread) > 0 {
			return fmt.Errorf("a part could not be read: %s", phrase.Unread(unread[0]))
		}
		return nil
	})
	return found, err
}
