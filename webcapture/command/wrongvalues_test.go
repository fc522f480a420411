package command

import (
	"os"
	"strings"
	"testing"
)

// wrongValues are command lines with a wrong value of an option or argument, and the message. A queue or an input is
// not needed to notice it.
var wrongValues = []struct{ line, want string }{
	{"cluster results --fail-on fatal job", `cluster results: --fail-on must be error, warning or note, not "fatal"`},
	{"cluster results -o table job", "cluster results: -o table: use -f table for standard output"},
	{"cluster results --color red job", `cluster results: --color must be auto, always or never, not "red"`},
	{"cluster results --config gone job", "config: cannot read the configuration: open gone: "},
	{"cluster results a b", "cluster results: name one job; webcap cluster status lists them"},
	{"cluster purge", "cluster purge: name one job; webcap cluster status lists them"},
	{"cluster submit", "cluster submit: name at least one file or folder"},
	{"cluster submit --chunk 0 in", `cluster submit: --chunk must be a number from 1 to 10000, not "0"`},
	{"cluster submit --chunk ten in", `cluster submit: --chunk must be a number from 1 to 10000, not "ten"`},
	{"cluster submit --lease 999ms in", `cluster submit: --lease must be a time such as 60s, at least 1s, not "999ms"`},
	{"cluster submit --lease soon in", `cluster submit: --lease must be a time such as 60s, at least 1s, not "soon"`},
	{"cluster submit --replicas three in", `cluster submit: --replicas must be 1, 3 or 5, not "three"`},
	{"cluster submit --timeout soon in", `cluster submit: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"cluster submit --only urlz in", `cluster submit: --only: "urlz" is neither a rule nor a group`},
	{"cluster submit --source warc: in", `cluster submit: the source "warc:" has no path`},
	{"cluster work --only urlz", `cluster work: --only: "urlz" is neither a rule nor a group`},
	{"cluster work --password-file gone", "cluster work: cannot read the password: open gone: "},
	{"cluster work --for pdf", "cluster work: --for must be table, json"},
	{"cluster work --source warc:", `cluster work: the source "warc:" has no path`},
	{"cluster work --timeout soon", `cluster work: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"cluster status --tls-key key", "cluster status: --tls-cert and --tls-key belong together"},
	{"cluster status -f csv", `cluster status: --format must be table or json, not "csv"`},
	{"cluster serve here", "cluster serve: takes no arguments"},
	{"config -f csv", `config: --format must be table or json, not "csv"`},
	{"config --config in", "config: cannot read the configuration: "},
	{"diff -f csv a b", `diff: --format must be table or json, not "csv"`},
	{"diff --timeout soon a b", `diff: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"diff --password-file gone a b", "diff: cannot read the password: open gone: "},
	{"digest -f csv a.gif", `digest: --format must be table or json, not "csv"`},
	{"digest --page --reading all a.html", `digest: unknown reading "all"; use one of "`},
	{"digest --text --reading all a.html", `digest: unknown reading "all"; use one of "`},
	{"digest --page --source warc: a.html", `digest: the source "warc:" has no path`},
	{"digest --timeout soon a.gif", `digest: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"export -o a.warc", "export: name at least one file or folder"},
	{"export -o a.warc --timeout soon in", `export: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"export -o a.warc --shard 0/2 in", `export: --shard: "0/2" is not a shard such as 1/4`},
	{"export -o a.warc --against in in", "export: cannot read the index in: "},
	{"audit -xq in", "audit: unknown option -xq"},
	{"audit -j 0 in", `audit: --jobs must be a number from 1 to 1024, not "0"`},
	{"audit --source warc: in", `audit: the source "warc:" has no path`},
}

// A wrong value gives one line with the problem, one that names the help, exit code 2, and no results.
func TestWrongValues(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range wrongValues {
		t.Run(tt.line, func(t *testing.T) {
			var out strings.Builder
			code, stderr := run(strings.NewReader(""), &out, strings.Fields(tt.line)...)
			first, second, _ := strings.Cut(stderr, "\n")
			if code != exitUsage || out.Len() > 0 || !strings.HasPrefix(first, "webcap: "+tt.want) ||
				!strings.HasPrefix(second, `See "webcap `) {
				t.Errorf("exit %d, stdout %q, it says\n%swant\n%s", code, out.String(), stderr, tt.want)
			}
		})
	}
}
