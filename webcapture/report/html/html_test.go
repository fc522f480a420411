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
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("%d elements script, want the data and the script", n)
	}
	if n := strings.Count(strings.ToLower(page), "</script"); n != 2 {
		t.Errorf("%d ends of scripts, want 2", n)
	}
}

func TestSaysWhatItLeavesOut(t *testing.T) {
	var out bytes.Buffer
	w := newWriter(&out, report.Options{})
	// Findings beyond the markup, then beyond the data.
	for i := range 5 {
		r := manyFindings(maxData / 4)[0]
		r.Path = fmt.Sprintf("%d.pdf", i)
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{
		"23,000 of 25,000 findings are not in these tables. Scripts can search 25,000 of them",
		"23,000 of 25,000 findings are not in these tables. Scripts can search 0 of them",
		"<li>25,000 findings not among the 100,000 that can be searched</li>",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Errorf("the page does not say %q", want)
			}
		})
	}
	if n := strings.Count(page, "<tr id="); n != 5*maxRows {
		t.Errorf("%d findings in the markup, want %d", n, 5*maxRows)
	}
}

func TestSaysWhichFilesItLeavesOut(t *testing.T) {
	var out bytes.Buffer
	w := newWriter(&out, report.Options{})
	r := manyFindings(maxRows)[0]
	change(r, maxRows, func(f *rule.Finding) { f.Message = strings.Repeat("m", 2000) })
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
				if err := w.Add(manyFindings(20_000)[0]); err != nil {
					t.Fatal(err)
				}
			}
			if w.rows.Len() <= spool.InMemory {
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
		err = errors.Join(err, w.Add(manyFindings(20_000)[0]))
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
	// Ignored findings are only in the sections.
	long := &report.Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	for range maxRows {
		long.Ignored = append(long.Ignored,
			report.Ignored{Finding: manyFindings(1)[0].Report.Findings[0], Reason: strings.Repeat("because ", 100)})
	}
	for name, record := range map[string]*report.Record{"sections": long, "findings": manyFindings(20_000)[0]} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(io.Discard, report.Options{})
			for range 4 {
				if err := w.Add(record); err != nil {
					t.Fatal(err)
				}
			}
			kept := map[string]*spool.Spool{"sections": &w.sections, "findings": &w.rows}[name]
			if kept.Len() <= spool.InMemory {
				t.Fatalf("%s: all was held in memory", name)
			}
			kept.Close()
			if err := w.Close(report.Complete); !errors.Is(err, os.ErrClosed) {
				t.Errorf("%s that cannot be read back: the error is %v", name, err)
			}
		})
	}
	w := newWriter(io.Discard, report.Options{})
	withoutTempDir(t)
	if err := w.Add(long); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sections without a folder for them: the error is %v", err)
	}
}

