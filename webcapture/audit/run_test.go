package audit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// auditWith audits with a number of cores.
func auditWith(t testing.TB, procs int, data []byte, opt Options) *Report {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	return auditBytes(t, data, opt)
}

// sameReport makes sure that two reports say the same.
func sameReport(t testing.TB, want, got *Report) {
	t.Helper()
	if g, w := counts(got), counts(want); g != w {
		t.Errorf("counts %s, want %s", g, w)
	}
	if g, w := findingLines(got), findingLines(want); g != w {
		t.Errorf("%d findings, want %d: %s", len(got.Findings), len(want.Findings), firstDifference(g, w))
	}
	if g, w := unreadLines(got), unreadLines(want); g != w {
		t.Errorf("%d unread, want %d: %s", len(got.Unread), len(want.Unread), firstDifference(g, w))
	}
	for i, f := range got.Findings {
		if w := want.Findings[min(i, len(want.Findings)-1)]; (f.Fix == nil) != (w.Fix == nil) ||
			f.Fix != nil && *f.Fix != *w.Fix {
			t.Errorf("fix of finding %d is %v, want %v", i, f.Fix, w.Fix)
			return
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return "one has lines that the other has not:\n" + g[min(len(g), len(w))-1] + "\n" +
		strings.Join(g[min(len(g), len(w)):], "\n") + "\nor\n" + strings.Join(w[min(len(g), len(w)):], "\n")
}

// TestDeterminism audits cases and a large damaged database repeatedly, with the same results. If WEBCAP_TEST_ALL is
// set, as by .ci/run, it audits all cases; otherwise always the same few.
func TestDeterminism(t *testing.T) {
	runs, n, times := 8, 20_000, 4
	paths := caseFiles(t)
	if !webcapturetest.All() {
		runs, n, times = 2, 3_000, 1
		rand.New(rand.NewPCG(1, 0)).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		paths = paths[:20]
	}
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil || c.skip != "" {
			continue
		}
		data := c.pdf(t, packedLayout)
		first := auditBytes(t, data, Options{})
		for range runs {
			sameReport(t, first, auditBytes(t, data, Options{}))
		}
	}
	for seed := range uint64(2) {
		d := webcapturetest.Sets(n, webcapturetest.Options{Leaf: 50, IndirectKeys: seed == 1, Images: 5, Shared: 7,
			Mirrors: 11, Aliases: 13, Commands: 20, Pages: 100})
		damageLeaves(d, rand.New(rand.NewPCG(seed, 1)), n)
		data := d.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 100})
		first := auditWith(t, 1, data, Options{})
		if len(first.Findings) < n/2 {
			t.Errorf("only %d findings", len(first.Findings))
		}
		for i := range times {
			sameReport(t, first, auditWith(t, 1+i%4, data, Options{}))
			if t.Failed() {
				return
			}
		}
		sameReport(t, first, auditWith(t, 4, data, Options{allDeferred: true}))
	}
}

// TestTreeSize is the case of WC114: trees that hit a cap.
func TestTreeSize(t *testing.T) {
	var d strings.Builder
	d.WriteString("names: << /URLS 100 0 R >>\nspiderinfo: << /V 1.25 >>\n")
	for i := range 70 {
		limits := "/Limits [ (http://a.example/) (http://a.example/) ] "
		if i == 0 {
			limits = ""
		}
		fmt.Fprintf(&d, "%d 0 obj << %s/Kids [ %d 0 R ] >>\n", 100+i, limits, 101+i)
	}
	d.WriteString("170 0 obj << /Limits [ (http://a.example/) (http://a.example/) ] /Names [ (http://a.example/) 5 0 R ] >>\n")
	doc, err := webcapturetest.Parse(d.String())
	if err != nil {
		t.Fatal(err)
	}
	rep := auditBytes(t, doc.Bytes(plainLayout), Options{})
	has := ruleCounts(rep)
	if has["WC114"] != 1 || len(rep.Unread) != 1 || len(has) != 1 ||
		!strings.Contains(findingLines(rep), ": the rest was not read [WC114]") {
		t.Errorf("rules %v, unread %s", has, unreadLines(rep))
	}

	if testing.Short() {
		return
	}
	const pairs = 300_000 // more findings than the limit for the file
	doc, err = webcapturetest.Parse("names: << /URLS << /Names [ " + strings.Repeat("0 0 ", pairs) + "] >> >>")
	if err != nil {
		t.Fatal(err)
	}
	rep = auditBytes(t, doc.Bytes(plainLayout), Options{})
	omitted := 0
	for _, o := range rep.Omitted {
		if o.Rule.ID == "WC108" {
			omitted = o.Count
		}
	}
	if has := ruleCounts(rep); has["WC108"] != rule.MaxOfRule || omitted != pairs-rule.MaxOfRule || len(rep.Unread) != 1 {
		t.Errorf("rules %v and %d omitted, unread %s", has, omitted, unreadLines(rep))
	}
}

