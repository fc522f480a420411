package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// Limits of GitHub for one step of a job.
const (
	maxAnnotations = 10      // for each level
	maxSummary     = 1 << 20 // bytes of a job summary; GitHub rejects a longer summary
	summaryReserve = 1 << 16 // bytes of maxSummary for the text at the end
)

// A githubWriter writes records as workflow commands, which GitHub shows as annotations of files, and as a job summary
// in Markdown. It counts the findings that exceed the limits. Both outputs begin with totals, so they wait until the
// end.
type githubWriter struct {
	w        io.Writer
	log      spool.Spool // the output of doc
	doc      *layout.Buffer
	opt      Options
	shown    [levels]int // annotated findings
	kept     [levels][]githubNote
	leftOut  [levels]int // findings without annotation
	tally    Tally
	summary  io.Writer    // nil for none
	details  bytes.Buffer // sections of the summary
	md       *markdownWriter
	section  section // buffer for the output of md
	headings int     // number of inputs with only a headline in the summary
	unlisted int     // number of inputs without a headline
}

// A githubNote is an annotation of a finding that is not the first of its rule in its file. It waits until all
// first findings are annotated, and is used if the limit allows.
type githubNote struct{ path, title, text string }

// A section is a part of the job summary. It keeps at most as many bytes as fit into the summary.
type section struct {
	n   int // number of bytes written
	buf bytes.Buffer
}

func (s *section) Write(b []byte) (int, error) {
	if s.n += len(b); s.n <= maxSummary {
		s.buf.Write(b)
	}
	return len(b), nil
}

func (s *section) reset() {
	s.n = 0
	s.buf.Reset()
}

// newGitHub returns a githubWriter that writes commands to w, the log of a step. It writes the job summary to
// o.Summary, unless that is nil.
func newGitHub(w io.Writer, o Options) *githubWriter {
	g := &githubWriter{w: w, opt: o, summary: o.Summary}
	g.doc = layout.NewBuffer(&g.log)
	g.md = newMarkdown(nil, o)
	g.md.doc = layout.NewBuffer(&g.section)
	return g
}

// Add stores the annotations of a record, and a section of the job summary. The error is that of a temporary file.
func (g *githubWriter) Add(r *Record) error {
	path, _ := Relative(g.opt.within(r.Path), g.opt.Base)
	if r.Verdict() == NotAudited {
		g.annotation(rule.Error, path, "input", r.Result())
	}
	if rep := r.Report; rep != nil {
		if n := len(rep.Unread); n > 0 && r.Accepted == "" {
			text := "could not check " + phrase.Unread(rep.Unread[0])
			if n > 1 {
				text += fmt.Sprintf("; and %d more", n-1)
			}
			g.annotation(rule.Error, path, "unread", text)
		}
		annotated := make(map[string]bool) // by rule
		for _, f := range rep.Findings.All() {
			g.finding(&f, path, !annotated[f.Rule.ID])
			annotated[f.Rule.ID] = true
		}
	}
	g.tally.Add(r)
	if err := g.doc.Flush(); err != nil {
		return err
	}
	return g.summarize(r)
}

// finding annotates a finding if it is the first of its rule in the file, and keeps it for later otherwise. It
// counts findings that exceed the limit.
func (g *githubWriter) finding(f *rule.Finding, path string, first bool) {
	level := f.Level()
	if g.shown[level]+len(g.kept[level]) >= maxAnnotations && (!first || g.shown[level] == maxAnnotations) {
		g.leftOut[level]++
		return
	}
	note := githubNote{path, f.Rule.ID + " " + f.Rule.Problem, f.Place.String() + ": " + f.Message}
	if !first {
		g.kept[level] = append(g.kept[level], note)
		return
	}
	g.shown[level]++
	g.annotation(level, note.path, note.title, note.text)
}

// annotateKept annotates kept findings up to the limit.
func (g *githubWriter) annotateKept() {
	for level := rule.Error; level >= rule.Note; level-- {
		n := min(len(g.kept[level]), maxAnnotations-g.shown[level])
		for _, note := range g.kept[level][:n] {
			g.annotation(level, note.path, note.title, note.text)
		}
		g.leftOut[level] += len(g.kept[level]) - n
	}
}

// annotation writes an annotation. Annotations for inputs that could not be audited have no limit, so the log has
// all of them.
func (g *githubWriter) annotation(level rule.Level, path, title, text string) {
	command := [levels]string{rule.Note: "notice", rule.Warning: "warning", rule.Error: "error"}[level]
	g.doc.Text(fmt.Sprintf("::%s file=%s,line=1,title=%s::%s\n", command, property(path), property(title),
		messageEscapes.Replace(layout.Printable(text))))
}

// property returns a value in the syntax of workflow commands.
func property(s string) string { return propertyEscapes.Replace(layout.Printable(s)) }

// The characters of the command syntax, with their escapes. Line ends do not occur in printable text.
var (
	messageEscapes  = strings.NewReplacer("%", "%25")
	propertyEscapes = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

// summarize stores the section of a record. If the job summary has no room for all of it, summarize stores only the
// headline. If there is no room for that either, it only counts the input.
func (g *githubWriter) summarize(r *Record) error {
	if g.summary == nil || g.md.add(r) != &g.md.listed {
		return nil
	}
	if err := g.md.section(r); err != nil {
		return err
	}
	if g.details.Len()+g.section.n > maxSummary-summaryReserve {
		g.section.reset()
		g.md.headline(r)
		if err := g.md.doc.Flush(); err != nil {
			return err
		}
		if g.headings++; g.details.Len()+g.section.n > maxSummary-summaryReserve {
			g.section.reset()
			g.headings--
			g.unlisted++
		}
	}
	g.details.Write(g.section.buf.Bytes())
	g.section.reset()
	return nil
}

// Close writes the log and the job summary. Both begin with totals. The log ends with the number of findings
// without annotations. The runner searches log lines for commands, so other lines contain no text from files.
func (g *githubWriter) Close(end End) error {
	defer g.log.Close()
	g.annotateKept()
	var more []string
	for l := rule.Error; l >= rule.Note; l-- {
		if n := g.leftOut[l]; n > 0 {
			more = append(more, layout.Count(n, l.String()))
		}
	}
	if len(more) > 0 {
		g.doc.Text(fmt.Sprintf("Not annotated: %s. GitHub shows %d of each level.\n", strings.Join(more, ", "),
			maxAnnotations))
	}
	if text := g.tally.ConfigurationText(&g.opt.Head); text != "" {
		g.doc.Text("::notice title=configuration::" + messageEscapes.Replace(text) + "\n")
	}
	if n := g.tally.Proofs; n != (Proofs{}) {
		g.doc.Text("Identifiers: " + n.String() + ".\n")
	}
	if end != Complete {
		g.doc.Text("::error title=incomplete::the results are incomplete: " + end.Reason() + "\n")
	}
	if err := g.doc.Flush(); err != nil {
		return err
	}
	if _, err := io.WriteString(g.w, g.tally.String()+"\n"); err != nil {
		return err
	}
	if err := g.log.CopyTo(g.w); err != nil || g.summary == nil {
		return err
	}
	g.md.totals(end)
	if g.headings+g.unlisted > 0 {
		g.md.doc.Text(fmt.Sprintf("\nA job summary has room for 1 MiB: %s without details, %d not listed.\n",
			layout.Count(g.headings, "input"), g.unlisted))
	}
	if err := g.md.doc.Flush(); err != nil {
		return err
	}
	if _, err := g.summary.Write(g.section.buf.Bytes()); err != nil {
		return err
	}
	_, err := g.summary.Write(g.details.Bytes())
	return err
}
