package webcapture

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Facts are the properties of a file that are known before any content set is read. Their JSON is that of a file in
// results of an audit.
type Facts struct {
	Size        int64    `json:"size"`    // size of the file in bytes
	Version     string   `json:"version"` // version of PDF
	Encrypted   bool     `json:"encrypted"`
	WithoutXRef bool     `json:"repaired"` // objects were found without the cross-reference data
	Notices     []string `json:"notices"`  // structural problems that did not prevent reading the file

	Restricted bool `json:"restricted,omitempty"` // a certification or usage rights forbid changes (12.8.2.2, 12.8.2.3)
	FullOnly   bool `json:"fullOnly,omitempty"`   // only a new file can have changes, because no update can be appended

	// Present reports whether the catalog has URLS, IDS, or SpiderInfo. In a report of an audit, it is also true if the
	// file has Traces of a database. If it is false, there is nothing to audit, which is not the same as a clean database.
	Present   bool `json:"-"`
	HasURLS   bool `json:"-"`
	HasIDS    bool `json:"-"`
	URLS, IDS int  `json:"-"` // number of entries
}

// Facts returns the facts about the file and its database.
func (f *File) Facts(db *Database) Facts {
	facts := Facts{
		Size: f.Size(), Version: db.Version, Encrypted: f.Encrypted(), WithoutXRef: f.WithoutXRef(), Notices: f.Notices(),
		Present: db.Present(), HasURLS: db.URLS != nil, HasIDS: db.IDS != nil,
	}
	if ref, ok := db.Catalog.Lookup("Names").Ref(); ok && db.NamesErr == nil && db.NamesKind == object.Null {
		facts.Notices = append(slices.Clip(facts.Notices), fmt.Sprintf("the name dictionary %v is not in the file", ref))
	}
	facts.Restricted, facts.FullOnly = f.isRestricted(db), f.Appendable() != nil
	for _, t := range db.Trees() {
		if t.Name == URLS {
			facts.URLS = t.Len()
		} else {
			facts.IDS = t.Len()
		}
	}
	return facts
}

// isRestricted reports whether the file has a certification or usage rights. It is false if that is unreadable.
func (f *File) isRestricted(db *Database) bool {
	o, _ := f.NewReader().Resolve(db.Catalog.Lookup("Perms"))
	perms, _ := o.Dict()
	return !perms.Lookup("DocMDP").IsNull() || !perms.Lookup("UR3").IsNull() || !perms.Lookup("UR").IsNull()
}