func ruleCounts(rep *Report) map[string]int {
	has := map[string]int{}
	for _, f := range rep.Findings {
		has[f.Rule.ID]++
	}
	return has
}

// TestCleanDatabases: valid databases of webcapturetest have no findings, in any layout.
func TestCleanDatabases(t *testing.T) {
	for _, l := range []webcapturetest.Layout{
		plainLayout, packedLayout,
		{XRef: webcapturetest.Hybrid},
		{Linearized: true},
		{XRef: webcapturetest.Stream, ObjectStreams: 7, Encryption: &webcapturetest.Encryption{Revision: 6}},
		{Encryption: &webcapturetest.Encryption{Revision: 4, Hex: true}},
		{Prefix: []byte("some bytes\n")},
	} {
		t.Run(l.Version, func(t *testing.T) {
			for _, o := range []webcapturetest.Options{
				{}, {Leaf: 3}, {Leaf: 6, IndirectKeys: true, Images: 2, Mirrors: 3, Aliases: 4, Commands: 6},
				{LiteralIDs: true, Images: 1},
			} {
				for _, unresolved := range []bool{false, true} {
					rep := auditBytes(t, webcapturetest.Sets(40, o).Bytes(l), Options{allDeferred: unresolved})
					if rep.Version == "2.0" { // AESV3 asks for it
						rep.Findings.DeleteFunc(func(_ int, f rule.Finding) bool { return f.Rule == checks.VersionOld })
					}
					if len(rep.Findings)+len(rep.Unread) > 0 {
						t.Errorf("%+v, %+v: %s%s", l, o, findingLines(rep), unreadLines(rep))
					}
					if want := 40; rep.PageSets != want || !rep.Present || rep.Encrypted != (l.Encryption != nil) {
						t.Errorf("%+v, %+v: %s, encrypted %t", l, o, counts(rep), rep.Encrypted)
					}
				}
			}
		})
	}
}

// TestRulesOption makes sure that only the rules that were asked for are checked.
func TestRulesOption(t *testing.T) {
	c, err := readCase(filepath.Join(caseDir, "WC204-WC701-localhost.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := Lookup("WC204")
	rep := auditBytes(t, c.pdf(t, plainLayout), Options{Rules: []*rule.Rule{r}})
	if has := ruleCounts(rep); len(has) != 1 || has["WC204"] != 1 || rep.Worst() != rule.Error ||
		rep.Count(rule.Error) != 1 || rep.Count(rule.Note) != 0 {
		t.Errorf("rules %v, worst %v", has, rep.Worst())
	}
	rep = auditBytes(t, c.pdf(t, plainLayout), Options{Rules: []*rule.Rule{}})
	if len(rep.Findings) != 0 || rep.Worst() != 0 || rep.PageSets != 1 {
		t.Errorf("no rules: %s, %s", findingLines(rep), counts(rep))
	}
}

// TestNothingThere makes sure that a file without a content database is not clean, but empty.
func TestNothingThere(t *testing.T) {
	d, err := webcapturetest.Parse("5 0 obj << /Type /Page >>")
	if err != nil {
		t.Fatal(err)
	}
	rep := auditBytes(t, d.Bytes(plainLayout), Options{})
	if rep.Present || rep.HasURLS || rep.HasIDS || len(rep.Findings)+len(rep.Unread) > 0 || rep.Path != "case.pdf" ||
		rep.Version != "1.4" || rep.Size == 0 {
		t.Errorf("report %+v", rep)
	}
}

// TestErrors makes sure that what cannot be read is an error, and never a report.
func TestErrors(t *testing.T) {
	doc := webcapturetest.Sets(3, webcapturetest.Options{})
	data := doc.Bytes(plainLayout)
	dir := t.TempDir()
	for _, row := range []struct {
		name string
		data []byte
		opt  Options
		want error
	}{
		{"empty", nil, Options{}, webcapture.ErrEmpty},
		{"text", []byte("hello"), Options{}, webcapture.ErrNotPDF},
		{"password", doc.Bytes(webcapturetest.Layout{Encryption: &webcapturetest.Encryption{Revision: 4,
			User: "open"}}), Options{Passwords: []string{"wrong"}}, webcapture.ErrPassword},
		{"header only", data[:20], Options{}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			rep, err := Bytes(t.Context(), "x.pdf", row.data, row.opt)
			if err == nil || rep != nil || row.want != nil && !errors.Is(err, row.want) {
				t.Errorf("Bytes = %v, %v, want %v", rep, err, row.want)
			}
			path := filepath.Join(dir, "x.pdf")
			if err := os.WriteFile(path, row.data, 0o666); err != nil {
				t.Fatal(err)
			}
			rep, err = File(t.Context(), path, row.opt)
			if err == nil || rep != nil || row.want != nil && !errors.Is(err, row.want) {
				t.Errorf("File = %v, %v, want %v", rep, err, row.want)
			}
		})
	}
	none := filepath.Join(dir, "none.pdf")
	if rep, err := File(t.Context(), none, Options{}); !errors.Is(err, os.ErrNotExist) || rep != nil {
		t.Errorf("File of nothing = %v, %v", rep, err)
	}
	if rep, err := File(t.Context(), dir, Options{}); err == nil || rep != nil {
		t.Errorf("File of a folder = %v, %v", rep, err)
	}
	rep, err := Bytes(t.Context(), "x.pdf", doc.Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 4,
			User: "open"}}), Options{Passwords: []string{"open"}})
	if err != nil || len(rep.Findings) > 0 || rep.URLS != 3 {
		t.Errorf("with its password: %v, %v", rep, err)
	}
}

