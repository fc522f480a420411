package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// wrongCommandLines are command lines that nothing can mean, each with the message. The scripts have more of them.
var wrongCommandLines = []struct{ args, want string }{
	{"--quiet audit a.pdf", "option --quiet goes after the command: webcap audit --quiet"},
	{"--store s cluster run a.pdf", "option --store goes after the command: webcap cluster run --store"},
	{"--quiet list a.pdf", "unknown option --quiet"},
	{"--format", "unknown option --format"},
	{"-q audit", "option -q goes after the command: webcap audit -q"},

	{"audit --quiet=maybe a.pdf", `audit: option --quiet takes no value, not "maybe"`},
	{"audit -q=maybe a.pdf", `audit: option --quiet takes no value, not "maybe"`},
	{"audit a.pdf -j", "audit: option -j needs a value"},
	{"audit --only urls --only ids a.pdf",
		"audit: option --only is given twice: put commas between the rules, as in --only WC302,urls"},
	{"audit --disable=urls a.pdf --disable ids",
		"audit: option --disable is given twice: put commas between the rules, as in --disable WC302,urls"},
	{"audit --json a.pdf", "audit: unknown option --json, did you mean -f json?"},
	{"audit --colour never a.pdf", "audit: unknown option --colour, did you mean --color?"},
	{"man --json", "man: unknown option --json"},
	{"man --silent", "man: unknown option --silent"},
	{"man --threads", "man: unknown option --threads"},
	{"rewrite --sources a.pdf", "rewrite: unknown option --sources, did you mean --canonical-sources?"},
	{"rewrite --dry-run a.pdf",
		"rewrite: unknown option --dry-run, did you mean webcap rewrite without -o and --in-place?"},
	{"rewrite --check a.pdf",
		"rewrite: unknown option --check, did you mean webcap rewrite without -o and --in-place?"},
	{"rewrite -n a.pdf", "rewrite: unknown option -n, did you mean webcap rewrite without -o and --in-place?"},
	{"rewrite --force a.pdf", "rewrite: unknown option --force, did you mean --break-signatures?"},
	{"audit --dry-run a.pdf", "audit: unknown option --dry-run"},
	{"audit --help=maybe", `audit: option --help takes no value, not "maybe"`},

	{"audit --jobs 1025 a.pdf", `audit: --jobs must be a number from 1 to 1024, not "1025"`},
	{"audit --jobs x a.pdf", `audit: --jobs must be a number from 1 to 1024, not "x"`},
	{"audit --timeout 0.0 a.pdf", `audit: --timeout must be a time such as 90s or 5m, not "0.0"`},
	{"list --tree --password-file gone a.pdf", "list: cannot read the password: open gone: no such file or directory"},
	{"diff --password-file gone a.pdf a.pdf", "diff: cannot read the password: open gone: no such file or directory"},
	{"rewrite --password-file gone a.pdf", "rewrite: cannot read the password: open gone: no such file or directory"},
	{"audit --memory 67108863 a.pdf",
		`audit: --memory must be a size such as 512M or 2G, at least 64M, not "67108863"`},
	{"audit --journal ./a.pdf a.pdf", "audit: ./a.pdf is an input; write the journal to another file"},
	{"audit --color mauve a.pdf", `audit: --color must be auto, always or never, not "mauve"`},
	{"audit --fail-on eror a.pdf", `audit: --fail-on must be error, warning or note, not "eror", did you mean error?`},
	{"audit --only urls --disable urls a.pdf", "audit: the options leave no rules to check"},
	{"audit --config c --no-config a.pdf", "audit: --config and --no-config exclude each other"},
	{"audit --config gone a.pdf", "config: cannot read the configuration: open gone: no such file or directory"},
	{"audit --baseline gone a.pdf", "audit: cannot read the baseline: open gone: no such file or directory"},
	{"audit --baseline a.pdf a.pdf", "audit: cannot read the baseline: a.pdf: not the results of webcap audit"},
	{"audit --password-file gone a.pdf", "audit: cannot read the password: open gone: no such file or directory"},
	{"audit --password-file - -", "audit: standard input is already used; name a file with --password-file"},
	{"audit --password-file - --files-from -",
		"audit: standard input is already used; name a file with --password-file"},
	{"worker --password-file -", "worker: standard input is already used; name a file with --password-file"},
	{"find --urls-from - --password-file - a.pdf",
		"find: standard input is already used; name a file with --password-file"},
	{"find --urls-from - -", "find: standard input is used twice; name a file instead"},
	{"find --urls-from - --files-from -", "find: standard input is used twice; name a file instead"},
	{"audit --files-from - --files-from -", "audit: standard input is used twice; name a file instead"},
	{"audit --journal j -", "audit: a run that can resume cannot read standard input; name a file"},
	{"audit -o a.xlsx a.pdf", "audit: -o a.xlsx: use -o a.csv, which spreadsheets open"},
	{"audit -o dir/ a.pdf", "audit: -o dir/: name a file in the folder, as in -o dir/report.html"},
	{"audit -o json:dir/ a.pdf", "audit: -o json:dir/: name a file in the folder, as in -o dir/report.html"},
	{"audit -o a.json -o ndjson:a.json a.pdf", "audit: json and ndjson cannot both go to a.json"},
	{"report -o json:- a.json", "report: -o json:-: use -f FORMAT for standard output"},
	{"report --color mauve a.json", `report: --color must be auto, always or never, not "mauve"`},
	{"config --fail-on note x", "config: takes no arguments"},
	{"init x", "init: takes no arguments"},
	{"man x", "man: takes no arguments"},
	{"version x", "version: takes no arguments"},
	{"worker x", "worker: jobs come from standard input, not as arguments"},
	{"cluster serve x", "cluster serve: takes no arguments"},
	{"diff a.pdf", "diff: name two files"},
	{"diff a.pdf a.pdf a.pdf", "diff: name two files"},
	{"diff -f csv a.pdf a.pdf", `diff: --format must be table or json, not "csv"`},
	{"merge", "merge: name the results of all parts"},
	{"completion", "completion: name a shell: bash, zsh, fish, powershell"},
	{"completion sh", `completion: "sh" is not one of the shells bash, zsh, fish, powershell`},
	{"explain WC302 nonsense", `explain: unknown rule "nonsense"; "webcap explain" lists all`},
	{"rewrite a.pdf a.pdf", "rewrite: name one file or folder"},
	{"rewrite --salvage a.pdf -o b.pdf", "rewrite: --salvage needs --full"},
	{"rewrite --base rel a.pdf", `rewrite: --base must be an absolute URL, not "rel"`},
	{"rewrite --profile surt a.pdf", `rewrite: --profile must be pdf or pdf2, not "surt"`},
	{"rewrite --prefer both a.pdf", `rewrite: --prefer must be keys or sets, not "both"`},
	{"rewrite --disable nonsense a.pdf", `rewrite: --disable: "nonsense" is neither a rule nor a group`},
	{"cluster run --store s --chunk 10001 a.pdf",
		`cluster run: --chunk must be a number from 1 to 10000, not "10001"`},
	{"cluster submit --lease 999ms a.pdf",
		`cluster submit: --lease must be a time such as 60s, at least 1s, not "999ms"`},
	{"cluster submit --replicas one a.pdf", `cluster submit: --replicas must be 1, 3 or 5, not "one"`},
	{"cluster status --tls-key k", "cluster status: --tls-cert and --tls-key belong together"},
	{"cluster work --password-file gone", "cluster work: cannot read the password: open gone: no such file or directory"},
	{"list --password-file gone a.pdf", "list: cannot read the password: open gone: no such file or directory"},
	{"list --shard 2/1 a.pdf", `list: --shard: "2/1" is not a shard such as 1/4`},
	{"list --jobs 0 a.pdf", `list: --jobs must be a number from 1 to 1024, not "0"`},
	{"find --timeout x http://h/ a.pdf", `find: --timeout must be a time such as 90s or 5m, not "x"`},
	{"export -o a.pdf/x.warc a.pdf", "export: cannot write a.pdf/x.warc: not a directory"},
	{"cluster cancel", "cluster cancel: name one job; webcap cluster status lists them"},
	{"cluster purge a b", "cluster purge: name one job; webcap cluster status lists them"},
	{"cluster nonsense", `unknown command "cluster nonsense"; the commands of webcap cluster are run, serve, submit, ` +
		"work, status, results, cancel, purge"},
	{"LS a.pdf", `unknown command "LS", did you mean list?`},
	{"gone.PDF", `unknown command "gone.PDF", did you mean webcap audit gone.PDF?`},
	{"list --against a.pdf a.pdf", "list: cannot read the index a.pdf: "},
	{"list --against empty a.pdf", "list: the index empty has no captures"},
	{"name decode --in gone.pdf --hex xx", `name: name "xx" is not hexadecimal`},
	{"name find --timeout x a.pdf", `name: --timeout must be a time such as 90s or 5m, not "x"`},
}

// A wrong command line gives one message that says what is wrong, and a hint. It reads and writes nothing else.
func TestWrongCommandLines(t *testing.T) {
	t.Chdir(t.TempDir())
	site := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for name, data := range map[string][]byte{"a.pdf": site, "empty": nil} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range wrongCommandLines {
		t.Run(tt.args, func(t *testing.T) {
			var out bytes.Buffer
			code, stderr := run(strings.NewReader(""), &out, strings.Fields(tt.args)...)
			message, hint, _ := strings.Cut(stderr, "\n")
			if code != exitUsage || !strings.HasPrefix(message, "webcap: "+tt.want) ||
				!strings.HasPrefix(hint, `See "webcap `) || strings.Count(stderr, "\n") != 2 {
				t.Errorf("exit %d, message\n%swant\nwebcap: %s", code, stderr, tt.want)
			}
			if out.Len() > 0 {
				t.Errorf("it writes %q", out.String())
			}
		})
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
