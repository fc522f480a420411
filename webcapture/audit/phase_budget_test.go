package audit

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A phase that exceeds the budget leaves no counts behind. The counts of earlier phases stay.
func TestCountsAreThoseOfWholePhases(t *testing.T) {
	const n = 300
	doc := costly[3].make(n) // images in sets
	data, work := doc.Bytes(plainLayout), workOf(t, doc)
	digests := func(r *Report) int { return r.Digests.Verified + r.Digests.Differ + r.Digests.Unchecked }
	whole := auditBytes(t, data, Options{Source: noSource})
	if whole.ImageSets != n || digests(whole) != n {
		t.Fatalf("%d image sets, %d digests, want %d", whole.ImageSets, digests(whole), n)
	}
	seen := map[[2]int]bool{}
	for i := range 40 {
		rep := auditBytes(t, data, Options{Source: noSource, budget: 1 + work*int64(i)/40})
		got := [2]int{rep.ImageSets, digests(rep)}
		seen[got] = true
		if rep.OverBudget() == nil || got[0] != 0 && got[0] != n || got[1] != 0 && got[1] != n {
			t.Errorf("budget %d/40: %d sets, %d digests, over the budget: %v", i, got[0], got[1], rep.OverBudget())
		}
	}
	for _, want := range [][2]int{{0, 0}, {n, 0}} {
		if !seen[want] {
			t.Errorf("no budget gives %v, but %v", want, seen)
		}
	}
	rep := auditBytes(t, data, Options{Source: noSource, budget: work - 1})
	if rep.ImageSets != n || digests(rep) != n || rep.OverBudget() == nil || len(rep.Identities) > 0 {
		t.Errorf("without the last phase: %d sets, %d digests, %d identities, %v", rep.ImageSets, digests(rep),
			len(rep.Identities), rep.OverBudget())
	}
}

// If the keys of URLS exceed the budget, their findings are dropped. Findings about the trees themselves stay.
func TestFindingsOfKeysAreDropped(t *testing.T) {
	names := ""
	for i := range 100 {
		names += fmt.Sprintf("(%03d) null ", i)
	}
	keys := &rule.Rule{ID: "WC201", CheckURL: func(p *rule.Pass, e *rule.Entry) { p.Reportf(e.At(), nil, "a key") }}
	trees := &rule.Rule{ID: "WC101", CheckTree: func(p *rule.Pass, tree *rule.Tree) {
		p.Reportf(rule.Place{Tree: tree.Name.String()}, nil, "a tree")
	}}
	rep := auditText(t, "names: << /URLS << /Names [ "+names+"] >> /IDS << /Names [ ] >> >>\n5 0 obj null\n", plainLayout,
		Options{Rules: []*rule.Rule{trees, keys}, budget: 30 * meter.Object})
	if has := ruleCounts(rep); has["WC101"] != 2 || has["WC201"] != 0 || rep.OverBudget() == nil {
		t.Errorf("findings %v, over the budget: %v", has, rep.OverBudget())
	}
}

