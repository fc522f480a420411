package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// Limits of a table for one input. JSON has no such limits.
const (
	maxShown  = 20 // findings of one rule with Verbose
	SomeShown = 3  // findings of one rule by default: they are similar
)

// A table writes records for people: a headline for each input, a table of its
// findings, and a summary.
type table struct {
	w     io.Writer
	opt   Options
	tally Tally
	block bool // the previous record had more lines than a headline
	sheet *layout.Sheet
}

// newTable returns a table that writes to w.
func newTable(w io.Writer, opt Options) *table {
	return &table{w: w, opt: opt, sheet: layout.NewSheet(w, opt.Width, opt.Colour)}
}

// Add writes a record. Keys and paths are escaped, so that they cannot move a terminal's cursor.
func (t *table) Add(r *Record) error {
	first := t.tally.Inputs == 0
	t.tally.Add(r)
	if t.opt.Hides(r) {
		return nil
	}
	t.sheet.Headline(t.opt.Display(r.Path), r.Result())
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

func (t *table) details(r *Record) error {
	rep := r.Report
	t.lines(phrase.NoticeLines(rep))
	if err := t.findings(r); err != nil {
		return err
	}
	if err := t.identities(rep); err != nil {
		return err
	}
	t.lines(phrase.UnreadLines(rep))
	return nil
}

func (t *table) lines(list []string) {
	for _, l := range list {
		t.sheet.Line("  ", l)
	}
}

// findings writes the findings of a file. Damage by a tool and the next step come first, so that they are on the
// first screen. The findings by rule follow, the highest level first: the problem, the number of findings, the
// usual cause, and some examples.
func (t *table) findings(r *Record) error {
	blocks := GroupsOf(r.Report, t.opt.examples())
	listed := slices.DeleteFunc(slices.Clone(blocks), func(b *group) bool { return !t.opt.lists(b.rule.Level) })
	if len(listed) == 0 {
		return nil
	}
	if text := blocks.Verdict(r.Report); text != "" {
		t.sheet.Line("  ", text)
	}
	if what, command := blocks.NextStep(r.Report, r.Path, t.opt.Folder); what != "" {
		t.sheet.Whole("  ", what, command)
	}
	for _, b := range listed {
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

// indent is the indentation of the text about a rule.
const indent = "  warning  WC000  "

func (t *table) labels(r *rule.Rule) []string {
	level := r.Level.String()
	return []string{t.level(r.Level) + strings.Repeat(" ", len("warning")-len(level)), r.ID}
}

// identities writes which content sets have IDs that match their sources, which have others, and which could not be
// compared.
func (t *table) identities(rep *audit.Report) error {
	if len(rep.Identities) == 0 {
		return nil
	}
	t.sheet.Line("  ", "identifiers: "+ProofsOf(rep).String())
	return t.sheet.Table(identityRows(rep, func(text string) string { return text }), len("  not checkable  "))
}

// identityRows returns rows for content sets that were compared with their sources. The worst come first, with at
// most maxShown rows for each proof. cell converts the text about a set into a cell.
func identityRows(rep *audit.Report, cell func(text string) string) [][]string {
	var rows [][]string
	for _, proof := range []rule.Proof{rule.Mismatch, rule.NotCheckable, rule.Verified} {
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
			rows = append(rows, []string{proof.String(), phrase.MoreOf(n - maxShown)})
		}
	}
	return rows
}

// identityText describes the identity of a content set on one line.
func identityText(id *rule.Identity) string {
	s := fmt.Sprintf("%s %v", id.Subtype, id.Place.Set)
	if id.Place.Set.Num == 0 {
		s = id.Place.String()
	}
	if id.URL != "" {
		s += " " + nametree.Key(id.URL).String()
	}
	switch id.Proof {
	case rule.Verified:
		s += fmt.Sprintf(": %s, %s", id.Where, id.Reading)
	case rule.Mismatch:
		s += fmt.Sprintf(": %s: %s", id.Where, id.Reason)
	default:
		s += ": " + id.Reason
	}
	if e := id.Evidence(); e != "" {
		s += "; " + e
	}
	if id.Text != "" {
		s += "; text identifier: " + id.Text
	}
	return s
}

// ByWeight orders rules by level, the highest first, then by number of findings, then by ID. More findings come
// first, because the most frequent problem is more often the cause of others than the reverse.
func ByWeight(a, b *rule.Rule, foundA, foundB int) int {
	return cmp.Or(cmp.Compare(b.Level, a.Level), foundB-foundA, cmp.Compare(a.ID, b.ID))
}

// level returns the name of a level in color.
func (t *table) level(l rule.Level) string {
	colour := [levels]layout.Colour{rule.Note: layout.Cyan, rule.Warning: layout.Yellow, rule.Error: layout.Red}[l]
	return t.sheet.Paint(colour, l.String())
}

// Close writes the summary: inputs by outcome, findings by level and rule.
func (t *table) Close(end End) error {
	if t.tally.Inputs > 0 {
		t.sheet.Text("\n")
	}
	t.sheet.Line("", t.tally.InputsText())
	if text := t.opt.folderText(); text != "" {
		t.sheet.Line("", text)
	}
	if t.tally.Proofs != (Proofs{}) {
		t.sheet.Line("", "Identifiers: "+t.tally.Proofs.String())
	}
	if err := t.rules(); err != nil {
		return err
	}
	if text := t.tally.ConfigurationText(&t.opt.Head); text != "" {
		t.sheet.Line("", text+".")
	}
	if end != Complete {
		t.sheet.Line("", "The results are incomplete: "+end.Reason()+".")
	}
	return t.sheet.Flush()
}

// rules writes the findings by rule.
func (t *table) rules() error {
	list := t.tally.Rules()
	if len(list) == 0 {
		return nil
	}
	t.sheet.Line("", t.tally.LevelsText()+":")
	most := 0
	for _, n := range t.tally.ByRule {
		most = max(most, n)
	}
	digits := len(fmt.Sprint(most))
	var rows [][]string
	for _, r := range list {
		rows = append(rows, append(t.labels(r), fmt.Sprintf("%*d", digits, t.tally.ByRule[r.ID]), r.Problem))
	}
	if err := t.sheet.Table(rows, len("  warning  WC000    ")+digits); err != nil {
		return err
	}
	if t.tally.repairable && t.tally.Inputs > 1 {
		t.sheet.Whole("", showsRepairs, t.tally.repair.Command(t.opt.Folder))
	}
	if n := t.tally.Levels[rule.Note]; n > 0 && !t.opt.lists(rule.Note) {
		t.sheet.Line("", layout.Count(n, "note")+": --notes lists them.")
	}
	if _, ok := audit.Lookup(list[0].ID); ok { // otherwise, the rule was read from results, and is unknown
		t.sheet.Line("", fmt.Sprintf("webcap explain %s says more about a rule.", list[0].ID))
	}
	return nil
}
