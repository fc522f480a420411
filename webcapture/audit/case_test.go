package audit

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

var update = flag.Bool("update", false,
	"rewrite want.txt and unread.txt of the cases in testdata/audit, and what is made from the cases and rules")

// caseOptions are the options for cases: a source without captures, so that the phase of identities runs.
var caseOptions = Options{Source: noSource}

var noSource = source.Join()

const caseDir = "../../testdata/audit"

// An auditCase is one file of testdata/audit; the README there describes the form.
type auditCase struct {
	name    string
	rules   []string // in the name
	ok      bool     // the name begins with ok-
	expect  []string
	comment string
	skip    string // the header key that this runner does not know
	archive *txtar.Archive
}

var caseName = regexp.MustCompile(`^(ok-)?((?:WC\d{3}-)+)[a-z0-9-]+\.txtar$`)

func readCase(path string) (*auditCase, error) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &auditCase{name: filepath.Base(path), archive: a}
	m := caseName.FindStringSubmatch(c.name)
	if m == nil {
		return nil, fmt.Errorf("the name is not [ok-]WCnnn-words.txtar")
	}
	c.ok = m[1] != ""
	c.rules = strings.Split(strings.TrimSuffix(m[2], "-"), "-")
	header := map[string]string{}
	for line := range strings.Lines(string(a.Comment)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if _, twice := header[key]; !ok || twice {
			return nil, fmt.Errorf("header line %q is not a key and value, or stands twice", line)
		}
		header[key] = strings.TrimSpace(value)
		switch key {
		case "expect", "clause", "comment":
		default:
			c.skip = key
		}
	}
	if header["clause"] == "" || header["comment"] == "" || header["expect"] == "" {
		return nil, fmt.Errorf("expect, clause or comment is missing")
	}
	c.comment = header["comment"]
	if header["expect"] != "none" {
		c.expect = strings.Fields(strings.ReplaceAll(header["expect"], ",", " "))
	}
	return c, c.checkForm()
}

func (c *auditCase) checkForm() error {
	for i, f := range c.archive.Files {
		if !slices.Contains([]string{"objects", "want.txt", "unread.txt", "rewritten"}, f.Name) {
			return fmt.Errorf("section %s is not known", f.Name)
		}
		if i == 0 != (f.Name == "objects") {
			return fmt.Errorf("objects is the first section, once")
		}
	}
	if len(c.archive.Files) == 0 {
		return fmt.Errorf("no objects")
	}
	if c.ok {
		if len(c.expect) > 0 {
			return fmt.Errorf("an ok case expects none")
		}
		return nil
	}
	if !slices.Equal(c.expect, c.rules) {
		return fmt.Errorf("the name says %v, expect says %v", c.rules, c.expect)
	}
	return nil
}

// section returns the text of a section, empty if there is none.
func (c *auditCase) section(name string) string {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// setSection sets the text of a section. An empty text removes the section.
func (c *auditCase) setSection(name, text string) {
	files := c.archive.Files
	i := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case text == "" && i >= 0:
		files = slices.Delete(files, i, i+1)
	case text == "":
	case i >= 0:
		files[i].Data = []byte(text)
	default:
		at := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == "rewritten" || f.Name == "unread.txt" })
		if at < 0 || name == "unread.txt" {
			at = len(files)
		}
		files = slices.Insert(files, at, txtar.File{Name: name, Data: []byte(text)})
	}
	c.archive.Files = files
}

func (c *auditCase) pdf(t testing.TB, l webcapturetest.Layout) []byte {
	t.Helper()
	d, err := webcapturetest.Parse(c.section("objects"))
	if err != nil {
		t.Fatal(err)
	}
	return d.Bytes(l)
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(caseDir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", caseDir, err)
	}
	return files
}