// Each kind of check about the whole document runs, alone and together with any other kind.
func TestDocumentRulesRunInAnyCombination(t *testing.T) {
	const text = "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >> >>\n" +
		"10 0 obj << /Kids [ 6 0 R ] >>\n6 0 obj << /Type /Page >>\n5 0 obj << /S /SIS /ID " + idA + " /O [ 7 0 R ] >>\n" +
		"7 0 obj << /Subtype /Image >> stream\nx\nendstream\n"
	kinds := []string{"page", "image", "member", "document"}
	for bits := range 1 << len(kinds) {
		var want, got []string
		call := func(name string) {
			if !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		all := map[string]*rule.Rule{
			"page":     {CheckPage: func(*rule.Pass, *rule.Page, *rule.Document) { call("page") }},
			"image":    {CheckImage: func(*rule.Pass, *rule.Image, *rule.Document) { call("image") }},
			"member":   {CheckMember: func(*rule.Pass, *rule.Member, *rule.Document) { call("member") }},
			"document": {CheckDocument: func(*rule.Pass, *rule.Document) { call("document") }},
		}
		rules := []*rule.Rule{}
		for i, name := range kinds {
			if bits>>i&1 != 0 {
				want, rules = append(want, name), append(rules, all[name])
			}
		}
		auditText(t, text, plainLayout, Options{Rules: rules})
		if !slices.Equal(got, want) {
			t.Errorf("checks of %v, want %v", got, want)
		}
	}
}

// If the disk fails after the content sets are known, what later phases need from it ends the audit.
func TestLaterPhasesFailWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse("catalog: << /Type /Catalog /Pages 10 0 R /Names << " +
		"/URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 7 0 R ] >> >> >>\ntrailer: << /Info 20 0 R >>\n" +
		"10 0 obj << /Kids [ 6 0 R ] >>\n6 0 obj << /Type /Page >>\n" +
		"5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ] /SI << /AU (http://a.example/) >> >>\n" +
		"7 0 obj << /S /SIS /ID " + idB + " /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>\n" +
		"8 0 obj << /Subtype /Image /Width 4 /Height 3 >> stream\nx\nendstream\n" +
		"20 0 obj << /Producer 21 0 R /Creator 22 0 R >>\n21 0 obj (a program)\n22 0 obj (another)\n")
	if err != nil {
		t.Fatal(err)
	}
	whole := d.Bytes(plainLayout)
	for _, tt := range []struct {
		num    int
		source source.Source
		id     string // of the rule with findings; those about private data have no subjects
	}{
		{5, noSource, "WC701"}, {7, noSource, "WC701"}, {20, noSource, "WC701"}, {21, noSource, "WC701"},
		{22, noSource, "WC701"}, {5, nil, "WC401"}, {7, nil, "WC401"}, {8, nil, "WC401"},
	} {
		t.Run(fmt.Sprintf("%d for %s", tt.num, tt.id), func(t *testing.T) {
			data := bytes.Clone(whole)
			found := &rule.Rule{ID: tt.id, CheckSet: func(p *rule.Pass, s *rule.Set) { p.Reportf(s.At(), nil, "a set") }}
			fail := &rule.Rule{CheckDocument: func(*rule.Pass, *rule.Document) {
				copy(data[bytes.Index(data, fmt.Appendf(nil, "\n%d 0 obj", tt.num)):], "\n???")
			}}
			rep, err := Run(openData(t, data), Options{Rules: []*rule.Rule{found, fail}, Source: tt.source})
			if !webcapture.IsDamage(err) || rep != nil {
				t.Errorf("%v, %v, want damage", rep, err)
			}
		})
	}
}

// Findings that are exactly as many as the limit are kept by a worker, too. One more, and it cuts its list.
func TestWorkersCutBeyondTheLimit(t *testing.T) {
	const n = 2 * rule.MaxOfRule / 64 * 64 // a worker counts its findings in steps of 64
	for limit, want := range map[int64]int{n: n, n - 1: rule.MaxOfRule} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			f := openData(t, webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(plainLayout))
			r := &rule.Rule{ID: "WC201", CheckURL: func(p *rule.Pass, e *rule.Entry) {
				for i := range n {
					p.Reportf(e.At(), nil, "%d", i)
				}
			}}
			rep, err := Run(f, Options{Rules: []*rule.Rule{r}, findings: limit})
			if err != nil || len(rep.Findings) != want || rep.Count(0) != n || (rep.OverBudget() != nil) != (want < n) {
				t.Errorf("%d findings and %d counted, %v, %v", len(rep.Findings), rep.Count(0), err, rep.OverBudget())
			}
		})
	}
}

// Findings that were dropped with their phase do not count toward the limit of those that are kept.
func TestDroppedFindingsDoNotCount(t *testing.T) {
	const n = 2 * rule.MaxOfRule
	trees := &rule.Rule{ID: "WC101", CheckTree: func(p *rule.Pass, tree *rule.Tree) {
		for i := range n {
			if tree.Name == webcapture.IDS {
				p.Reportf(rule.Place{Tree: "IDS"}, nil, "%d", i)
			}
		}
	}}
	keys := &rule.Rule{ID: "WC201", CheckURL: func(p *rule.Pass, e *rule.Entry) {
		for i := range n {
			p.Reportf(e.At(), nil, "%d", i)
		}
	}}
	rep := auditText(t, "names: << /URLS << /Names [ (a) null ] >> /IDS << /Names [ ] >> >>\n5 0 obj null\n", plainLayout,
		Options{Rules: []*rule.Rule{trees, keys}, budget: n * 5 / 4 * meter.Object, findings: n + n/2})
	if has := ruleCounts(rep); has["WC101"] != n || has["WC201"] != 0 || len(rep.Omitted) > 0 {
		t.Errorf("findings %v, omitted %v", has, rep.Omitted)
	}
}

