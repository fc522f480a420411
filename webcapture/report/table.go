package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// Limits of a table for one input. JSON has no such limits.
const (
	maxShown  = 20 // findings of one rule with Verbose, and in Markdown
	SomeShown = 3  // findings of one rule by default: they are similar
)

// A table writes records for people: totals, then a headline and findings for each input with problems. Other inputs
// are only counted, unless there is only one input, or Options.Verbose lists all.
type table struct {
	opt      Options
	w        io.Writer
	tally    Tally
	inListed int         // number of inputs in listed
	only     spool.Spool // text about the first input, if it has no problem
	listed   spool.Spool // text about the listed inputs, which follows the totals
	block    bool        // the last listed input had more lines than a headline
	sheet    *layout.Sheet
	examples int // maximum number of findings of a rule to show
}

// newTable returns a table that writes to w.
func newTable(w io.Writer, opt Options) *table {
	t := &table{opt: opt, w: w, examples: SomeShown}
	if opt.Verbose {
		t.examples = maxShown
	}
	return t
}

// Add stores the text about a record. Keys and paths are escaped, so that they cannot move a terminal's cursor.
func (t *table) Add(r *Record) error {
	t.tally.Add(r)
	to := &t.only
	if t.opt.Verbose || t.opt.isProblem(r) {
		t.inListed++
		to = &t.listed
	} else if t.tally.Inputs > 1 {
		return nil
	}
	t.sheet = layout.NewSheet(to, t.opt.Width, t.opt.Colour)
	t.sheet.Headline(r.Path, r.Result())
	headline := t.sheet.Len()
	if r.Report != nil {
		if err := t.details(r); err != nil {
			return err
		}
	}
	block := t.sheet.Len() > headline
	if (block || t.block) && to.Len() > 0 {
		if _, err := io.WriteString(to, "\n"); err != nil {
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
	blocks := GroupsOf(r.Report, t.examples)
	listed := t.opt.listed(blocks)
	if len(listed) == 0 {
		return nil
	}
	if text := blocks.Verdict(r.Report); text != "" {
		t.sheet.Line("  ", text)
	}
	if what, command := blocks.NextStep(r.Report, r.Path, &t.opt); what != "" {
		t.sheet.Whole("  ", what, command)
	}
	for _, b := range listed {
		rows := [][]string{append(t.labels(b.Rule), b.headline(r.Report))}
		for _, f := range b.Examples {
			rows = append(rows, []string{"", "", t.opt.example(r.Report, &f)})
		}
		if err := t.sheet.Table(rows); err != nil {
			return err
		}
		if more := b.more(); more != "" {
			t.sheet.Line(strings.Repeat(" ", len(indent)), more)
		}
	}
	return nil
}

// indent is the indentation of the text about a rule.
const indent = "  warning  WC000  "

func (t *table) labels(r *rule.Rule) []string {
	level := r.Level.String()
	return []string{t.level(r.Level) + strings.Repeat(" ", len("warning")-len(level)), layout.Printable(r.ID)}
}

// identities writes which content sets have IDs that match their sources, which have others, and which could not be
// compared.
func (t *table) identities(rep *audit.Report) error {
	if len(rep.Identities) == 0 {
		return nil
	}
	text := "identifiers: " + ProofsOf(rep).String()
	if days := capturedOn(rep.Identities); days != "" {
		text += "; the bytes captured on " + days + " have the MD5 in this PDF"
	}
	t.sheet.Line("  ", text)
	return t.sheet.Table(IdentityRows(rep, maxShown))
}

// capturedOn returns the days of the captures that verify image sets, such as "2004-04-07" or "2004-04-07 to
// 2005-01-01"; empty without dates.
func capturedOn(list []rule.Identity) string {
	var first, last time.Time
	for i := range list {
		at := list[i].Capture.Time
		if list[i].Proof != rule.Verified || list[i].Subtype != webcapture.ImageSet || at.IsZero() {
			continue
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	from, to := first.UTC().Format(time.DateOnly), last.UTC().Format(time.DateOnly)
	switch {
	case first.IsZero():
		return ""
	case from == to:
		return from
	}
	return from + " to " + to
}

// IdentityRows returns rows for content sets that were compared with their sources: the proof, and a text about the
// set. The worst come first, with at most some rows for each proof. The texts are not yet printable.
func IdentityRows(rep *audit.Report, some int) [][]string {
	var rows [][]string
	for _, proof := range []rule.Proof{rule.Mismatch, rule.NotCheckable, rule.Verified} {
		n := 0
		for i := range rep.Identities {
			if id := &rep.Identities[i]; id.Proof == proof {
				if n++; n <= some {
					rows = append(rows, []string{proof.String(), identityText(id)})
				}
			}
		}
		if n > some {
			rows = append(rows, []string{proof.String(), phrase.MoreOf(n - some)})
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
		s += " " + id.URL.String()
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

// byWeight orders rules by level, the highest first, then by number of findings, then by ID. More findings come
// first, because the most frequent problem is more often the cause of others than the reverse.
func byWeight(a, b *rule.Rule, foundA, foundB int) int {
	return cmp.Or(cmp.Compare(b.Level, a.Level), foundB-foundA, cmp.Compare(a.ID, b.ID))
}

// level returns the name of a level in color.
func (t *table) level(l rule.Level) string {
	colour := [levels]layout.Colour{rule.Note: layout.Cyan, rule.Warning: layout.Yellow, rule.Error: layout.Red}[l]
	return t.sheet.Paint(colour, l.String())
}

// Close writes totals of several inputs, the stored texts, and what is not listed.
func (t *table) Close(end End) error {
	defer t.only.Close()
	defer t.listed.Close()
	t.sheet = layout.NewSheet(t.w, t.opt.Width, t.opt.Colour)
	var err error
	if t.tally.Inputs == 1 {
		err = t.only.CopyTo(t.w)
	} else {
		err = t.totals()
	}
	if err == nil {
		err = t.listed.CopyTo(t.w)
	}
	if err != nil {
		return err
	}
	if t.tally.Inputs > 0 {
		t.sheet.Text("\n")
	}
	if text := t.unlistedText(); text != "" {
		t.sheet.Line("", text)
	}
	if text := t.tally.ConfigurationText(&t.opt.Head); text != "" {
		t.sheet.Line("", text+".")
	}
	if list := t.tally.Rules(); len(list) > 0 {
		if _, ok := audit.Lookup(list[0].ID); ok { // otherwise, the rule was read from results, and is unknown
			t.sheet.Line("", fmt.Sprintf("webcap explain %s says more about a rule.", list[0].ID))
		}
	}
	if end != Complete {
		t.sheet.Line("", "The results are incomplete: "+end.Reason()+".")
	}
	return t.sheet.Flush()
}

// totals writes inputs by verdict, and findings by level and rule.
func (t *table) totals() error {
	t.sheet.Line("", t.tally.InputsText())
	if t.tally.Proofs != (Proofs{}) {
		t.sheet.Line("", "Identifiers: "+t.tally.Proofs.String())
	}
	list := t.tally.Rules()
	if len(list) > 0 {
		t.sheet.Line("", t.tally.LevelsText()+":")
	}
	most := 0
	for _, n := range t.tally.ByRule {
		most = max(most, n)
	}
	digits := len(fmt.Sprint(most))
	var rows [][]string
	for _, r := range list {
		rows = append(rows, append(t.labels(r), fmt.Sprintf("%*d", digits, t.tally.ByRule[r.ID]), r.Problem))
	}
	if err := t.sheet.Table(rows); err != nil {
		return err
	}
	if command := t.tally.RepairCommand(&t.opt); command != "" {
		t.sheet.Whole("", showsRepairs, command)
	}
	if t.listed.Len() > 0 {
		t.sheet.Text("\n")
	}
	return t.sheet.Flush()
}

// unlistedText says how to list what is only counted; empty if everything is listed.
func (t *table) unlistedText() string {
	files := t.tally.Inputs > max(t.inListed, 1)
	notes := t.tally.Levels[rule.Note] > 0 && !t.opt.lists(rule.Note)
	switch {
	case files && notes:
		return "-v lists all files and notes."
	case files:
		return "-v lists all files."
	case notes:
		return "-v lists notes."
	}
	return ""
}
