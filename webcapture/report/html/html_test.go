package html

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// fileOf returns recorded results.
func fileOf(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(golden, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func htmlOf(t *testing.T, results []byte) string {
	t.Helper()
	var out bytes.Buffer
	render(t, results, func(h report.Head) report.Writer { return newWriter(&out, report.Options{Head: h}) })
	return out.String()
}

var (
	styleElement  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scriptElement = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// The golden file omits style and script, which are separate files.
func TestGolden(t *testing.T) {
	got := htmlOf(t, fileOf(t, "html.json"))
	got = styleElement.ReplaceAllString(got, "<style></style>")
	got = scriptElement.ReplaceAllString(got, "<script></script>")
	got = regexp.MustCompile(`sha256-[^ ;"]*`).ReplaceAllString(got, "sha256")
	layouttest.Golden(t, filepath.Join(golden, "html.html"), got)
}

// The policy allows only the script of the page.
func TestPolicyNamesItsOwn(t *testing.T) {
	page := htmlOf(t, fileOf(t, "html.json"))
	for directive, element := range map[string]*regexp.Regexp{"style-src": styleElement, "script-src": scriptElement} {
		t.Run(directive, func(t *testing.T) {
			all := element.FindAllStringSubmatch(page, -1)
			if len(all) != 1 {
				t.Fatalf("%d elements like %v", len(all), element)
			}
			if want := directive + " '" + policyHash(all[0][1]) + "';"; !strings.Contains(html.UnescapeString(page), want) {
				t.Errorf("the policy does not say %s", want)
			}
		})
	}
	for _, no := range []string{"http-equiv=\"refresh\"", " style=", " onclick", "src=", "@import", "url(", "unsafe"} {
		t.Run(no, func(t *testing.T) {
			if strings.Contains(page, no) {
				t.Errorf("the page holds %q", no)
			}
		})
	}
}

// hostileText is text that a file may contain.
const hostileText = "</script><script>window.pwned=1</script><!--<img src=x onerror=window.pwned=1>" +
	"\"'`><svg onload=window.pwned=1>{{.}}${1}\u2028\u2029\u202emoc\u200f\x00\x1b[31m\xff\xfe]]>&lt;"

// hostileInputs returns results with hostileText in all places that can have text.
func hostileInputs() (report.Head, []*report.Record) {
	const x = hostileText
	ref := object.Ref{Num: 7}
	one := &rule.Rule{ID: "WC9" + x, Title: x, Problem: x, Clause: x, Doc: x, Repair: x, Level: rule.Error}
	at := []rule.Place{
		{Tree: "URLS", Node: &rule.NodePlace{Ref: ref, Index: 3}}, {Tree: "URLS", Node: &rule.NodePlace{Ref: ref, Index: -1}},
		{Tree: x}, {Part: x}, {Set: ref},
	}
	rep := &audit.Report{Path: x, Facts: webcapture.Facts{Size: 9, Version: x, Present: true, HasURLS: true,
		Encrypted: true, WithoutXRef: true, Notices: []string{x}}}
	for i, p := range at {
		fix := &rule.Fix{Action: rule.ChangeKey, Tree: x, Old: x, New: x}
		rep.Findings = append(rep.Findings, rule.Finding{Rule: one, Place: p, Message: fmt.Sprint(i, x), Fix: fix})
	}
	rep.Unread = []rule.Unread{{Place: rule.Place{Part: x}, Err: errors.New(x)}}
	rep.Identities = []rule.Identity{{Place: rule.Place{Set: ref}, ID: x, URL: x, Proof: rule.Mismatch, Where: x,
		Reading: x, Reason: x, Text: x}}
	head := report.Head{Version: x, Configuration: []string{x}, Rules: []*rule.Rule{one}, Sources: []report.Source{{
		Name: x, Stats: source.Stats{Skipped: []source.Skip{{Reason: x, Count: 1, First: x}}},
	}}}
	return head, []*report.Record{
		{Path: x, Report: rep, Ignored: []report.Ignored{{Finding: rep.Findings[0], Reason: x}}},
		{Path: x + "2", Err: errors.New(x)},
	}
}

func hostilePage(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	head, records := hostileInputs()
	if err := writeAll(newWriter(&out, report.Options{Head: head}), records); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEscapes(t *testing.T) {
	page := hostilePage(t)
	if !utf8.ValidString(page) {
		t.Error("the page is not UTF-8")
	}
	for _, r := range page {
		if r != '\n' && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || r == '\u2028' || r == '\u2029') {
			t.Fatalf("the page holds %q", r)
		}
	}
	for _, no := range []string{"<img", "<!--", "<svg onload", "<script>window", "&lt;\"", "ZgotmplZ"} {
		t.Run(no, func(t *testing.T) {
			if strings.Contains(page, no) {
				t.Errorf("the page holds %s", no)
			}
		})
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d elements script, want one", n)
	}
	if n := strings.Count(strings.ToLower(page), "</script"); n != 1 {
		t.Errorf("%d ends of scripts, want one", n)
	}
}

func TestSaysWhichFilesItLeavesOut(t *testing.T) {
	var out bytes.Buffer
	w := newWriter(&out, report.Options{})
	r := manyFindings(maxRows)[0]
	change(r, maxRows, func(f *rule.Finding) { f.Message = strings.Repeat("m", 2500) })
	for i := range maxFiles + 3 {
		if r.Path = fmt.Sprintf("%d.pdf", i); i == 20 {
			r = &report.Record{Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
		}
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
	if n := w.sections.Len(); n > maxMarkup+(8<<20) || w.withoutSection == 0 {
		t.Errorf("%d bytes about files, and %d files left out", n, w.withoutSection)
	}
	for _, want := range []string{"<li>3 files not in the list of files</li>",
		fmt.Sprintf("<li>%s files without a section", group(w.withoutSection))} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the page does not say %q", want)
			}
		})
	}
}

// Temporary files are removed after the page is written, and after an error of writing.
func TestLeavesNoFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for i, to := range []io.Writer{io.Discard, &limitedWriter{1 << 16}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newWriter(to, report.Options{})
			for range 4 {
				if err := w.Add(longRecord()); err != nil {
					t.Fatal(err)
				}
			}
			if w.sections.Len() <= spool.InMemory {
				t.Fatal("all was held in memory")
			}
			if err := w.Close(report.Complete); err != nil != (to != io.Discard) {
				t.Fatal(err)
			}
			if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
	withoutTempDir(t)
	w := newWriter(io.Discard, report.Options{})
	var err error
	for range 4 {
		err = errors.Join(err, w.Add(longRecord()))
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a folder for temporary files the error is %v", err)
	}
}

// withoutTempDir sets a folder for temporary files that does not exist.
func withoutTempDir(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing) // on Windows
}

