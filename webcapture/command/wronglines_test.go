package command

import (
	"os"
	"strings"
	"testing"
)

// wrongLines are wrong command lines with their messages: the problem, and the nearest right form. site.pdf is a PDF
// file, in a folder with one, empty has no bytes.
var wrongLines = []struct{ line, want string }{
	{"", "no command given, try webcap audit FILE"},
	{"site.pdf", `unknown command "site.pdf", did you mean webcap audit site.pdf?`},
	{"gone.PDF", `unknown command "gone.PDF", did you mean webcap audit gone.PDF?`},
	{"in", `unknown command "in", did you mean webcap audit in?`},
	{"adit site.pdf", `unknown command "adit", did you mean audit?`},
	{"re site.pdf", `unknown command "re", did you mean rewrite or report?`},
	{"nonsense", `unknown command "nonsense"; webcap audit PATH audits files`},
	{"--vrsion", "unknown option --vrsion, did you mean --version?"},
	{"--format", "unknown option --format"},
	{"--exit-zero audit site.pdf", "unknown option --exit-zero"},
	{"--nats s cluster work", "unknown option --nats"},
	{"--exit-zero list site.pdf", "unknown option --exit-zero"},
	{"-j 2 audit site.pdf", "unknown option -j"},
	{"version", `unknown command "version", did you mean --version?`},
	{"cluster wrok", `unknown command "cluster wrok", did you mean cluster work?`},
	{"cluster nonsense", `unknown command "cluster nonsense"; the commands of webcap cluster are submit, work, results`},
	{"source lits", `unknown command "source lits", did you mean source list?`},

	{"source crawl.warc", `unknown command "source crawl.warc"; the commands of webcap source are list`},

	// Options.
	{"audit --fromat json site.pdf", "audit: unknown option --fromat, did you mean --format?"},
	{"audit site.pdf --format", "audit: option --format needs a value"},
	{"audit -format json site.pdf", "audit: unknown option -format, did you mean --format?"},
	{"audit --json site.pdf", "audit: unknown option --json"},
	{"audit --password x site.pdf", "audit: unknown option --password, did you mean --password-file?"},
	{"audit --fail site.pdf", "audit: unknown option --fail, did you mean --fail-on?"},
	{"audit -vx site.pdf", "audit: unknown option -vx"},
	{"audit --exit-zero=maybe site.pdf", `audit: option --exit-zero takes no value, not "maybe"`},
	{"audit --help=maybe", `audit: option --help takes no value, not "maybe"`},
	{"audit --only WC302 --only=WC303 site.pdf", "audit: option --only is given twice: put commas between the rules"},
	{"rewrite --force site.pdf", "rewrite: unknown option --force"},
	{"rewrite -o x.pdf --in-place site.pdf", "rewrite: -o and --in-place exclude each other"},
	{"rewrite --no-backup site.pdf", "rewrite: --no-backup needs --in-place"},

	// Arguments.
	{"audit", "audit: name at least one file or folder"},
	{"report", "report: name at least one file with results"},
	{"rewrite", "rewrite: name at least one file or folder"},
	{"rewrite -f json site.pdf site.pdf", "rewrite: --format is for a single file; use --journal for details of several"},
	{"rewrite -o new.pdf site.pdf site.pdf",
		"rewrite: -o new.pdf is one file; name a folder for several, such as -o repaired/"},
	{"diff site.pdf", "diff: name two files"},
	{"keys", "keys: name"},
	{"keys -f pdf a.pdf", "keys: --format must be table, json, ndjson, csv, html or wayback, not "},
	{"keep a.pdf b.pdf", "keep: expected IN OUT -- COMMAND"},
	{"keep a.pdf b.pdf --", "keep: expected IN OUT -- COMMAND"},
	{"keep site.pdf ./site.pdf -- true", "keep: ./site.pdf exists: remove it, or name another file for OUT"},
	{"digest", "digest: name a source and a URL, as in --source crawl.warc.gz http://h/"},
	{"digest site.pdf", "digest: name a source and a URL, as in --source crawl.warc.gz http://h/"},
	{"digest --source in site.pdf", `digest: expected an absolute URL, not "site.pdf"`},
	{"explain xyzzy", `explain: no rule is named "xyzzy", and no symptom has these words; "webcap explain" lists all`},
	{"find site.pdf", `find: cannot look for "site.pdf": not a URL`},
	{"find --urls-from empty site.pdf", "find: "},
	{"source list", "source list: name at least one source, as KIND:PATH or PATH"},
	{"source list warc:", `source list: the source "warc:" has no path`},
	{"source list -", "source list: sources are read more than once; name a file instead of standard input"},
	{"cluster submit", "cluster submit: name at least one file or folder"},
	{"cluster status x", "cluster status: takes no arguments"},
	{"cluster work a b", "cluster work: name one job; webcap cluster status lists them"},
	{"cluster results a b", "cluster results: name one job; webcap cluster status lists them"},
	{"cluster rm", "cluster rm: name one job; webcap cluster status lists them"},
	{"cluster submit -", "cluster submit: workers cannot read standard input; name files"},
	{"audit --files-from - -", "audit: standard input is used twice; name a file instead"},
	{"find --urls-from - --files-from -", "find: standard input is used twice; name a file instead"},
	{"audit --journal j -", "audit: a run that can resume cannot read standard input; name a file"},
	{"audit --journal ./site.pdf site.pdf", "audit: ./site.pdf is an input; write the journal to another file"},

	// Formats and outputs.
	{"audit -f jsn site.pdf", `not "jsn", did you mean json?`},
	{"find -f html http://h/ site.pdf", `find: --format must be table, json, ndjson or csv, not "html"`},
	{"diff -f csv site.pdf site.pdf", `diff: --format must be table or json, not "csv"`},
	{"source list -f josn x", `source list: --format must be table or json, not "josn", did you mean json?`},
	{"audit -o - site.pdf", "audit: -o -: name a file, as in -o report.html; -f FORMAT is for standard output"},
	{"audit -o in/ site.pdf", "audit: -o in/: name a file, as in -o report.html; -f FORMAT is for standard output"},
	{"audit -o table site.pdf", "audit: -o table: the extension must be .csv, .htm, .html, .json, .md, "},
	{"audit -o r.hmtl site.pdf", "audit: -o r.hmtl: the extension must be .csv, .htm, .html, .json, .md, "},
	{"audit -o a.json -o ./a.json site.pdf", "audit: -o a.json and -o ./a.json are the same file"},
	{"report -o new/../a.json a.json", "report: new/../a.json is an input; write the results to another file"},
	{"export -o site.pdf/x.warc site.pdf", "export: cannot write site.pdf/x.warc: not a directory"},
	{"rewrite -o= site.pdf", "rewrite: -o needs the name of a file or folder"},
	{"rewrite -f json in", "rewrite: --format is for a single file; use --journal for details of several"},
	{"rewrite -o - in", "rewrite: -o needs the name of a file or folder"},
	{"rewrite -o in in", "rewrite: -o in overlaps in; name a separate folder, or use --in-place"},
	{"rewrite --journal j site.pdf", "rewrite: --journal is for several files or a folder"},

	// Other values.
	{"audit --fail-on errors site.pdf", `audit: --fail-on must be error, warning or note, not "errors", did you mean error?`},
	{"audit --only WC999 site.pdf", `audit: --only: "WC999" is neither a rule nor a group; webcap explain lists the rules`},
	{"rewrite --disable urlz site.pdf", `rewrite: --disable: "urlz" is neither a rule nor a group, did you mean urls?`},
	{"audit --only WC302 --disable WC302 site.pdf", "audit: the options leave no rules to check"},
	{"audit -j 1025 site.pdf", `audit: --jobs must be a number from 1 to 1024, not "1025"`},
	{"list -j2q site.pdf", `list: --jobs must be a number from 1 to 1024, not "2q"`},
	{"audit --timeout 5 site.pdf", "audit: --timeout needs a unit: use 5s"},
	{"find --timeout -1s http://h/ site.pdf", `find: --timeout must be a time such as 90s or 5m, not "-1s"`},
	{"keys --timeout soon site.pdf", `keys: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"audit --config in site.pdf", "audit: cannot read the configuration: "},
	{"audit --baseline gone.json site.pdf", "audit: cannot read the baseline: open gone.json: "},
	{"audit --baseline site.pdf site.pdf", "audit: cannot read the baseline: site.pdf: not the results of webcap audit"},
	{"list --password-file gone site.pdf", "list: cannot read the password: open gone: "},
	{"audit --files-from gone", "audit: cannot read the list of files: open gone: "},
	{"find --urls-from in site.pdf", "find: cannot read the list of URLs: "},
	{"export -o a.warc --against site.pdf site.pdf", "export: cannot read the index site.pdf: "},
	{"export -o a.warc --against empty site.pdf", "export: the index empty has no captures"},
	{"rewrite --profile surt site.pdf", `rewrite: --profile must be pdf or pdf2, not "surt"`},
	{"audit --base relative site.pdf", `audit: --base must be an absolute URL, not "relative"`},
	{"rewrite --base relative site.pdf", `rewrite: --base must be an absolute URL, not "relative"`},
	{"rewrite --prefer= site.pdf", `rewrite: --prefer must be keys, sets or data, not ""`},
	{"source list --url= site.pdf", `source list: --url must be an absolute URL, not ""`},
}

// TestWrongLines: a wrong command line gives one line with the problem, one that names the help, and exit code 2. It
// reads and writes nothing else.
func TestWrongLines(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	writePDF(t, "site.pdf", uniqueNames)
	writePDF(t, "in/site.pdf", uniqueNames)
	if err := os.WriteFile("empty", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range wrongLines {
		t.Run(tt.line, func(t *testing.T) {
			checkWrongLine(t, tt.line, tt.want)
		})
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 3 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// checkWrongLine checks the message about a wrong command line.
func checkWrongLine(t *testing.T, line, want string) {
	t.Helper()
	var out strings.Builder
	code, stderr := run(strings.NewReader(""), &out, strings.Fields(line)...)
	if code != exitUsage || out.Len() > 0 {
		t.Errorf("exit %d, stdout %q", code, out.String())
	}
	first, second, _ := strings.Cut(stderr, "\n")
	if !strings.HasPrefix(first, "webcap: ") || !strings.Contains(first, want) {
		t.Errorf("it says %q, want %q", first, want)
	}
	if !strings.HasPrefix(second, `See "webcap `) || strings.Count(second, "\n") != 1 {
		t.Errorf("after that it says %q", second)
	}
}
