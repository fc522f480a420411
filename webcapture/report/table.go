package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// What a table shows of one input. JSON has it all.
const (
	maxRows    = 20  // findings of one rule
	maxUnread  = 20  // parts that could not be checked
	maxNotices = 5   // notices about the file's structure
	maxCell    = 400 // characters of a message
)

const (
	minWidth   = 40 // narrower terminals break lines by themselves
	minMessage = 44 // a column with a place leaves at least this much to the message
)

// A Table writes records for people: a headline for each input, a table of its
// findings, and a summary.
type Table struct {
	w     io.Writer
	opt   Options
	tally tally
	block bool // the record before was more than a headline
	buf   bytes.Buffer
}

// NewTable returns a Table that writes to w.
func NewTable(w io.Writer, opt Options) *Table {
	if opt.Width > 0 {
		opt.Width = max(opt.Width, minWidth)
	}
	return &Table{w: w, opt: opt}
}

// Add writes a record. Nothing it writes can move a terminal's cursor: keys and
// paths are escaped.
func (t *Table) Add(r *Record) error {
	first := t.tally.inputs == 0
	t.tally.add(r)
	if o := r.Outcome(); t.opt.OnlyFailures && (o == Clean || o == Nothing) {
		return nil
	}
	t.buf.Reset()
	t.headline(layout.Printable(r.Path)+":", result(r))
	details := t.buf.Len()
	if r.Report != nil {
		if err := t.details(r.Report); err != nil {
			return err
		}
	}
	block := t.buf.Len() > details
	if (block || t.block) && !first {
		if _, err := io.WriteString(t.w, "\n"); err != nil {
			return err
		}
	}
	t.block = block
	_, err := t.w.Write(t.buf.Bytes())
	return err
}

// headline writes a path and what became of the input. The path is not broken,
// so that it copies as one piece.
func (t *Table) headline(path, text string) {
	if t.opt.Width == 0 || utf8.RuneCountInString(path+" "+text) <= t.opt.Width {
		t.buf.WriteString(t.paint(bold, path) + " " + text + "\n")
		return
	}
	t.buf.WriteString(t.paint(bold, path) + "\n")
	t.line("    ", text)
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
	return contents(rep) + ": " + strings.Join(verdict, ", ")
}

