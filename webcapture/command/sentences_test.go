package command

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

// documentFiles are the documents that the table in docs/canonicalization.md quotes, in the corpus next to the
// repository.
var documentFiles = map[string]string{
	"pdf": "pdf-reference-p950", "hyvatti": "hyvatti-robots-list", "faehnri": "faehnri-urls",
	"2.9": "wwwoffle-2.9-urls", "2.6": "wwwoffle-2.6-urls-es",
}

var (
	sentenceRow = regexp.MustCompile(`(?m)^\| ([\w., ]+) \| (.+) \| .+ \| \x60+ ?(.+?) ?\x60+ \| ` +
		`(?:\x60+ ?(.+?) ?\x60+)? \|$`)
	shellWord    = regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`)
	proseEscapes = regexp.MustCompile(`\\([<&*_~|\x60])`)
	lineOrMargin = regexp.MustCompile(`[\s|]+`)
)

// TestSentences runs the examples of the sentences in docs/canonicalization.md, and compares the sentences with the
// documents, if the corpus is available.
func TestSentences(t *testing.T) {
	t.Chdir(root)
	page, err := os.ReadFile("docs/canonicalization.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Sentence by sentence")
	examples, err := os.ReadFile("canon/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	list := sentenceRow.FindAllStringSubmatch(table, -1)
	if lines := strings.Count(table, "\n| ") - 1; len(list) != lines {
		t.Errorf("%d of %d rows have the form of the table", len(list), lines)
	}
	for _, row := range list {
		documents, sentence, command, want := strings.Split(row[1], ", "), unescapeCell(row[2]), row[3], unescapeCell(row[4])
		t.Run(sentence, func(t *testing.T) {
			checkSentence(t, documents[0], sentence)
			for _, document := range documents {
				seen[document] = true
				if strings.HasPrefix(command, "Example") {
					if !strings.Contains(string(examples), "func "+command+"()") {
						t.Errorf("package canon has no %s", command)
					}
					continue
				}
				checkExample(t, strings.Replace(unescapeCell(command), "wwwoffle29", editions[document], 1), want)
			}
		})
	}
	if len(seen) != len(documentFiles) {
		t.Errorf("the table has only the documents %v", seen)
	}
}

// editions maps the documents of WWWOFFLE to their profiles.
var editions = map[string]string{"2.9": "wwwoffle29", "2.6": "wwwoffle26"}

// checkExample runs an example, in the syntax of a shell.
func checkExample(t *testing.T, command, want string) {
	t.Helper()
	var words []string
	for _, w := range shellWord.FindAllStringSubmatch(command, -1) {
		words = append(words, w[1]+w[2]+w[3])
	}
	var out strings.Builder
	if code, stderr := run(nil, &out, words[1:]...); code == exitUsage || out.String() != want+"\n" {
		t.Errorf("%s: exit code %d, output %q, want %q; %s", command, code, out.String(), want, stderr)
	}
}

// checkSentence checks that a document contains a sentence.
func checkSentence(t *testing.T, document, sentence string) {
	t.Helper()
	text, err := os.ReadFile("../shared/sources/" + documentFiles[document] + ".txt")
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	normal := func(s string) string { return lineOrMargin.ReplaceAllString(s, " ") }
	if !strings.Contains(normal(string(text)), normal(sentence)) {
		t.Errorf("the document %s does not have this sentence", document)
	}
}

func unescapeCell(s string) string { return proseEscapes.ReplaceAllString(s, "$1") }
