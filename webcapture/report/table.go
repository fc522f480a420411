package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// What a table shows of one input. JSON has it all.
const (
	maxShown   = 20 // findings of one rule, where more is asked for
	someShown  = 3  // of them, otherwise: they are much alike
	maxUnread  = 20 // parts that could not be checked
	maxNotices = 5  // notices about the file's structure
)

// A table writes records for people: a headline for each input, a table of its
// findings, and a summary.
type table struct {
	w     io.Writer
	opt   Options
	tally tally
	block bool // the record before was more than a headline
	sheet *layout.Sheet
}

// newTable returns a table that writes to w.
func newTable(w io.Writer, opt Options) *table {
	return &table{w: w, opt: opt, sheet: layout.NewSheet(w, opt.Width, opt.Colour)}
}

// Add writes a record. Nothing it writes can move a terminal's cursor: keys and
// paths are escaped.
func (t *table) Add(r *Record) error {
	first := t.tally.inputs == 0
	t.tally.add(r)
	if t.opt.leavesOut(r) {
		return nil
	}
	t.sheet.Headline(r.Path, result(r))
	details := t.sheet.Len()
	if r.Report != nil {
		if err := t.details(r); err != nil {
			return err
		}
	}
	block := t.sheet.Len() > details
	if (block || t.block) && !first {
		if _, err := io.WriteString(t.w, "\n"); err != nil {
			return err
		}
	}
	t.block = block
	return t.sheet.Flush()
}

// result says what became of an input.
func result(r *Record) string {
	rep := r.Report
	switch {
	case r.Outcome() == Nothing && rep == nil:
		return r.Reason() + ": nothing to audit"
	case rep == nil:
		return "could not be audited: " + r.Reason()
	case r.Outcome() == Nothing:
		return "no Web Capture content database: nothing to audit"
	}
	var verdict []string
	for l := audit.Error; l >= audit.Note; l-- {
		if n := rep.Count(l); n > 0 {
			verdict = append(verdict, layout.Count(n, l.String()))
		}
	}
	if n := len(rep.Unread); n > 0 {
		verdict = append(verdict, layout.Count(n, "part")+" could not be checked")
	}
	if len(verdict) == 0 {
		verdict = []string{"clean"}
	}
	if n := len(r.Ignored); n > 0 {
		verdict = append(verdict, fmt.Sprintf("%d ignored", n))
	}
	return Contents(rep) + ": " + strings.Join(verdict, ", ")
}

// Contents says on one line what a content database holds.
func Contents(rep *audit.Report) string {
	parts := []string{"no URLS", "no IDS"}
	if rep.HasURLS {
		parts[0] = fmt.Sprintf("%d URLS", rep.URLS)
	}
	if rep.HasIDS {
		parts[1] = fmt.Sprintf("%d IDS", rep.IDS)
	}
	for _, sets := range []struct {
		n    int
		noun string
	}{{rep.PageSets, "page set"}, {rep.ImageSets, "image set"}, {rep.OtherSets, "other content set"}} {
		if sets.n > 0 {
			parts = append(parts, layout.Count(sets.n, sets.noun))
		}
	}
	if images := digests(rep); images != "" {
		parts = append(parts, images)
	}
	switch {
	case len(parts) > 2:
	case rep.HasURLS || rep.HasIDS:
		parts = append(parts, "no content sets")
	case rep.Present:
		parts = append(parts, "SpiderInfo alone")
	}
	return strings.Join(parts, ", ")
}

// digests says how many images are, by the MD5 of their data, what their
// identifiers say; empty if there are no images.
func digests(rep *audit.Report) string {
	checked := rep.DigestsVerified + rep.DigestsDiffer
	if checked == 0 && rep.DigestsUnchecked == 0 {
		return ""
	}
	if checked == 0 {
		return layout.Count(rep.DigestsUnchecked, "image") + " not checkable"
	}
	return matches(rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked, "images match their ID")
}

