package report

import (
	"fmt"
	"io"
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
//     results of checking identifiers, most of which pass, are properties of the run.
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
		Properties sarifRuleBag       `json:"properties"`
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
	sarifRuleBag struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"problem.severity"`
	}

	sarifResult struct {
		Rule         string             `json:"ruleId"`
		RuleIndex    *int               `json:"ruleIndex,omitempty"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints sarifFingerprints  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   sarifResultBag     `json:"properties,omitzero"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		File   sarifFile   `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
	sarifFingerprints struct {
		Line string `json:"primaryLocationLineHash"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifResultBag struct {
		Key string `json:"key,omitempty"`
		ID  string `json:"id,omitempty"`
		Fix string `json:"fix,omitempty"`
	}

	sarifFile struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifNotification struct {
		Descriptor sarifDescriptor  `json:"descriptor"`
		Level      string           `json:"level"`
		Message    sarifText        `json:"message"`
		Locations  []sarifNotePlace `json:"locations,omitempty"`
	}
	sarifDescriptor struct {
		ID string `json:"id"`
	}
	sarifNotePlace struct {
		Physical struct {
			File sarifFile `json:"artifactLocation"`
		} `json:"physicalLocation"`
	}
	sarifIdentity struct {
		URI     string `json:"uri"`
		Place   string `json:"place"`
		Kind    string `json:"kind"`
		ID      string `json:"id"`
		URL     string `json:"url,omitempty"`
		Proof   string `json:"proof"`
		Where   string `json:"where,omitempty"`
		Reading string `json:"reading,omitempty"`
		Reason  string `json:"reason,omitempty"`
		Text    string `json:"text,omitempty"`
		Capture string `json:"capture,omitempty"`
	}
)

// A sarifWriter writes records in the Static Analysis Results Interchange Format, version 2.1.0, as one run. It
// writes errors immediately. It keeps other results for the room that errors leave, and objects that must follow
// the results. It keeps at most max of each, and counts the others.
type sarifWriter struct {
	doc   *jsondoc.Document
	opt   Options
	max   int // maximum number of results, of notifications, and of identities; lower than maxResults only in tests
	begun bool
	rules map[string]int // indexes in the driver's list of rules
	file  sarifFile      // file of the current record

	tally   Tally
	results int
	kept    [levels]sarifResults // by level; index 0 for ignored findings
	// about sources, inputs, parts that could not be checked, and the whole run
	notifications                           *jsondoc.Document
	notificationCount, notificationsLeftOut int
	identities                              *jsondoc.Document
	identityCount, identitiesLeftOut        int
}

// sarifResults are results that wait until the number of errors is known.
type sarifResults struct {
	doc     *jsondoc.Document
	ends    []int // end of each result in doc
	leftOut int   // number of results beyond the limit
}

// newSARIF returns a sarifWriter that writes to w.
func newSARIF(w io.Writer, o Options) *sarifWriter {
	return &sarifWriter{doc: jsondoc.New(w), opt: o, max: maxResults, notifications: jsondoc.New(nil),
		identities: jsondoc.New(nil)}
}

// Add writes the errors of a record, and stores its other results.
func (s *sarifWriter) Add(r *Record) error {
	s.begin()
	s.tally.Add(r)
	file := fileURI(s.opt.within(r.Path), s.opt.Base)
	s.notify(r, file)
	if r.Report == nil {
		return s.doc.Flush()
	}
	s.file = file
	names, ignored := fingerprints(r, FingerprintPath(r.Path, s.opt.Base, s.opt.Directory))
	for i, f := range r.Report.Findings {
		if err := s.result(&f, names[i]); err != nil {
			return err
		}
	}
	for i := range r.Ignored {
		s.keep(&r.Ignored[i].Finding, ignored[i], &r.Ignored[i])
	}
	for i := range r.Report.Identities {
		s.identity(&r.Report.Identities[i], file)
	}
	return s.doc.Flush()
}

// begin writes the text before the results, once.
func (s *sarifWriter) begin() {
	if s.begun {
		return
	}
	s.begun = true
	s.rules = make(map[string]int)
	driver := sarifDriver{Name: "webcap", Version: s.opt.Version, URI: projectURL, Rules: []sarifRule{}}
	for i, r := range s.opt.Rules {
		s.rules[r.ID] = i
		driver.Rules = append(driver.Rules, sarifRuleOf(r))
	}
	s.doc.Text(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[{` + "\n" + `"tool":{"driver":`)
	s.doc.Value(driver)
	s.doc.Text("},\n" + `"originalUriBaseIds":{"` + sourceRoot + `":`)
	if s.opt.Base == "" {
		s.doc.Value(map[string]sarifText{"description": {"The folder in which webcap ran."}})
	} else {
		base, _ := Relative(s.opt.Base, "") // only to get slashes
		s.doc.Value(sarifFile{URI: strings.TrimSuffix(absoluteURI(base), "/") + "/"})
	}
	s.doc.Text("},\n" + `"results":[`)
}

