package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// ruleThat returns the first rule of a level whose OnRequest has this value.
func ruleThat(t *testing.T, onRequest bool, level rule.Level) *rule.Rule {
	t.Helper()
	for _, r := range audit.Rules() {
		if r.OnRequest == onRequest && r.Level == level {
			return r
		}
	}
	t.Fatal("there is no such rule")
	return nil
}

// Findings come by rule, the highest level first, and within a level by number. Repairable findings are counted
// without those that have no fix or are repaired only on request.
func TestBlocks(t *testing.T) {
	one, other, asked := ruleThat(t, false, rule.Note), ruleThat(t, false, rule.Error), ruleThat(t, true, rule.Note)
	fix := &rule.Fix{Action: rule.RewriteTree}
	rep := &audit.Report{
		Findings: rule.Findings{
			rule.Finding{Rule: one, Fix: fix}, rule.Finding{Rule: other}, rule.Finding{Rule: one},
			rule.Finding{Rule: asked, Fix: fix}, rule.Finding{Rule: other, Fix: fix}, rule.Finding{Rule: other, Fix: fix},
		},
		Omitted: []rule.Omitted{{Rule: other, Count: 7}},
	}
	blocks := GroupsOf(rep, 2)
	type counts struct {
		rule                                *rule.Rule
		count, listed, repairable, examples int
	}
	var got []counts
	for _, b := range blocks {
		got = append(got, counts{b.Rule, b.Count, b.listed, b.repairable, len(b.Examples)})
	}
	want := []counts{{other, 10, 3, 2, 2}, {one, 2, 2, 1, 2}, {asked, 1, 1, 0, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("blocks %+v, want %+v", got, want)
	}
	if what, command := blocks.NextStep(nil, "a b.pdf", &Options{}); what != showsRepairs ||
		command != "webcap rewrite "+shellWord("a b.pdf")+" -o "+shellWord("a b.repaired.pdf") {
		t.Errorf("the next step is %q, %q", what, command)
	}
}

// The next step is a command that repairs the file.
func TestNextStep(t *testing.T) {
	fixed := &Group{Count: 1, listed: 1, repairable: 1}
	for _, tt := range []struct {
		path          string
		blocks        Groups
		what, command string
	}{
		{"a.pdf", nil, "", ""},
		{"a.pdf", Groups{{Count: 3, listed: 3}}, "", ""},
		{"a.pdf", Groups{fixed}, showsRepairs, "webcap rewrite a.pdf -o a.repaired.pdf"},
		{"x/ä.pdf", Groups{fixed, fixed}, showsRepairs, "webcap rewrite x/ä.pdf -o x/ä.repaired.pdf"},
		{"-", Groups{fixed}, showsRepairs, "webcap rewrite FILE -o REPAIRED"},
		{"a\x1b.pdf", Groups{fixed}, showsRepairs, "webcap rewrite FILE -o REPAIRED"},
		{"a\xff.pdf", Groups{fixed}, showsRepairs, "webcap rewrite FILE -o REPAIRED"},
		{"-o", Groups{fixed}, showsRepairs, "webcap rewrite ./-o -o ./-o.repaired"},
		{"it's.pdf", Groups{fixed}, showsRepairs,
			"webcap rewrite " + shellWord("it's.pdf") + " -o " + shellWord("it's.repaired.pdf")},
		{"a.zip!b/c.pdf", Groups{fixed}, showsRepairs,
			"webcap rewrite " + shellWord("a.zip!b/c.pdf") + " -o a.zip.b-c.repaired.pdf"},
		{"$HOME.pdf", Groups{fixed}, showsRepairs, "webcap rewrite '$HOME.pdf' -o '$HOME.repaired.pdf'"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if what, command := tt.blocks.NextStep(nil, tt.path, &Options{}); what != tt.what || command != tt.command {
				t.Errorf("NextStep(%q) = %q, %q, want %q, %q", tt.path, what, command, tt.what, tt.command)
			}
		})
	}
}

