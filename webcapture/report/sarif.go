package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// Rules of GitHub for SARIF, which other services have adopted:
//
//   - It accepts 25,000 results of a run, and rejects a file with more. It shows the
//     5,000 most severe.
//   - It recognizes a result by primaryLocationLineHash, which it computes itself
//     only for text files.
//   - It requires a place in a file and a line for each result, although a PDF file has no lines.
//   - URIs are relative to the root of the repository, and contain neither blanks nor "..".
//   - results is an array, even if it is empty.
//   - Each result is an alert, even if its kind is pass (microsoft/PSRule#955). So the
//     results of checking identifiers, most of which pass, are only counted.
const maxResults = 25_000

// sarifSchema is the schema of version 2.1.0 with errata 01.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sourceRoot is the base of relative URIs.
const sourceRoot = "%SRCROOT%"

type (
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string             `json:"id"`
		Short      sarifText          `json:"shortDescription"`
		Full       sarifText          `json:"fullDescription"`
		HelpURI    string             `json:"helpUri,omitempty"`
		Help       sarifHelp          `json:"help"`
		Default    sarifConfiguration `json:"defaultConfiguration"`
		Properties sarifTags          `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifTags struct {
		Tags []string `json:"tags"`
	}

	sarifResult struct {
		Rule         string             `json:"ruleId"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints sarifFingerprints  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		File   sarifFile   `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifFingerprints struct {
		Line string `json:"primaryLocationLineHash"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifFile struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}

	sarifNotification struct {
		Descriptor sarifDescriptor `json:"descriptor"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
	}
	sarifDescriptor struct {
		ID string `json:"id"`
	}
)

// A sarifWriter writes records in the Static Analysis Results Interchange Format, version 2.1.0, as one run. It
// keeps at most max results of each level until Close, which writes the most severe, and counts the others.
type sarifWriter struct {
	doc   *jsondoc.Document
	opt   Options
	max   int // maximum number of results, and of notifications; lower than maxResults only in tests
	tally Tally

	results       [levels][]sarifResult // by level; index 0 for ignored findings
	leftOut       int                   // number of further results
	notifications []sarifNotification   // about inputs, and parts that could not be checked
	notLeftOut    int                   // number of further notifications
}

// newSARIF returns a sarifWriter that writes to w.
func newSARIF(w io.Writer, o Options) *sarifWriter {
	return &sarifWriter{doc: jsondoc.New(w), opt: o, max: maxResults}
}

// Add stores the results of a record.
func (s *sarifWriter) Add(r *Record) error {
	s.tally.Add(r)
	s.notify(r)
	file := fileURI(inDirectory(r.Path, s.opt.Directory, s.opt.Base), s.opt.Base)
	names, ignored := fingerprints(r, FingerprintPath(r.Path, s.opt.Base, s.opt.Directory))
	for i, name := range names {
		f := r.Report.Findings[i]
		s.keep(f.Level(), &f, file, name, nil)
	}
	for i, name := range ignored {
		s.keep(0, &r.Ignored[i].Finding, file, name,
			[]sarifSuppression{{"external", layout.Printable(r.Ignored[i].Reason)}})
	}
	return nil
}

// keep keeps the result of a finding.
func (s *sarifWriter) keep(level rule.Level, f *rule.Finding, file sarifFile, name string, why []sarifSuppression) {
	if len(s.results[level]) == s.max {
		s.leftOut++
		return
	}
	s.results[level] = append(s.results[level], sarifResult{
		Rule: rule.Text(f.Rule.ID), Level: f.Level().String(),
		Message:   sarifMessage(rule.Text(f.Place.String()) + ": " + f.Message),
		Locations: []sarifLocation{{sarifPhysical{file, sarifRegion{1}}}}, Fingerprints: sarifFingerprints{name},
		Suppressions: why,
	})
}

// sarifRuleOf describes a rule. A rule that this version of webcap does not have has no explanation.
func sarifRuleOf(r *rule.Rule) sarifRule {
	doc, repair := cmp.Or(r.Doc, r.Problem), r.Remedy()
	help := doc
	if repair != "" {
		help += "\n\nRepair: " + repair
	}
	help += "\n\n" + r.Clause
	tags := []string{"pdf", "web-capture"}
	for _, g := range rule.Groups() {
		if strings.HasPrefix(r.ID, g.Prefix) {
			tags = append(tags, g.Name)
		}
	}
	return sarifRule{
		ID: r.ID, Short: sarifText{r.Problem}, Full: sarifText{doc}, HelpURI: ruleURL(r),
		Help:    sarifHelp{help, markupEscapes.Replace(help)},
		Default: sarifConfiguration{r.Level.String()}, Properties: sarifTags{tags},
	}
}

// sarifMessage escapes text for a plain text message. Without escapes, [text](target) would be a link (SARIF 2.1.0,
// 3.11.6).
func sarifMessage(text string) sarifText {
	return sarifText{strings.ReplaceAll(layout.Printable(text), "](", `\](`)}
}

// notify reports why an input was not checked, and which parts of it could not be checked.
func (s *sarifWriter) notify(r *Record) {
	level := "error"
	if r.Accepted != "" {
		level = "note"
	}
	if !r.Outcome().Audited() {
		s.notification("input", level, r.Path+": "+r.Result())
		return
	}
	if r.Report == nil {
		return
	}
	for _, u := range r.Report.Unread {
		s.notification("unread", level, r.Path+": could not check "+phrase.Unread(u))
	}
}

// notification keeps a notification.
func (s *sarifWriter) notification(id, level, text string) {
	if len(s.notifications) == s.max {
		s.notLeftOut++
		return
	}
	s.notifications = append(s.notifications, sarifNotification{sarifDescriptor{id}, level, sarifMessage(text)})
}

// Close writes the document.
func (s *sarifWriter) Close(end End) error {
	d := s.doc
	driver := sarifDriver{Name: "webcap", Version: s.opt.Version, URI: projectURL, Rules: []sarifRule{}}
	for _, r := range s.opt.Rules {
		driver.Rules = append(driver.Rules, sarifRuleOf(r))
	}
	d.Text(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[{` + "\n" + `"tool":{"driver":`)
	d.Value(driver)
	d.Text("},\n")
	if s.opt.Base != "" {
		base, _ := Relative(s.opt.Base, "") // only to get slashes
		d.Text(`"originalUriBaseIds":{"` + sourceRoot + `":`)
		d.Value(sarifFile{URI: strings.TrimSuffix(absoluteURI(base), "/") + "/"})
		d.Text("},\n")
	}
	d.Text(`"results":[`)
	if err := s.writeResults(); err != nil {
		return err
	}
	s.notifyRun(end)
	d.Text("\n],\n" + `"invocations":[{"executionSuccessful":`)
	d.Value(end == Complete && s.tally.Verdicts[NotAudited]+s.tally.Verdicts[InPart] == 0)
	d.Text(`,"toolExecutionNotifications":[`)
	if err := jsondoc.Elements(d, slices.Values(s.notifications), func(n sarifNotification) { d.Value(n) }); err != nil {
		return err
	}
	d.Text("\n]}]}]}\n")
	return d.Flush()
}

