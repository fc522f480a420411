package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A junitWriter writes records as test results in the XML of JUnit. Each input is a suite, with a test for each
// rule that has findings. A violated rule is a failure if its level is at least --fail-on. Findings of lower levels
// are output of a passing test. If a file could not be audited, the test called audit has an error. Clean files are
// included only with Verbose. A rule whose findings are all ignored is a skipped test.
type junitWriter struct {
	w     *bufio.Writer
	xml   *xml.Encoder // writes to w
	opt   Options
	tally Tally
}

type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	// A junitCase is a test. It passes if Failure, Error, and Skipped are nil.
	junitCase struct {
		Suite   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Failure *junitResult `xml:"failure"`
		Error   *junitResult `xml:"error"`
		Skipped *junitResult `xml:"skipped"`
		Output  *junitText   `xml:"system-out"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Level   string `xml:"type,attr,omitempty"`
		junitText
	}
	junitText struct {
		Lines string `xml:",cdata"`
	}
)

// newJUnit returns a junitWriter that writes to w.
func newJUnit(w io.Writer, o Options) *junitWriter {
	j := &junitWriter{w: bufio.NewWriter(w), opt: o}
	j.xml = xml.NewEncoder(j.w)
	j.xml.Indent("", " ")
	j.w.WriteString(xml.Header + `<testsuites name="webcap">`)
	return j
}

// junitLines returns a text of lines, without the characters that XML does not have.
func junitLines(lines []string) junitText {
	text := make([]string, len(lines))
	for i, l := range lines {
		text[i] = layout.Printable(l)
	}
	return junitText{strings.Join(text, "\n")}
}

// junitOutput returns the output of a test; nil without lines.
func junitOutput(lines []string) *junitText {
	if len(lines) == 0 {
		return nil
	}
	text := junitLines(lines)
	return &text
}

// Add writes the suite of a record.
func (j *junitWriter) Add(r *Record) error {
	j.tally.Add(r)
	rules := j.rules(r)
	if r.Outcome() == Clean && len(rules) == 0 && len(phrase.Notices(r.Report)) == 0 && !j.opt.Verbose {
		return j.w.Flush()
	}
	return j.suite(r.Path, append([]junitCase{junitAudit(r)}, rules...))
}

// junitAudit returns the test called audit, which passes if the file was audited completely, and is skipped if the user
// accepts that it was not.
func junitAudit(r *Record) junitCase {
	c := junitCase{Name: "audit"}
	switch r.Outcome() {
	case Failed, TimedOut, Skipped:
		c.Error = &junitResult{Message: r.Reason()}
	case Nothing:
		c.Skipped = &junitResult{Message: r.Result()}
	case Partial:
		var parts []string
		for _, u := range r.Report.Unread {
			parts = append(parts, phrase.Unread(u))
		}
		c.Error = &junitResult{layout.Count(len(parts), "part") + " could not be checked", "", junitLines(parts)}
	}
	if r.Accepted != "" && c.Error != nil {
		c.Error, c.Skipped = nil, &junitResult{Message: r.Result()}
	}
	if r.Report == nil {
		return c
	}
	var lines []string
	if r.Report.Present {
		lines = append(lines, r.Result())
	}
	if len(r.Report.Identities) > 0 {
		lines = append(lines, "identifiers: "+ProofsOf(r.Report).String())
	}
	for _, n := range phrase.Notices(r.Report) {
		lines = append(lines, "structure: "+n)
	}
	c.Output = junitOutput(lines)
	return c
}

// rules returns a test for each rule with findings, in the order of the checked rules.
func (j *junitWriter) rules(r *Record) []junitCase {
	if r.Report == nil {
		return nil
	}
	rules := slices.Clone(j.opt.Rules)
	found, ignored := map[*rule.Rule][]string{}, map[*rule.Rule][]string{}
	add := func(to map[*rule.Rule][]string, about string, f *rule.Finding) {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
		to[f.Rule] = append(to[f.Rule], about+f.Place.String()+": "+f.Message)
	}
	for _, f := range r.Report.Findings {
		add(found, "", &f)
	}
	for i := range r.Ignored {
		add(ignored, "ignored ("+r.Ignored[i].Reason+"): ", &r.Ignored[i].Finding)
	}
	var cases []junitCase
	for _, rule := range rules {
		if len(found[rule])+len(ignored[rule]) > 0 {
			cases = append(cases, j.test(rule, found[rule], ignored[rule]))
		}
	}
	return cases
}

// test returns the test of a rule, given lines about its findings.
func (j *junitWriter) test(r *rule.Rule, found, ignored []string) junitCase {
	c := junitCase{Name: r.ID + " " + r.Title}
	switch {
	case len(found) > 0 && r.Level >= cmp.Or(j.opt.FailOn, rule.Error):
		c.Failure = &junitResult{layout.Count(len(found), "finding"), r.Level.String(), junitLines(found)}
		c.Output = junitOutput(ignored)
	case len(found) > 0:
		c.Output = junitOutput(slices.Concat(found, ignored))
	default:
		c.Skipped = &junitResult{layout.Count(len(ignored), "finding") + " ignored", "", junitLines(ignored)}
	}
	return c
}

// suite writes a suite.
func (j *junitWriter) suite(name string, cases []junitCase) error {
	s := junitSuite{Name: layout.Printable(name), Tests: len(cases), Cases: cases}
	for i := range cases {
		c := &cases[i]
		c.Suite, c.Name = s.Name, layout.Printable(c.Name)
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	if err := j.xml.Encode(s); err != nil {
		return err
	}
	return j.w.Flush()
}

// Close writes a last suite. Its test fails if the results are incomplete, so that empty results do not look like
// success.
func (j *junitWriter) Close(end End) error {
	c := junitCase{Name: "complete"}
	if end != Complete {
		c.Error = &junitResult{Message: end.Reason()}
	}
	if text := j.tally.ConfigurationText(&j.opt.Head); text != "" {
		c.Output = junitOutput([]string{text})
	}
	if err := j.suite("webcap", []junitCase{c}); err != nil {
		return err
	}
	j.w.WriteString("\n</testsuites>\n")
	return j.w.Flush()
}