// A content set that the disk no longer gives ends the audit, even if an earlier phase has read it.
func TestContentSetsAreReadAgain(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n" +
		"5 0 obj << /S /SPS /ID " + idA + " /O [ ] /SI << /AU (http://b.example/) >> >>\n6 0 obj << /Type /Page >>\n")
	if err != nil {
		t.Fatal(err)
	}
	whole := d.Bytes(plainLayout)
	for name, hook := range map[string]func(fail func()) *rule.Rule{
		"with its entry": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckSet: func(*rule.Pass, *rule.Set) { fail() }}
		},
		"with all its entries": func(fail func()) *rule.Rule {
			return &rule.Rule{CheckValue: func(*rule.Pass, *rule.Value) { fail() }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := bytes.Clone(whole)
			r := hook(func() { copy(data[bytes.Index(data, []byte("\n5 0 obj")):], "\n???") })
			if rep, err := Run(openData(t, data), Options{Rules: []*rule.Rule{r}}); !webcapture.IsDamage(err) {
				t.Errorf("%v, %v, want damage", rep, err)
			}
		})
	}
}

// TestNoPhaseOverTheMeter: if one phase decodes too much, the later phases do not run. Their findings would depend on
// the objects that happen to be decoded.
func TestNoPhaseOverTheMeter(t *testing.T) {
	bombs := webcapturetest.Bombs()
	b := bombs[slices.IndexFunc(bombs, func(b webcapturetest.Bomb) bool {
		return b.Name == "300 content sets in object streams of 15 MB"
	})]
	var data bytes.Buffer
	if err := b.Write(&data); err != nil {
		t.Fatal(err)
	}
	// The replacement is as long as the original, so all offsets stay right.
	f := openData(t, bytes.Replace(data.Bytes(), []byte("/Type /Catalog "), []byte("/SpiderInfo<<>>"), 1))
	info := &rule.Rule{ID: "WC601", CheckInfo: func(p *rule.Pass, in *rule.Info) { p.Reportf(in.At(), nil, "a finding") }}
	rep, err := Run(f, Options{Rules: []*rule.Rule{info}})
	if err != nil || rep.OverBudget() == nil || len(rep.Findings) > 0 {
		t.Errorf("%v, over the budget: %v, findings %v", err, rep.OverBudget(), rep.Findings)
	}
	rep = auditText(t, "spiderinfo: << >>\n5 0 obj null\n", plainLayout, Options{Rules: []*rule.Rule{info}})
	if len(rep.Findings) != 1 {
		t.Errorf("without a limit the findings are %v", rep.Findings)
	}
}

// TestPatternsOfAPageOnce: a page that is in the page tree many times costs the work for its patterns only once.
func TestPatternsOfAPageOnce(t *testing.T) {
	work := func(times int, category string) int64 {
		d := newDatabase()
		image := func() string {
			return refTo(d.AddStream("/Type /XObject /Subtype /Image /Filter /DCTDecode", []byte("x")))
		}
		images := repeatText(200, func(i int) string { return fmt.Sprintf("/I%d %s", i, image()) })
		resources := "/Resources << " + category + " << /P " +
			refTo(d.AddStream("/PatternType 1 /Resources << /XObject << "+images+">> >>", nil)) + " >> >>"
		d.id(id16(1), refTo(d.Add("<< /S /SIS /ID "+id16(1)+" /O [ "+image()+" ] /R [ 0 ] /SI "+au(1)+" >>")))
		kid := refTo(d.Add("<< /Type /Page " + resources + " >>"))
		kids := repeatText(times, func(int) string { return kid })
		pages := refTo(d.Add("<< /Type /Pages /Kids [ " + kids + "] /Count " + fmt.Sprint(times) + " >>"))
		return workOf(t, d.withCatalog("", "/Pages "+pages))
	}
	once, often := work(1, "/Pattern")-work(1, "/Unknown"), work(1000, "/Pattern")-work(1000, "/Unknown")
	if once <= 0 || often > 2*once {
		t.Errorf("patterns of a page cost %d, of a page that is there 1000 times %d", once, often)
	}
}