// Temporary files are closed when the page is written.
func TestClosesTemporaryFiles(t *testing.T) {
	w := newWriter(io.Discard, report.Options{})
	if err := writeAll(w, []*report.Record{manyFindings(20_000)[0]}); err != nil {
		t.Fatal(err)
	}
	if err := w.rows.CopyTo(io.Discard); !errors.Is(err, os.ErrClosed) {
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

// A rule without an explanation in the results has the explanation of webcap.
func TestExplainsRules(t *testing.T) {
	page := htmlOf(t, fileOf(t, "html.json"))
	rule, _ := audit.Lookup("WC303")
	if n := strings.Count(page, rule.Doc); n < 3 {
		t.Errorf("WC303 is explained %d times, want by its findings, among the rules, and in the data", n)
	}
}

func TestFixText(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   *rule.Fix
		want string
	}{
		{"none", nil, ""},
		{"change", &rule.Fix{Action: rule.ChangeKey, Old: "a", New: "\xff"}, "change key (a) to <ff>"},
		{"add", &rule.Fix{Action: rule.AddKey, New: "a", Tree: "IDS", Set: object.Ref{Num: 5}}, "add key (a) in IDS, content set 5 0 R"},
		{"member", &rule.Fix{Action: rule.DropMember, Index: 2, Set: object.Ref{Num: 5}}, "drop member 2, content set 5 0 R"},
		{"tree", &rule.Fix{Action: rule.RewriteTree}, "rewrite tree"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fixText(tt.in); got != tt.want {
				t.Errorf("fixText = %q, want %q", got, tt.want)
			}
		})
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
	for range maxRows + 7 {
		r.Ignored = append(r.Ignored, report.Ignored{Finding: r.Report.Findings[0], Reason: "known"})
	}
	const ignored = "Ignored: 2,000 findings, and 7 more that are not here"
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
		"<li>notice 49</li><li>… and 3 more</li>", "<li>… and 3 parts more</li>",
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
	if want := "2,007 findings"; !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
	file := newFileSection(manyFindings(maxRows + 7)[0], fileRow{}, make([]string, maxRows+7), 0)
	if r := file.Rules[0]; r.Count != maxRows+7 || r.Left != 7 || len(r.Rows) != maxRows {
		t.Errorf("%d findings, %d of them left out, %d shown", r.Count, r.Left, len(r.Rows))
	}
}

// The script of a page without findings gets a list of rules, though it is empty.
func TestWithoutFindings(t *testing.T) {
	if page := pageOf(t, report.Options{}); !strings.Contains(page, `{"rules":[],`) {
		t.Error("the data of the script begins with something else")
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
	file := newFileSection(&report.Record{Path: "a.pdf", Report: rep}, fileRow{}, []string{"first", "second"}, 2)
	plain := file
	if !slices.Contains(file.Facts, phrase.Repaired) {
		t.Errorf("the facts %q do not say that the file was repaired", file.Facts)
	}
	if len(file.Identities) != 1 || file.Identities[0].Proof != "mismatch" {
		t.Errorf("the identities are %+v", file.Identities)
	}
	if file.Keys != "webcap keys a.pdf -f html > keys.html" ||
		file.Captures != "webcap list a.pdf -f html > captures.html" {
		t.Errorf("the commands for pages are %q and %q", file.Keys, file.Captures)
	}
	rep.Encrypted = true
	if file := newFileSection(&report.Record{Report: rep}, fileRow{}, []string{"", ""}, 2); !slices.Contains(file.Facts,
		"encrypted") || slices.Contains(plain.Facts, "encrypted") {
		t.Errorf("the facts of an encrypted file are %q, and of another %q", file.Facts, plain.Facts)
	}
	rep.WithoutXRef = false
	if file := newFileSection(&report.Record{Report: rep}, fileRow{}, []string{"", ""}, 2); slices.Contains(file.Facts,
		phrase.Repaired) {
		t.Error("a file that was not repaired is said to have been")
	}
	known, _ := audit.Lookup("WC302")
	if got := newRuleInfo(&rule.Rule{ID: "WC302"}, 1, 1); got.Doc != known.Doc || got.Repair != known.Repair {
		t.Errorf("a rule of results that were read is explained by %q, %q", got.Doc, got.Repair)
	}
}

// The data of the script have the proof of the content set for a finding, also if its place is a tree entry.
func TestSearchKnowsProofs(t *testing.T) {
	set := object.Ref{Num: 5}
	rep := &audit.Report{
		Facts: webcapture.Facts{Present: true},
		Findings: rule.Findings{rule.Finding{Rule: audit.Rules()[0],
			Place: rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: 1}, Set: set}, Message: "m"}},
		Identities: []rule.Identity{{Place: rule.Place{Set: set}, Proof: rule.Mismatch}},
	}
	page := pageOf(t, report.Options{}, &report.Record{Path: "a.pdf", Report: rep})
	if want := `"m","","mismatch","",""]`; !strings.Contains(page, want) {
		t.Errorf("%s is not in the data", want)
	}
}

// A content set that is not an object of its own is found by its place.
func TestSearchKnowsProofsOfDirectSets(t *testing.T) {
	at := rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: 1}}
	rep := &audit.Report{
		Facts:      webcapture.Facts{Present: true},
		Findings:   rule.Findings{rule.Finding{Rule: audit.Rules()[0], Place: at, Message: "m"}},
		Identities: []rule.Identity{{Place: at, Proof: rule.Mismatch}},
	}
	page := pageOf(t, report.Options{}, &report.Record{Path: "a.pdf", Report: rep})
	if want := `"m","","mismatch","",""]`; !strings.Contains(page, want) {
		t.Errorf("%s is not in the data", want)
	}
}

