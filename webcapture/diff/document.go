package diff

import (
	"cmp"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// document is one of the two files: its pages and images, and its database. It keeps only hashes of content sets.
// Content sets that differ are read again.
type document struct {
	*match.Document
	report *audit.Report
	err    error // a failure to read the file, or meter.Over; the document is then incomplete

	sets    []set
	byRef   object.RefTable              // index in sets plus 1
	byText  map[string]int               // the same for content sets that are direct objects
	direct  map[match.Hash]object.Object // these content sets, by set.hash
	alone   map[match.Hash]bool          // content sets that the other file does not have, by set.hash
	dicts   map[object.Ref][]byte        // text of dictionaries that are values of entries
	facts   facts                        // of the content set that is read
	scratch []byte                       // memory of its hash
	others  facts                        // of SpiderInfo, links, and pages in no content set

	zooms  map[object.Ref]float64 // PZ of pages
	unread map[object.Ref]bool    // objects that are at least partly unreadable, except pages

	infoUnread bool // SpiderInfo is at least partly unreadable; it is not compared
}

// readDocument reads the content of a file.
func readDocument(f *webcapture.File) *document {
	db, err := f.Database()
	if err != nil {
		return &document{err: err}
	}
	d := newDocument(f, db)
	d.err = d.read()
	return d
}

func newDocument(f *webcapture.File, db *webcapture.Database) *document {
	d := &document{
		Document: match.New(f, db), report: &audit.Report{Facts: f.Facts(db)}, byText: map[string]int{},
		direct: map[match.Hash]object.Object{}, alone: map[match.Hash]bool{}, dicts: map[object.Ref][]byte{},
		zooms: map[object.Ref]float64{}, unread: map[object.Ref]bool{},
	}
	d.facts.of, d.others.of = d, d
	return d
}

func (d *document) read() error {
	d.Unread = rule.UnreadOf(d.File, d.Database)
	few := 0 // most keys have a content set with one member
	for _, t := range d.Database.Trees() {
		d.Unread = append(d.Unread, rule.UnreadIn(t)...)
		few = max(few, t.Len())
	}
	d.sets = make([]set, 0, few)
	for _, read := range []func() error{func() error { return d.Visit(d) }, d.readInfo} {
		if err := read(); err != nil {
			return err
		}
	}
	for _, u := range d.Unread {
		if d.unread[u.Place.Set] = true; u.Place.Page == 0 {
			d.unread[u.Place.Object] = true
		}
	}
	delete(d.unread, object.Ref{})
	return nil
}

// VisitContent implements match.Visitor: it adds a content set.
func (d *document) VisitContent(in *webcapture.Content) error {
	cs := in.Set
	if cs == nil || !cs.Recognized() {
		return d.Spend(in.Elements.Len())
	}
	d.facts.reset()
	d.facts.set(cs)
	s := set{ref: in.Ref, subtype: cs.Subtype}
	s.hash, s.sources, d.scratch = d.facts.hashes(d.scratch)
	if s.id, s.hasID = cs.Identifier(); !s.hasID {
		s.id = digest.ID(s.sources)
	}
	d.sets = append(d.sets, s)
	d.report.CountSets(s.subtype, 1)
	if in.Ref.Num != 0 {
		d.byRef.Set(in.Ref, int32(len(d.sets)))
	} else {
		d.byText[string(cs.Object.Raw())] = len(d.sets)
		d.direct[s.hash] = cs.Object.Clone()
	}
	members := 0
	for range cs.Members() {
		members++
	}
	return cmp.Or(d.facts.err, d.Reader.Keep(setSize+factSize*int64(members)), d.Spend(members))
}

// Sizes in memory, in bytes.
const (
	setSize  = 128
	factSize = 8
)

// fail records an error, and reports whether there is one. Unreadable parts are recorded when they are read first.
func (d *document) fail(err error) bool {
	d.err = cmp.Or(d.err, object.IgnoreMalformed(err))
	return err != nil
}

// readInfo reads SpiderInfo.
func (d *document) readInfo() error {
	d.others.info()
	d.infoUnread = d.others.err != nil
	return d.Note(rule.Place{Part: "SpiderInfo"}, d.others.err)
}

// VisitPage implements match.Visitor: it adds PZ and the links of a page.
func (d *document) VisitPage(pg webcapture.Page) error {
	if pg.Again {
		return nil
	}
	zoom, err := d.Reader.Resolve(pg.Dict.Lookup("PZ"))
	if err != nil {
		return err
	}
	if f, ok := zoom.Number(); ok {
		d.zooms[pg.Ref] = f
	}
	annots, err := d.Reader.Resolve(pg.Dict.Lookup("Annots"))
	if err != nil {
		return err
	}
	list, _ := annots.Array()
	for e := range list.All() {
		if err := d.readLink(e); err != nil {
			return err
		}
	}
	return nil
}

// readLink adds the URL in PA of a link annotation.
func (d *document) readLink(annotation object.Object) error {
	link, err := d.Reader.Dict(annotation)
	if err := cmp.Or(err, d.Spend(1)); err != nil {
		return err
	}
	retained, err := d.Reader.Dict(link.Lookup("PA"))
	if err != nil {
		return err
	}
	uri, err := d.Reader.String(retained.Lookup("URI"))
	if err != nil {
		return err
	}
	if uri.OK() {
		d.others.add(Place{Part: RetainedLink, Key: nametree.Key(uri.Bytes)}, "link")
	}
	return nil
}
