package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestDocuments runs the examples in docs: each works, and prints what the page shows. An
// example is a line "$ COMMAND" of a ```console block with the output below it. A shell runs it
// in the root of the repository, and the exit code is 0 or 1, "clean" or "findings". A line "…"
// stands for any number of lines. "go run ." is webcap; other commands of go and git do not run.
//
// Examples with another PDF tool skip without it, and so do later examples of the page that use files that a skipped
// example writes.
func TestDocuments(t *testing.T) {
	shell := webcapturetest.Program(t, "sh")
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
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			runExamples(t, shell, file, examples(string(text)))
		})
	}
}

// runExamples runs the examples of a page, one after the other, in a folder of their own.
func runExamples(t *testing.T, shell, page string, list []example) {
	t.Helper()
	dir := copyOfRoot(t)
	lost := lostFiles{}
	for _, e := range list {
		t.Run(e.command, func(t *testing.T) {
			defer func() {
				if t.Skipped() {
					lost.add(dir, e.command)
				}
			}()
			for _, peer := range lost.programs(e.command) {
				webcapturetest.Program(t, peer)
			}
			c := exec.Command(shell, "-c", e.command)
			c.Dir = dir
			out, err := c.CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); err != nil &&
				!(ok && exit.ExitCode() == exitFindings) {
				t.Errorf("%s:%d: %v; show the exit code with \"; echo $?\" if that is right\n%s", page, e.line, err, out)
			}
			if len(e.output) > 0 && !matches(lines(string(out)), e.output) {
				t.Errorf("%s:%d: the output is\n%swant\n%s", page, e.line, out, strings.Join(e.output, "\n"))
			}
		})
	}
}

// notRun matches commands of examples that tests do not run: they compile, or need a clone.
var notRun = regexp.MustCompile(`^(?:go|git) `)

// peers matches programs in examples that may not be installed.
var peers = regexp.MustCompile(`\b(?:qpdf|mutool)\b`)

// lostFiles maps the files that skipped examples of a page would have written to the programs that the examples need.
type lostFiles map[string][]string

// fileName matches a word of a command that can be the name of a file.
var fileName = regexp.MustCompile(`[\w./-]*\w\.\w+`)

// programs returns the programs that a command needs, directly or because it reads a lost file.
func (lost lostFiles) programs(command string) []string {
	needed := peers.FindAllString(command, -1)
	for _, name := range fileName.FindAllString(command, -1) {
		needed = append(needed, lost[name]...)
	}
	return needed
}

// add notes the files of a skipped command that do not exist in dir.
func (lost lostFiles) add(dir, command string) {
	needed := lost.programs(command)
	for _, name := range fileName.FindAllString(command, -1) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil && lost[name] == nil {
			lost[name] = needed
		}
	}
}

// copyOfRoot returns a writable folder with the files that examples read.
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

var (
	commandSpan = regexp.MustCompile("`webcap ([^`\n]+)`")
	shellBlock  = regexp.MustCompile("(?ms)^```sh.*?\n(.*?)^```")
	shellLine   = regexp.MustCompile(`(?m)\bwebcap ((?:[^\n|;&>#)\\]|\\\n)+)`)
)

// TestDocumentedCommandsExist: each command of webcap in a code span or a script exists, and has the
// options that the page gives it. TestDocuments runs only examples.
func TestDocumentedCommandsExist(t *testing.T) {
	for page, text := range pages(t) {
		commands := commandSpan.FindAllStringSubmatch(text, -1)
		for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
			commands = append(commands, shellLine.FindAllStringSubmatch(block[1], -1)...)
		}
		for _, m := range commands {
			line, _, _ := strings.Cut(strings.NewReplacer("'", "", `"`, "", "…", "", "\\\n", "").Replace(m[1]), " | ")
			args := strings.Fields(line)
			if _, isGroup := groups[args[0]]; isGroup && len(args) == 1 || args[0][0] == '-' || args[0] == "COMMAND" {
				continue
			}
			app := (&program{}).app() // a new one, because its options keep their values
			if c, _ := commandOf(app, args); c == nil && args[0] != "help" {
				t.Errorf("%s: webcap has no command %q", page, line)
			}
			// A last option may lack its value, as in "with webcap rewrite --from".
			if _, _, err := parseLine(t.Context(), app, append(args, "VALUE")); err != nil {
				t.Errorf("%s: webcap %s: %v", page, line, err)
			}
		}
	}
}

// TestCommandsAreDocumented compares docs/commands.md with the help of the program.
func TestCommandsAreDocumented(t *testing.T) {
	app := (&program{}).app()
	var b strings.Builder
	section := func(name, help string) { fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", name, help) }
	section("webcap", manual.Help(appTopic(app), 0))
	for _, c := range app.Commands {
		section("webcap "+c.Name, manual.Help(topicOf(c), 0))
	}
	fresh(t, "commands.md", "commands: made by go test ./webcapture/command -run CommandsAreDocumented -update", b.String()+"\n")
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
			if ours = !notRun.MatchString(command); ours {
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
