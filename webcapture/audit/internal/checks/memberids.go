package checks

// Pages and images that carry an ID, and the content sets of these IDs (14.10.6).

import (
	"crypto/md5"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberID = &rule.Rule{
	ID:      "WC508",
	Title:   "If a member of a content set carries an ID, it is the ID of the set.",
	Problem: "Pages or images with another ID than their content set",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Error,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. This ID leads to " +
		"another set, or nowhere.",
	Repair: "With --prefer data, make the MD5 of an image the ID of its set and of the key, if the image carries it.",
	Basis: rule.Basis{
		Wrong: "A member carries another ID than its set",
		Right: "The user: --prefer data, if the ID of the member is the MD5 of the image, and no name " +
			"contains that of the set",
		Otherwise: "Both IDs are kept",
	},
	Action:      rule.RecomputeID,
	MayFollow:   []rule.Action{rule.ChangeID}, // the set may get an ID
	CheckMember: checkMemberID,
}

var memberNoID = &rule.Rule{
	ID:      "WC509",
	Title:   "A member of a content set carries the ID of its set.",
	Problem: "Members of content sets that carry no ID",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Warning,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. Without an ID, the " +
		"viewer treats the page or image as not captured.",
	Repair: "None: webcap never adds an ID.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.BuildIDS, rule.ChangeID,
		rule.OwnObject}, // findings name the content set then
	CheckMember: checkMemberNoID,
}

var CarrierUnknown = &rule.Rule{
	ID:      "WC521",
	Title:   "The ID of a page or image is a string of 16 bytes, and a key of IDS.",
	Problem: "Pages or images whose ID is not in IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.6 and tables 31 and 87",
	Level:   rule.Warning,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS, whose keys have 16 " +
		"bytes. Any other ID leads nowhere. If the set of an ID is gone, the page was copied from another file, or a " +
		"tool removed a part of the database.",
	Repair: "None: names in the document may depend on the ID, and nothing in the file proves another one.",
	// A file without IDS has one finding of WC523 instead, until the sets of an original bring IDS back.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild, rule.BuildIDS, rule.ChangeID, rule.Restore},
	CheckPage:  checkPageUnknown,
	CheckImage: checkImageUnknown,
}

var CarrierOrphan = &rule.Rule{
	ID:      "WC522",
	Title:   "A page or image is in O of a content set that its ID leads to.",
	Problem: "Pages or images missing from their content set",
	Cause:   "typical of tools that create new page objects",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Error,
	Doc: "A content set has the ID of the page or image, but does not list it. When a viewer updates or deletes " +
		"the set, this page or image stays behind.",
	Repair: "If nothing that O lists is left, fill O with the pages or images that carry the ID, in page order. If O " +
		"lists a page outside the page tree or an unused image, replace it by its copy: the only page or image with " +
		"the same ID and the same data. Otherwise the place in O is unknown.",
	Basis: rule.Basis{
		Wrong: "A content set has the ID of a page or image, but its O does not list it",
		Right: "The ID, and an O that leads to nothing, or an unused element with the same data. R has the number " +
			"of pages that show the image, or no count",
		Otherwise: "Nothing is added to O",
	},
	Action:        rule.ReplaceMember,
	MayFollow:     []rule.Action{rule.ChangeKey, rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierOrphan,
}

var carrierNoTree = &rule.Rule{
	ID:      "WC523",
	Title:   "If pages or images carry IDs, IDS has entries.",
	Problem: "Captured pages or images without a database, or without IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.6",
	Level:   rule.Warning,
	Doc: "Either of the two trees may be absent. But a viewer finds the content set of a page or image only by " +
		"looking up its ID in IDS. If neither tree has entries, a tool dropped the database. IDs, PZ of pages, links " +
		"with PA, and content sets that no tree reaches are its traces.",
	Repair: "Build IDS from the content sets that URLS leads to. Omit sets whose pages and images carry another ID. " +
		"If both trees are gone, only an original of the file has the database (--from).",
	Basis: rule.Basis{
		Wrong: "Pages or images carry IDs, but IDS is missing or empty",
		Right: "IDs of the content sets that URLS leads to, each if its members and images do not contradict it, " +
			"and no other set of its kind has it or one of its members",
		Otherwise: "Sets without such an ID get no key (WC304). If none has one, IDS is not built",
	},
	Action:        rule.BuildIDS,
	MayFollow:     []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierNoTree,
}

func checkMemberID(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	id, ok := rule.Identifier(m.ID)
	if !ok {
		return
	}
	key := nametree.Key(id[:])
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		in, ok := m.First(t)
		if !ok || !in.HasID || !m.Fits(t, doc) || slices.ContainsFunc(m.In, m.Carries) {
			continue
		}
		if p.DB.IDS != nil {
			if where, _ := findEntries(p, p.DB.IDS, []string{string(key)}, in.Set); where == here {
				continue // the set's own ID is wrong; the rule for its entry reports that
			}
		}
		var fix *rule.Fix
		remedy := ""
		if t == webcapture.ImageSet {
			if data, problem := dataID(p, in.Set); problem == "" && data.New == key {
				fix, remedy = preferredData(p, in.Set)
				remedy = "; the MD5 of the image is that of the member: " + remedy
			}
		}
		p.Reportf(m.At(in), fix, "the member has the ID %v, its set has the ID %v%s", key, nametree.Key(in.ID[:]), remedy)
	}
}