// sarifRuleOf describes a rule. A rule that was read from results has no explanation, so it looks the rule up.
func sarifRuleOf(r *rule.Rule) sarifRule {
	doc, repair := r.Doc, r.Remedy()
	if known, ok := audit.Lookup(r.ID); ok && doc == "" {
		doc, repair = known.Doc, known.Remedy()
	}
	if doc == "" {
		doc = r.Problem
	}
	help := doc
	if repair != "" {
		help += "\n\nRepair: " + repair
	}
	if command := repairCommand(r.ID); command != "" {
		help += "\n\n" + command
	}
	help += "\n\n" + r.Clause
	tags := []string{"pdf", "web-capture"}
	for _, g := range rule.Groups() {
		if strings.HasPrefix(r.ID, g.Prefix) {
			tags = append(tags, g.Name)
		}
	}
	severity := [levels]string{rule.Note: "recommendation", rule.Warning: "warning", rule.Error: "error"}[r.Level]
	return sarifRule{
		ID: r.ID, Short: sarifText{r.Problem}, Full: sarifText{doc}, HelpURI: ruleURL(r),
		Help:    sarifHelp{help, markupEscapes.Replace(help)},
		Default: sarifConfiguration{r.Level.String()}, Properties: sarifRuleBag{tags, severity},
	}
}

// result writes a result if it is an error, and keeps it otherwise. It only counts results beyond the limit.
func (s *sarifWriter) result(f *rule.Finding, fingerprint string) error {
	if f.Level() != rule.Error {
		s.keep(f, fingerprint, nil)
		return nil
	}
	if s.results >= s.max {
		s.kept[rule.Error].leftOut++
		return nil
	}
	s.doc.Element(s.results == 0)
	s.results++
	s.doc.Value(s.resultOf(f, fingerprint, nil))
	return s.doc.FlushIfLarge()
}

// keep keeps a result. If why is not nil, the result is ignored. Results that cannot fit into the limit are only
// counted.
func (s *sarifWriter) keep(f *rule.Finding, fingerprint string, why *Ignored) {
	k := &s.kept[f.Level()]
	if why != nil {
		k = &s.kept[0]
	}
	if s.results+len(k.ends) >= s.max {
		k.leftOut++
		return
	}
	if k.doc == nil {
		k.doc = jsondoc.New(nil)
	}
	k.doc.Value(s.resultOf(f, fingerprint, why))
	k.ends = append(k.ends, k.doc.Len())
}

