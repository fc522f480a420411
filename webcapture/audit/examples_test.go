package audit

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestExamplesAreFresh keeps examples.txtar up to date with the cases in testdata/audit.
func TestExamplesAreFresh(t *testing.T) {
	const path = "examples.txtar"
	want := makeExamples(t)
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return // examplesData is still the old file
	}
	if string(examplesData) != string(want) {
		t.Errorf("%s is not what the cases say; run the test with -update", path)
	}
	all := parseExamples(want)
	for _, r := range Rules() {
		if e := ExamplesOf(r); e != all[r.ID] {
			t.Errorf("%s has the examples %+v", r.ID, e)
		}
	}
}

// TestExamplesAreComplete makes sure that every rule has both examples; rules in builtInTests may lack the broken one.
func TestExamplesAreComplete(t *testing.T) {
	all := parseExamples(makeExamples(t))
	for _, r := range Rules() {
		e := all[r.ID]
		complete := e.Broken.Comment != "" && e.Broken.Objects != "" && e.Finding != ""
		if _, ok := builtInTests[r.ID]; !complete && (!ok || e.Broken != Example{} || e.Finding != "") {
			t.Errorf("%s: the broken example is not complete: %+v, finding %q", r.ID, e.Broken, e.Finding)
		}
		for line := range strings.Lines(e.Finding) {
			if !strings.HasSuffix(line, " ["+r.ID+"]\n") {
				t.Errorf("%s has the finding %q", r.ID, line)
			}
		}
		if e.Kept.Comment == "" || e.Kept.Objects == "" {
			t.Errorf("%s: the kept example is not complete: %+v", r.ID, e.Kept)
		}
		for _, text := range []string{e.Broken.Comment, e.Broken.Objects, e.Finding, e.Kept.Comment, e.Kept.Objects} {
			if i := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) }); i >= 0 {
				t.Errorf("%s: an example is not plain text: %q", r.ID, text[i:])
			}
		}
	}
}

// makeExamples returns the archive of examples: for each rule the smallest case
// that breaks it, alone if there is one, and the smallest that keeps it.
func makeExamples(t *testing.T) []byte {
	t.Helper()
	var cases []*auditCase
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(path), err)
		}
		cases = append(cases, c)
	}
	a := &txtar.Archive{Comment: []byte("Made from testdata/audit (go test ./webcapture/audit -update); do not edit.\n\n")}
	add := func(r *rule.Rule, section, text string) {
		a.Files = append(a.Files, txtar.File{Name: r.ID + "/" + section, Data: []byte(text)})
	}
	for _, r := range Rules() {
		broken, kept := smallest(cases, r.ID, false), smallest(cases, r.ID, true)
		if c := broken; c != nil {
			add(r, brokenSection, c.comment+"\n"+differingFirst(c.objects(), kept.objects()))
			var finding strings.Builder
			for line := range strings.Lines(c.section("want.txt")) {
				if strings.HasSuffix(line, "["+r.ID+"]\n") {
					finding.WriteString(line)
				}
			}
			add(r, findingSection, finding.String())
		}
		if c := kept; c != nil {
			add(r, keptSection, c.comment+"\n"+differingFirst(c.objects(), broken.objects()))
		}
	}
	return txtar.Format(a)
}

// objects returns the entries of the catalog and the objects of a case, in order; nil if c is nil.
func (c *auditCase) objects() []string {
	if c == nil {
		return nil
	}
	var list []string
	for line := range strings.Lines(c.section("objects")) {
		if n := len(list); n > 0 && !beginsObject.MatchString(line) {
			list[n-1] += line
			continue
		}
		list = append(list, line)
	}
	return list
}

var beginsObject = regexp.MustCompile(`^([a-z]+: |[0-9]+ [0-9]+ obj\b)`)

// differingFirst returns objects as text: those that another example does not have, and, after
// a blank line, the others.
func differingFirst(objects, other []string) string {
	var differ, same string
	for _, o := range objects {
		if slices.Contains(other, o) {
			same += o
		} else {
			differ += o
		}
	}
	if differ == "" || same == "" {
		return differ + same
	}
	return differ + "\n" + same
}

func TestDifferingFirst(t *testing.T) {
	c := auditCase{archive: &txtar.Archive{Files: []txtar.File{{Name: "objects", Data: []byte("names: a\n5 0 obj (x\ny)\n6 0 obj 1\n")}}}}
	for i, tt := range []struct {
		other []string
		want  string
	}{
		{nil, "names: a\n5 0 obj (x\ny)\n6 0 obj 1\n"},
		{[]string{"names: a\n", "6 0 obj 1\n"}, "5 0 obj (x\ny)\n\nnames: a\n6 0 obj 1\n"},
		{c.objects(), "names: a\n5 0 obj (x\ny)\n6 0 obj 1\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := differingFirst(c.objects(), tt.other); got != tt.want {
				t.Errorf("next to %q: %q, want %q", tt.other, got, tt.want)
			}
		})
	}
}

// smallest returns the case with the fewest rules, lines and bytes among those
// that break a rule, or keep it; nil if there is none.
func smallest(cases []*auditCase, id string, ok bool) *auditCase {
	var of []*auditCase
	for _, c := range cases {
		if c.ok == ok && slices.Contains(c.rules, id) {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return slices.MinFunc(of, func(a, b *auditCase) int {
		x, y := a.section("objects"), b.section("objects")
		return cmp.Or(
			cmp.Compare(min(len(a.rules), 2), min(len(b.rules), 2)),
			cmp.Compare(strings.Count(x, "\n"), strings.Count(y, "\n")),
			cmp.Compare(len(x), len(y)),
			strings.Compare(a.name, b.name),
		)
	})
}