func checkMemberNoID(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if !m.ID.Object.IsNull() || isEmpty(p.DB.IDS) {
		return
	}
	for _, in := range m.In {
		if in.HasID && m.Fits(in.Subtype, doc) && inIDS(p, in.ID) {
			p.Reportf(m.At(in), nil, "the member has no ID, expected the ID of its set, %v", nametree.Key(in.ID[:]))
			return
		}
	}
}

func checkPageUnknown(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	checkCarrierUnknown(p, pg.At(), pg.Ref, pg.ID, doc)
}

func checkImageUnknown(p *rule.Pass, im *rule.Image, doc *rule.Document) {
	checkCarrierUnknown(p, im.At(), im.Ref, im.ID, doc)
}

func checkCarrierUnknown(p *rule.Pass, at rule.Place, ref object.Ref, stored webcapture.String, doc *rule.Document) {
	id, ok := rule.Identifier(stored)
	if !ok {
		checkCarrierForm(p, at, ref, stored, doc)
		return
	}
	if doc.Members.Has(ref) || !doc.WholeTrees[webcapture.IDS] || inIDS(p, id) {
		return
	}
	if exists, _ := doc.Members.Known(id); !exists { // otherwise, the content set has the wrong key in IDS, or none
		p.Reportf(at, nil, "ID %v is not a key of IDS (14.10.6)", nametree.Key(id[:]))
	}
}

// checkCarrierForm reports an ID that is not a digital identifier.
func checkCarrierForm(p *rule.Pass, at rule.Place, ref object.Ref, id webcapture.String, doc *rule.Document) {
	if id.Object.IsNull() {
		return
	}
	for _, in := range doc.Members.Of(ref) {
		if !in.HasID {
			return // the ID of its set is wrong too; another rule reports that
		}
	}
	if !id.OK() {
		p.Reportf(at, nil, "ID is %s, not a string (tables 31 and 87)", Describe(p, id.Object))
		return
	}
	p.Reportf(at, nil, "ID %v has %d bytes, not 16 (14.10.6)", nametree.Key(id.Bytes), len(id.Bytes))
}

func checkCarrierOrphan(p *rule.Pass, doc *rule.Document) {
	if p.Audit.Lost.Load() {
		return // unreadable content sets are reported separately
	}
	vacancies := findVacancies(p, doc)
	for _, c := range doc.Carriers {
		if exists, listed := doc.Members.Known(c.ID); !exists || !listed { // reported separately
			continue
		}
		var fix *rule.Fix
		if at, ok := vacancies[c.Ref]; ok {
			fix = &rule.Fix{Action: rule.ReplaceMember, Set: at.set, Index: at.index}
		}
		p.Reportf(c.At, fix, "a content set has the ID %v, but no set lists the object in O", nametree.Key(c.ID[:]))
	}
}

// vacancy is an element of O that a carrier replaces.
type vacancy struct {
	set   object.Ref
	index int
}

