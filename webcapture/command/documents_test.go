package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command that a document shows works, and prints what the document says
// it prints. An example is a ```console block with lines "$ webcap …", run in
// the repository's root by a shell, each followed by its output; without any,
// only the exit code is looked at, which has to be 0 or 1, "clean" or "findings".
// A line "…" stands for any number of lines. Other commands, such as go run and git, are not run, but
// "go run ." is webcap.
func TestDocuments(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs sh")
	}
	files, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append([]string{root + "/README.md"}, files...) {
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		dir := copyOfRoot(t)
		for _, e := range examples(string(text)) {
			t.Run(filepath.Base(file)+"/"+e.command, func(t *testing.T) {
				c := exec.Command(shell, "-c", e.command)
				c.Dir = dir
				out, err := c.CombinedOutput()
				if exit, ok := errors.AsType[*exec.ExitError](err); err != nil &&
					!(ok && exit.ExitCode() == exitFindings) {
					t.Errorf("%s:%d: %v; show the exit code with \"; echo $?\" if that is right\n%s", file, e.line, err,
						out)
				}
				if len(e.output) > 0 && !matches(lines(string(out)), e.output) {
					t.Errorf("%s:%d: the output is\n%swant\n%s", file, e.line, out, strings.Join(e.output, "\n"))
				}
			})
		}
	}
}

// ofWebcap is a command line that has webcap in it, and is not of go or git.
var ofWebcap = regexp.MustCompile(`^(?:[A-Z_]+=|webcap |(?:echo|printf|tar|for) .*\bwebcap )`)

// copyOfRoot returns a folder with what examples read, in which they may write.
func copyOfRoot(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"testdata", "docs", ".git", "webcapture", "README.md"} {
		from, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	return dir
}

type example struct {
	command string
	line    int
	output  []string
}

func examples(text string) []example {
	var list []example
	inside, ours := false, false
	for i, l := range lines(text) {
		switch {
		case strings.HasPrefix(l, "```"):
			inside, ours = l == "```console", false
		case !inside:
		case strings.HasPrefix(l, "$ "):
			command := strings.TrimPrefix(l, "$ ")
			if rest, ok := strings.CutPrefix(command, "go run . "); ok {
				command = "webcap " + rest
			}
			if ours = ofWebcap.MatchString(command); ours {
				list = append(list, example{command: command, line: i + 1})
			}
		case ours:
			e := &list[len(list)-1]
			e.output = append(e.output, l)
		}
	}
	return list
}

func lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// matches reports whether got is want, in which "…" stands for any lines.
func matches(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "…" {
		for i := range len(got) + 1 {
			if matches(got[i:], want[1:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && got[0] == want[0] && matches(got[1:], want[1:])
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		got, want string
		ok        bool
	}{
		{"a b", "a b", true},
		{"a b", "a", false},
		{"a", "a b", false},
		{"a b c", "a … c", true},
		{"a c", "a … c", true},
		{"a b", "…", true},
		{"a b c", "… b", false},
	} {
		t.Run(tt.got, func(t *testing.T) {
			if got := matches(strings.Fields(tt.got), strings.Fields(tt.want)); got != tt.ok {
				t.Errorf("matches(%q, %q) = %v", tt.got, tt.want, got)
			}
		})
	}
}
