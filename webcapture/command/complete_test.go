package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

const allCommands = "audit rewrite diff keep keys list find export report explain canon digest source cluster init " +
	"completion man version"

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
	{"audit --fail-on=w", "--fail-on=warning"},
	{"audit a.pdf --format j", "json junit"},
	{"audit --only p", "privacy"},
	{"audit --only urls,wc204", "urls,WC204"},
	{"audit --only=urls,wc204", "--only=urls,WC204"},
	{"audit --source wa", "wacz: warc:"},
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
	{"rewrite --only=ur", "--only=urls"},
	{"canon --profile ", "pdf pdf2 wwwoffle29 wwwoffle29e wwwoffle26 hyvatti faehnri surt"},
	{"diff --format ", "table json"},
	{"audit --stdin", ""},
	{"audit -o j", "json: junit:"},
	{"explain wc204 wc20", "WC201 WC202 WC204"},
	{"completion z", "zsh"},
	{"unknown a", ""},
	{"", allCommands},
	{"cluster r", "results rm"},
	{"source ", "list"},
	{"source list wa", "wacz: warc:"},
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
	{"audit --only urls,ids,p", "urls,ids,privacy"},
	{"audit --only zzz", ""},
	{"audit -o jun", "junit:"},
	{"completion bash z", "zsh"},
	{"explain zzz", ""},
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

// Each shell gets the candidates as its script reads them.
func TestCandidates(t *testing.T) {
	app := (&program{}).app()
	for _, tt := range []struct{ shell, in, want string }{
		{"bash", "audit --source wa", "wacz: warc:"},
		{"bash", "audit --fail-on = w", "warning"},
		{"bash", "audit --fail-on =", "error warning note"},
		{"zsh", "audit --fail-on=w", "--fail-on=warning"},
		{"zsh", "audit --source wa", "wacz: warc:"},
		{"zsh", "explain WC204", "WC204:" + audit.Select("WC204")[0].Title},
		{"fish", "explain WC204", "WC204\t" + audit.Select("WC204")[0].Title},
		{"powershell", `audit --fail-on ""`, "error warning note"},
		{"powershell", "audit --fail-on n", "note"},
		{"bash", `audit --fail-on ""`, ""},
	} {
		t.Run(tt.shell, func(t *testing.T) {
			i := slices.Index(shellNames(), tt.shell)
			if got := strings.Join(shells[i].candidates(app, strings.Fields(tt.in)), " "); got != tt.want {
				t.Errorf("%s: %q gives %q, want %q", tt.shell, tt.in, got, tt.want)
			}
		})
	}
}

func TestRejoin(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"audit --only = urls a.pdf", "audit|--only=urls|a.pdf"},
		{"audit --only =", "audit|--only="},
		{"audit --source warc : a.warc", "audit|--source|warc:a.warc"},
		{"audit --source = warc : a.warc b.pdf", "audit|--source=warc:a.warc|b.pdf"},
		{"a", "a"},
		{":", ":"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := strings.Join(rejoin(strings.Split(tt.in, " ")), "|"); got != tt.want {
				t.Errorf("rejoin(%q) = %q, want %q", tt.in, got, tt.want)
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