// matches says how many of all things are what they should be, how many are not, and of how
// many that is not known.
func matches(are, differ, unknown int, what string) string {
	s := fmt.Sprintf("%d of %d %s", are, are+differ+unknown, what)
	switch {
	case differ == 1:
		s += ", 1 differs"
	case differ > 1:
		s += fmt.Sprintf(", %d differ", differ)
	}
	if unknown > 0 {
		s += fmt.Sprintf(", %d not checkable", unknown)
	}
	return s
}

func (t *table) details(r *Record) error {
	rep := r.Report
	t.lines(StructureLines(rep))
	if err := t.findings(r); err != nil {
		return err
	}
	if err := t.identities(rep); err != nil {
		return err
	}
	t.lines(UnreadLines(rep))
	return nil
}

func (t *table) lines(list []string) {
	for _, l := range list {
		t.sheet.Line("  ", l)
	}
}

// readWithout is what there is to say of a file that had to be repaired to be read.
const readWithout = "read without the file's own cross-reference data"

// structure says all that was noticed about the structure of a file.
func structure(rep *audit.Report) []string {
	if rep.Repaired {
		return append([]string{readWithout}, rep.Notices...)
	}
	return rep.Notices
}

// StructureLines says on printable lines what was noticed about the structure of a file.
func StructureLines(rep *audit.Report) []string {
	var list []string
	if rep.Repaired {
		list = append(list, "structure: "+readWithout)
	}
	for i, n := range rep.Notices {
		if i == maxNotices {
			return append(list, moreOf(len(rep.Notices)-i))
		}
		list = append(list, "structure: "+layout.Printable(n))
	}
	return list
}

// moreOf says how many of something are not shown.
func moreOf(n int) string { return fmt.Sprintf("… and %d more; --format json lists all", n) }

// UnreadLines says on printable lines which parts of a file could not be checked.
func UnreadLines(rep *audit.Report) []string {
	var list []string
	for i, u := range rep.Unread {
		if i == maxUnread {
			return append(list, fmt.Sprintf("… and %d more parts; --format json lists all", len(rep.Unread)-i))
		}
		list = append(list, "could not check "+Unread(u))
	}
	return list
}

// Unread says on one printable line what could not be checked, and why.
func Unread(u audit.Unread) string {
	return layout.Printable(u.Place.String()) + ": " + layout.OneLine(u.Err)
}

// findings writes what a tool has done to the file and what to do next, where the first screen
// shows it; then what was found, by rule, the worst first: the problem, how often it was found,
// what usually causes it, and some examples.
func (t *table) findings(r *Record) error {
	blocks := blocksOf(r.Report, t.opt.examples())
	if text := verdict(r.Report, blocks); text != "" {
		t.sheet.Line("  ", text)
	}
	if what, command := nextStep(r.Path, blocks); what != "" {
		t.sheet.Whole("  ", what, command)
	}
	for _, b := range blocks {
		head := append(t.labels(b.rule), b.headline(r.Report))
		if err := t.sheet.Table([][]string{head}, len(indent)); err != nil {
			return err
		}
		var rows []layout.Row
		for _, f := range b.examples {
			row := t.opt.example(r.Report, &f)
			row.Labels = []string{strings.Repeat(" ", len("warning  WC000"))}
			rows = append(rows, row)
		}
		if err := t.sheet.Places(rows, len(indent)); err != nil {
			return err
		}
		if more := b.more(t.opt); more != "" {
			t.sheet.Line(strings.Repeat(" ", len(indent)), more)
		}
		if why := b.why(); why != "" && t.opt.Verbose {
			t.sheet.Line(strings.Repeat(" ", len(indent)), why)
		}
	}
	return nil
}

// indent is how far what is said of a rule stands from the left.
const indent = "  warning  WC000  "

func (t *table) labels(r *audit.Rule) []string {
	level := r.Level.String()
	return []string{t.level(r.Level) + strings.Repeat(" ", len("warning")-len(level)), r.ID}
}

// identities writes whether the IDs of content sets are those of their sources.
func (t *table) identities(rep *audit.Report) error {
	if len(rep.Identities) == 0 {
		return nil
	}
	t.sheet.Line("  ", "identifiers: "+proofs(rep).text())
	return t.sheet.Table(identityRows(rep, func(text string) string { return text }), len("  not checkable  "))
}