// contents says what a content database holds.
func contents(rep *audit.Report) string {
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
	var parts []string
	for _, images := range []struct {
		n    int
		text string
	}{
		{rep.DigestsVerified, "verified"},
		{rep.DigestsDiffer, "different"},
		{rep.DigestsUnchecked, "not checkable"},
	} {
		switch {
		case images.n == 0:
		case len(parts) == 0:
			parts = append(parts, layout.Count(images.n, "image")+" "+images.text)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", images.n, images.text))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *Table) details(rep *audit.Report) error {
	if rep.Repaired {
		t.line("  ", "structure: read without the file's own cross-reference data")
	}
	for i, n := range rep.Notices {
		if i == maxNotices {
			t.line("  ", fmt.Sprintf("… and %d more; --format json lists all", len(rep.Notices)-i))
			break
		}
		t.line("  ", "structure: "+layout.Printable(n))
	}
	if err := t.findings(rep.Findings); err != nil {
		return err
	}
	if err := t.identities(rep); err != nil {
		return err
	}
	for i, u := range rep.Unread {
		if i == maxUnread {
			t.line("  ", fmt.Sprintf("… and %d more parts; --format json lists all", len(rep.Unread)-i))
			break
		}
		t.line("  ", "could not check "+Unread(u))
	}
	return nil
}

// Unread says on one printable line what could not be checked, and why.
func Unread(u audit.Unread) string {
	return layout.Printable(u.Place.String()) + ": " + layout.OneLine(u.Err)
}

// line writes s behind an indent, and what does not fit on a line on the next ones.
func (t *Table) line(indent, s string) {
	for i, l := range layout.Wrap(shorten(s), t.room(len(indent)+2)) {
		if i > 0 {
			t.buf.WriteString("  ")
		}
		t.buf.WriteString(indent + l + "\n")
	}
}

// room returns what a line has left for text beside n other characters; 0 if
// lines are never broken.
func (t *Table) room(n int) int {
	if t.opt.Width == 0 {
		return 0
	}
	return max(t.opt.Width-n, 10)
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxCell {
		return s
	}
	return s[:layout.Cut(s, maxCell)] + " …"
}

// findings writes a table with at most maxRows findings of each rule.
func (t *Table) findings(list []audit.Finding) error {
	if len(list) == 0 {
		return nil
	}
	seen := make(map[string]int)
	var shown []audit.Finding
	var over []*audit.Rule // with more findings than are shown
	widest := 0
	for _, f := range list {
		seen[f.Rule.ID]++
		switch n := seen[f.Rule.ID]; {
		case n <= maxRows:
			shown = append(shown, f)
			widest = max(widest, len(f.Place.String()))
		case n == maxRows+1:
			over = append(over, f.Rule)
		}
	}
	// Here: shown is in the order of places, over in that of first excess.
	slices.SortFunc(over, byWeight)

	// The text is the last column. A column for the place is as wide as the
	// widest place; where it would not leave enough, the place begins the text.
	const fixed = len("  warning  WC000  ")
	apart := t.opt.Width == 0 || t.opt.Width-fixed-widest-2 >= minMessage
	width := t.room(fixed)
	if apart {
		width = t.room(fixed + widest + 2)
	}
	rows := newTable(&t.buf)
	add := func(r *audit.Rule, place, text string) error {
		text = strings.Join(layout.Wrap(shorten(layout.Printable(text)), width), "\n")
		if apart {
			return rows.Append([]string{t.level(r.Level), r.ID, place, text})
		}
		return rows.Append([]string{t.level(r.Level), r.ID, text})
	}
	for _, f := range shown {
		place, text := f.Place.String(), f.Message
		if !apart {
			text = place + ": " + text
		}
		if err := add(f.Rule, place, text); err != nil {
			return err
		}
	}
	for _, rule := range over {
		text := fmt.Sprintf("… and %d more of %s; --format json lists all", seen[rule.ID]-maxRows, rule.ID)
		if err := add(rule, "", text); err != nil {
			return err
		}
	}
	return t.render(rows)
}

// identities writes whether the IDs of content sets are those of their sources:
// a table with at most maxRows sets of each proof.
func (t *Table) identities(rep *audit.Report) error {
	if len(rep.Identities) == 0 {
		return nil
	}
	t.line("  ", "identifiers: "+proofs(rep).text())
	width := t.room(len("  not checkable  "))
	rows := newTable(&t.buf)
	for _, proof := range []audit.Proof{audit.Mismatch, audit.NotCheckable, audit.Verified} {
		n := 0
		for i := range rep.Identities {
			id := &rep.Identities[i]
			if id.Proof != proof {
				continue
			}
			if n++; n > maxRows {
				continue
			}
			text := strings.Join(layout.Wrap(shorten(layout.Printable(identityText(id))), width), "\n")
			if err := rows.Append([]string{proof.String(), text}); err != nil {
				return err
			}
		}
		if n > maxRows {
			text := fmt.Sprintf("… and %d more; --format json lists all", n-maxRows)
			if err := rows.Append([]string{proof.String(), text}); err != nil {
				return err
			}
		}
	}
	return t.render(rows)
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

// byWeight orders rules by level, the worst first, then by ID.
func byWeight(a, b *audit.Rule) int {
	return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.ID, b.ID))
}

// Colours, as terminals know them (ECMA-48, 8.3.117). They are those of the
// terminal's own palette, which its owner can read; and what they say stands there
// in words.
const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

// paint returns s in a colour, if there are any.
func (t *Table) paint(colour, s string) string {
	if !t.opt.Colour {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// level returns the name of a level in its colour.
func (t *Table) level(l audit.Level) string {
	return t.paint([levels]string{audit.Note: cyan, audit.Warning: yellow, audit.Error: red}[l], l.String())
}

// render writes rows to t.buf, without spaces at line ends.
func (t *Table) render(rows *tablewriter.Table) error {
	start := t.buf.Len()
	if err := rows.Render(); err != nil {
		return err
	}
	text := t.buf.String()[start:]
	t.buf.Truncate(start)
	for l := range strings.Lines(text) {
		t.buf.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return nil
}

// newTable returns a table without lines. It does not wrap cells: tablewriter
// either drops what is too long, or marks each break with a character that a
// reader takes for a part of the key.
func newTable(w io.Writer) *tablewriter.Table {
	return tablewriter.NewTable(w,
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		}),
		tablewriter.WithPadding(tw.Padding{Left: "  ", Overwrite: true}),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
	)
}

// Close writes the summary: inputs by outcome, findings by level and rule.
func (t *Table) Close(complete bool) error {
	t.buf.Reset()
	if t.tally.inputs > 0 {
		t.buf.WriteString("\n")
	}
	t.line("", t.tally.inputsText())
	if t.tally.proofs != (proofCounts{}) {
		t.line("", "Identifiers held against their sources: "+t.tally.proofs.text())
	}
	if err := t.rules(); err != nil {
		return err
	}
	if n := t.tally.ignored; n > 0 {
		t.line("", layout.Count(n, "finding")+" ignored.")
	}
	if !complete {
		t.line("", "This is not all: the audit was interrupted.")
	}
	_, err := t.w.Write(t.buf.Bytes())
	return err
}

// rules writes what was found, by rule.
func (t *Table) rules() error {
	list := slices.SortedFunc(slices.Values(t.tally.rules), byWeight)
	if len(list) == 0 {
		return nil
	}
	t.line("", t.tally.levelsText()+":")
	most := 0
	for _, n := range t.tally.byRule {
		most = max(most, n)
	}
	digits := len(fmt.Sprint(most))
	rows := newTable(&t.buf)
	for _, r := range list {
		n := fmt.Sprintf("%*d", digits, t.tally.byRule[r.ID])
		title := strings.Join(layout.Wrap(layout.Printable(r.Title), t.room(len("  warning  WC000    ")+digits)), "\n")
		if err := rows.Append([]string{t.level(r.Level), r.ID, n, title}); err != nil {
			return err
		}
	}
	if err := t.render(rows); err != nil {
		return err
	}
	t.line("", fmt.Sprintf("webcap explain %s says more about a rule.", list[0].ID))
	return nil
}