// findVacancies finds the elements of O that carriers replace, by carrier. The ID must lead to only one page set or
// image set, depending on the carrier. If nothing in O is left, O becomes the carriers, in page order. Otherwise a
// carrier replaces only the element from which a tool copied it; see replaceCopies.
func findVacancies(p *rule.Pass, doc *rule.Document) map[object.Ref]vacancy {
	vacancies := map[object.Ref]vacancy{}
	if len(doc.Carriers) == 0 || !doc.Whole {
		return vacancies
	}
	type group struct {
		id   digest.ID
		kind webcapture.Subtype
	}
	groups := map[group][]object.Ref{}
	for _, c := range doc.Carriers { // pages are in page order
		groups[group{c.ID, c.Kind}] = append(groups[group{c.ID, c.Kind}], c.Ref)
	}
	sets := map[group][]object.Ref{}
	for _, m := range doc.Members.Rows {
		if g := (group{m.ID, m.Subtype}); m.HasID && groups[g] != nil && !slices.Contains(sets[g], m.Set) {
			sets[g] = append(sets[g], m.Set)
		}
	}
	for g, list := range sets {
		if len(list) != 1 || list[0].Num == 0 {
			continue // several content sets have the ID, or the only one is a direct object
		}
		s := &rule.Set{Ref: list[0]}
		if !isUnreadable(p, object.MakeRef(s.Ref), &s.ContentSet) {
			fillSet(p, doc, s, groups[g], vacancies)
		}
	}
	return vacancies
}

// fillSet finds the elements of O of a content set that carriers with its ID replace. It finds none if an element is
// malformed, because that may be the page or image that the carriers seem to replace.
func fillSet(p *rule.Pass, doc *rule.Document, s *rule.Set, carriers []object.Ref, vacancies map[object.Ref]vacancy) {
	elements := 0
	var unused []object.Ref
	var indexes []int // of unused in O
	live := false
	for i, m := range membersOf(p, s) {
		o, err := p.Reader.Resolve(m)
		if isMissing(p, err) || err != nil {
			return
		}
		ref, _ := m.Ref()
		switch {
		case o.IsNull():
		case isUnused(doc, ref, s.Subtype):
			unused, indexes = append(unused, ref), append(indexes, i)
		default:
			live = true
		}
		elements++
		p.Spend(meter.Object)
	}
	if live || len(unused) > 0 {
		replaceCopies(p, s, unused, indexes, carriers, vacancies)
		return
	}
	for i, ref := range carriers {
		if s.Subtype == webcapture.ImageSet && (i >= elements || !canCount(p, doc, s, i, doc.Uses(ref))) {
			return // R would not have the count of the image
		}
	}
	for i, ref := range carriers {
		vacancies[ref] = vacancy{s.Ref, i}
	}
}

// isUnused reports whether an object is a page outside the page tree, or an image that no page shows.
func isUnused(doc *rule.Document, ref object.Ref, kind webcapture.Subtype) bool {
	if kind == webcapture.PageSet {
		return ref.Num != 0 && !doc.IsPage(ref)
	}
	return ref.Num != 0 && doc.UseCounts[ref] == 0 && !doc.Patterns[ref]
}

// replaceCopies finds the carriers that a tool made as copies of unused elements of O: both have equal data, and no
// other element or carrier has these data.
func replaceCopies(p *rule.Pass, s *rule.Set, unused []object.Ref, indexes []int, carriers []object.Ref,
	vacancies map[object.Ref]vacancy) {
	originals, ok := byContent(p, unused, s.Subtype)
	if !ok || len(originals) == 0 {
		return
	}
	copies, ok := byContent(p, carriers, s.Subtype)
	if !ok {
		return
	}
	for sum, at := range originals {
		if list := copies[sum]; len(at) == 1 && len(list) == 1 {
			vacancies[carriers[list[0]]] = vacancy{s.Ref, indexes[at[0]]}
		}
	}
}

// byContent returns the indexes of pages or images by the MD5 of their data, without those that have none. It returns
// false if an object cannot be read.
func byContent(p *rule.Pass, refs []object.Ref, kind webcapture.Subtype) (map[digest.ID][]int, bool) {
	found := map[digest.ID][]int{}
	for i, ref := range refs {
		sum, n, err := contentOf(p, ref, kind)
		if isMissing(p, err) || err != nil || p.Over() {
			return nil, false
		}
		if n > 0 {
			found[sum] = append(found[sum], i)
		}
	}
	return found, true
}

