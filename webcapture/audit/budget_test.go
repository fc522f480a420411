package audit

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// withCatalog ends a document with further entries of the name dictionary and of the catalog.
func (d *database) withCatalog(names, catalog string) *webcapturetest.Document {
	d.done()
	body := strings.TrimSuffix(strings.TrimSpace(d.Body(d.Root)), ">>") + catalog + " >>"
	d.Set(d.Root, strings.Replace(body, "/Names << ", "/Names << "+names+" ", 1))
	return d.Document
}

// costly are documents with n objects of kinds that hostiles lack, such as commands and form fields.
var costly = []hostile{
	{"n commands", func(n int) *webcapturetest.Document {
		d := newDatabase()
		c := repeatText(n, func(i int) string {
			data := refTo(d.AddStream("", []byte(strings.Repeat("a=b&", 10))))
			return refTo(d.Add("<< /URL "+urlOf(i)+" /P "+data+" /S << /G << /AU true >> /C << /a:b:c:d << /X 1 >> /e:f:g:h << /X 1 >> >> >> >>")) + " " +
				refTo(d.Add("<< /URL (http://b.example/?a) /P (a=b&c=d) /S "+refTo(d.Add("<< /G 7 >>"))+" >>"))
		})
		d.url(urlOf(0), d.set(id16(1), "[ ]", au(0)))
		return d.withCatalog("", strings.ReplaceAll("/SpiderInfo << /V 1.25 /C [ "+c+"] >>", "  ", " "))
	}},
	{"n sources from n commands", func(n int) *webcapturetest.Document {
		d := newDatabase()
		for i := range n {
			command := refTo(d.Add("<< /URL " + urlOf(i) + " /F 2 /L 2 /P (a=b) >>"))
			d.url(urlOf(i), d.set(id16(i), "[ ]", "[ << /AU (http://b.example/"+strings.Repeat("b", i)+") /C "+command+" /S 2 >> << /AU (http://a.example/\xe4) >> ]"))
		}
		return d.done()
	}},
	{"n pages with links, n names, outline items and fields", func(n int) *webcapturetest.Document {
		d := newDatabase()
		d.url("(HTTP://a.example/"+strings.Repeat("a", n)+")", d.set(id16(1), "[ ]", au(0)))
		d.id(id16(1), refTo(1))
		annots := "[ << /Subtype /Link /PA << /S /URI /URI (http://b.example/) >> /Dest (a name that is not short) >> << /Subtype /Link /A << /S /GoTo /D /Name >> >> ]"
		kids := repeatText(n, func(i int) string {
			return refTo(d.Add("<< /Type /Page /ID " + id16(i) + " /Annots " + annots + " >>"))
		})
		next := ""
		for range n {
			next = "/Next " + refTo(d.Add("<< /Dest (a name that is not short) "+next+" >>"))
		}
		fields := repeatText(n, func(int) string { return refTo(d.Add("<< /T (a) /FT /Sig /V << /ByteRange [ ] >> >>")) })
		dests := repeatText(n, func(i int) string { return fmt.Sprintf("(%04d) [ ]", i) })
		pages := refTo(d.Add("<< /Type /Pages /Kids [ " + kids + "] /Count 1 /MediaBox [ 0 0 612 792 ] >>"))
		d.Info = d.Add("<< /Producer " + refTo(d.Add("(a program)")) + " /Creator " + refTo(d.Add("(another)")) + " >>")
		return d.withCatalog("/Dests "+refTo(d.Add("<< /Names [ "+dests+"] >>")),
			"/Pages "+pages+" /Outlines << /First "+strings.TrimPrefix(next, "/Next ")+" >> /AcroForm << /Fields [ "+fields+"] >>")
	}},
	{"n images, shown by pages and patterns, in n sets", func(n int) *webcapturetest.Document {
		d := newDatabase()
		names := ""
		for i := range n {
			image := refTo(d.AddStream("/Type /XObject /Subtype /Image /Filter [ /DCTDecode ] /ID "+id16(i), []byte(strings.Repeat("x", 100))))
			names += fmt.Sprintf("/I%d %s ", i, image)
			d.id(id16(i), refTo(d.Add("<< /S /SIS /ID "+id16(i)+" /O [ "+image+" (x) 9999 0 R ] /R [ 0 1 7 ] /SI "+au(i)+" >>")))
		}
		pattern := refTo(d.AddStream("/PatternType 1 /Resources << /XObject << "+names+">> >>", nil))
		pages := refTo(d.Add("<< /Type /Pages /Kids [ " + refTo(d.Add("<< /Type /Page /Resources << /XObject << "+names[:strings.Index(names, "R")+1]+" >> /Pattern << /P "+pattern+" >> >> >>")) + " ] /Count 1 >>"))
		return d.withCatalog("", "/Pages "+pages)
	}},
	{"n identifiers that a tool took for text, out of order", func(n int) *webcapturetest.Document {
		d := newDatabase()
		for i := range n {
			high, low := fmt.Sprintf("%02x", (n-i)>>8), fmt.Sprintf("%02x>", (n-i)&0xff) // of a key and of its set's ID
			d.id("<feff"+strings.Repeat("0001", 14)+"00"+high+"00"+low, d.set("<"+strings.Repeat("01", 14)+high+low, "[ "+refTo(d.Add("<< /Type /Page >>"))+" ]", au(i)))
		}
		return d.done()
	}},
}

