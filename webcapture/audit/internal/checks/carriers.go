package checks

// Pages and images that carry an ID, and the content sets of these IDs (14.10.6).

import (
	"slices"

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
	Repair:     "None: names in the document may depend on the ID, and nothing in the file proves another one.",
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild, rule.BuildIDS, rule.ChangeID},
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
	Title:   "If pages carry IDs, IDS has entries.",
	Problem: "Page IDs without any entries in IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.6",
	Level:   rule.Warning,
	Doc: "Either of the two trees may be absent. But a viewer finds the content set of a page only by looking up " +
		"its ID in IDS.",
	Repair: "Build IDS from the content sets that URLS leads to. Omit sets whose pages and images carry another ID.",
	Basis: rule.Basis{
		Wrong: "Pages carry IDs, but IDS is missing or empty",
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
	for _, c := range doc.Carriers {
		if exists, listed := doc.Members.Known(c.ID); !exists || !listed { // reported separately
			continue
		}
		var fix *rule.Fix
		if at, ok := doc.Vacancies[c.Ref]; ok {
			fix = &rule.Fix{Action: rule.ReplaceMember, Set: at.Set, Index: at.Index}
		}
		p.Reportf(c.At, fix, "a content set has the ID %v, but no set lists the object in O", nametree.Key(c.ID[:]))
	}
}

func checkCarrierNoTree(p *rule.Pass, doc *rule.Document) {
	if doc.Tagged == 0 || !isEmpty(p.DB.IDS) || p.Audit.Lost.Load() {
		return
	}
	at, what := rule.Place{}, "there is no IDS"
	if t := p.DB.IDS; t != nil {
		for d := range t.Defects() {
			if d.Kind != nametree.NeitherKidsNorNames {
				return // the tree is broken; another rule reports that
			}
		}
		at, what = (&rule.Tree{Tree: t}).At(), "IDS has no entries"
	}
	fix := &rule.Fix{Action: rule.BuildIDS}
	if !canBuildIDS(p) {
		fix, what = nil, what+", and no content set in URLS has an undisputed ID; use --from or --rebuild"
	}
	p.Reportf(at, fix, "pages with an ID: %d of %d, but %s", doc.Tagged, doc.Pages, what)
}

// canBuildIDS reports whether URLS has a content set that would get a key in IDS.
func canBuildIDS(p *rule.Pass) bool {
	if isEmpty(p.DB.URLS) {
		return false
	}
	for _, e := range p.DB.URLS.Entries() {
		for s := range setsIn(p, e.Value) {
			if len(ownKeys(p, webcapture.IDS, s)) > 0 {
				return true
			}
		}
	}
	return false
}