// TestTruncated cuts a file at many places. Each part gives an error, a report that says that the file was repaired, or
// the counts of the whole file.
func TestTruncated(t *testing.T) {
	data := webcapturetest.Sets(4, webcapturetest.Options{Leaf: 2}).Bytes(plainLayout)
	whole := auditBytes(t, data, Options{})
	step := 7
	if testing.Short() {
		step = 97
	}
	for n := 0; n < len(data); n += step {
		rep, err := Bytes(t.Context(), "x.pdf", data[:n:n], Options{})
		switch {
		case err != nil && rep != nil:
			t.Fatalf("%d bytes: a report and an error: %v", n, err)
		case err == nil && !rep.WithoutXRef && (counts(rep) != counts(whole) || len(rep.Notices) > 0):
			t.Fatalf("%d bytes: %s, not repaired, notices %q", n, counts(rep), rep.Notices)
		}
	}
}

// TestDamagedTable makes sure that offsets which lead elsewhere are not taken
// for an empty database.
func TestDamagedTable(t *testing.T) {
	d := webcapturetest.Sets(30, webcapturetest.Options{Leaf: 4})
	data := d.Bytes(plainLayout)
	whole := auditBytes(t, data, Options{})
	rows := regexp.MustCompile(`\d{10} 00000 n`).FindAllIndex(data, -1)
	for i := range rows {
		bad := append([]byte(nil), data...)
		copy(bad[rows[i][0]:], "0000000019")
		rep, err := Bytes(t.Context(), "x.pdf", bad, Options{})
		switch {
		case err != nil:
			t.Fatalf("row %d: %v", i, err)
		case counts(rep) != counts(whole) || len(rep.Findings) > 0:
			t.Fatalf("row %d: %s, repaired %t, findings %s", i, counts(rep), rep.WithoutXRef, findingLines(rep))
		}
	}
}

// TestKeptAfterClose makes sure that a report holds nothing of the file.
func TestKeptAfterClose(t *testing.T) {
	d := webcapturetest.Sets(50, webcapturetest.Options{Leaf: 5, IndirectKeys: true})
	damage(d, rand.New(rand.NewPCG(9, 9)), 60)
	data := d.Bytes(plainLayout)
	rep, err := Bytes(t.Context(), "x.pdf", data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, fixes := findingLines(rep)+unreadLines(rep), fixLines(rep)
	clear(data)
	if findingLines(rep)+unreadLines(rep) != before || fixLines(rep) != fixes {
		t.Error("the report changes with the file's bytes")
	}
}

func fixLines(rep *Report) string {
	var b strings.Builder
	for _, f := range rep.Findings {
		if f.Fix != nil {
			fmt.Fprintf(&b, "%v %v\n", f.Fix.Old, f.Fix.New)
		}
	}
	return b.String()
}
