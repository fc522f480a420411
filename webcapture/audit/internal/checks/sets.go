package checks

// Content sets: S, ID, and O, which is not empty (14.10.4, table 388). The ID or URL of a content set becomes a key
// only in place of one that is absent or broken by itself, and only if it can belong to no other content set.

import (
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setSubtype = &rule.Rule{
	ID:       "WC401",
	Title:    "S of a content set is SPS or SIS.",
	Problem:  "Content sets of unknown kind",
	Clause:   "ISO 32000-2:2020, 14.10.4, table 388",
	Level:    rule.Error,
	Doc:      "S tells page sets from image sets. Without it, no viewer knows what the members of the set are.",
	Repair:   "None.",
	CheckSet: checkSetSubtype,
}

var setID = &rule.Rule{
	ID:      "WC402",
	Title:   "ID of a content set is a string of 16 bytes.",
	Problem: "Content set IDs that are not strings of 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc:     "The digital identifier connects the set with its members and with its entry in IDS.",
	Repair: "Use the MD5 of an image as the ID of its set, if the image is stored as fetched: with DCTDecode or " +
		"JPXDecode as its only filter. The image must carry it, or it must be an IDS key of the set. No other set with " +
		"the image may have it. Otherwise nothing in the file proves the right ID.",
	Basis: rule.Basis{
		Wrong: "The ID of a content set is absent, or not a string of 16 bytes",
		Right: "Proof: the MD5 of an image that is stored as fetched. The image carries it, or it is an IDS key of the " +
			"set. No other set with the image has it",
		Otherwise: "The ID is kept: nothing in the file proves the right one",
	},
	Action:     rule.ChangeID,
	CheckLinks: checkSetID,
}

var setMembers = &rule.Rule{
	ID:      "WC403",
	Title:   "O of a content set is an array.",
	Problem: "Content sets whose O is not an array",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "O lists the pages or images that were made from the source. Without it, the set names its source but no " +
		"content.",
	Repair:   "None.",
	CheckSet: checkSetMembers,
}

var setEmpty = &rule.Rule{
	ID:      "WC407",
	Title:   "O of a content set is not empty.",
	Problem: "Content sets without members",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "The set records a capture, but none of its pages or images are left. The tool that removed the last " +
		"member should have removed the set and its keys.",
	Repair: "Remove the set and its keys.",
	Basis: rule.Basis{
		Wrong:     "A content set has no members",
		Right:     "The user, by naming the rule",
		Otherwise: "The set is kept",
	},
	OnRequest: true,
	Action:    rule.RemoveSet,
	MayFollow: []rule.Action{rule.DropMember},
	CheckSet:  checkSetEmpty,
}

func checkSetSubtype(p *rule.Pass, s *rule.Set) {
	if s.Subtype == webcapture.NoSubtype {
		p.Reportf(s.At(), nil, "S is %v, neither SPS nor SIS", Describe(p, s.S))
	}
}

func checkSetID(p *rule.Pass, l *rule.Links) {
	s := l.Set
	if !s.ID.OK() {
		p.Reportf(s.At(), provenID(p, s), "ID is %v, not a string", Describe(p, s.ID.Object))
		return
	}
	if len(s.ID.Bytes) != len(digest.ID{}) {
		p.Reportf(s.At(), provenID(p, s), "ID %v has %d bytes, not 16", nametree.Key(s.ID.Bytes), len(s.ID.Bytes))
	}
}

// provenID returns the fix that makes the MD5 of an image the ID of its content set, whose ID is broken. A key of IDS
// for the set, or the ID of a member, must confirm the MD5; otherwise a tool may have encoded the image again, and the
// result is nil. It is also nil if another content set has that ID or the image.
func provenID(p *rule.Pass, s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 || p.DB.IDS == nil {
		return nil
	}
	images, err := rule.ImageDigests(p.Reader, &s.ContentSet)
	if isMissing(p, err) || !p.Spend(meter.Object) {
		return nil
	}
	for _, sum := range slices.Concat(images...) {
		id, wanted := nametree.Key(sum[:]), *s
		wanted.ID.Bytes = sum[:]
		where, _ := findEntries(p, p.DB.IDS, []string{string(id)}, s.Ref)
		if (where == here || where == nowhere && memberHas(p, &wanted)) && isAlone(p, &wanted) {
			return &rule.Fix{Action: rule.ChangeID, Old: shown(s.ID.Bytes), New: id, Set: s.Ref}
		}
	}
	return nil
}

func checkSetMembers(p *rule.Pass, s *rule.Set) {
	if s.O.Kind() != object.Array {
		p.Reportf(s.At(), nil, "O is %v, not an array", Describe(p, s.O))
	}
}

func checkSetEmpty(p *rule.Pass, s *rule.Set) {
	if o, ok := s.O.Array(); ok && o.Len() == 0 {
		p.Reportf(s.At(), removal(s), "O is empty")
	}
}

// removal returns the fix that removes a content set from the database; nil for a direct one.
func removal(s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.RemoveSet, Set: s.Ref}
}