// If a temporary file fails, Add or Close returns the error.
func TestReturnsErrorsOfTemporaryFiles(t *testing.T) {
	long := longRecord()
	w := newWriter(io.Discard, report.Options{})
	for range 4 {
		if err := w.Add(long); err != nil {
			t.Fatal(err)
		}
	}
	if w.sections.Len() <= spool.InMemory {
		t.Fatal("all was held in memory")
	}
	w.sections.Close()
	if err := w.Close(report.Complete); !errors.Is(err, os.ErrClosed) {
		t.Errorf("sections that cannot be read back: the error is %v", err)
	}
	w = newWriter(io.Discard, report.Options{})
	withoutTempDir(t)
	if err := w.Add(long); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sections without a folder for them: the error is %v", err)
	}
}

// longRecord returns a record whose section does not fit in memory.
func longRecord() *report.Record {
	long := manyFindings(maxRows)[0]
	change(long, maxRows, func(f *rule.Finding) { f.Message = strings.Repeat("because ", 400) })
	return long
}

// Temporary files are closed when the page is written.
func TestClosesTemporaryFiles(t *testing.T) {
	w := newWriter(io.Discard, report.Options{})
	if err := writeAll(w, []*report.Record{longRecord()}); err != nil {
		t.Fatal(err)
	}
	if err := w.sections.CopyTo(io.Discard); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file is open: %v", err)
	}
}

