package command

import (
	"os"
	"strings"
	"testing"
)

// wrongLines are wrong command lines with their messages: the problem, and the nearest right form.
var wrongLines = []struct{ line, want string }{
	{"", "no command given, try webcap audit FILE"},
	{"site.pdf", `unknown command "site.pdf", did you mean webcap audit site.pdf?`},
	{"in", `unknown command "in", did you mean webcap audit in?`},
	{"adit site.pdf", `unknown command "adit", did you mean audit?`},
	{"check site.pdf", `unknown command "check", did you mean audit?`},
	{"validate site.pdf", `unknown command "validate", did you mean audit?`},
	{"verify site.pdf", `unknown command "verify", did you mean audit?`},
	{"lint site.pdf", `unknown command "lint", did you mean audit?`},
	{"ls site.pdf", `unknown command "ls", did you mean list?`},
	{"search site.pdf", `unknown command "search", did you mean find?`},
	{"search site.pdf", `unknown command "search", did you mean find?`},
	{"find site.pdf", `cannot look for "site.pdf": not a URL with a scheme`},
	{"repair site.pdf", `unknown command "repair", did you mean rewrite?`},
	{"fix site.pdf", `unknown command "fix", did you mean rewrite?`},
	{"compare a b", `unknown command "compare", did you mean diff?`},
	{"hash a.gif", `unknown command "hash", did you mean digest?`},
	{"nonsense", `unknown command "nonsense"; webcap audit PATH audits files`},
	{"--vrsion", "unknown option --vrsion, did you mean --version?"},
	{"--quiet audit site.pdf", "option --quiet goes after the command: webcap audit --quiet"},
	{"-q audit site.pdf", "option -q goes after the command: webcap audit -q"},
	{"cluster rnu", `unknown command "cluster rnu", did you mean cluster run?`},
	{"source lits", `unknown command "source lits", did you mean source list?`},
	{"source crawl.warc", `unknown command "source crawl.warc"; the commands of webcap source are list`},
	{"audit", "audit: name at least one file or folder"},
	{"audit --fromat json site.pdf", "audit: unknown option --fromat, did you mean --format?"},
	{"audit site.pdf --format", "audit: option --format needs a value"},
	{"audit -f xml site.pdf", `audit: --format must be table, json, `},
	{"audit -f jsn site.pdf", `not "jsn", did you mean json?`},
	{"audit -f JSON site.pdf", `not "JSON", did you mean json?`},
	{"audit -format json site.pdf", "audit: unknown option -format, did you mean --format?"},
	{"audit -quiet site.pdf", "audit: unknown option -quiet, did you mean --quiet?"},
	{"audit --json site.pdf", "audit: unknown option --json, did you mean -f json?"},
	{"audit --html site.pdf", "audit: unknown option --html, did you mean -f html?"},
	{"audit -o table site.pdf", "audit: -o table: use -f table for standard output, or -o table:FILE"},
	{"audit -o json:- site.pdf", "audit: -o json:-: use -f FORMAT for standard output"},
	{"audit -o - site.pdf", "audit: -o -: use -f FORMAT for standard output"},
	{"audit -o json: site.pdf", "audit: -o json:: name a file, as in -o html:report.html"},
	{"audit -o r.xml site.pdf", "audit: -o r.xml: the extension has no format; use FORMAT:FILE, as in -o junit:r.xml"},
	{"audit -o r.xlsx site.pdf", "audit: -o r.xlsx: use -o r.csv, which spreadsheets open"},
	{"audit -o report site.pdf", "audit: -o report: the extension has no format; use FORMAT:FILE"},
	{"audit -o in/ site.pdf", "audit: -o in/: name a file in the folder, as in -o in/report.html"},
	{"audit -o hmtl:x site.pdf", `not "hmtl", did you mean html?`},
	{"audit -o a.json -o json:a.json site.pdf", "audit: json and json cannot both go to a.json"},
	{"audit -o json:site.pdf site.pdf", "audit: site.pdf is an input; write the results to another file"},
	{"audit --only-failures site.pdf", "audit: unknown option --only-failures, did you mean --quiet?"},
	{"audit --colour never site.pdf", "audit: unknown option --colour, did you mean --color?"},
	{"audit --color red site.pdf", `audit: --color must be auto, always or never, not "red"`},
	{"audit --password x site.pdf", "audit: unknown option --password, did you mean --password-file?"},
	{"audit --password-file gone site.pdf", "audit: cannot read the password: open gone: "},
	{"audit --password-file - -", "audit: standard input is already used; name a file with --password-file"},
	{"find --urls-from - --password-file - site.pdf",
		"find: standard input is already used; name a file with --password-file"},
	{"find -f html http://h/ site.pdf", `find: --format must be table, json, ndjson, csv, not "html"`},
	{"audit --fail-on errors site.pdf", `not "errors", did you mean error?`},
	{"audit --fail-on fatal site.pdf", `audit: --fail-on must be error, warning or note, not "fatal"`},
	{"audit --fail site.pdf", "audit: unknown option --fail, did you mean --fail-on or --fail-fast?"},
	{"audit --only WC999 site.pdf", `audit: --only: "WC999" is neither a rule nor a group; webcap explain lists the rules`},
	{"audit --only urlz site.pdf", `audit: --only: "urlz" is neither a rule nor a group, did you mean urls?; webcap`},
	{"audit --only WC302 --only WC303 site.pdf", "audit: option --only is given twice: put commas between the rules"},
	{"audit --only WC302 --disable WC302 site.pdf", "audit: the options leave no rules to check"},
	{"audit -j many site.pdf", `audit: --jobs must be a number from 1 to 1024, not "many"`},
	{"audit -j2q site.pdf", `audit: --jobs must be a number from 1 to 1024, not "2q"`},
	{"audit -qx site.pdf", "audit: unknown option -qx"},
	{"audit --threads 4 site.pdf", "audit: unknown option --threads, did you mean --jobs?"},
	{"audit --timeout 5 site.pdf", "audit: --timeout needs a unit: use 5s"},
	{"audit --timeout soon site.pdf", `audit: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"audit --memory lots site.pdf", `audit: --memory must be a size such as 512M or 2G, at least 64M, not "lots"`},
	{"audit --shard 5/4 site.pdf", `audit: --shard: "5/4" is not a shard such as 1/4`},
	{"audit --baseline gone.json site.pdf", "audit: cannot read the baseline: open gone.json: "},
	{"audit --baseline site.pdf site.pdf", "audit: cannot read the baseline: site.pdf: not the results of webcap audit"},
	{"audit --config a --no-config site.pdf", "audit: --config and --no-config exclude each other"},
	{"audit --files-from gone", "audit: cannot read the list of files: open gone: "},
	{"audit --files-from - -", "audit: standard input is used twice; name a file instead"},
	{"audit --quiet=maybe site.pdf", `audit: option --quiet takes no value, not "maybe"`},
	{"audit --rule WC302 site.pdf", "audit: unknown option --rule, did you mean --only?"},
	{"audit --skip WC302 site.pdf", "audit: unknown option --skip, did you mean --disable?"},
	{"audit --silent site.pdf", "audit: unknown option --silent, did you mean --quiet?"},
	{"report", "report: name at least one file with results"},
	{"merge", "merge: name the results of all parts"},
	{"merge -", "merge: merge reads results twice; name files"},
	{"worker --fail-fast", "worker: unknown option --fail-fast"},
	{"worker site.pdf", "worker: jobs come from standard input, not as arguments"},
	{"rewrite", "rewrite: name one file or folder"},
	{"rewrite --rule WC302 site.pdf", "rewrite: unknown option --rule, did you mean --only?"},
	{"rewrite --skip WC302 site.pdf", "rewrite: unknown option --skip, did you mean --disable?"},
	{"rewrite --sources site.pdf", "rewrite: unknown option --sources, did you mean --canonical-sources?"},
	{"rewrite --dry-run site.pdf", "rewrite: unknown option --dry-run, did you mean webcap rewrite without -o and --in-place?"},
	{"rewrite --inplace site.pdf", "rewrite: unknown option --inplace, did you mean --in-place?"},
	{"rewrite --force site.pdf", "rewrite: unknown option --force, did you mean --break-signatures?"},
	{"rewrite --profile wwwoffle29 site.pdf", `rewrite: --profile must be pdf or pdf2, not "wwwoffle29"`},
	{"rewrite --base relative site.pdf", `rewrite: --base must be an absolute URL, not "relative"`},
	{"rewrite --prefer both site.pdf", `rewrite: --prefer must be keys or sets, not "both"`},
	{"rewrite -o x.pdf --in-place site.pdf", "rewrite: -o and --in-place exclude each other"},
	{"rewrite --salvage site.pdf", "rewrite: --salvage needs --full"},
	{"rewrite --no-backup site.pdf", "rewrite: --no-backup needs --in-place"},
	{"rewrite --journal j site.pdf", "rewrite: --journal needs a folder"},
	{"rewrite -o in in", "rewrite: -o in overlaps in; name a separate folder, or use --in-place"},
	{"diff site.pdf", "diff: name two files"},
	{"list --tree a b", "list: --tree needs one file"},
	{"explain xyzzy", `explain: unknown rule "xyzzy"; "webcap explain" lists all`},
	{"canon --compare --profile pdf http://h/", "canon: --compare and --profile exclude each other"},
	{"digest", "digest: name at least one file, or - for standard input"},
	{"digest --page --image a.gif", "digest: --image and --page exclude each other"},
	{"name fnd site.pdf", "name: choose an action: encode, decode or find, did you mean find?"},
	{"name find --id 00 site.pdf", `name: --id: identifier "00" is not 32 hexadecimal digits`},
	{"source list -f cvs x", `source list: --format must be table, json or csv, not "cvs", did you mean csv?`},
	{"config x", "config: takes no arguments"},
	{"completion tcsh", `completion: "tcsh" is not one of the shells bash, zsh, fish, powershell`},
	{"cluster run in", "cluster run: name the folder of the queue with --store"},
	{"cluster work --fail-fast", "cluster work: unknown option --fail-fast"},
	{"cluster cancel", "cluster cancel: name one job; webcap cluster status lists them"},
	{"cluster submit -", "cluster submit: workers cannot read standard input; name files"},
	{"cluster submit --replicas 2 in", `cluster submit: --replicas must be 1, 3 or 5, not "2"`},
}

// TestWrongLines: a wrong command line gives one line with the problem, one that names the help, and exit code 2.
func TestWrongLines(t *testing.T) {
	site, err := os.ReadFile(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("site.pdf", site, 0o666); err != nil {
		t.Fatal(err)
	}
	if len(wrongLines) < 80 {
		t.Errorf("%d lines, want at least 80", len(wrongLines))
	}
	for _, tt := range wrongLines {
		t.Run(tt.line, func(t *testing.T) {
			var out strings.Builder
			code, stderr := run(strings.NewReader(""), &out, strings.Fields(tt.line)...)
			if code != exitUsage || out.Len() > 0 {
				t.Errorf("exit %d, stdout %q", code, out.String())
			}
			first, second, _ := strings.Cut(stderr, "\n")
			if !strings.HasPrefix(first, "webcap: ") || !strings.Contains(first, tt.want) {
				t.Errorf("it says %q, want %q", first, tt.want)
			}
			if !strings.HasPrefix(second, `See "webcap `) || strings.Count(second, "\n") != 1 {
				t.Errorf("after that it says %q", second)
			}
		})
	}
}
