package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// Results that are not complete make a report incomplete. Its exit code is 3.
func TestReportOfIncompleteResults(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile(resultsOf(t, dir, "a.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	const end = `"complete":true`
	if !strings.Contains(string(whole), end) {
		t.Fatalf("the results are not complete:\n%s", whole)
	}
	path := filepath.Join(dir, "b.ndjson")
	for _, tt := range []struct {
		end, says string
		code      int
	}{
		{end, "", exitClean},
		{`"complete":false,"end":"missing"`, "the results are not complete", exitFailed},
		{`"complete":false,"end":"interrupted"`, "the results are not complete", exitFailed},
		{"", "the results end too early", exitFailed},
	} {
		text := strings.Replace(string(whole), end, tt.end, 1)
		if tt.end == "" { // without the last line
			text = strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"),
				func(line string) bool { return strings.Contains(line, `"summary"`) }), "")
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		code, stderr := run(nil, &out, "report", "-f", "ndjson", path)
		want := ""
		if tt.says != "" {
			want = "webcap: " + path + ": " + tt.says + "\n"
		}
		if code != tt.code || !strings.HasPrefix(stderr, want) || (stderr == "") != (want == "") ||
			strings.Contains(out.String(), end) != (tt.says == "") {
			t.Errorf("%s: exit %d, it says %q, want %q", tt.end, code, stderr, want)
		}
	}
}

// --only and --disable choose the rules of an audit. With a source, --only keeps the rule about sources.
func TestSelectedRules(t *testing.T) {
	for _, tt := range []struct {
		args, has, lacks string
	}{
		{"", "WC101 WC302 WC512", ""},
		{"--source a.warc", "WC101 WC302 WC512", ""},
		{"--only WC101", "WC101", "WC302 WC512"},
		{"--only WC101 --source a.warc", "WC101 WC512", "WC302"},
		{"--only WC101 --source a.warc --disable WC512", "WC101", "WC302 WC512"},
		{"--disable WC101", "WC302 WC512", "WC101"},
		{"--only WC101,WC302 --disable WC302", "WC101", "WC302 WC512"},
		{"--only WC1", "WC101 WC103", "WC302 WC512"},
		{"--only WC101,,WC302", "WC101 WC302", "WC512"},
	} {
		withOptions(t, "audit a.pdf "+tt.args, func(_ *program, c *cli.Context) {
			list, err := selectRules(c)
			if err != nil {
				t.Fatal(err)
			}
			selected := map[string]bool{}
			for i, r := range list {
				if selected[r.ID] = true; i > 0 && list[i-1].ID >= r.ID {
					t.Errorf("%s: %s comes after %s", tt.args, r.ID, list[i-1].ID)
				}
			}
			for id := range strings.FieldsSeq(tt.has) {
				if !selected[id] {
					t.Errorf("%s: %s is missing", tt.args, id)
				}
			}
			for id := range strings.FieldsSeq(tt.lacks) {
				if selected[id] {
					t.Errorf("%s: %s is selected", tt.args, id)
				}
			}
		})
	}
}

// Standard output gets the format of -f, or a table if there is no -o. Files come first.
func TestRequestedOutputs(t *testing.T) {
	for args, want := range map[string]string{
		"": "table:", "-f json": "json:", "-o a.json": "json:a.json", "-f table -o a.json": "json:a.json table:",
		"-o a.csv -f json -o b.html": "csv:a.csv html:b.html json:", "-o A.JSON": "json:A.JSON", "-o a.htm": "html:a.htm",
		"-o a.b.xml": "junit:a.b.xml", "-o in/a:b.md": "markdown:in/a:b.md",
	} {
		withOptions(t, "audit a.pdf "+args, func(_ *program, c *cli.Context) {
			outs, err := outputs(c, nil)
			var got []string
			for _, o := range outs {
				got = append(got, o.format.Name+":"+o.path)
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%q: %q, %v, want %q", args, got, err, want)
			}
		})
	}
}
