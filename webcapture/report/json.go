package report

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Schema names the JSON format and its version. Members may be added within a
// version; what a member means, and that it is there, does not change.
// docs/formats.md describes it.
const Schema = "webcap.audit/1"

// A Head is what stands before the records: who checked, and what.
type Head struct {
	Version string        // of webcap
	Sources []Source      // that were given, in order
	Rules   []*audit.Rule // that were checked, in order
}

// A Source is a source that content sets were held against.
type Source struct {
	Name string // as it was given
	source.Stats
	Err error // why nothing of it could be read
}

// The objects of the JSON document. Its own members come in one order (schema,
// tool, rules, inputs, summary), so that a Reader needs to hold one record at a time.
type (
	jsonHead struct {
		Schema  string      `json:"schema"`
		Tool    jsonTool    `json:"tool"`
		Sources []jsonStore `json:"sources,omitempty"`
	}
	jsonStore struct {
		Name    string     `json:"name"`
		Reason  string     `json:"reason,omitempty"`
		Files   int        `json:"files"`
		Kept    int        `json:"kept"`
		Skipped []jsonSkip `json:"skipped"`
	}
	jsonSkip struct {
		Reason string `json:"reason"`
		Count  int    `json:"count"`
		First  string `json:"first"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonRule struct {
		ID     string `json:"id"`
		Level  string `json:"level"`
		Clause string `json:"clause"`
		Title  string `json:"title"`
	}

	// jsonInput is a record without its findings, which follow as a last member.
	jsonInput struct {
		Path     string        `json:"path"`
		PathHex  string        `json:"pathHex,omitempty"` // if Path is not valid UTF-8
		Outcome  string        `json:"outcome"`
		Reason   string        `json:"reason,omitempty"`
		File     *jsonFile     `json:"file,omitempty"`
		Database *jsonDatabase `json:"database,omitempty"`
		Unread   []jsonUnread  `json:"unread"`
	}
	jsonFile struct {
		Size      int64    `json:"size"`
		Version   string   `json:"version"`
		Encrypted bool     `json:"encrypted"`
		Repaired  bool     `json:"repaired"`
		Notices   []string `json:"notices"`
	}
	jsonDatabase struct {
		URLS      *int `json:"urls"` // null without such a tree
		IDS       *int `json:"ids"`
		PageSets  int  `json:"pageSets"`
		ImageSets int  `json:"imageSets"`
		OtherSets int  `json:"otherSets"`

		Digests    *jsonDigests `json:"digests,omitempty"`    // of images, if there are any
		Identities *jsonProofs  `json:"identities,omitempty"` // if sources were given
	}
	jsonProofs struct {
		Verified     int `json:"verified"`
		Mismatch     int `json:"mismatch"`
		NotCheckable int `json:"notCheckable"`
	}
	jsonIdentity struct {
		Place   jsonPlace `json:"place"`
		Kind    string    `json:"kind"`
		ID      jsonKey   `json:"id"`
		URL     *jsonKey  `json:"url,omitempty"`
		Proof   string    `json:"proof"`
		Where   string    `json:"where,omitempty"`
		Reading string    `json:"reading,omitempty"`
		Reason  string    `json:"reason,omitempty"`
		Text    string    `json:"text,omitempty"`
	}
	jsonOutline struct {
		Trees []jsonTreeOutline `json:"trees"`
		Sets  []jsonSetOutline  `json:"contentSets"`
		Left  int               `json:"left"`
	}
	jsonTreeOutline struct {
		Tree  string            `json:"tree"`
		Nodes []jsonNodeOutline `json:"nodes"`
		Left  int               `json:"left"`
	}
	jsonNodeOutline struct {
		Object  *jsonRef          `json:"object,omitempty"`
		Parent  int               `json:"parent"` // -1 for the root
		Depth   int               `json:"depth"`
		Kids    int               `json:"kids"`
		Pairs   int               `json:"pairs"`
		Limits  *jsonLimits       `json:"limits,omitempty"`
		Bounds  *jsonLimits       `json:"bounds,omitempty"`
		Fault   string            `json:"fault,omitempty"`
		First   *jsonKey          `json:"first,omitempty"`
		Last    *jsonKey          `json:"last,omitempty"`
		Bad     []jsonPairOutline `json:"bad"`
		BadLeft int               `json:"badLeft"`
	}
	jsonLimits struct {
		Least    jsonKey `json:"least"`
		Greatest jsonKey `json:"greatest"`
	}
	jsonPairOutline struct {
		Pair int      `json:"pair"`
		Key  *jsonKey `json:"key,omitempty"`
	}
	jsonSetOutline struct {
		Place       jsonPlace           `json:"place"`
		Kind        string              `json:"kind"`
		ID          jsonKey             `json:"id"`
		URLs        []jsonKey           `json:"urls"`
		URLsLeft    int                 `json:"urlsLeft"`
		Title       string              `json:"title,omitempty"`
		ContentType string              `json:"contentType,omitempty"`
		Date        string              `json:"date,omitempty"`
		Members     []jsonMemberOutline `json:"members"`
		MembersLeft int                 `json:"membersLeft"`
	}
	jsonMemberOutline struct {
		Object *jsonRef `json:"object,omitempty"`
		Page   int      `json:"page,omitempty"`
		Width  int64    `json:"width,omitempty"`
		Height int64    `json:"height,omitempty"`
	}
	jsonDigests struct {
		Verified  int `json:"verified"`
		Differ    int `json:"differ"`
		Unchecked int `json:"unchecked"`
	}
	jsonUnread struct {
		Place  jsonPlace `json:"place"`
		Object *jsonRef  `json:"object,omitempty"`
		Reason string    `json:"reason"`
	}
	jsonFinding struct {
		Rule    string    `json:"rule"`
		Level   string    `json:"level"`
		Place   jsonPlace `json:"place"`
		Message string    `json:"message"`
		Fix     *jsonFix  `json:"fix,omitempty"`
	}
	jsonFix struct {
		Action  string   `json:"action"`
		Tree    string   `json:"tree,omitempty"`
		Old     *jsonKey `json:"old,omitempty"`
		New     *jsonKey `json:"new,omitempty"`
		Set     *jsonRef `json:"contentSet,omitempty"`
		Element *int     `json:"element,omitempty"`
	}
	jsonKey struct {
		Text *string `json:"text,omitempty"` // if all bytes are printable ASCII
		Hex  string  `json:"hex"`
	}
	jsonPlace struct {
		Text string    `json:"text"`
		Tree string    `json:"tree,omitempty"`
		Node *jsonNode `json:"node,omitempty"`
		Pair *int      `json:"pair,omitempty"`
		Kid  *int      `json:"kid,omitempty"`
		Set  *jsonRef  `json:"contentSet,omitempty"`

		Part   string   `json:"part,omitempty"`
		Page   int      `json:"page,omitempty"`
		Object *jsonRef `json:"object,omitempty"`
	}
	jsonNode struct {
		Object *jsonRef `json:"object,omitempty"`
		Direct bool     `json:"direct,omitempty"` // without an object number
	}
	jsonRef struct {
		Num uint32 `json:"num"`
		Gen uint16 `json:"gen"`
	}

	jsonSummary struct {
		Inputs     int          `json:"inputs"`
		Outcomes   jsonOutcomes `json:"outcomes"`
		Findings   jsonLevels   `json:"findings"`
		Identities *jsonProofs  `json:"identities,omitempty"`
		Complete   bool         `json:"complete"`
	}
	jsonOutcomes struct {
		Clean    int `json:"clean"`
		Findings int `json:"findings"`
		None     int `json:"none"`
		Partial  int `json:"partial"`
		Error    int `json:"error"`
	}
	jsonLevels struct {
		Error   int `json:"error"`
		Warning int `json:"warning"`
		Note    int `json:"note"`
	}
)

// A JSON writes records as one JSON document, record by record.
type JSON struct {
	doc   document
	tally tally
	head  Head
	begun bool
}

// NewJSON returns a JSON writer that writes to w.
func NewJSON(w io.Writer, head Head) *JSON {
	return &JSON{doc: newDocument(w), head: head}
}

// Add writes a record: a line for the input, one for each of its findings.
func (j *JSON) Add(r *Record) error {
	if err := j.begin(); err != nil {
		return err
	}
	d := &j.doc
	d.text(separator(j.tally.inputs == 0))
	j.tally.add(r)
	d.open(input(r))
	d.text(`,"findings":[`)
	if r.Report != nil {
		err := array(d, r.Report.Findings, func(f *audit.Finding) any { return finding(f) })
		if err != nil {
			return err
		}
		if r.Report.Identities != nil {
			d.text(`],"identities":[`)
			err := array(d, r.Report.Identities, func(i *audit.Identity) any { return identity(i) })
			if err != nil {
				return err
			}
		}
	}
	d.text("]")
	if r.Report != nil && r.Report.Outline != nil {
		d.text(",\n\"outline\":")
		d.value(outline(r.Report.Outline))
	}
	d.text("}")
	return d.flush()
}

// array writes the elements of an array, a line for each.
func array[T any](d *document, list []T, element func(*T) any) error {
	for i := range list {
		d.text(separator(i == 0))
		d.value(element(&list[i]))
		if d.buf.Len() > 1<<16 {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// separator returns what stands before an element of an array.
func separator(first bool) string {
	if first {
		return "\n"
	}
	return ",\n"
}

// Close writes the summary.
func (j *JSON) Close(complete bool) error {
	if err := j.begin(); err != nil {
		return err
	}
	t := &j.tally
	j.doc.text("\n],\n\"summary\":")
	s := jsonSummary{
		Inputs:   t.inputs,
		Outcomes: jsonOutcomes{t.outcomes[Clean], t.outcomes[Findings], t.outcomes[Nothing], t.outcomes[Partial], t.outcomes[Failed]},
		Findings: jsonLevels{t.levels[audit.Error], t.levels[audit.Warning], t.levels[audit.Note]},
		Complete: complete,
	}
	if t.proven {
		s.Identities = new(jsonProofs(t.proofs))
	}
	j.doc.value(s)
	j.doc.text("\n}\n")
	return j.doc.flush()
}

// begin writes the head, once.
func (j *JSON) begin() error {
	if j.begun {
		return nil
	}
	j.begun = true
	d := &j.doc
	d.open(jsonHead{Schema, jsonTool{"webcap", j.head.Version}, sources(j.head.Sources)})
	d.text(",\n\"rules\":[")
	for i, r := range j.head.Rules {
		d.text(separator(i == 0))
		d.value(jsonRule{r.ID, r.Level.String(), r.Clause, r.Title})
	}
	d.text("\n],\n\"inputs\":[")
	return d.flush()
}

func sources(list []Source) []jsonStore {
	var out []jsonStore
	for _, s := range list {
		one := jsonStore{Name: s.Name, Files: s.Files, Kept: s.Kept, Skipped: []jsonSkip{}}
		if s.Err != nil {
			one.Reason = s.Err.Error()
		}
		for _, k := range s.Skipped {
			one.Skipped = append(one.Skipped, jsonSkip(k))
		}
		out = append(out, one)
	}
	return out
}

// A document is a JSON document on its way to a writer.
type document struct {
	w   io.Writer
	buf *bytes.Buffer
	enc *json.Encoder
}

func newDocument(w io.Writer) document {
	d := document{w: w, buf: new(bytes.Buffer)}
	d.enc = json.NewEncoder(d.buf)
	d.enc.SetEscapeHTML(false)
	return d
}

// text appends text as it is.
func (d *document) text(s string) { d.buf.WriteString(s) }

// value appends the JSON of v. No type of this package can fail.
func (d *document) value(v any) {
	if err := d.enc.Encode(v); err != nil {
		panic(err)
	}
	d.buf.Truncate(d.buf.Len() - 1) // the line end
}

// open appends the JSON of v, a struct, without the brace that ends it, so that
// members can follow.
func (d *document) open(v any) {
	d.value(v)
	d.buf.Truncate(d.buf.Len() - 1)
}

// flush writes what was appended.
func (d *document) flush() error {
	_, err := d.w.Write(d.buf.Bytes())
	d.buf.Reset()
	return err
}

func input(r *Record) jsonInput {
	in := jsonInput{Path: r.Path, Outcome: r.Outcome().String(), Unread: []jsonUnread{}}
	if !utf8.ValidString(r.Path) {
		in.PathHex = hex.EncodeToString([]byte(r.Path))
	}
	rep := r.Report
	switch {
	case rep == nil:
		in.Reason = r.Reason()
		return in
	case !rep.Present:
		in.Reason = "no Web Capture content database"
	default:
		in.Database = &jsonDatabase{PageSets: rep.PageSets, ImageSets: rep.ImageSets, OtherSets: rep.OtherSets}
		if rep.HasURLS {
			in.Database.URLS = &rep.URLS
		}
		if rep.HasIDS {
			in.Database.IDS = &rep.IDS
		}
		if d := (jsonDigests{rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked}); d != (jsonDigests{}) {
			in.Database.Digests = &d
		}
		if rep.Identities != nil {
			in.Database.Identities = new(jsonProofs(proofs(rep)))
		}
	}
	in.File = &jsonFile{rep.Size, rep.Version, rep.Encrypted, rep.Repaired, append([]string{}, rep.Notices...)}
	for _, u := range rep.Unread {
		in.Unread = append(in.Unread, jsonUnread{place(u.Place), reference(u.Ref), u.Err.Error()})
	}
	return in
}

func finding(f *audit.Finding) jsonFinding {
	out := jsonFinding{Rule: f.Rule.ID, Level: f.Level().String(), Place: place(f.Place), Message: f.Message}
	if f.Fix != nil {
		out.Fix = fix(f.Fix)
	}
	return out
}

func identity(i *audit.Identity) jsonIdentity {
	out := jsonIdentity{
		Place: place(i.Place), Kind: i.Subtype.String(), ID: key(i.ID), Proof: i.Proof.String(),
		Where: i.Where, Reading: i.Reading, Reason: i.Reason, Text: i.Text,
	}
	if i.URL != "" {
		k := key(nametree.Key(i.URL))
		out.URL = &k
	}
	return out
}

func outline(o *audit.Outline) jsonOutline {
	out := jsonOutline{Trees: []jsonTreeOutline{}, Sets: []jsonSetOutline{}, Left: o.SetsLeft}
	for _, t := range o.Trees {
		tree := jsonTreeOutline{Tree: t.Name, Nodes: []jsonNodeOutline{}, Left: t.NodesLeft}
		for i := range t.Nodes {
			tree.Nodes = append(tree.Nodes, nodeOutline(&t.Nodes[i]))
		}
		out.Trees = append(out.Trees, tree)
	}
	for i := range o.Sets {
		out.Sets = append(out.Sets, setOutline(&o.Sets[i]))
	}
	return out
}

func nodeOutline(n *audit.NodeOutline) jsonNodeOutline {
	out := jsonNodeOutline{
		Object: reference(n.Ref), Parent: n.Parent, Depth: n.Depth, Kids: n.Kids, Pairs: n.Pairs,
		Limits: limits(n.Limits), Bounds: limits(n.Bounds), Fault: n.Fault.String(), Bad: []jsonPairOutline{}, BadLeft: n.BadLeft,
	}
	if n.Pairs > 0 {
		out.First, out.Last = new(key(n.First)), new(key(n.Last))
	}
	for _, p := range n.Bad {
		pair := jsonPairOutline{Pair: p.Index}
		if p.Entry {
			pair.Key = new(key(p.Key))
		}
		out.Bad = append(out.Bad, pair)
	}
	return out
}

func limits(l *nametree.Limits) *jsonLimits {
	if l == nil {
		return nil
	}
	return &jsonLimits{key(l.Least), key(l.Greatest)}
}

func setOutline(s *audit.SetOutline) jsonSetOutline {
	out := jsonSetOutline{
		Place: place(s.Place), Kind: s.Subtype.String(), ID: key(s.ID), URLs: []jsonKey{}, URLsLeft: s.URLsLeft,
		Title: s.Title, ContentType: s.ContentType, Date: s.Date, Members: []jsonMemberOutline{}, MembersLeft: s.MembersLeft,
	}
	for _, url := range s.URLs {
		out.URLs = append(out.URLs, key(nametree.Key(url)))
	}
	for _, m := range s.Members {
		out.Members = append(out.Members, jsonMemberOutline{reference(m.Ref), m.Page, m.Width, m.Height})
	}
	return out
}

func fix(f *audit.Fix) *jsonFix {
	out := &jsonFix{Action: f.Action.String(), Tree: f.Tree, Set: reference(f.Set)}
	if f.Action.HasOld() {
		k := key(f.Old)
		out.Old = &k
	}
	if f.Action.HasNew() {
		k := key(f.New)
		out.New = &k
	}
	if f.Action == audit.DropMember {
		out.Element = &f.Index
	}
	return out
}

func place(p audit.Place) jsonPlace {
	out := jsonPlace{Text: p.String(), Tree: p.Tree, Set: reference(p.Set), Part: p.Part, Page: p.Page, Object: reference(p.Object)}
	if n := p.Node; n != nil {
		out.Node = &jsonNode{reference(n.Ref), n.Ref.Num == 0}
		switch {
		case n.Index < 0:
		case n.Kid:
			out.Kid = &n.Index
		default:
			out.Pair = &n.Index
		}
	}
	return out
}

// reference returns nil for a Ref that means none.
func reference(r object.Ref) *jsonRef {
	if r.Num == 0 {
		return nil
	}
	return &jsonRef{r.Num, r.Gen}
}

func key(k nametree.Key) jsonKey {
	out := jsonKey{Hex: hex.EncodeToString([]byte(k))}
	for i := range len(k) {
		if k[i] < 0x20 || k[i] > 0x7e {
			return out
		}
	}
	text := string(k)
	out.Text = &text
	return out
}

// What follows turns members back into what they were written from.

var errFormat = errors.New("not the results of webcap audit")

func (k jsonKey) key() (nametree.Key, error) {
	b, err := hex.DecodeString(k.Hex)
	return nametree.Key(b), err
}

func (r *jsonRef) ref() object.Ref {
	if r == nil {
		return object.Ref{}
	}
	return object.Ref{Num: r.Num, Gen: r.Gen}
}

func (p jsonPlace) place() audit.Place {
	out := audit.Place{Tree: p.Tree, Set: p.Set.ref(), Part: p.Part, Page: p.Page, Object: p.Object.ref()}
	if p.Node == nil {
		return out
	}
	out.Node = &audit.NodePlace{Ref: p.Node.Object.ref(), Index: -1}
	switch {
	case p.Kid != nil:
		out.Node.Index, out.Node.Kid = *p.Kid, true
	case p.Pair != nil:
		out.Node.Index = *p.Pair
	}
	return out
}

func (f jsonFinding) finding(rules map[string]*audit.Rule) (audit.Finding, error) {
	out := audit.Finding{Rule: rules[f.Rule], Place: f.Place.place(), Message: f.Message}
	if out.Rule == nil {
		return out, errFormat
	}
	if f.Fix == nil {
		return out, nil
	}
	var err error
	out.Fix, err = f.Fix.fix()
	return out, err
}

func (j jsonIdentity) identity() (audit.Identity, error) {
	out := audit.Identity{Place: j.Place.place(), Where: j.Where, Reading: j.Reading, Reason: j.Reason, Text: j.Text}
	var known bool
	if out.Proof, known = audit.ParseProof(j.Proof); !known {
		return out, errFormat
	}
	out.Subtype = parseKind(j.Kind)
	var err error
	if out.ID, err = j.ID.key(); err != nil || j.URL == nil {
		return out, err
	}
	url, err := j.URL.key()
	out.URL = string(url)
	return out, err
}

func parseKind(s string) webcapture.Subtype {
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		if s == t.String() {
			return t
		}
	}
	return webcapture.NoSubtype
}

func (j jsonOutline) outline() (*audit.Outline, error) {
	out := &audit.Outline{SetsLeft: j.Left}
	for _, t := range j.Trees {
		tree := audit.TreeOutline{Name: t.Tree, NodesLeft: t.Left}
		for i, n := range t.Nodes {
			node, err := n.node()
			if err != nil || node.Parent < -1 || node.Parent >= i {
				return nil, errors.Join(errFormat, err)
			}
			tree.Nodes = append(tree.Nodes, node)
		}
		out.Trees = append(out.Trees, tree)
	}
	for _, s := range j.Sets {
		set, err := s.set()
		if err != nil {
			return nil, err
		}
		out.Sets = append(out.Sets, set)
	}
	return out, nil
}

func (j jsonNodeOutline) node() (audit.NodeOutline, error) {
	out := audit.NodeOutline{Ref: j.Object.ref(), Parent: j.Parent, Depth: j.Depth, Kids: j.Kids, Pairs: j.Pairs, BadLeft: j.BadLeft}
	var known bool
	if out.Fault, known = audit.ParseLimitsFault(j.Fault); !known {
		return out, errFormat
	}
	var err error
	keyOf := func(k *jsonKey) (out nametree.Key) {
		if k != nil && err == nil {
			out, err = k.key()
		}
		return out
	}
	limitsOf := func(l *jsonLimits) *nametree.Limits {
		if l == nil {
			return nil
		}
		return &nametree.Limits{Least: keyOf(&l.Least), Greatest: keyOf(&l.Greatest)}
	}
	out.Limits, out.Bounds = limitsOf(j.Limits), limitsOf(j.Bounds)
	out.First, out.Last = keyOf(j.First), keyOf(j.Last)
	for _, p := range j.Bad {
		out.Bad = append(out.Bad, audit.PairOutline{Index: p.Pair, Entry: p.Key != nil, Key: keyOf(p.Key)})
	}
	return out, err
}

func (j jsonSetOutline) set() (audit.SetOutline, error) {
	out := audit.SetOutline{
		Place: j.Place.place(), Subtype: parseKind(j.Kind), URLsLeft: j.URLsLeft,
		Title: j.Title, ContentType: j.ContentType, Date: j.Date, MembersLeft: j.MembersLeft,
	}
	var err error
	if out.ID, err = j.ID.key(); err != nil {
		return out, err
	}
	for _, u := range j.URLs {
		url, err := u.key()
		if err != nil {
			return out, err
		}
		out.URLs = append(out.URLs, string(url))
	}
	for _, m := range j.Members {
		out.Members = append(out.Members, audit.MemberOutline{Ref: m.Object.ref(), Page: m.Page, Width: m.Width, Height: m.Height})
	}
	return out, nil
}

func (f *jsonFix) fix() (*audit.Fix, error) {
	action, ok := audit.ParseAction(f.Action)
	if !ok {
		return nil, errFormat
	}
	out := &audit.Fix{Action: action, Tree: f.Tree, Set: f.Set.ref()}
	if f.Element != nil {
		out.Index = *f.Element
	}
	var err error
	if f.Old != nil {
		if out.Old, err = f.Old.key(); err != nil {
			return nil, err
		}
	}
	if f.New != nil {
		out.New, err = f.New.key()
	}
	return out, err
}

func parseLevel(s string) (audit.Level, bool) {
	for l := audit.Note; l <= audit.Error; l++ {
		if l.String() == s {
			return l, true
		}
	}
	return 0, false
}

func (in *jsonInput) record() (*Record, error) {
	r := &Record{Path: in.Path}
	if in.PathHex != "" {
		b, err := hex.DecodeString(in.PathHex)
		if err != nil {
			return nil, err
		}
		r.Path = string(b)
	}
	if in.File == nil {
		switch in.Outcome {
		case Nothing.String():
			r.Err = ErrNoFiles
		case Failed.String():
			r.Err = errors.New(in.Reason)
		default:
			return nil, errFormat
		}
		return r, nil
	}
	rep := &audit.Report{
		Path: r.Path, Size: in.File.Size, Version: in.File.Version,
		Encrypted: in.File.Encrypted, Repaired: in.File.Repaired, Notices: in.File.Notices,
	}
	if d := in.Database; d != nil {
		rep.Present = true
		rep.PageSets, rep.ImageSets, rep.OtherSets = d.PageSets, d.ImageSets, d.OtherSets
		if d.URLS != nil {
			rep.HasURLS, rep.URLS = true, *d.URLS
		}
		if d.IDS != nil {
			rep.HasIDS, rep.IDS = true, *d.IDS
		}
		if n := d.Digests; n != nil {
			rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked = n.Verified, n.Differ, n.Unchecked
		}
	}
	for _, u := range in.Unread {
		rep.Unread = append(rep.Unread, audit.Unread{Place: u.Place.place(), Ref: u.Object.ref(), Err: errors.New(u.Reason)})
	}
	r.Report = rep
	return r, nil
}
