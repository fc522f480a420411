package command

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// foreignOptions are options in code spans that belong to other programs.
var foreignOptions = []string{
	"--cut-dirs", "--default-page", "--restrict-file-names", // wget
	"--check",                     // qpdf
	"--vfs-cache-mode", "--cache", // programs that mount buckets
	"--docs", "--quick", "--slow", "--work", // scripts in .ci
}

// mistakes are an option and a value in examples of wrong command lines.
var mistakes = []string{"--fromat", "pdf3"}

var (
	codeBlock  = regexp.MustCompile("(?ms)^ *```.*?\n(.*?)^ *```")
	longOption = regexp.MustCompile(`^--[a-z][a-z0-9-]+`)
	lowerCase  = regexp.MustCompile(`^[a-z0-9]+$`)
)

// scripts returns the files besides pages that call webcap.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, dir := range []string{root + "/.github", root + "/docs/ci", root + "/docs/cluster"} {
		for _, f := range filesBelow(t, dir) {
			if text, err := os.ReadFile(dir + "/" + f); err == nil { // otherwise it is a folder
				texts[f] = string(text)
			}
		}
	}
	if len(texts) == 0 {
		t.Error("no scripts")
	}
	return texts
}

// TestDocumentedNamesExist: each option and format of webcap in a code span, a code block, or a script exists.
func TestDocumentedNamesExist(t *testing.T) {
	app := (&program{}).app()
	options := map[string]bool{}
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			options["--"+f.Names()[0]] = true
		}
	}
	report := func(file, text string) {
		for _, name := range unknownNames(app, text) {
			t.Errorf("%s: %s", file, name)
		}
	}
	for page, text := range pages(t) {
		for _, block := range codeBlock.FindAllStringSubmatch(text, -1) {
			report(page, block[1])
		}
		for _, span := range codeSpan.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			report(page, span[1])
			option := longOption.FindString(span[1])
			if option != "" && !options[option] && !slices.Contains(foreignOptions, option) {
				t.Errorf("%s: no command has the option %s", page, option)
			}
		}
	}
	for file, text := range scripts(t) {
		report(file, text)
	}
}

// unknownNames returns the unknown options in the calls of webcap in a text, and their values that are not possible.
func unknownNames(app *cli.App, text string) (unknown []string) {
	for _, call := range shellLine.FindAllStringSubmatch(text, -1) {
		line, _, _ := strings.Cut(call[1], ". ") // a sentence ends
		words := strings.Fields(strings.NewReplacer("\\\n", " ", ",", " ").Replace(line))
		for i, w := range words {
			words[i] = strings.Trim(w, `'"[].`)
		}
		if len(words) == 0 {
			continue
		}
		c, n := commandOf(app, words)
		if c == nil {
			continue // prose; TestDocumentedCommandsExist checks commands
		}
		for i, w := range words[n:] {
			option := longOption.FindString(w)
			f, takesValue, err := lookup(c.Flags, c.Name, w)
			if err != nil {
				if option != "" && !slices.Contains(mistakes, option) {
					unknown = append(unknown, fmt.Sprintf("webcap %s: %v", call[1], err))
				}
				continue
			}
			_, value, _ := strings.Cut(w, "=")
			if takesValue && n+i+1 < len(words) {
				value = words[n+i+1]
			}
			if name := impossible(f, value); name != "" {
				unknown = append(unknown, fmt.Sprintf("webcap %s: unknown value %s", call[1], name))
			}
		}
	}
	return unknown
}

// impossible returns a value that an option with choices does not have. It returns "" for any other value, and for a
// placeholder.
func impossible(f cli.Flag, value string) string {
	choices := manual.OptionOf(f).Choices
	if len(choices) == 0 || !lowerCase.MatchString(value) || slices.Contains(choices, value) ||
		slices.Contains(mistakes, value) {
		return ""
	}
	return value
}

// TestUnknownNames: options and values that do not exist are found in each form of a command line.
func TestUnknownNames(t *testing.T) {
	for line, want := range map[string]int{
		"webcap audit --verbose a.pdf": 0, "webcap audit --shard 1/2 a.pdf": 1, "webcap audit -f jsn a.pdf": 1,
		"webcap audit --format=jsn a.pdf": 1,
		"webcap audit -f FORMAT a.pdf":    0, "webcap cluster submit --labl a": 1, "so webcap shows --all files": 0,
		"webcap audit a.pdf; webcap list --tre b.pdf | webcap report --strict -": 2,
	} {
		if got := unknownNames((&program{}).app(), line); len(got) != want {
			t.Errorf("%s: %q, want %d", line, got, want)
		}
	}
}