const workFile = "../../testdata/work.tsv"

// TestWork compares what audits pay with the reviewed numbers: in a phase that does not pay, a small file can take any
// time.
func TestWork(t *testing.T) {
	var b strings.Builder
	b.WriteString("# What audits pay into the meter, made by go test ./webcapture/audit -run Work -update\n" +
		"# document\tof n = 10\tof n = 20\n")
	for _, h := range slices.Concat(hostiles, documentHostiles, costly) {
		fmt.Fprintf(&b, "%s\t%d\t%d\n", h.name, workOf(t, h.make(10)), workOf(t, h.make(20)))
	}
	if *update {
		if err := os.WriteFile(workFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(workFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the work of audits is not that of %s: %s", workFile, firstDifference(got, string(want)))
	}
}

func workOf(t *testing.T, d *webcapturetest.Document) int64 {
	t.Helper()
	f := openData(t, d.Bytes(plainLayout))
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	r := engine.NewRunner(f, db, engine.Options{Rules: checks.Rules, Source: noSource, Now: auditTime})
	return spentBy(t, f, func() error { return r.Phases() })
}

// spentBy returns what do pays into the meter of a file.
func spentBy(t *testing.T, f *webcapture.File, do func() error) int64 {
	t.Helper()
	before, _ := f.Meter().Spent()
	if err := do(); err != nil || f.Meter().Over() != nil {
		t.Fatalf("%v, %v", err, f.Meter().Over())
	}
	after, _ := f.Meter().Spent()
	return after - before
}

// TestLessBudget: an audit whose budget is too small says so, wherever it ends. It has no finding that the whole audit
// lacks.
func TestLessBudget(t *testing.T) {
	for _, h := range webcapturetest.Sample(3, costly) {
		d := h.make(400)
		data := d.Bytes(plainLayout)
		whole := auditBytes(t, data, caseOptions)
		f := openData(t, data)
		opt := caseOptions
		var err error
		if opt.Database, err = f.Database(); err != nil {
			t.Fatal(err)
		}
		work := spentBy(t, f, func() error { _, err := Run(f, opt); return err })
		for _, less := range []int64{0, 1, work / 8, work / 4, work / 2, work - work/8, work - 1} {
			opt := caseOptions
			opt.budget = work - less
			rep := auditBytes(t, data, opt)
			over := slices.ContainsFunc(rep.Unread, func(u rule.Unread) bool { return errors.Is(u.Err, meter.Over{}) })
			if over != (less > 0) {
				t.Errorf("%s: with a budget of %d for %d, %v", h.name, opt.budget, work, rep.Unread)
			}
			for _, f := range rep.Findings {
				at := sort.Search(len(whole.Findings), func(i int) bool { return whole.Findings[i].Compare(f) >= 0 })
				if ok := at < len(whole.Findings) && whole.Findings[at].Compare(f) == 0; !ok {
					t.Fatalf("%s: with a budget of %d for %d, %v", h.name, opt.budget, work, f)
				}
			}
		}
	}
}