// writeResults writes the results up to the limit, the most severe first and ignored ones last, and counts the others.
func (s *sarifWriter) writeResults() error {
	var list []sarifResult
	for below := rule.Error + 1; below > 0; below-- {
		results := s.results[below-1]
		n := min(len(results), s.max-len(list))
		s.leftOut += len(results) - n
		list = append(list, results[:n]...)
	}
	return jsondoc.Elements(s.doc, slices.Values(list), func(r sarifResult) { s.doc.Value(r) })
}

// notifyRun adds notifications about the whole run, also beyond the limit.
func (s *sarifWriter) notifyRun(end End) {
	s.max += 5
	if s.leftOut+s.notLeftOut > 0 {
		s.notification("left-out", "warning", fmt.Sprintf("omitted, because GitHub accepts at most %d results: %s and %s",
			maxResults, layout.Count(s.leftOut, "result"), layout.Count(s.notLeftOut, "notification")))
	}
	if text := s.tally.ConfigurationText(&s.opt.Head); text != "" {
		s.notification("configuration", "note", text)
	}
	if end != Complete {
		s.notification("incomplete", "error", "the results are incomplete: "+end.Reason())
	}
	s.notification("summary", "note", s.tally.String())
}

// projectURL is the address of the project with its documentation.
const projectURL = "https://github.com/webcap-tools/webcap"

// ruleURL returns the address of a rule's documentation. It is empty for an unknown rule.
func ruleURL(r *rule.Rule) string {
	known, ok := audit.Lookup(r.ID)
	if !ok {
		return ""
	}
	return projectURL + "/blob/main/docs/rules/" + known.Group().Page() + "#" + known.ID
}

// markupEscapes escapes the markup of Markdown.
var markupEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `~`,
	`\~`,
)
