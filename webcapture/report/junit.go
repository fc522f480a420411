package report

import (
	"cmp"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A junitWriter writes records as test results in the XML of JUnit. Each input is a suite, with a test for each
// checked rule. A violated rule is a failure if its level is at least --fail-on. Findings of lower levels
// are output of a passing test. If a file could not be audited, the test called audit has an error. Passing tests
// without output, and clean files, are included only with Verbose. A rule whose findings are all ignored is a
// skipped test.
type junitWriter struct {
	doc   xmlText
	opt   Options
	tally Tally
	begun bool
}

// newJUnit returns a junitWriter that writes to w.
func newJUnit(w io.Writer, o Options) *junitWriter {
	return &junitWriter{doc: xmlText{layout.NewBuffer(w)}, opt: o}
}

// A junitCase is one test.
type junitCase struct {
	name   string
	class  string // outcome: failure, error, skipped; empty if the test passes
	kind   string // level of a failure
	reason string // reason for the outcome
	detail []string
	output []string
}

// Add writes the suite of a record.
func (j *junitWriter) Add(r *Record) error {
	j.begin()
	j.tally.Add(r)
	cases := append([]junitCase{junitAudit(r)}, j.rules(r)...)
	if rep := r.Report; rep != nil && len(rep.Identities) > 0 {
		c := junitCase{name: "identifiers"}
		for i := range rep.Identities {
			id := &rep.Identities[i]
			c.output = append(c.output, id.Proof.String()+": "+identityText(id))
		}
		cases = append(cases, c)
	}
	if !j.opt.Verbose {
		cases = slices.DeleteFunc(cases, func(c junitCase) bool { return c.class == "" && len(c.output) == 0 })
		if r.Outcome() == Clean && len(cases) == 1 && len(phrase.Notices(r.Report)) == 0 {
			cases = nil
		}
	}
	if len(cases) == 0 {
		return j.doc.Flush()
	}
	return j.suite(r.Path, "", cases)
}

// junitAudit returns the test called audit, which passes if the file was audited completely, and is skipped if the user
// accepts that it was not.
func junitAudit(r *Record) junitCase {
	c := junitCase{name: "audit"}
	switch r.Outcome() {
	case Failed, TimedOut, Skipped:
		c.class, c.reason = "error", r.Reason()
	case Nothing:
		c.class, c.reason = "skipped", r.Result()
	case Partial:
		c.class, c.reason = "error", layout.Count(len(r.Report.Unread), "part")+" could not be checked"
		for _, u := range r.Report.Unread {
			c.detail = append(c.detail, phrase.Unread(u))
		}
	}
	if r.Accepted != "" && c.class == "error" {
		c.class, c.reason, c.detail = "skipped", r.Result(), nil
	}
	if r.Report == nil {
		return c
	}
	if r.Report.Present {
		c.output = append(c.output, r.Result())
	}
	for _, n := range phrase.Notices(r.Report) {
		c.output = append(c.output, "structure: "+n)
	}
	return c
}

// rules returns a test for each checked rule, in order. It returns none if there was nothing to check.
func (j *junitWriter) rules(r *Record) []junitCase {
	if r.Report == nil || !r.Report.Present {
		return nil
	}
	cases := make([]junitCase, 0, len(j.opt.Rules))
	index := make(map[string]int, len(j.opt.Rules))
	of := func(rule *rule.Rule) *junitCase {
		i, ok := index[rule.ID]
		if !ok {
			i = len(cases)
			index[rule.ID] = i
			cases = append(cases, junitCase{name: rule.ID + " " + rule.Title})
		}
		return &cases[i]
	}
	for _, rule := range j.opt.Rules {
		of(rule)
	}
	for _, f := range r.Report.Findings {
		c, line := of(f.Rule), f.Place.String()+": "+f.Message
		if f.Level() < cmp.Or(j.opt.FailOn, rule.Error) {
			c.output = append(c.output, line)
			continue
		}
		c.class, c.kind = "failure", f.Level().String()
		c.detail = append(c.detail, line)
		c.reason = layout.Count(len(c.detail), "finding")
	}
	for i := range r.Ignored {
		f := &r.Ignored[i]
		c, line := of(f.Rule), "ignored ("+f.Reason+"): "+f.Place.String()+": "+f.Message
		if c.class != "" && c.class != "skipped" || len(c.output) > 0 {
			c.output = append(c.output, line)
			continue
		}
		c.class = "skipped"
		c.detail = append(c.detail, line)
		c.reason = layout.Count(len(c.detail), "finding") + " ignored"
	}
	return cases
}

// suite writes a suite. configuration becomes a property of the suite, unless it is empty.
func (j *junitWriter) suite(name, configuration string, cases []junitCase) error {
	counts := map[string]int{}
	for i := range cases {
		counts[cases[i].class]++
	}
	d := j.doc
	d.Text("<testsuite")
	d.attribute("name", name)
	d.attribute("tests", strconv.Itoa(len(cases)))
	d.attribute("failures", strconv.Itoa(counts["failure"]))
	d.attribute("errors", strconv.Itoa(counts["error"]))
	d.attribute("skipped", strconv.Itoa(counts["skipped"]))
	d.Text(">\n")
	if configuration != "" {
		d.Text(`<properties><property name="configuration"`)
		d.attribute("value", configuration)
		d.Text("/></properties>\n")
	}
	for i := range cases {
		if err := j.test(name, &cases[i]); err != nil {
			return err
		}
	}
	d.Text("</testsuite>\n")
	return d.Flush()
}

// test writes a test.
func (j *junitWriter) test(suite string, c *junitCase) error {
	d := j.doc
	d.Text("<testcase")
	d.attribute("classname", suite)
	d.attribute("name", c.name)
	if c.class == "" && len(c.output) == 0 {
		d.Text("/>\n")
		return d.FlushIfLarge()
	}
	d.Text(">\n")
	if c.class != "" {
		d.Text("<" + c.class)
		d.attribute("message", c.reason)
		if c.kind != "" {
			d.attribute("type", c.kind)
		}
		if err := j.lines(c.class, c.detail); err != nil {
			return err
		}
	}
	if len(c.output) > 0 {
		d.Text("<system-out")
		if err := j.lines("system-out", c.output); err != nil {
			return err
		}
	}
	d.Text("</testcase>\n")
	return d.FlushIfLarge()
}

// lines writes the content of an element and its end tag.
func (j *junitWriter) lines(element string, list []string) error {
	d := j.doc
	if len(list) == 0 {
		d.Text("/>\n")
		return nil
	}
	d.Text(">")
	for i, l := range list {
		if i > 0 {
			d.Text("\n")
		}
		d.escaped(l)
		if err := d.FlushIfLarge(); err != nil {
			return err
		}
	}
	d.Text("</" + element + ">\n")
	return nil
}

// xmlText builds XML text.
type xmlText struct{ *layout.Buffer }

// attribute appends an attribute to an open element.
func (d xmlText) attribute(name, value string) {
	d.Text(" " + name + `="`)
	d.escaped(value)
	d.Text(`"`)
}

// escaped appends text with XML escapes. XML 1.0 allows all printable characters.
func (d xmlText) escaped(s string) { xmlEscapes.WriteString(d, layout.Printable(s)) }

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func (j *junitWriter) begin() {
	if !j.begun {
		j.begun = true
		j.doc.Text(xml.Header + `<testsuites name="webcap">` + "\n")
	}
}

// Close writes a last suite. Its test fails if the results are incomplete, so that empty results do not look like
// success.
func (j *junitWriter) Close(end End) error {
	j.begin()
	c := junitCase{name: "complete"}
	if end != Complete {
		c.class, c.reason = "error", end.Reason()
	}
	if err := j.suite("webcap", j.tally.ConfigurationText(&j.opt.Head), []junitCase{c}); err != nil {
		return err
	}
	j.doc.Text("</testsuites>\n")
	return j.doc.Flush()
}
