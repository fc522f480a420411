package checks

// O of content sets: references to pages or images, each in one content set (14.10.4, table 388).

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var MemberDirect = &rule.Rule{
	ID:      "WC408",
	Title:   "Elements of O are indirect references.",
	Problem: "Content set members that are not references",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "A page or image is an indirect object. Only a reference can name the same object that the page tree or a " +
		"page uses. An object stored directly in O is used nowhere else.",
	Repair: "Remove a null element and its count in R, unless R has another length. If nothing else is in O, " +
		"WC522 may fill it.",
	Basis: rule.Basis{
		Wrong:     "An element of O is null, written in O itself",
		Right:     "Not needed: the element leads to nothing. If there is an R, it must have a count for each element",
		Otherwise: "The element is kept",
	},
	Action:   rule.DropMember,
	CheckSet: checkMemberDirect,
}

var memberDangling = &rule.Rule{
	ID:      "WC409",
	Title:   "Elements of O refer to objects that are in the file.",
	Problem: "Content set members missing from the file",
	Cause:   "typical of tools that remove pages",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "Tools that remove pages often leave the content database unchanged. The set then lists pages or images " +
		"that no longer exist.",
	Repair: "Remove the element and its count in R, unless R has another length. If nothing else is in O, WC522 may " +
		"fill it.",
	Basis: rule.Basis{
		Wrong:     "An element of O refers to an object that is null, or not in the file",
		Right:     "Not needed: the element leads to nothing. If there is an R, it must have a count for each element",
		Otherwise: "The element is kept",
	},
	Action:      rule.DropMember,
	CheckMember: checkMemberDangling,
}

var MemberTwice = &rule.Rule{
	ID:      "WC410",
	Title:   "O of a content set lists each object once.",
	Problem: "Content sets that list an object twice",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "O lists the pages or images that were made from the source, and R has a count for each image. An object " +
		"that O lists twice is counted twice.",
	Repair: "Remove the later elements and their counts in R, unless R has another length.",
	Basis: rule.Basis{
		Wrong:     "O lists an object twice",
		Right:     "Not needed: the object stays in O. If there is an R, it must have a count for each element",
		Otherwise: "The element is kept",
	},
	Action:   rule.DropMember,
	CheckSet: checkMemberTwice,
}

var memberType = &rule.Rule{
	ID:      "WC501",
	Title:   "A member of a page set is a page, a member of an image set is an image XObject.",
	Problem: "Content sets that list objects of the wrong type",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 14.10.4.2; 14.10.4.3",
	Level:   rule.Error,
	Doc: "O of a page set lists page objects. A viewer that updates or deletes captured content takes each of them " +
		"out of the page tree. O of an image set lists the images that were made from one file. When a viewer needs " +
		"the file again, it shows these objects and does not fetch the file. Here the viewer finds another object.",
	Repair: "Remove the content set itself from its O. Any other object stays: the intended page or image is unknown.",
	Basis: rule.Basis{
		Wrong:     "O lists an object of the wrong type",
		Right:     "The object is the content set itself, so it stands for no page or image",
		Otherwise: "The element is kept",
	},
	Action:      rule.DropMember,
	CheckMember: checkMemberType,
}

var memberShared = &rule.Rule{
	ID:      "WC505",
	Title:   "A page is in at most one page set, an image in at most one image set.",
	Problem: "Pages or images in several content sets",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389, 14.10.4.3, table 390, and 14.10.6",
	Level:   rule.Error,
	Doc: "A page or image was made from one source, and has one ID that leads to its content set. If several sets " +
		"list it, an update of one set changes the content of the others.",
	Repair:      "None: only the author knows the right set.",
	MayFollow:   []rule.Action{rule.OwnObject},
	CheckMember: checkMemberShared,
}

