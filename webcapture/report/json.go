package report

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
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
	Version string // of webcap

	// Directory is what relative paths of inputs are relative to: a path with
	// slashes below the base that results are relative to, empty for that base
	// itself, or an absolute path. So results mean the same files in another
	// place, and called from another folder.
	Directory string

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
		Schema string   `json:"schema"`
		Tool   jsonTool `json:"tool"`
		jsonDirectory
		Sources []jsonStore `json:"sources,omitempty"`
	}
	jsonDirectory struct {
		Directory    string `json:"directory,omitempty"`
		DirectoryHex string `json:"directoryHex,omitempty"` // if Directory is not valid UTF-8
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

	jsonPath struct {
		Path    string `json:"path"`
		PathHex string `json:"pathHex,omitempty"` // if Path is not valid UTF-8
	}
	// jsonInput is a record without what follows: its findings, its identities,
	// and what is ignored.
	jsonInput struct {
		jsonPath
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
	// jsonIgnored is a finding that is ignored, and why.
	jsonIgnored struct {
		jsonFinding
		Ignored jsonReason `json:"ignored"`
	}
	jsonReason struct {
		Reason string `json:"reason"`
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

		Key *jsonKey `json:"key,omitempty"`
		ID  *jsonKey `json:"id,omitempty"`
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
func NewJSON(w io.Writer, o Options) *JSON {
	return &JSON{doc: newDocument(w), head: o.Head}
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
		err := array(d, r.Report.Findings, d.finding)
		if err != nil {
			return err
		}
		if proven(r.Report) {
			d.text(`],"identities":[`)
			err := array(d, r.Report.Identities, func(i *audit.Identity) { d.value(identity(i)) })
			if err != nil {
				return err
			}
		}
	}
	if len(r.Ignored) > 0 {
		d.text(`],"ignored":[`)
		if err := array(d, r.Ignored, func(i *Ignored) { d.value(ignored(i)) }); err != nil {
			return err
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
func array[T any](d *document, list []T, element func(*T)) error {
	for i := range list {
		d.text(separator(i == 0))
		element(&list[i])
		if err := d.spill(); err != nil {
			return err
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
	j.doc.text("\n],\n\"summary\":")
	j.doc.value(j.tally.summary(complete))
	j.doc.text("\n}\n")
	return j.doc.flush()
}

func (t *tally) summary(complete bool) jsonSummary {
	s := jsonSummary{
		Inputs:   t.inputs,
		Outcomes: jsonOutcomes{t.outcomes[Clean], t.outcomes[Findings], t.outcomes[Nothing], t.outcomes[Partial], t.outcomes[Failed]},
		Findings: jsonLevels{t.levels[audit.Error], t.levels[audit.Warning], t.levels[audit.Note]},
		Complete: complete,
	}
	if t.proven {
		s.Identities = new(jsonProofs(t.proofs))
	}
	return s
}

// begin writes the head, once.
func (j *JSON) begin() error {
	if j.begun {
		return nil
	}
	j.begun = true
	d := &j.doc
	d.open(j.head.json())
	d.text(",\n\"rules\":[")
	for i, r := range j.head.Rules {
		d.text(separator(i == 0))
		d.value(rule(r))
	}
	d.text("\n],\n\"inputs\":[")
	return d.flush()
}

// json returns the head without its rules.
func (h *Head) json() jsonHead {
	at := pathOf(h.Directory)
	return jsonHead{Schema, jsonTool{"webcap", h.Version}, jsonDirectory{at.Path, at.PathHex}, sources(h.Sources)}
}

func rule(r *audit.Rule) jsonRule { return jsonRule{r.ID, r.Level.String(), r.Clause, r.Title} }

func sources(list []Source) []jsonStore {
	var out []jsonStore
	for _, s := range list {
		one := jsonStore{Name: jsonText(s.Name), Files: s.Files, Kept: s.Kept, Skipped: []jsonSkip{}}
		if s.Err != nil {
			one.Reason = jsonText(s.Err.Error())
		}
		for _, k := range s.Skipped {
			one.Skipped = append(one.Skipped, jsonSkip{jsonText(k.Reason), k.Count, jsonText(k.First)})
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

// finding appends the JSON of finding(f). A result may hold millions of findings,
// so they are written out here; a test holds the two to each other.
func (d *document) finding(f *audit.Finding) {
	d.text("{")
	d.findingMembers(f)
	d.text("}")
}

func (d *document) findingMembers(f *audit.Finding) {
	d.text(`"rule":`)
	d.string(f.Rule.ID)
	d.text(`,"level":"`)
	d.text(f.Level().String())
	d.text(`","place":`)
	d.place(f.Place)
	d.text(`,"message":`)
	d.string(f.Message)
	if f.Fix != nil {
		d.text(`,"fix":`)
		d.fix(f.Fix)
	}
}

func (d *document) place(p audit.Place) {
	d.text(`{"text":`)
	d.string(p.String())
	d.stringMember("tree", p.Tree)
	if n := p.Node; n != nil {
		d.text(`,"node":{`)
		if n.Ref.Num == 0 {
			d.text(`"direct":true}`)
		} else {
			d.text(`"object":`)
			d.reference(n.Ref)
			d.text("}")
		}
		switch {
		case n.Index < 0:
		case n.Kid:
			d.intMember("kid", n.Index)
		default:
			d.intMember("pair", n.Index)
		}
	}
	d.referenceMember("contentSet", p.Set)
	d.stringMember("part", p.Part)
	if p.Page != 0 {
		d.intMember("page", p.Page)
	}
	d.referenceMember("object", p.Object)
	if p.Key != "" {
		d.keyMember("key", p.Key)
	}
	if p.ID != "" {
		d.keyMember("id", p.ID)
	}
	d.text("}")
}

func (d *document) fix(f *audit.Fix) {
	d.text(`{"action":"`)
	d.text(f.Action.String())
	d.text(`"`)
	d.stringMember("tree", f.Tree)
	if f.Action.HasOld() {
		d.keyMember("old", f.Old)
	}
	if f.Action.HasNew() {
		d.keyMember("new", f.New)
	}
	d.referenceMember("contentSet", f.Set)
	if f.Action == audit.DropMember {
		d.intMember("element", f.Index)
	}
	d.text("}")
}

// member appends the name of a member that is not the first.
func (d *document) member(name string) {
	d.text(`,"`)
	d.text(name)
	d.text(`":`)
}

// stringMember appends a member unless it is empty.
func (d *document) stringMember(name, s string) {
	if s != "" {
		d.member(name)
		d.string(s)
	}
}

func (d *document) intMember(name string, n int) {
	d.member(name)
	d.int(n)
}

// referenceMember appends a member unless the Ref means none.
func (d *document) referenceMember(name string, r object.Ref) {
	if r.Num != 0 {
		d.member(name)
		d.reference(r)
	}
}

func (d *document) reference(r object.Ref) {
	d.text(`{"num":`)
	d.int(int(r.Num))
	d.text(`,"gen":`)
	d.int(int(r.Gen))
	d.text("}")
}

func (d *document) keyMember(name string, k nametree.Key) {
	d.member(name)
	d.text("{")
	if isASCII(k) {
		d.text(`"text":`)
		d.string(string(k))
		d.text(",")
	}
	d.text(`"hex":"`)
	d.buf.Write(hex.AppendEncode(d.buf.AvailableBuffer(), []byte(k)))
	d.text(`"}`)
}

func (d *document) int(n int) {
	d.buf.Write(strconv.AppendInt(d.buf.AvailableBuffer(), int64(n), 10))
}

// string appends text. What needs escapes is left to the encoder.
func (d *document) string(s string) {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e || s[i] == '"' || s[i] == '\\' {
			d.value(jsonText(s))
			return
		}
	}
	d.text(`"`)
	d.text(s)
	d.text(`"`)
}

// flush writes what was appended.
func (d *document) flush() error {
	_, err := d.w.Write(d.buf.Bytes())
	d.buf.Reset()
	return err
}

// spill writes what was appended if it is much.
func (d *document) spill() error {
	if d.buf.Len() < 1<<16 {
		return nil
	}
	return d.flush()
}

// jsonText returns s as text has it in JSON, which holds no bytes but UTF-8: others
// become the escapes of Printable. So all formats make the same of what is read back.
func jsonText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func pathOf(s string) jsonPath {
	out := jsonPath{Path: s}
	if !utf8.ValidString(s) {
		out.PathHex = hex.EncodeToString([]byte(s))
	}
	return out
}

func input(r *Record) jsonInput {
	in := jsonInput{jsonPath: pathOf(r.Path), Outcome: r.Outcome().String(), Unread: []jsonUnread{}}
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
		if proven(rep) {
			in.Database.Identities = new(jsonProofs(proofs(rep)))
		}
	}
	in.File = &jsonFile{rep.Size, rep.Version, rep.Encrypted, rep.Repaired, []string{}}
	for _, n := range rep.Notices {
		in.File.Notices = append(in.File.Notices, jsonText(n))
	}
	for _, u := range rep.Unread {
		in.Unread = append(in.Unread, unread(u))
	}
	return in
}

func unread(u audit.Unread) jsonUnread {
	return jsonUnread{place(u.Place), reference(u.Ref), jsonText(u.Err.Error())}
}

func finding(f *audit.Finding) jsonFinding {
	out := jsonFinding{Rule: f.Rule.ID, Level: f.Level().String(), Place: place(f.Place), Message: jsonText(f.Message)}
	if f.Fix != nil {
		out.Fix = fix(f.Fix)
	}
	return out
}

func ignored(i *Ignored) jsonIgnored {
	return jsonIgnored{finding(&i.Finding), jsonReason{jsonText(i.Reason)}}
}

func identity(i *audit.Identity) jsonIdentity {
	out := jsonIdentity{
		Place: place(i.Place), Kind: i.Subtype.String(), ID: key(i.ID), Proof: i.Proof.String(),
		Where: jsonText(i.Where), Reading: jsonText(i.Reading), Reason: jsonText(i.Reason), Text: jsonText(i.Text),
	}
	if i.URL != "" {
		k := key(nametree.Key(i.URL))
		out.URL = &k
	}
	return out
}

func limits(l *nametree.Limits) *jsonLimits {
	if l == nil {
		return nil
	}
	return &jsonLimits{key(l.Least), key(l.Greatest)}
}

func fix(f *audit.Fix) *jsonFix {
	out := &jsonFix{Action: f.Action.String(), Tree: jsonText(f.Tree), Set: reference(f.Set)}
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
	out := jsonPlace{
		Text: jsonText(p.String()), Tree: jsonText(p.Tree), Set: reference(p.Set), Part: jsonText(p.Part), Page: p.Page, Object: reference(p.Object),
		Key: some(p.Key), ID: some(p.ID),
	}
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
	if isASCII(k) {
		out.Text = new(string(k))
	}
	return out
}

// isASCII reports whether all bytes of a key are printable ASCII.
func isASCII(k nametree.Key) bool {
	for i := range len(k) {
		if k[i] < 0x20 || k[i] > 0x7e {
			return false
		}
	}
	return true
}

// some returns nil for a key that is empty.
func some(k nametree.Key) *jsonKey {
	if k == "" {
		return nil
	}
	return new(key(k))
}

// What follows turns members back into what they were written from.

var errFormat = errors.New("not the results of webcap audit")

func (k jsonKey) key() (nametree.Key, error) {
	b, err := hex.DecodeString(k.Hex)
	return nametree.Key(b), err
}

func (p jsonPath) path() (string, error) {
	if p.PathHex == "" {
		return p.Path, nil
	}
	b, err := hex.DecodeString(p.PathHex)
	if err != nil {
		return "", errFormat
	}
	return string(b), nil
}

func (r *jsonRef) ref() object.Ref {
	if r == nil {
		return object.Ref{}
	}
	return object.Ref{Num: r.Num, Gen: r.Gen}
}

func (k *jsonKey) some() (nametree.Key, error) {
	if k == nil {
		return "", nil
	}
	return k.key()
}

func (p jsonPlace) place() (audit.Place, error) {
	out := audit.Place{Tree: p.Tree, Set: p.Set.ref(), Part: p.Part, Page: p.Page, Object: p.Object.ref()}
	var err, errID error
	out.Key, err = p.Key.some()
	out.ID, errID = p.ID.some()
	if err = errors.Join(err, errID); err != nil || p.Node == nil {
		return out, err
	}
	out.Node = &audit.NodePlace{Ref: p.Node.Object.ref(), Index: -1}
	switch {
	case p.Kid != nil:
		out.Node.Index, out.Node.Kid = *p.Kid, true
	case p.Pair != nil:
		out.Node.Index = *p.Pair
	}
	return out, nil
}

func (f jsonFinding) finding(rules map[string]*audit.Rule) (audit.Finding, error) {
	out := audit.Finding{Rule: rules[f.Rule], Message: f.Message}
	if out.Rule == nil {
		return out, errFormat
	}
	var err error
	if out.Place, err = f.Place.place(); err != nil || f.Fix == nil {
		return out, err
	}
	out.Fix, err = f.Fix.fix()
	return out, err
}

func (j jsonIdentity) identity() (audit.Identity, error) {
	out := audit.Identity{Where: j.Where, Reading: j.Reading, Reason: j.Reason, Text: j.Text}
	var err error
	if out.Place, err = j.Place.place(); err != nil {
		return out, err
	}
	var known bool
	if out.Proof, known = audit.ParseProof(j.Proof); !known {
		return out, errFormat
	}
	out.Subtype = parseKind(j.Kind)
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
	path, err := in.path()
	if err != nil {
		return nil, err
	}
	r := &Record{Path: path}
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
		Path: r.Path,
		Facts: webcapture.Facts{
			Size: in.File.Size, Version: in.File.Version,
			Encrypted: in.File.Encrypted, Repaired: in.File.Repaired, Notices: in.File.Notices,
		},
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
		if d.Identities != nil {
			rep.Identities = []audit.Identity{}
		}
		if n := d.Digests; n != nil {
			rep.DigestsVerified, rep.DigestsDiffer, rep.DigestsUnchecked = n.Verified, n.Differ, n.Unchecked
		}
	}
	for _, u := range in.Unread {
		at, err := u.Place.place()
		if err != nil {
			return nil, err
		}
		rep.Unread = append(rep.Unread, audit.Unread{Place: at, Ref: u.Object.ref(), Err: errors.New(u.Reason)})
	}
	r.Report = rep
	return r, nil
}