// The first content sets are shown, and it is said how many more there are.
func TestOfManyIdentities(t *testing.T) {
	for _, more := range []int{0, 2} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Identities: make([]rule.Identity, maxSets+more)}
			for i := range rep.Identities {
				rep.Identities[i].Place.Set.Num = uint32(i + 1)
			}
			file := newFileSection(&report.Record{Report: rep}, fileRow{}, nil, 0)
			if n := len(file.Identities); n != maxSets || file.IdentitiesLeft != more {
				t.Errorf("%d content sets are shown, and %d left out, want %d and %d", n, file.IdentitiesLeft, maxSets, more)
			}
		})
	}
}

// TestOverview: the overview has the files worst first, and what to do next for each cause.
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
	overview := page[:strings.Index(page, `<section id="findings"`)]
	var files, commands []string
	for _, m := range regexp.MustCompile(`<td class="path"><a [^>]*>([^<]*)</a>`).FindAllStringSubmatch(overview, -1) {
		files = append(files, m[1])
	}
	for _, m := range regexp.MustCompile(`<code>(webcap rewrite [^<]*)</code>`).FindAllStringSubmatch(overview, -1) {
		commands = append(commands, m[1])
	}
	if want := []string{"most.pdf", "some.pdf", "gone.pdf", "warning.pdf", "note.pdf",
		"clean.pdf"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if want := []string{"webcap rewrite some.pdf warning.pdf most.pdf -o repaired/"}; !slices.Equal(commands, want) {
		t.Errorf("commands %q, want %q", commands, want)
	}
	for _, want := range []string{"3 files: Findings that webcap can repair", "1 file: Not audited: gone",
		"clean, 9 notes"} {
		if strings.Count(overview, want) != 1 {
			t.Errorf("%q is not there once", want)
		}
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
		`<article class="file has-errors"`: 1, `<article class="file"`: 1, `<section class="group of-error">`: 1,
		`<section class="group of-note">`: 1, `<tr class="of-is-clean">`: 1,
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

// TestManyCauses: the overview distinguishes at most maxTodos causes, and counts all files.
func TestManyCauses(t *testing.T) {
	var records []*report.Record
	for i := range 3 * maxTodos {
		records = append(records, &report.Record{Path: "x.pdf", Err: errors.New("reason " + strings.Repeat("x", i))})
	}
	page := pageOf(t, report.Options{}, records...)
	if n := strings.Count(page, `<p class="verdict">`); n != maxTodos ||
		!strings.Contains(page, fmt.Sprintf("%d files: Other causes", 2*maxTodos+1)) {
		t.Errorf("%d causes, want %d", n, maxTodos)
	}
}

// The page begins with a verdict, and names the files that were not audited, up to a cap.
func TestVerdictAndNotAudited(t *testing.T) {
	failed := func(n int) (list []*report.Record) {
		for i := range n {
			list = append(list, &report.Record{Path: fmt.Sprintf("f%03d.pdf", i), Err: errors.New("not a PDF")})
		}
		return list
	}
	of := func(level rule.Level) *report.Record {
		rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: rule.Findings{
			rule.Finding{Rule: &rule.Rule{ID: "WC900", Level: level}}}}
		return &report.Record{Path: "a.pdf", Report: rep}
	}
	for _, tt := range []struct {
		name    string
		records []*report.Record
		want    []string
	}{
		{"errors", []*report.Record{of(rule.Error), of(rule.Note)}, []string{"Errors in 1 of 2 audited files.<"}},
		{"warnings", []*report.Record{of(rule.Warning)}, []string{"No errors; warnings in 1 of 1 audited file.<"}},
		{"notes", []*report.Record{of(rule.Note)}, []string{"No errors and no warnings in 1 audited file.<"}},
		{"none", failed(1), []string{"No file was audited. webcap could not audit 1 file.<", `<li class="path">f000.pdf</li>`}},
		{"many", failed(maxNotAudited + 2), []string{"<li>and 2 more files</li>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			w := newWriter(&out, report.Options{})
			for _, rec := range tt.records {
				if err := w.Add(rec); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(report.Complete); err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the page does not say %q", want)
				}
			}
		})
	}
}