// identityRows returns a row for each content set that was held against its source, the
// worst first, and at most maxShown of each proof. What is said of a set is written by cell.
func identityRows(rep *audit.Report, cell func(text string) string) [][]string {
	var rows [][]string
	for _, proof := range []audit.Proof{audit.Mismatch, audit.NotCheckable, audit.Verified} {
		n := 0
		for i := range rep.Identities {
			id := &rep.Identities[i]
			if id.Proof != proof {
				continue
			}
			if n++; n <= maxShown {
				rows = append(rows, []string{proof.String(), cell(identityText(id))})
			}
		}
		if n > maxShown {
			rows = append(rows, []string{proof.String(), moreOf(n - maxShown)})
		}
	}
	return rows
}

// identityText says on one line what is known of the ID of a content set.
func identityText(id *audit.Identity) string {
	s := fmt.Sprintf("%s %v", id.Subtype, id.Place.Set)
	if id.Place.Set.Num == 0 {
		s = id.Place.String()
	}
	if id.URL != "" {
		s += " " + nametree.Key(id.URL).String()
	}
	switch id.Proof {
	case audit.Verified:
		s += fmt.Sprintf(": %s, %s", id.Where, id.Reading)
	case audit.Mismatch:
		s += fmt.Sprintf(": %s: %s", id.Where, id.Reason)
	default:
		s += ": " + id.Reason
	}
	if id.Text != "" {
		s += "; text identifier: " + id.Text
	}
	return s
}

// byWeight orders rules by level, the worst first, then by how often they are broken: what was
// found most is more often the cause of the others than the other way round. Then by ID.
func byWeight(a, b *audit.Rule, foundA, foundB int) int {
	return cmp.Or(cmp.Compare(b.Level, a.Level), foundB-foundA, cmp.Compare(a.ID, b.ID))
}

// level returns the name of a level in its colour.
func (t *table) level(l audit.Level) string {
	colour := [levels]layout.Colour{audit.Note: layout.Cyan, audit.Warning: layout.Yellow, audit.Error: layout.Red}[l]
	return t.sheet.Paint(colour, l.String())
}

// Close writes the summary: inputs by outcome, findings by level and rule.
func (t *table) Close(end End) error {
	if t.tally.inputs > 0 {
		t.sheet.Text("\n")
	}
	t.sheet.Line("", t.tally.inputsText())
	if t.tally.proofs != (proofCounts{}) {
		t.sheet.Line("", "Identifiers: "+t.tally.proofs.text())
	}
	if err := t.rules(); err != nil {
		return err
	}
	if n := t.tally.ignored; n > 0 {
		t.sheet.Line("", layout.Count(n, "finding")+" ignored.")
	}
	if end != Complete {
		t.sheet.Line("", "This is not all: "+end.reason()+".")
	}
	return t.sheet.Flush()
}

// rules writes what was found, by rule.
func (t *table) rules() error {
	list := t.tally.sorted()
	if len(list) == 0 {
		return nil
	}
	t.sheet.Line("", t.tally.levelsText()+":")
	most := 0
	for _, n := range t.tally.byRule {
		most = max(most, n)
	}
	digits := len(fmt.Sprint(most))
	var rows [][]string
	for _, r := range list {
		rows = append(rows, append(t.labels(r), fmt.Sprintf("%*d", digits, t.tally.byRule[r.ID]), r.Problem))
	}
	if err := t.sheet.Table(rows, len("  warning  WC000    ")+digits); err != nil {
		return err
	}
	if n := t.tally.repairable; n > 0 {
		t.sheet.Line("", canBeRepaired(n, t.tally.found())+" with webcap rewrite.")
	}
	if _, ok := audit.Lookup(list[0].ID); ok { // and not one of results that were read
		t.sheet.Line("", fmt.Sprintf("webcap explain %s says more about a rule.", list[0].ID))
	}
	return nil
}