// contentOf returns the MD5 of the data of an image, or of the content streams of a page, and their length.
func contentOf(p *rule.Pass, ref object.Ref, kind webcapture.Subtype) (sum digest.ID, n int64, err error) {
	streams := []object.Object{object.MakeRef(ref)}
	if kind == webcapture.PageSet {
		o, err := p.Reader.Get(ref)
		if err != nil {
			return sum, 0, err
		}
		d, _ := o.Dict()
		streams = nil
		for o, err := range p.Reader.Values(d.Lookup("Contents")) {
			if err != nil {
				return sum, 0, err
			}
			streams = append(streams, o)
		}
	}
	h := md5.New()
	for _, o := range streams {
		ref, ok := o.Ref()
		if !ok {
			continue
		}
		data, err := p.Reader.Data(ref)
		if err != nil {
			return sum, n, err
		}
		read, err := io.Copy(h, data)
		if n += read; err != nil {
			return sum, n, err
		}
		p.Spend(meter.Object)
	}
	return digest.ID(h.Sum(nil)), n, nil
}

// canCount reports whether R of an image set agrees with an image at an index: its count there equals uses, the number
// of pages that show the image. If either number is unknown, they agree.
func canCount(p *rule.Pass, doc *rule.Document, s *rule.Set, index, uses int) bool {
	c, ok := p.Counts(s)
	if !ok || !doc.Counted || !c.IsEven() {
		return true
	}
	for i, o := range c.Elements(p) {
		if i == index {
			n, _ := o.Int()
			return !isCount(o) || n == int64(uses)
		}
	}
	return true
}

func checkCarrierNoTree(p *rule.Pass, doc *rule.Document) {
	if !isEmpty(p.DB.IDS) || p.Audit.Lost.Load() {
		return
	}
	for _, t := range p.DB.Trees() {
		for d := range t.Defects() {
			if t.Len() == 0 && !isEmptyRoot(t, d) {
				return // the tree is broken; another rule reports that
			}
		}
	}
	if traces := p.DB.Traces; traces.Any() {
		remedy := "--from"
		if traces.Sets > 0 {
			remedy = "--from or --rebuild"
		}
		p.Reportf(rule.Place{}, nil, "a tool dropped the content database, and left %s; use %s", nameTraces(traces), remedy)
		return
	}
	if doc.Tagged+doc.TaggedImages == 0 {
		return
	}
	at, what := rule.Place{}, "there is no IDS"
	if t := p.DB.IDS; t != nil {
		at, what = (&rule.Tree{Tree: t}).At(), "IDS has no entries"
	}
	fix := &rule.Fix{Action: rule.BuildIDS}
	if !canBuildIDS(p) {
		fix, what = nil, what+", and no content set in URLS has an undisputed ID; use --from or --rebuild"
	}
	carriers := fmt.Sprintf("pages with an ID: %d of %d", doc.Tagged, doc.Pages)
	if doc.Tagged == 0 {
		carriers = fmt.Sprintf("images with an ID: %d", doc.TaggedImages)
	}
	p.Reportf(at, fix, "%s, but %s", carriers, what)
}

// nameTraces describes the traces of a database.
func nameTraces(t webcapture.Traces) string {
	var list []string
	for _, kind := range []struct {
		n     int
		nouns string
	}{
		{t.Pages, "pages with an ID"}, {t.Images, "images with an ID"}, {t.Zooms, "pages with PZ"},
		{t.Links, "links with PA"}, {t.Sets, "content sets that no tree reaches"},
	} {
		if kind.n > 0 {
			list = append(list, fmt.Sprintf("%s: %d", kind.nouns, kind.n))
		}
	}
	return strings.Join(list, ", ")
}

// canBuildIDS reports whether URLS has a content set that would get a key in IDS. A direct one has to become an
// indirect object first.
func canBuildIDS(p *rule.Pass) bool {
	if isEmpty(p.DB.URLS) {
		return false
	}
	for _, e := range p.DB.URLS.Entries() {
		for s := range setsIn(p, e.Value) {
			if s != nil && s.Ref.Num != 0 && len(ownKeys(p, webcapture.IDS, s)) > 0 {
				return true
			}
		}
	}
	return false
}