// writeKept writes the kept results up to the limit, the most severe first.
func (s *sarifWriter) writeKept() error {
	for below := rule.Error; below > 0; below-- {
		k, start := &s.kept[below-1], 0
		n := min(len(k.ends), s.max-s.results)
		k.leftOut += len(k.ends) - n
		for _, end := range k.ends[:n] {
			s.doc.Element(s.results == 0)
			s.results++
			s.doc.Write(k.doc.Bytes()[start:end])
			start = end
			if err := s.doc.FlushIfLarge(); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftOut returns the number of results beyond the limit as text, or "".
func (s *sarifWriter) leftOut() string {
	var parts []string
	for level := rule.Error; level > 0; level-- {
		if n := s.kept[level].leftOut; n > 0 {
			parts = append(parts, layout.Count(n, level.String()))
		}
	}
	if n := s.kept[0].leftOut; n > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", n))
	}
	return strings.Join(parts, ", ")
}

// resultOf returns the result of a finding. If why is not nil, the finding is ignored.
func (s *sarifWriter) resultOf(f *rule.Finding, fingerprint string, why *Ignored) sarifResult {
	place := rule.Text(f.Place.String())
	out := sarifResult{
		Rule: rule.Text(f.Rule.ID), Level: f.Level().String(), Message: sarifMessage(place + ": " + f.Message),
		Locations:    []sarifLocation{{sarifPhysical{s.file, sarifRegion{1}}, []sarifLogical{{place}}}},
		Fingerprints: sarifFingerprints{fingerprint},
		Properties:   sarifResultBag{Key: shownKey(f.Place.Key), ID: shownKey(f.Place.ID)},
	}
	if i, ok := s.rules[f.Rule.ID]; ok {
		out.RuleIndex = &i
	}
	if why != nil {
		out.Suppressions = []sarifSuppression{{"external", layout.Printable(why.Reason)}}
	}
	if f.Fix != nil {
		out.Properties.Fix = f.Fix.Action.String()
	}
	return out
}

// sarifMessage escapes text for a plain text message. Without escapes, [text](target) would be a link (SARIF 2.1.0,
// 3.11.6).
func sarifMessage(text string) sarifText {
	return sarifText{strings.ReplaceAll(layout.Printable(text), "](", `\](`)}
}

// notify reports why an input was not checked, which parts of it could not be checked, and notices about its
// structure.
func (s *sarifWriter) notify(r *Record, file sarifFile) {
	level := "error"
	if r.Accepted != "" {
		level = "note"
	}
	switch r.Outcome() {
	case Failed, TimedOut, Skipped:
		s.notification("input", level, r.Result(), &file)
	case Nothing:
		s.notification("nothing", "note", r.Result(), &file)
	}
	if r.Report == nil {
		return
	}
	for _, n := range phrase.Notices(r.Report) {
		s.notification("structure", "note", n, &file)
	}
	for _, u := range r.Report.Unread {
		s.notification("unread", level, "could not check "+phrase.Unread(u), &file)
	}
}

// notification keeps a notification, or counts it if it is beyond the limit.
func (s *sarifWriter) notification(id, level, text string, file *sarifFile) {
	if s.notificationCount >= s.max {
		s.notificationsLeftOut++
		return
	}
	n := sarifNotification{Descriptor: sarifDescriptor{id}, Level: level, Message: sarifMessage(text)}
	if file != nil {
		n.Locations = make([]sarifNotePlace, 1)
		n.Locations[0].Physical.File = *file
	}
	s.notifications.Element(s.notificationCount == 0)
	s.notificationCount++
	s.notifications.Value(n)
}

// identity keeps an identity, or counts it if it is beyond the limit.
func (s *sarifWriter) identity(id *rule.Identity, file sarifFile) {
	if s.identityCount >= s.max {
		s.identitiesLeftOut++
		return
	}
	out := sarifIdentity{
		URI: file.URI, Place: id.Place.String(), Kind: id.Subtype.String(), ID: shownKey(id.ID),
		URL:   shownKey(id.URL),
		Proof: id.Proof.String(), Where: layout.Printable(id.Where), Reading: layout.Printable(id.Reading),
		Reason: layout.Printable(id.Reason), Text: layout.Printable(id.Text),
		Capture: layout.Printable(id.Evidence()),
	}
	s.identities.Element(s.identityCount == 0)
	s.identityCount++
	s.identities.Value(out)
}

// Close writes the text after the results.
func (s *sarifWriter) Close(end End) error {
	s.begin()
	t := &s.tally
	if err := s.writeKept(); err != nil {
		return err
	}
	s.doc.Text("\n],\n")
	if s.identities.Len() > 0 {
		s.doc.Text(`"properties":{"identities":[`)
		s.doc.Write(s.identities.Bytes())
		s.doc.Text("\n]},\n")
	}
	s.max += 6 // raises the limit: the following messages are always written
	left := func(what string) {
		s.notification("left-out", "warning",
			fmt.Sprintf("omitted, because GitHub accepts at most %d results: %s", maxResults, what), nil)
	}
	if what := s.leftOut(); what != "" {
		left(what)
	}
	if n := s.notificationsLeftOut; n > 0 {
		left(layout.Count(n, "notification"))
	}
	if n := s.identitiesLeftOut; n > 0 {
		left(layout.Count(n, "identifier"))
	}
	if text := t.ConfigurationText(&s.opt.Head); text != "" {
		s.notification("configuration", "note", text, nil)
	}
	if end != Complete {
		s.notification("incomplete", "error", "the results are incomplete: "+end.Reason(), nil)
	}
	summary := t.InputsText() + "; " + t.LevelsText()
	if t.WithSources {
		summary += "; identifiers: " + t.Proofs.String()
	}
	s.notification("summary", "note", summary, nil)
	s.doc.Text(`"invocations":[{"executionSuccessful":`)
	s.doc.Value(end == Complete && t.Verdicts[NotAudited]+t.Verdicts[InPart] == 0)
	s.doc.Text(`,"toolExecutionNotifications":[`)
	s.doc.Write(s.notifications.Bytes())
	s.doc.Text("\n]}]\n}]}\n")
	return s.doc.Flush()
}