// For any width, a table keeps commands, URLs, and hexadecimal keys in one piece.
func TestTableKeepsPieces(t *testing.T) {
	url := "http://www.example.org/" + strings.Repeat("archive/2001/", 20) + "index.html?q=1&r=2"
	key := "<" + strings.Repeat("0123456789abcdef", 6) + ">"
	path := strings.Repeat("folder/", 30) + "a.pdf"
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: rule.Findings{
		rule.Finding{Rule: ruleThat(t, false, rule.Error), Place: rule.Place{Part: "URLS"}, Message: "key (" + url +
			") is " + key + " and more", Fix: &rule.Fix{Action: rule.RewriteTree}},
	}}
	for _, width := range []int{60, 80, 120, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			var out bytes.Buffer
			w := newTable(&out, Options{Width: width, Verbose: true})
			if err := w.Add(&Record{Path: path, Report: rep}); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(Complete); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{url, key, "webcap rewrite " + path + " -o " + path[:len(path)-4] + ".repaired.pdf\n"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("width %d: %q is not in one piece in\n%s", width, want, out.String())
				}
			}
		})
	}
}

// If an object has no name for people, its place is given as a position, and on request exactly.
func TestExamplePosition(t *testing.T) {
	f := rule.Finding{Rule: &rule.Rule{}, Place: rule.Place{Tree: "IDS",
		Node: &rule.NodePlace{Ref: object.Ref{Num: 12}, Index: 3}}, Message: "m"}
	rep := &audit.Report{Positions: map[string]string{f.Place.String(): "entry 4 of 64 in node 5 of 16 of /IDS"}}
	for i, tt := range []struct {
		o           Options
		about, want string
	}{
		{Options{}, "", "entry 4 of 64 in node 5 of 16 of /IDS: m"},
		{Options{Verbose: true}, "", "IDS, entry 4 of node 12 0 R: m"},
		{Options{}, "http://a.example/", "http://a.example/: m"},
		{Options{Verbose: true}, "http://a.example/", "IDS, entry 4 of node 12 0 R: http://a.example/: m"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			rep.Subjects = map[string]string{f.Place.String(): tt.about}
			if got := tt.o.example(rep, &f); got != tt.want {
				t.Errorf("verbose %v, about %q: %q, want %q", tt.o.Verbose, tt.about, got, tt.want)
			}
		})
	}
}

// The first lines of a table describe the damage, its extent, and the remedy in plain words; the rest is shown on
// request.
func TestTableOfDamagedCapture(t *testing.T) {
	rec := &Record{Path: "a.pdf", Report: fileReport(t, "../../testdata/site-optimized.pdf")}
	o := Options{Head: Head{Rules: audit.Rules()}}
	text := func(o Options) string { return resultsIn(t, "table", o, Complete, rec) }
	for _, want := range []string{
		"  A tool that rewrote this file damaged all 6 keys of IDS, which lead viewers from a page or image to its capture.\n",
		"IDS keys stored as text, typical of pdfcpu optimize and merge: 6 of 6\n",
		"                  http://www.example.org/archive/",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text(o), want) {
				t.Errorf("the table does not say %q:\n%s", want, text(o))
			}
		})
	}
	if strings.Contains(text(o), "treated as text") {
		t.Errorf("the table has the message of what its headline says:\n%s", text(o))
	}
	o.Width = 80
	first := strings.Join(slices.Collect(strings.Lines(text(o)))[:6], "")
	for _, want := range []string{"match their ID: 7\n      errors", "damaged all 6 keys of IDS",
		"webcap rewrite a.pdf -o a.repaired.pdf"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(first, want) {
				t.Errorf("the first lines do not say %q:\n%s", want, first)
			}
		})
	}
	o.Verbose, o.Width = true, 0
	if want := "IDS, entry 1: http"; !strings.Contains(text(o), want) || !strings.Contains(text(o), "treated as text") {
		t.Errorf("with -v the table does not say %q:\n%s", want, text(o))
	}
}