func checkMemberDirect(p *rule.Pass, s *rule.Set) {
	for i, o := range membersOf(p, s) {
		if o.Kind() == object.Reference {
			continue
		}
		var fix *rule.Fix
		if o.IsNull() {
			fix = dropMember(s.Ref, i)
		}
		p.Reportf(s.At(), fix, "element %d of O is %s, not a reference", i, Describe(p, o))
	}
}

// membersOf yields the elements of O with their indexes. It stops if the meter is exceeded, because later findings
// would be dropped.
func membersOf(p *rule.Pass, s *rule.Set) iter.Seq2[int, object.Object] {
	return func(yield func(int, object.Object) bool) {
		i := 0
		for o := range s.Members() {
			if p.Over() || !yield(i, o) {
				return
			}
			i++
		}
	}
}

func checkMemberDangling(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	if !m.Object.IsNull() {
		return
	}
	for _, in := range m.In {
		if !p.Spend(meter.Object) {
			return
		}
		p.Reportf(m.At(in), dropMember(in.Set, in.Index),
			"element %d of O refers to %v, which is null or not in the file", in.Index, m.Ref)
	}
}

func checkMemberTwice(p *rule.Pass, s *rule.Set) {
	if ascendingMembers(s) {
		return
	}
	first := map[object.Ref]int{}
	for i, o := range membersOf(p, s) {
		ref, ok := o.Ref()
		if !ok {
			continue
		}
		if j, twice := first[ref]; twice {
			p.Reportf(s.At(), dropMember(s.Ref, i), "elements %d and %d of O are the same, %v", j, i, ref)
		} else {
			first[ref] = i
		}
	}
}

// ascendingMembers reports whether the references in O ascend, as in most content sets. Then no member is repeated.
func ascendingMembers(s *rule.Set) bool {
	var last object.Ref
	for o := range s.Members() {
		ref, ok := o.Ref()
		if !ok {
			continue
		}
		if ref.Compare(last) <= 0 {
			return false
		}
		last = ref
	}
	return true
}

func checkMemberType(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if m.Object.IsNull() {
		return
	}
	if in, ok := m.First(webcapture.PageSet); ok && !m.Fits(webcapture.PageSet, doc) {
		p.Reportf(m.At(in), dropItself(m, in), "the member of a page set is %s, not a page (table 389)", describeMember(p, m))
	}
	if in, ok := m.First(webcapture.ImageSet); ok && !m.IsImage() {
		p.Reportf(m.At(in), dropItself(m, in), "the member of an image set is %s, not an image XObject (table 390)",
			describeMember(p, m))
	}
}

// dropItself returns the fix that removes a content set from its own O; nil for any other member.
func dropItself(m *rule.Member, in rule.Membership) *rule.Fix {
	if m.Ref != in.Set {
		return nil
	}
	return dropMember(in.Set, in.Index)
}

// describeMember describes a member of the wrong type.
func describeMember(p *rule.Pass, m *rule.Member) string {
	is := m.Type
	if m.Object.Kind() == object.Stream {
		is = m.Subtype // all XObjects have the same Type
	}
	if raw := is.Raw(); is.Kind() == object.Name {
		return rule.Article(m.Object.Kind()) + " with the type " + printable(raw[:min(len(raw), 40)])
	}
	return Describe(p, m.Object)
}

func checkMemberShared(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		if sets := m.Sets(t); len(sets) > 1 {
			p.Reportf(rule.Place{Object: m.Ref, ID: rule.KnownBy(m.ID)}, nil, "the object is in O of %d %vs (%s), expected one",
				len(sets), t, Some(sets))
		}
	}
}

// Some returns the first three references of a list, and the number of the others, as text.
func Some(list []object.Ref) string {
	const shown = 3
	s := ""
	for i, ref := range list[:min(len(list), shown)] {
		if i > 0 {
			s += ", "
		}
		s += ref.String()
	}
	if n := len(list) - shown; n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

// dropMember returns the fix that removes an element of O of a content set; nil for a direct one, which has to become
// an indirect object first.
func dropMember(set object.Ref, index int) *rule.Fix {
	if set.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.DropMember, Set: set, Index: index}
}
