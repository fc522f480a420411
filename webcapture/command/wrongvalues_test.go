package command

import (
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// wrongValues are command lines with one wrong value each, and the message about it, in addition to wrongCommandLines.
// SITE is a PDF file, IN a folder with one.
var wrongValues = []struct{ args, want string }{
	{"cluster results --fail-on fatal job", `cluster results: --fail-on must be error, warning or note, not "fatal"`},
	{"cluster results -o table job", "cluster results: -o table: use -f table for standard output"},
	{"cluster results --color red job", `cluster results: --color must be auto, always or never, not "red"`},
	{"cluster results --config gone job", "config: cannot read the configuration: open gone: "},
	{"cluster results a b", "cluster results: name one job; webcap cluster status lists them"},
	{"cluster purge", "cluster purge: name one job; webcap cluster status lists them"},
	{"cluster submit", "cluster submit: name at least one file or folder"},
	{"cluster submit --chunk 0 IN", `cluster submit: --chunk must be a number from 1 to 10000, not "0"`},
	{"cluster submit --chunk ten IN", `cluster submit: --chunk must be a number from 1 to 10000, not "ten"`},
	{"cluster submit --lease 999ms IN", `cluster submit: --lease must be a time such as 60s, at least 1s, not "999ms"`},
	{"cluster submit --lease soon IN", `cluster submit: --lease must be a time such as 60s, at least 1s, not "soon"`},
	{"cluster submit --replicas three IN", `cluster submit: --replicas must be 1, 3 or 5, not "three"`},
	{"cluster submit --timeout soon IN", `cluster submit: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"cluster submit --only urlz IN", `cluster submit: --only: "urlz" is neither a rule nor a group`},
	{"cluster submit --source warc: IN", `cluster submit: the source "warc:" has no path`},
	{"cluster work --only urlz", `cluster work: --only: "urlz" is neither a rule nor a group`},
	{"cluster work --password-file gone", "cluster work: cannot read the password: open gone: "},
	{"cluster work --source warc:", `cluster work: the source "warc:" has no path`},
	{"cluster work --timeout soon", `cluster work: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"cluster status --tls-key key", "cluster status: --tls-cert and --tls-key belong together"},
	{"cluster status -f csv", `cluster status: --format must be table or json, not "csv"`},
	{"cluster serve here", "cluster serve: takes no arguments"},
	{"config -f csv", `config: --format must be table or json, not "csv"`},
	{"config --config IN", "config: cannot read the configuration: "},
	{"diff -f csv a b", `diff: --format must be table or json, not "csv"`},
	{"diff --timeout soon a b", `diff: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"diff --password-file gone a b", "diff: cannot read the password: open gone: "},
	{"digest -f csv a.gif", `digest: --format must be table or json, not "csv"`},
	{"digest --page --reading all a.html", `digest: unknown reading "all"; use one of "`},
	{"digest --text --reading all a.html", `digest: unknown reading "all"; use one of "`},
	{"digest --page --source warc: a.html", `digest: the source "warc:" has no path`},
	{"digest --timeout soon a.gif", `digest: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"export -o a.warc", "export: name at least one file or folder"},
	{"export -o a.warc --timeout soon IN", `export: --timeout must be a time such as 90s or 5m, not "soon"`},
	{"export -o a.warc --shard 0/2 IN", `export: --shard: "0/2" is not a shard such as 1/4`},
	{"export -o a.warc --against IN IN", "export: cannot read the index IN: "},
	{"audit -xq IN", "audit: unknown option -xq"},
	{"audit -j 0 IN", `audit: --jobs must be a number from 1 to 1024, not "0"`},
	{"audit --source warc: IN", `audit: the source "warc:" has no path`},
	{"find SITE", "find: cannot look for \"SITE\": not a URL"},
	{"find --urls-from mixed SITE", "find: cannot look for \"www.a.example\": not a URL"},
	{"find --urls-from long SITE", "find: long: a line is longer than 65536 bytes"},
	{"find --urls-from IN SITE", "find: cannot read the list of URLs: "},
	{"find -f jsn http://h/ SITE", "find: --format must be table, json, ndjson, csv, not \"jsn\", did you mean json?"},
	{"find --jobs 0 http://h/ SITE", "find: --jobs must be a number from 1 to 1024, not \"0\""},
	{"find --shard 3/2 http://h/ SITE", "find: --shard: "},
	{"find --password-file gone http://h/ SITE", "find: cannot read the password: open gone"},
	{"find --files-from gone http://h/", "find: cannot read the list of files: open gone"},
	{"list --tree -f csv SITE", "list: --format must be table or json, not \"csv\""},
	{"list --tree", "list: --tree needs one file"},
	{"list --tree SITE SITE", "list: --tree needs one file"},
	{"list --tree --timeout soon SITE", "list: --timeout must be a time such as 90s or 5m, not \"soon\""},
	{"list -f jsn SITE", "list: --format must be table, json, ndjson, csv, html, not \"jsn\", did you mean "},
	{"list --files-from - -", "list: standard input is used twice; name a file instead"},
	{"list --files-from - --files-from - SITE", "list: standard input is used twice; name a file instead"},
	{"list --jobs two SITE", "list: --jobs must be a number from 1 to 1024, not \"two\""},
	{"list --timeout 5 SITE", "list: --timeout needs a unit: use 5s"},
	{"list --timeout -1s SITE", "list: --timeout must be a time such as 90s or 5m, not \"-1s\""},
	{"list --memory 63M SITE", "list: --memory must be a size such as 512M or 2G, at least 64M, not \"63M\""},
	{"list --memory all SITE", "list: --memory must be a size such as 512M or 2G, at least 64M, not \"all\""},
	{"name", "name: choose an action: encode, decode or find"},
	{"name find", "name: find: give at least one file"},
	{"name decode", "name: decode: give at least one name"},
	{"name find --id 6aff6ffde16c22ad173845d2aad0b489 SITE", "name: find has no option --id"},
	{"name encode --in SITE a", "name: encode has no option --in"},
	{"name find -f csv SITE", "name: --format must be table or json, not \"csv\""},
	{"name find --password-file gone SITE", "name: cannot read the password: open gone"},
	{"name find --timeout 5 SITE", "name: --timeout needs a unit: use 5s"},
	{"name decode --password-file gone --in SITE a", "name: cannot read the password: open gone"},
	{"name decode --timeout soon a", "name: --timeout must be a time such as 90s or 5m, not \"soon\""},
	{"name decode --hex 6x", "name: name \"6x\" is not hexadecimal"},
	{"name encode a", "name: encode needs one --id"},
	{"name encode --hex --id 6aff6ffde16c22ad173845d2aad0b489 6x", "name: name \"6x\" is not hexadecimal"},
	{"name encode --form none --id 6aff6ffde16c22ad173845d2aad0b489 a", "name: unknown form \"none\"; use one of " +
		"destination-suffix, destination-prefix, field-whole, field-id, field-root"},
	{"name encode --field --form destination-suffix --id 6aff6ffde16c22ad173845d2aad0b489 a", "name: unknown form " +
		"\"destination-suffix\" of fields; use one of field-whole, field-id, field-root"},
	{"report", "report: name at least one file with results"},
	{"report --fail-on worst SITE", "report: --fail-on must be error, warning or note, not \"worst\""},
	{"report --fail-on eror SITE", "report: --fail-on must be error, warning or note, not \"eror\", did you mean error?"},
	{"report -f jsn SITE", "report: --format must be table, json, "},
	{"report -o table SITE", "report: -o table: use -f table for standard output, or -o table:FILE"},
	{"report -o a.xls SITE", "report: -o a.xls: use -o a.csv, which spreadsheets open"},
	{"report -o html: SITE", "report: -o html:: name a file, as in -o html:report.html"},
	{"report -o out/ SITE", "report: -o out/: name a file in the folder, as in -o out/report.html"},
	{"report -o jsn:a SITE", "report: -o jsn:a: the format is table, json, "},
	{"report -o json:SITE SITE", "report: SITE is an input; write the results to another file"},
	{"report -o json:new/../SITE SITE", "report: new/../SITE is an input; write the results to another file"},
	{"report -o json:a -o csv:./a SITE", "report: json and csv cannot both go to ./a"},
	{"rewrite", "rewrite: name one file or folder"},
	{"rewrite -f csv SITE", "rewrite: --format must be table or json, not \"csv\""},
	{"rewrite -o= SITE", "rewrite: -o needs a file name"},
	{"rewrite -o a.pdf --in-place SITE", "rewrite: -o and --in-place exclude each other"},
	{"rewrite --no-backup -o a.pdf SITE", "rewrite: --no-backup needs --in-place"},
	{"rewrite --profile whatwg SITE", "rewrite: --profile must be pdf or pdf2, not \"whatwg\""},
	{"rewrite --base a/ SITE", "rewrite: --base must be an absolute URL, not \"a/\""},
	{"rewrite --prefer= SITE", "rewrite: --prefer must be keys or sets, not \"\""},
	{"rewrite --only WC999 SITE", "rewrite: --only: \"WC999\" is neither a rule nor a group"},
	{"rewrite --source embedded SITE", "rewrite: --source embedded works only with webcap audit"},
	{"rewrite --source warc: SITE", "rewrite: the source \"warc:\" has no path"},
	{"rewrite --timeout soon SITE", "rewrite: --timeout must be a time such as 90s or 5m, not \"soon\""},
	{"rewrite --journal new SITE", "rewrite: --journal needs a folder"},
	{"rewrite -f json IN", "rewrite: IN is a folder; --format is for single files, use --journal for details"},
	{"rewrite -o - IN", "rewrite: IN is a folder; name an output folder with -o, not standard output"},
	{"rewrite -o IN/new IN", "rewrite: -o IN/new overlaps IN; name a separate folder, or use --in-place"},
	{"rewrite --timeout soon IN", "rewrite: --timeout must be a time such as 90s or 5m, not \"soon\""},
	{"rewrite --journal SITE IN", "rewrite: --journal SITE: "},
	{"worker --only WC999", "worker: --only: \"WC999\" is neither a rule nor a group"},
	{"worker --only WC302 --disable WC302", "audit: the options leave no rules to check"},
	{"worker --password-file gone", "worker: cannot read the password: open gone"},
	{"worker --jobs 0", "worker: --jobs must be a number from 1 to 1024, not \"0\""},
	{"source list", "source list: name at least one source, as KIND:PATH or PATH"},
	{"source list -f ndjson SITE", "source list: --format must be table, json or csv, not \"ndjson\""},
	{"source list -f jsn SITE", "source list: --format must be table, json or csv, not \"jsn\", did you mean json?"},
	{"source list --url /a SITE", "source list: --url must be an absolute URL, not \"/a\""},
	{"source list --url= SITE", "source list: --url must be an absolute URL, not \"\""},
	{"source list embedded", "source list: embedded works only with webcap audit"},
	{"source list embedded:", "source list: embedded works only with webcap audit"},
	{"source list warc:", "source list: the source \"warc:\" has no path"},
	{"source list -", "source list: sources are read more than once; name a file instead of standard input"},
	{"source list warc:-", "source list: sources are read more than once; name a file instead of standard input"},
	{"source list --timeout 5 SITE", "source list: --timeout needs a unit: use 5s"},
	{"audit --source embedded --source warc: SITE", "audit: the source \"warc:\" has no path"},
	{"audit --enable WC999 SITE", "audit: --enable: \"WC999\" is neither a rule nor a group"},
}

// A wrong value ends a command with exit code 2 and a message about it, before anything is read or written.
func TestWrongValues(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("IN", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"mixed": "http://a.example/\nwww.a.example\n",
		"long": "http://a.example/" + strings.Repeat("a", maxPath) + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	writePDF(t, "SITE", uniqueNames)
	writePDF(t, "IN/a.pdf", uniqueNames)
	for _, tt := range wrongValues {
		t.Run(tt.args, func(t *testing.T) {
			var out strings.Builder
			code, stderr := run(strings.NewReader("http://h/\n"), &out, strings.Fields(tt.args)...)
			if code != exitUsage || !strings.HasPrefix(stderr, "webcap: "+tt.want) || out.Len() > 0 ||
				!strings.Contains(stderr, "\nSee \"webcap ") {
				t.Errorf("exit %d, it says %q, want %q; output %q", code, stderr, tt.want, out.String())
			}
			entries, err := os.ReadDir(".")
			if err != nil || len(entries) != 4 {
				t.Errorf("there are %v, %v", entries, err)
			}
		})
	}
}

// Each form of a unique name can be chosen, and is then the only output.
func TestChosenForm(t *testing.T) {
	id, err := digest.Parse("6aff6ffde16c22ad173845d2aad0b489")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range digest.Forms() {
		for _, field := range []bool{false, true} {
			args := []string{"name", "encode", "--form", f.String(), "--id", id.String(), "top"}
			if field {
				args = append(args, "--field")
			}
			var out strings.Builder
			code, stderr := run(nil, &out, args...)
			if wrong := field && !f.OfField(); wrong != (code == exitUsage) ||
				!wrong && out.String() != f.Name("top", id)+"\n" {
				t.Errorf("%v: exit %d, output %q, it says %q", args, code, out.String(), stderr)
			}
		}
	}
}