// The remedies in findings: what would decide.
const (
	remedyOriginal = "give --from"
	remedyBase     = "give the base URL with --base"
	remedySets     = remedyOriginal + ", or choose with --prefer sets"
	remedyEither   = remedyOriginal + ", or choose with --prefer keys|sets"
)

const whyNotAlone = "another content set has the same ID or member; " + remedyOriginal

// setTable is the table of all content sets. It is made on first use, because most files need none.
type setTable struct {
	once  sync.Once
	table *rule.SetTable
}

func setTableOf(p *rule.Pass) *rule.SetTable {
	t := rule.Shared[setTable](p.Audit)
	t.once.Do(func() {
		p.Apart(func() {
			var err error
			if t.table, err = rule.NewSetTable(p.Audit.File, p.DB, p.Reader); err != nil {
				p.Fail(err)
			}
			t.table.Base, t.table.Prefer = p.Audit.Base, p.Audit.Prefer
		})
	})
	return t.table
}

// isAlone reports whether no other content set of its kind has the ID of s, or one of its members.
func isAlone(p *rule.Pass, s *rule.Set) bool {
	return setTableOf(p).IsAlone(storedAs(s), &s.ContentSet)
}

// storedAs returns a content set as it is stored in a value: a reference, or the direct object.
func storedAs(s *rule.Set) object.Object {
	if s.Ref.Num == 0 {
		return s.Object
	}
	return object.MakeRef(s.Ref)
}

// ownKeys returns the keys that a content set should have in a tree; see [rule.SetTable.OwnKeys].
func ownKeys(p *rule.Pass, tree webcapture.TreeName, s *rule.Set) []nametree.Key {
	if s == nil {
		return nil
	}
	keys, err := setTableOf(p).OwnKeys(p.Reader, tree, storedAs(s), &s.ContentSet)
	isMissing(p, err)
	p.Spend(meter.Object)
	return keys
}

// idProblem returns the reason why the ID of a content set cannot become a key; empty if it can.
func idProblem(p *rule.Pass, s *rule.Set) string {
	if by := disputeOf(p, s); by != "" {
		remedy := remedySets
		if data, err := rule.DisputeOf(p.Reader, &s.ContentSet, rule.Sets); data != "" && err == nil {
			_, remedy = preferredData(p, s.Ref)
		}
		return by + "; " + remedy
	}
	if !isAlone(p, s) {
		return whyNotAlone
	}
	return ""
}

// disputeOf describes what contradicts the ID of a content set; empty if nothing does.
func disputeOf(p *rule.Pass, s *rule.Set) string {
	for _, err := range webcapture.Members(p.Reader, &s.ContentSet) {
		if err != nil && p.CouldNotRead(s.At(), err) != nil {
			return ""
		}
	}
	by, err := rule.DisputeOf(p.Reader, &s.ContentSet, p.Audit.Prefer)
	isMissing(p, err)
	p.Spend(meter.Object)
	return by
}

// dependsOnChoice reports whether the ID of a content set can become a key only because the user prefers content sets.
func dependsOnChoice(p *rule.Pass, s *rule.Set) bool {
	if p.Audit.Prefer != rule.Sets {
		return false
	}
	by, err := rule.DisputeOf(p.Reader, &s.ContentSet, rule.Open)
	isMissing(p, err)
	return by != ""
}

// isMissing reports whether an error means that the file can no longer be read. Malformed objects do not count. If the
// result is true, the audit ends.
func isMissing(p *rule.Pass, err error) bool {
	if object.IgnoreMalformed(err) == nil {
		return false
	}
	p.Fail(err)
	return true
}

// isUnreadable reads a content set, and reports whether reading failed.
func isUnreadable(p *rule.Pass, o object.Object, s *webcapture.ContentSet) bool {
	err := p.Reader.Read(o, s)
	isMissing(p, err)
	return err != nil
}
