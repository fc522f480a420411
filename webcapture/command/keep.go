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

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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
	entries   []keptEntry // of the original
}

// keptEntry is an entry of the original with a content set in its value.
type keptEntry struct {
	tree webcapture.TreeName
	key  nametree.Key
	id   string // of the first content set
}

func (p *program) runKeep(c *cli.Context) error {
	k, command, err := p.parseKeep(c)
	if err != nil {
		return err
	}
	if err := k.read(c.Context, k.in, func(f *webcapture.File, db *webcapture.Database) error {
		k.entries = nil // reading may start again
		return k.eachEntry(f, db, func(e keptEntry) { k.entries = append(k.entries, e) })
	}); err != nil {
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
	if len(k.entries) == 0 {
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
		text = fmt.Sprintf("%s damaged %s; %d are back", command, layout.Count(len(damaged), "key"), len(damaged)-len(lost))
	}
	for _, e := range lost {
		p.say("lost: %v %v", e.tree, e.key)
	}
	p.wrong = len(lost) > 0
	total, verb := countCaptures(k.entries), "are"
	if total == 1 {
		verb = "is"
	}
	return p.printf("%s. %d of %s %s found as before.\n", layout.Printable(text), total-countCaptures(lost),
		layout.Count(total, "capture"), verb)
}

// countCaptures returns the number of content sets to which entries lead.
func countCaptures(entries []keptEntry) int {
	ids := map[string]bool{}
	for _, e := range entries {
		ids[e.id] = true
	}
	return len(ids)
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

// missing returns the entries of the original that a viewer does not find in the output.
func (k *keptFile) missing(ctx context.Context) (list []keptEntry, err error) {
	has := map[keptEntry]bool{}
	err = k.read(ctx, k.out, func(f *webcapture.File, db *webcapture.Database) error {
		return k.eachEntry(f, db, func(e keptEntry) { has[e] = true })
	})
	for _, e := range k.entries {
		if !has[e] {
			list = append(list, e)
		}
	}
	return list, err
}

// eachEntry calls do for each entry that a viewer finds, with the ID of each content set in its value. A page set counts
// if one of its pages is in the document.
func (k *keptFile) eachEntry(f *webcapture.File, db *webcapture.Database, do func(keptEntry)) error {
	r := f.NewReader()
	shown := map[object.Ref]bool{}
	for page, err := range r.Pages(db) {
		if err := object.IgnoreMalformed(err); err != nil {
			return err
		}
		shown[page.Ref] = true
	}
	isLost := func(s *rule.Set) bool {
		for o := range s.Members() {
			if ref, _ := o.Ref(); shown[ref] {
				return false
			}
		}
		return s.Subtype == webcapture.PageSet
	}
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			if _, found := t.Find(e.Key); !found {
				continue
			}
			for o, err := range r.Values(e.Value) {
				s := new(rule.Set)
				if err == nil {
					err = r.Read(o, &s.ContentSet)
				}
				if object.IsMalformed(err) {
					continue
				}
				if err != nil {
					return err
				}
				if isLost(s) {
					continue
				}
				do(keptEntry{t.Name, e.Key, string(s.ID.Bytes)})
			}
		}
	}
	return nil
}

// read opens a file and reads its database.
func (k *keptFile) read(ctx context.Context, path string, do func(*webcapture.File, *webcapture.Database) error) error {
	f, err := webcapture.Open(ctx, path, webcapture.Options{Passwords: k.passwords})
	if err != nil {
		return err
	}
	defer f.Close()
	return f.RetryWithoutXRef(func() error {
		db, err := f.Database()
		if err != nil {
			return err
		}
		return do(f, db)
	})
}
