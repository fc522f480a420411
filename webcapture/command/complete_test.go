package command

import (
	"strings"
	"testing"
)

const allCommands = "audit rewrite diff keep keys list find export report explain canon digest source cluster completion version"

// completions are command lines, with what their last words can become.
var completions = []struct {
	in   string // words between spaces, the last of which is completed
	want string
}{
	{"aud", "audit"},
	{"re", "rewrite report"},
	{"--v", "--version"},
	{"help ca", "canon"},
	{"audit --for", "--format"},
	{"audit --fail-on ", "error warning note"},
	{"audit a.pdf --format j", "json junit"},
	{"audit --only p", "privacy"},
	{"audit --source warc:a", ""},
	{"audit --source-index ", ""},
	{"audit a", ""},
	{"audit ", ""},
	{"audit -- --fo", ""},
	{"audit --nonsense --verb", "--verbose"},
	{"audit --password", "--password-file"},
	{"report --format cs", "csv"},
	{"rewrite --format ", "table json"},
	{"rewrite --output j", ""},
	{"rewrite -o j", ""},
	{"rewrite --disable id", "ids"},
	{"canon --profile pdf", "pdf pdf2"},
	{"rewrite --profile ", "pdf pdf2"},
	{"rewrite --prefer ", "keys sets data"},
	{"canon --profile ", "pdf pdf2 wwwoffle29 wwwoffle29e wwwoffle26 hyvatti faehnri surt"},
	{"diff --format ", "table json"},
	{"audit --stdin", ""},
	{"explain wc204 wc20", "WC201 WC202 WC204"},
	{"completion z", "zsh"},
	{"unknown a", ""},
	{"", allCommands},
	{"cluster r", "results rm"},
	{"source ", "list"},
	{"source stats crawl", ""},
	{"source list --format ", "table json csv"},
	{"cluster w", "work"},
	{"cluster nonsense a", ""},
	{"cluster ", "submit work results status rm"},
	{"-", "--help --version"},
	{"--", "--help --version"},
	{"help ", allCommands},
	{"help cluster r", "results rm"},
	{"audit --nonsense=a", ""},
	{"audit encode --password", "--password-file"},
	{"audit -j ", ""},
	{"audit -j 2 --verb", "--verbose"},
	{"audit -v --fail-on", "--fail-on"},
	{"audit --verbose --fail-on e", "error"},
	{"audit --only zzz", ""},
	{"completion bash z", "zsh"},
	{"explain zzz", ""},
	{`audit --fail-on ""`, "error warning note"},
}

func TestComplete(t *testing.T) {
	app := (&program{}).app()
	for _, tt := range completions {
		t.Run(tt.in, func(t *testing.T) {
			words := strings.Split(tt.in, " ")
			var got []string
			for _, w := range complete(app, words[:len(words)-1], words[len(words)-1]) {
				got = append(got, w.Word)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("complete(%q) = %q, want %q", tt.in, s, tt.want)
			}
		})
	}
}

func TestDidYouMean(t *testing.T) {
	words := []string{"config", "completion", "canon"}
	for _, tt := range []struct{ typed, want string }{
		{"cofnig", ", did you mean --config?"},
		{"CONFIG", ", did you mean --config?"},
		{"co", ", did you mean --config or --completion?"},
		{"audit", ""},
		{"", ""},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			if got := didYouMean(tt.typed, "--", words); got != tt.want {
				t.Errorf("didYouMean(%q) = %q, want %q", tt.typed, got, tt.want)
			}
		})
	}
}