// findingLines returns the findings as they stand in want.txt.
func findingLines(rep *Report) string {
	var b strings.Builder
	for _, f := range rep.Findings {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

var offset = regexp.MustCompile(`offset \d+: `)

// unreadLines returns what could not be read as it stands in unread.txt:
// without offsets, which depend on the layout.
func unreadLines(rep *Report) string {
	var b strings.Builder
	for _, u := range rep.Unread {
		fmt.Fprintf(&b, "%v: %s\n", u.Place, offset.ReplaceAllString(u.Err.Error(), ""))
	}
	return b.String()
}

var (
	plainLayout  = webcapturetest.Layout{}
	packedLayout = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 3}
)

// TestCases runs every case of testdata/audit.
func TestCases(t *testing.T) {
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		t.Run(strings.TrimSuffix(c.name, ".txtar"), func(t *testing.T) {
			if c.skip != "" {
				t.Skipf("header key %q is not known", c.skip)
			}
			plain := auditBytes(t, c.pdf(t, plainLayout), caseOptions)
			if plain.WithoutXRef {
				t.Errorf("the plain layout was repaired: %q", plain.Notices)
			}
			checkRules(t, c, plain)
			if *update {
				c.setSection("want.txt", findingLines(plain))
				c.setSection("unread.txt", unreadLines(plain))
				if err := os.WriteFile(path, txtar.Format(c.archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			c.compare(t, "plain", plain)
			c.compare(t, "object streams", auditBytes(t, c.pdf(t, packedLayout), caseOptions))
			unresolved := auditBytes(t, c.pdf(t, plainLayout), Options{Source: noSource, allDeferred: true})
			c.compare(t, "all unresolved", unresolved)
			if got, want := counts(unresolved), counts(plain); got != want {
				t.Errorf("all unresolved: %s, want %s", got, want)
			}
			c.compareRuleByRule(t)
			c.compare(t, "repair", auditRepaired(t, c.pdf(t, plainLayout)))
		})
	}
}

// compare compares a report with want.txt and unread.txt.
func (c *auditCase) compare(t *testing.T, how string, rep *Report) {
	t.Helper()
	if got, want := findingLines(rep), c.section("want.txt"); got != want {
		t.Errorf("%s: findings\n%swant\n%s", how, got, want)
	}
	if got, want := unreadLines(rep), c.section("unread.txt"); got != want {
		t.Errorf("%s: unread\n%swant\n%s", how, got, want)
	}
}

// checkRules makes sure that a report has the rules that the case expects.
func checkRules(t *testing.T, c *auditCase, rep *Report) {
	t.Helper()
	var got []string
	for _, f := range rep.Findings {
		if !slices.Contains(got, f.Rule.ID) {
			got = append(got, f.Rule.ID)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, c.expect) {
		t.Errorf("rules %v, expected %v; findings:\n%s", got, c.expect, findingLines(rep))
	}
	if !rep.Present {
		t.Errorf("nothing of Web Capture in the file")
	}
}

// compareRuleByRule makes sure that no rule needs another one: each reports the same alone and among all. Without
// WEBCAP_TEST_ALL, it tests only the rules with findings in the case, and a tenth of the others.
func (c *auditCase) compareRuleByRule(t *testing.T) {
	t.Helper()
	data := c.pdf(t, plainLayout)
	want := c.section("want.txt")
	all := webcapturetest.All()
	for i, r := range Rules() {
		if !all && !strings.Contains(want, "["+r.ID+"]\n") && (i+len(want))%10 != 0 {
			continue
		}
		var lines strings.Builder
		for line := range strings.Lines(want) {
			if strings.HasSuffix(line, "["+r.ID+"]\n") {
				lines.WriteString(line)
			}
		}
		if got := findingLines(auditBytes(t, data, Options{Source: noSource, Rules: []*rule.Rule{r}})); got != lines.String() {
			t.Errorf("%s by itself: findings\n%swant\n%s", r.ID, got, lines.String())
		}
	}
}

// counts returns what a report counts.
func counts(r *Report) string {
	return fmt.Sprintf("URLS %d, IDS %d, page sets %d, image sets %d, other sets %d", r.URLS, r.IDS, r.PageSets,
		r.ImageSets, r.OtherSets)
}

// auditTime is when audits of tests take place.
var auditTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func auditBytes(t testing.TB, data []byte, opt Options) *Report {
	t.Helper()
	opt.now = auditTime
	rep, err := Bytes(t.Context(), "case.pdf", bytes.Clone(data), opt)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// auditRepaired audits a file without the use of its cross-reference data.
func auditRepaired(t testing.TB, data []byte) *Report {
	t.Helper()
	f, err := webcapture.New(context.Background(), data, webcapture.Options{})
	if err == nil {
		err = f.DropXRef(errors.New("a test"))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := Run(f, Options{Source: noSource, now: auditTime})
	if err != nil {
		t.Fatal(err)
	}
	if !rep.WithoutXRef {
		t.Error("opened with repair, but the report does not say so")
	}
	return rep
}

// TestCaseForms makes sure that cases which break the form are refused.
func TestCaseForms(t *testing.T) {
	good := "expect: WC204\nclause: x\ncomment: y\n-- objects --\n1 0 obj null\n"
	for _, row := range []struct{ name, file, text string }{
		{"name", "upper-case.txtar", good},
		{"name and expect differ", "WC202-a.txtar", good},
		{"ok case with findings", "ok-WC204-a.txtar", good},
		{"no clause", "WC204-a.txtar", strings.Replace(good, "clause: x\n", "", 1)},
		{"no comment", "WC204-a.txtar", strings.Replace(good, "comment: y\n", "", 1)},
		{"header key twice", "WC204-a.txtar", "clause: z\n" + good},
		{"unknown section", "WC204-a.txtar", good + "-- wish.txt --\n"},
		{"no objects", "WC204-a.txtar", strings.Split(good, "--")[0]},
		{"objects after", "WC204-a.txtar", strings.Replace(good, "-- objects", "-- want.txt --\n-- objects", 1)},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), row.file)
			if err := os.WriteFile(path, []byte(row.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := readCase(path); err == nil {
				t.Errorf("readCase accepts %q", row.text)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "WC204-a.txtar")
	if err := os.WriteFile(path, []byte("base: http://a/\n"+good), 0o666); err != nil {
		t.Fatal(err)
	}
	if c, err := readCase(path); err != nil || c.skip != "base" {
		t.Errorf("an unknown header key is not a reason to skip: %v", err)
	}
}