// TestEachMemberOfAnImageSetCosts: the search for the image that proves an ID costs work for each member, also for
// members that are not images. Many entries may share one long list of members.
func TestEachMemberOfAnImageSetCosts(t *testing.T) {
	work := func(members int, src source.Source) int64 {
		d := newDatabase()
		member := refTo(d.Add("7"))
		list := repeatText(members, func(int) string { return member })
		d.id(id16(1), refTo(d.Add("<< /S /SIS /ID "+id16(1)+" /O [ "+list+"] /SI "+au(1)+" >>")))
		f := openData(t, d.done().Bytes(plainLayout))
		db, err := f.Database()
		if err != nil {
			t.Fatal(err)
		}
		return spentBy(t, f, engine.NewRunner(f, db, engine.Options{Source: src, Now: auditTime}).Phases)
	}
	few, many := work(0, noSource)-work(0, nil), work(1000, noSource)-work(1000, nil)
	if many-few < 1000*meter.Object {
		t.Errorf("1000 members cost %d, none %d", many, few)
	}
}

// TestPhasesStopOverTheBudget: a phase that exceeds the budget ends early. It does not visit the other objects first.
func TestPhasesStopOverTheBudget(t *testing.T) {
	const n = 3000
	d := newDatabase()
	members := repeatText(n, func(int) string { return refTo(d.Add("<< /Type /Page >>")) })
	d.url(urlOf(1), d.set(id16(1), "[ "+members+"]", au(1)))
	data := d.done().Bytes(plainLayout)
	var visited atomic.Int64
	count := &rule.Rule{ID: "WC501", CheckMember: func(*rule.Pass, *rule.Member, *rule.Document) { visited.Add(1) }}
	visits := func(budget int64) (visits, work int64) {
		visited.Store(0)
		work = phasesWithin(t, openData(t, data), count, budget)
		return visited.Load(), work
	}
	whole, work := visits(0)
	if part, _ := visits(work * 3 / 4); whole != n || part == 0 || part >= n {
		t.Errorf("%d of %d members are visited; with less budget %d", whole, n, part)
	}
}

// phasesWithin runs the phases of an audit with one rule and a budget, and returns the work.
func phasesWithin(t *testing.T, f *webcapture.File, only *rule.Rule, budget int64) int64 {
	t.Helper()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := f.Meter().Spent()
	r := engine.NewRunner(f, db, engine.Options{Rules: []*rule.Rule{only}, Budget: budget})
	if err := r.Phases(); err != nil || r.Over != (budget > 0) {
		t.Fatalf("%v, over the meter: %t", err, r.Over)
	}
	after, _ := f.Meter().Spent()
	return after - before
}

// TestPatternsStopOverTheBudget: the search in patterns ends when the budget is exceeded, and not after the last page.
func TestPatternsStopOverTheBudget(t *testing.T) {
	const n = 5000 // pages
	d := newDatabase()
	image := func() string { return refTo(d.AddStream("/Type /XObject /Subtype /Image", []byte("x"))) }
	pattern := refTo(d.AddStream("/PatternType 1 /Resources << /XObject << /A "+image()+" >> >>", nil))
	d.id(id16(1), refTo(d.Add("<< /S /SIS /ID "+id16(1)+" /O [ "+image()+" ] /R [ 0 ] /SI "+au(1)+" >>")))
	kids := repeatText(n, func(int) string {
		return refTo(d.Add("<< /Type /Page /Resources << /Pattern << /P " + pattern + " >> >> >>"))
	})
	data := d.withCatalog("", "/Pages "+refTo(d.Add("<< /Kids [ "+kids+"] >>"))).Bytes(plainLayout)
	member := &rule.Rule{ID: "WC501", CheckMember: func(*rule.Pass, *rule.Member, *rule.Document) {}}
	work := func(budget int64) int64 { return phasesWithin(t, openData(t, data), member, budget) }
	whole := work(0) // only one member is left after the search
	if part := work(whole - whole/8); part > whole-whole/16 {
		t.Errorf("without an eighth of the budget, the work is %d of %d", part, whole)
	}
}
