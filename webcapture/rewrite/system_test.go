package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestInstallKeepsTheOwner: a file that root rewrites stays that of its owner.
func TestInstallKeepsTheOwner(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	for _, s := range []situation{newOutput, inPlace} {
		t.Run(s.name, func(t *testing.T) {
			dir := s.folder(t)
			in := filepath.Join(dir, "in.pdf")
			if err := os.Chown(in, 1234, 5678); err != nil {
				t.Fatal(err)
			}
			was, err := os.Stat(in)
			if err != nil {
				t.Fatal(err)
			}
			out := in
			if !s.opt.InPlace {
				out = filepath.Join(dir, s.out)
			}
			if err := s.install(osFiles{}, dir); err != nil {
				t.Fatal(err)
			}
			now, err := os.Stat(out)
			if err != nil {
				t.Fatal(err)
			}
			if owner(now) != owner(was) {
				t.Errorf("%s: the owner is %s, was %s", s.name, owner(now), owner(was))
			}
			if err := (osFiles{}).chown(out, was); err != nil {
				t.Errorf("%s: the owner cannot be set again: %v", s.name, err)
			}
		})
	}
}

// TestInstallHasLongNames: names are as long as the system allows, and no longer for
// the temporary file.
func TestInstallHasLongNames(t *testing.T) {
	dir := folder(t)
	name := strings.Repeat("x", 251) + ".pdf"
	if err := installAt(osFiles{}, filepath.Join(dir, "in.pdf"), filepath.Join(dir, name), Target{}, writeNew,
		checkNew); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string][]byte{"in.pdf": oldBytes, name: newBytes})
}

// TestInstallClosesWhatItGivesUp: install closes a temporary file before it removes it, because some systems cannot
// remove an open file.
func TestInstallClosesWhatItGivesUp(t *testing.T) {
	for _, op := range []string{"write", "sync"} {
		t.Run(op, func(t *testing.T) {
			files := &faultyFiles{at: slices.Index(newOutput.operations(t), op) + 1}
			if err := newOutput.install(files, newOutput.folder(t)); !errors.Is(err, errFault) {
				t.Errorf("error %v, want %v", err, errFault)
			}
			if rest := files.done[files.at:]; !slices.Equal(rest, []string{"close", "remove"}) {
				t.Errorf("after a %s that fails, install does %q", op, rest)
			}
		})
	}
}

// TestInstallGoesByTheFileThatWasRead: a file that is read-only, or not the one that
// was read any more, is not replaced.
func TestInstallGoesByTheFileThatWasRead(t *testing.T) {
	for _, s := range []situation{newOutput, inPlace} {
		t.Run(s.name, func(t *testing.T) {
			dir := s.folder(t)
			in := filepath.Join(dir, "in.pdf")
			read, err := os.Stat(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(in, past, past.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			s.opt.Path = filepath.Join(dir, s.out)
			if err := install(osFiles{}, in, read, s.opt, writeNew, checkNew); err == nil ||
				!strings.HasSuffix(err.Error(), in+" changed while it was being rewritten") {
				t.Errorf("%s: error %v", s.name, err)
			}
			holds(t, dir, s.before())
		})
	}
	dir := folder(t)
	in := filepath.Join(dir, "in.pdf")
	if err := os.Chmod(in, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := inPlace.install(osFiles{}, dir); err == nil || err.Error() != "cannot write "+in+": it is read-only" {
		t.Errorf("error %v for a file that is read-only", err)
	}
	holds(t, dir, map[string][]byte{"in.pdf": oldBytes})
}