// The verdict names all, some, or one of the keys, and ignores other findings.
func TestVerdict(t *testing.T) {
	transcoded, _ := audit.Lookup("WC303")
	for _, tt := range []struct {
		found, fixed, keys int
		want               string
	}{
		{3, 3, 3, "A tool that rewrote this file damaged all 3 keys of IDS, which lead viewers from a page or " +
			"image to its capture."},
		{3, 2, 9, "A tool that rewrote this file damaged 3 of 9 keys of IDS, which lead viewers from a page or " +
			"image to its capture."},
		{1, 1, 1, "A tool that rewrote this file damaged the only key of IDS, which lead viewers from a page or " +
			"image to its capture."},
	} {
		t.Run(fmt.Sprint(tt.found), func(t *testing.T) {
			rep := &audit.Report{}
			rep.IDS = tt.keys
			for i := range tt.found {
				f := rule.Finding{Rule: transcoded, Place: rule.Place{Tree: "IDS", Node: &rule.NodePlace{Index: i}}}
				if i < tt.fixed {
					f.Fix = &rule.Fix{Action: rule.ChangeKey}
				}
				rep.Findings = append(rep.Findings, f)
			}
			if got := GroupsOf(rep, SomeShown).Verdict(rep); got != tt.want {
				t.Errorf("%d of %d: %q, want %q", tt.found, tt.keys, got, tt.want)
			}
		})
	}
	rep := &audit.Report{Findings: rule.Findings{rule.Finding{Rule: ruleThat(t, false, rule.Error),
		Place: rule.Place{Tree: "IDS"}}}}
	if got := GroupsOf(rep, SomeShown).Verdict(rep); got != "" {
		t.Errorf("of another rule: %q", got)
	}
}

func TestPosixWord(t *testing.T) {
	for word, want := range map[string]string{
		"in/ä_1+2.pdf": "in/ä_1+2.pdf",
		"a b.pdf":      "'a b.pdf'",
		"it's.pdf":     `'it'\''s.pdf'`,
		"a.zip!b":      "'a.zip!b'",
		`in\a.pdf`:     `'in\a.pdf'`,
		"":             "''",
	} {
		t.Run(word, func(t *testing.T) {
			if got := posixWord(word); got != want {
				t.Errorf("posixWord(%q) = %s, want %s", word, got, want)
			}
		})
	}
}

// A word of a command line means the same in PowerShell and cmd, if it can.
func TestWindowsWord(t *testing.T) {
	for word, want := range map[string]string{
		`in\a.pdf`:         `in\a.pdf`,
		`C:\in/ä_1+2.pdf`:  `C:\in/ä_1+2.pdf`,
		`\\host\share\a`:   `\\host\share\a`,
		`my files\a.pdf`:   `"my files\a.pdf"`,
		`C:\my files\`:     `"C:\my files\\"`,
		`a&b(1),c;d.pdf`:   `"a&b(1),c;d.pdf"`,
		`it's.pdf`:         `"it's.pdf"`,
		`@list`:            `"@list"`,
		``:                 `""`,
		`a$b.pdf`:          `'a$b.pdf'`,
		"it's ${x}`y.pdf":  "'it''s ${x}`y.pdf'",
		`http://a/?b=“’c”`: `'http://a/?b=“’’c”'`,
	} {
		t.Run(word, func(t *testing.T) {
			if got := windowsWord(word); got != want {
				t.Errorf("windowsWord(%q) = %s, want %s", word, got, want)
			}
		})
	}
}

// The command has the options that a rewrite of the file needs.
func TestNextStepHasOptions(t *testing.T) {
	fixed := Groups{{Count: 1, listed: 1, repairable: 1}}
	for want, facts := range map[string]webcapture.Facts{
		"webcap rewrite a.pdf -o a.repaired.pdf":                           {},
		"webcap rewrite --full a.pdf -o a.repaired.pdf":                    {FullOnly: true},
		"webcap rewrite --break-signatures a.pdf -o a.repaired.pdf":        {Restricted: true},
		"webcap rewrite --break-signatures --full a.pdf -o a.repaired.pdf": {Restricted: true, FullOnly: true},
	} {
		if _, got := fixed.NextStep(&audit.Report{Facts: facts}, "a.pdf", &Options{}); got != want {
			t.Errorf("the command is %q, want %q", got, want)
		}
	}
}