func TestReturnsWriteErrors(t *testing.T) {
	head, records := hostileInputs()
	var whole bytes.Buffer
	if err := writeAll(newWriter(&whole, report.Options{Head: head}), records); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < whole.Len(); n += 611 {
		if err := writeAll(newWriter(&limitedWriter{n}, report.Options{Head: head}), records); !errors.Is(err, errFull) {
			t.Fatalf("with room for %d of %d bytes the error is %v", n, whole.Len(), err)
		}
	}
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte(`{"schema":"webcap.audit/1","tool":{},"rules":[{"id":"WC1","level":"error"}],"inputs":[{"path":"a","outcome":"findings","file":{},"database":{},` +
		`"findings":[{"rule":"WC1","place":{"tree":"IDS","node":{"direct":true},"pair":2,"contentSet":{"num":5}}}],` +
		`"identities":[{"place":{"contentSet":{"num":5}},"proof":"mismatch","id":{"hex":""}}]}],"summary":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := report.NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		w := newWriter(io.Discard, report.Options{Head: r.Head()})
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			if err := w.Add(rec); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(r.End()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSaysWhatOfAFileItLeavesOut(t *testing.T) {
	r := manyFindings(1)[0]
	for range maxNotices + 7 {
		r.Ignored = append(r.Ignored, report.Ignored{Finding: r.Report.Findings[0], Reason: "known"})
	}
	const ignored = "Ignored: 50 findings, and 7 more that are not here"
	if !strings.Contains(pageOf(t, report.Options{}, r), ignored) {
		t.Errorf("the page does not say %q", ignored)
	}
}

// Omitted items are counted in their place.
func TestCountsWhatOfAFileItLeavesOut(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true}}
	for i := range maxNotices + 3 {
		rep.Notices = append(rep.Notices, fmt.Sprintf("notice %d", i))
		rep.Unread = append(rep.Unread, rule.Unread{Err: errors.New("torn")})
	}
	page := pageOf(t, report.Options{}, &report.Record{Path: "a.pdf", Report: rep})
	for _, want := range []string{
		"50 notices, and 3 more that are not here", "<li>… and 3 parts more</li>",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Errorf("the page does not say %q", want)
			}
		})
	}
	if strings.Contains(page, "notice 50") {
		t.Error("more notices are shown than there is room for")
	}
}

// A folder without PDF files is not a file.
func TestTitleCountsFiles(t *testing.T) {
	page := pageOf(t, report.Options{}, &report.Record{Path: "a.pdf", Report: &audit.Report{}},
		&report.Record{Path: "folder", Err: report.ErrNoFiles})
	if want := "0 errors, 0 warnings, 0 notes in 1 file</title>"; !strings.Contains(page, want) {
		t.Errorf("%q is not in the page", want)
	}
}

// All findings of a rule are counted, also if only some are shown.
func TestCountsFindingsByRule(t *testing.T) {
	page := pageOf(t, report.Options{}, manyFindings(maxRows + 7)[0])
	for _, want := range []string{"507 findings", "… and 7 more;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "<td>message "); n != maxRows {
		t.Errorf("%d findings are shown, want %d", n, maxRows)
	}
}

// The text identifier of a content set is next to the identity of its ID.
func TestTellsTextIdentifiers(t *testing.T) {
	page := pageOf(t, report.Options{}, &report.Record{Path: "a.pdf", Report: &audit.Report{
		Facts:      webcapture.Facts{Present: true},
		Identities: []rule.Identity{{Subtype: webcapture.PageSet, Proof: rule.Verified, Text: "as UTF-8"}},
	}})
	if want := "text identifier: as UTF-8"; !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// Each fact about a file and its content sets is there if it is true, and not otherwise.
func TestFile(t *testing.T) {
	set := rule.Place{Set: object.Ref{Num: 5}}
	one := audit.Rules()[0]
	rep := &audit.Report{
		Facts: webcapture.Facts{Present: true, WithoutXRef: true},
		Findings: rule.Findings{rule.Finding{Rule: one, Place: set},
			rule.Finding{Rule: one, Place: rule.Place{Tree: "URLS"}}},
		Identities: []rule.Identity{{Place: rule.Place{Set: object.Ref{Num: 6}}, Proof: rule.Mismatch}},
	}
	section := func() *fileSection {
		return newFileSection(&report.Record{Path: "a.pdf", Report: rep}, fileRow{}, &report.Options{})
	}
	file := section()
	if !slices.Contains(file.Facts, phrase.Repaired) || slices.Contains(file.Facts, "encrypted") {
		t.Errorf("the facts are %q", file.Facts)
	}
	if len(file.Identities) != 1 || file.Identities[0][0] != "mismatch" {
		t.Errorf("the identities are %+v", file.Identities)
	}
	if file.Keys != "webcap keys a.pdf -f html > keys.html" {
		t.Errorf("the command for the page of keys is %q", file.Keys)
	}
	rep.Encrypted = true
	if file := section(); !slices.Contains(file.Facts, "encrypted") {
		t.Errorf("the facts of an encrypted file are %q", file.Facts)
	}
	rep.WithoutXRef = false
	if file := section(); slices.Contains(file.Facts, phrase.Repaired) {
		t.Error("a file that was not repaired is said to have been")
	}
}

// TestOverview: the overview has the files worst first, and the command that repairs them.
func TestOverview(t *testing.T) {
	fixed := func(path string, level rule.Level, n int) *report.Record {
		rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
		for range n {
			rep.Findings = append(rep.Findings, rule.Finding{Rule: ruleThat(t, false, level), Fix: &rule.Fix{Action: rule.RewriteTree}})
		}
		return &report.Record{Path: path, Report: rep}
	}
	clean := &report.Record{Path: "clean.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	page := pageOf(t, report.Options{}, clean, fixed("note.pdf", rule.Note, 9),
		&report.Record{Path: "gone.pdf", Err: errors.New("gone")},
		fixed("some.pdf", rule.Error, 1), fixed("warning.pdf", rule.Warning, 2), fixed("most.pdf", rule.Error, 3))
	overview := page[:strings.Index(page, `<section id="files"`)]
	var files, commands []string
	for _, m := range regexp.MustCompile(`<td class="path"><a [^>]*>([^<]*)</a>`).FindAllStringSubmatch(overview, -1) {
		files = append(files, m[1])
	}
	for _, m := range regexp.MustCompile(`<code>(webcap rewrite [^<]*)</code>`).FindAllStringSubmatch(overview, -1) {
		commands = append(commands, m[1])
	}
	if want := []string{"most.pdf", "some.pdf", "warning.pdf", "gone.pdf", "note.pdf",
		"clean.pdf"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if want := []string{"webcap rewrite note.pdf some.pdf warning.pdf most.pdf -o repaired/"}; !slices.Equal(commands, want) {
		t.Errorf("commands %q, want %q", commands, want)
	}
	if want := "6 files: 2 with errors, 1 with warnings, 1 not audited, 2 clean"; !strings.Contains(overview, want) {
		t.Errorf("%q is not there", want)
	}
}

// TestPrint: only files with errors are printed, and of them only the errors.
func TestPrint(t *testing.T) {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	for _, level := range []rule.Level{rule.Error, rule.Note} {
		rep.Findings = append(rep.Findings, rule.Finding{Rule: ruleThat(t, false, level)})
	}
	clean := &report.Record{Path: "clean.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	page := pageOf(t, report.Options{}, &report.Record{Path: "bad.pdf", Report: rep}, clean)
	for want, n := range map[string]int{
		`<article class="file has-errors"`: 1, `<article class="file"`: 1, `<details class="group of-error"`: 1,
		`<details class="group of-note"`: 1, `<tr class="of-is-clean">`: 1,
		".file:not(.has-errors), .group:not(.of-error)": 1,
	} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%d times %s, want %d", got, want, n)
		}
	}
}

// TestMade: the page says when, where, by which command, and by which version it was made.
func TestMade(t *testing.T) {
	clean := &report.Record{Path: "in/clean.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	page := pageOf(t, report.Options{Head: report.Head{Version: "v1.0.0"}, Base: "/srv", Folder: "in/",
		Time:    time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
		Command: report.CommandLine([]string{"audit", "in", "-o", "a.html"})}, clean)
	for _, want := range []string{"<dd>2030-01-02 03:04 UTC</dd>", "<dd>/srv/in</dd>",
		"<code>webcap audit in -o a.html</code>", "<dd>webcap v1.0.0</dd>", ">in/clean.pdf</a>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not there", want)
		}
	}
}
