package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeProgram writes a script that prints a help text for each command.
func writeProgram(t *testing.T, help map[string]string) *program {
	t.Helper()
	var script strings.Builder
	script.WriteString("#!/bin/sh\ncase \"$*\" in\n")
	for words, text := range help {
		script.WriteString("'" + words + "') cat <<'EOF'\n" + text + "\nEOF\n;;\n")
	}
	script.WriteString("esac\n")
	path := filepath.Join(t.TempDir(), "webcap")
	if err := os.WriteFile(path, []byte(script.String()), 0o777); err != nil {
		t.Fatal(err)
	}
	p, err := readProgram(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const auditHelp = `Audit PDF files

  webcap audit --nothing

Output:
  -f, --format FORMAT  Format of standard output [possible: table, json,
                       csv] [default: table]
  -q, --quiet          Show less
  -j, --jobs N         Files to read
      --shard I/N      Only part I of N

General:
  -h, --help  Show this help`

func testPrograms(t *testing.T) (old, new *program) {
	help := map[string]string{
		"--version":          "webcap v1.2.3, go1.26",
		"explain":            "WC1xx  trees\n  WC101  error  …\n  WC102  error  …",
		"--help":             "Commands:\n  audit   Audit PDF files\n  source  Sources",
		"audit --help":       auditHelp,
		"source --help":      "Commands:\n  list  List",
		"source list --help": "A source is KIND:PATH, where KIND is folder, har, or\nwarc. More.",
	}
	old = writeProgram(t, help)
	help["audit --help"] = strings.Replace(strings.Replace(auditHelp, "json,\n", "\n", 1), "--shard", "--other", 1)
	help["explain"] = "  WC101  error  …"
	return old, writeProgram(t, help)
}

func TestIntersect(t *testing.T) {
	old, new := testPrograms(t)
	both, only, err := intersect(old, new)
	if err != nil {
		t.Fatal(err)
	}
	if got := both.command("audit").option("-f").values(); !slices.Equal(got, []string{"table", "csv"}) {
		t.Errorf("formats %q", got)
	}
	if !slices.Equal(both.kinds, []string{"folder", "har", "warc"}) {
		t.Errorf("kinds %q", both.kinds)
	}
	want := []string{"only in old: audit --shard", "only in new: audit --other", "only in old: audit --format json",
		"only in old: rule WC102"}
	if !slices.Equal(only, want) {
		t.Errorf("only %q", only)
	}
	if old.command("source list") == nil || old.version != "v1.2.3" {
		t.Errorf("commands %v, version %s", old.commands, old.version)
	}
	for _, p := range []*program{old, new} {
		p.command("audit").option("-f").possible = nil
	}
	if _, _, err := intersect(old, new); err == nil {
		t.Error("no formats, no error")
	}
}

func TestPlan(t *testing.T) {
	inputs := t.TempDir()
	for _, name := range []string{"a.pdf", "b.pdf"} {
		if err := os.WriteFile(filepath.Join(inputs, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const rest = "audit -j 1 a.pdf\nsource list a.pdf\n- source: prints its help\n"
	old, new := testPrograms(t)
	both, _, err := intersect(old, new)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ lines, want, fails string }{
		{"audit a.pdf\n" + rest, "source --help;audit a.pdf;audit --format table a.pdf;audit --format csv a.pdf;audit --quiet a.pdf", ""},
		{"audit -qf csv {*.pdf}\n- audit --format: odd\n" + rest, "audit -qf csv a.pdf;audit -qf csv b.pdf", ""},
		{"audit -qf {audit --format} a.pdf\n" + rest, "audit -qf table a.pdf;audit -qf csv a.pdf", ""},
		{"explain {rule}\n" + rest, "", "explain"},
		{"audit --shard 1/2 a.pdf\naudit -qf json a.pdf\n" + rest, "", ""},
		{"audit --gone a.pdf\n" + rest, "", "audit --gone a.pdf"},
		{"- audit --gone: reason\n" + rest, "", "- audit --gone: reason"},
		{"audit -f html a.pdf\n" + rest, "", "audit -f html a.pdf"},
		{"audit {*.html}\n" + rest, "", "no input"},
		{"source list a.pdf\n- source: prints its help\naudit a.pdf", "", "webcap audit --jobs N"},
		{"audit -j 1 a.pdf\n- source: prints its help", "", "webcap source list"},
	} {
		p := &planner{old: old, new: new, both: both, inputs: inputs}
		err = p.plan(test.lines)
		if test.fails != "" {
			if err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("%q: error %v", test.lines, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.lines, err)
		}
		var got []string
		for _, c := range p.cases {
			got = append(got, c.text)
		}
		for want := range strings.SplitSeq(test.want, ";") {
			if want != "" && !slices.Contains(got, want) {
				t.Errorf("%q: no case %q in %q", test.lines, want, got)
			}
		}
		if slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, "--shard") }) {
			t.Errorf("%q: a case of an option that only one program has: %q", test.lines, got)
		}
	}
}

func TestAllowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "allow")
	text := "# rules\naudit_*.out  /\"rule\":\"WC205\"/  findings\n*.out\t/\"errors\":/\tcounts\nhelp*  links\nnever  stale\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := readAllowances(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, lines string
		want        int
	}{
		{"audit_a.out", `< {"rule":"WC205"}`, 1},
		{"audit_a.out", "< {\"rule\":\"WC205\"}\n> \"errors\": 1", 2},
		{"audit_a.out", "< {\"rule\":\"WC205\"}\n> \"other\": 1", 0},
		{"audit_a.err", `< {"rule":"WC205"}`, 0},
		{"help.out", "> anything", 1},
	} {
		if got := allowed(list, difference{test.name, strings.Split(test.lines, "\n")}); len(got) != test.want {
			t.Errorf("%s: %q: %q", test.name, test.lines, got)
		}
	}
	if list[0].used != true || list[3].used {
		t.Error("used")
	}
}
