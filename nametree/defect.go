package nametree

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Defect is a problem or an anomaly of a tree.
type Defect struct {
	Kind  DefectKind
	Node  int // node with the defect; -1 if the root is not a node
	Index int // kid or pair of the node, counted from 0; -1 for the whole node
	Entry int // entry with the defect; -1 if there is none
	Other int // entry or node that conflicts with this one; -1 if there is none

	// Name is the dictionary key of ForeignKey and KeyTwice.
	Name string

	// Found is the object found instead of the expected object, as stored, such as a key that is not a string, or
	// Limits that are not an array.
	Found object.Object

	// Value is the value that belongs to the key Found of a pair, or to the key Name of a dictionary. A pair without a
	// usable key is not an entry, so its value is only here.
	Value object.Object

	// Err is the *object.Malformed that prevented reading a part of the tree. It is nil for most defects.
	Err error
}

// Unread returns the reason why the defect makes the Tree incomplete: Err, or the limit that was exceeded. Otherwise it
// returns nil.
func (d Defect) Unread() error {
	if d.Kind == TooDeep {
		return &object.Malformed{Reason: fmt.Sprintf("the tree has more than %d levels", maxDepth)}
	}
	return d.Err
}

// A DefectKind is the kind of a defect. Clauses are those of ISO 32000-2:2020.
type DefectKind uint8

// The kinds of defects.
const (
	// RootNotDictionary: the root is not a dictionary, or it is null (7.9.6). The tree has no nodes. Found is the root.
	RootNotDictionary DefectKind = iota

	// Unreadable: the bytes of a node are not an object (7.3). Err says why. Found is the reference. Node is the
	// parent, and Index the kid in the parent; both are -1 for the root.
	Unreadable

	// BothKidsAndNames: a node has both (table 36: Kids in intermediate nodes, Names in leaves; a root has one of
	// them). Read reads both.
	BothKidsAndNames

	// NeitherKidsNorNames: a node has neither of them (table 36). Acrobat leaves such roots when it empties a tree.
	NeitherKidsNorNames

	// KidsNotArray: Kids is not an array (table 36). Found is the value of Kids; Err is set if the value could not be
	// read.
	KidsNotArray

	// NamesNotArray: Names is not an array (table 36). Found and Err as for KidsNotArray.
	NamesNotArray

	// KeyTwice: the dictionary of a node has Kids, Names or Limits twice (7.3.7). Name is the key. The last value
	// counts; Value is the earlier value.
	KeyTwice

	// ForeignKey: the dictionary of a node has a key other than Kids, Names and Limits (table 36 has no other key, not
	// even Type). Name is the key, Value its value.
	ForeignKey

	// RootLimits: the root has Limits (table 36: intermediate and leaf nodes only). Found is the value of Limits.
	RootLimits

	// LimitsMissing: a node other than the root has no Limits (table 36).
	LimitsMissing

	// LimitsMalformed: Limits is not an array of two strings (table 36). Found is the value of Limits. Err is set if
	// this value or one of the strings could not be read.
	LimitsMalformed

	// LimitsWrong: Limits is not the least and the greatest key of the node (table 36). [Node.Bounds] is the correct
	// value.
	LimitsWrong

	// EmptyKids: Kids has no elements. No clause forbids it.
	EmptyKids

	// KidNotIndirect: a kid is a dictionary instead of a reference to one (table 36). Read reads it.
	KidNotIndirect

	// KidNotDictionary: a kid is not a dictionary (table 36). It may be null, a reference to a missing object, or a
	// stream. Found is the kid.
	KidNotDictionary

	// NodeCycle: a kid is the node itself or one of its ancestors, although 7.9.6 demands a tree. Read does not follow
	// the kid. Other is the node that the kid repeats.
	NodeCycle

	// NodeShared: a kid is a node that was reached before, through another kid, although 7.9.6 demands a tree. The
	// entries of the kid count once. Other is the node that the kid repeats.
	NodeShared

	// EmptyLeaf: Names of a node other than the root has no elements. No clause forbids this, but such a node cannot
	// have correct Limits. A root with empty Names is an empty tree.
	EmptyLeaf

	// HugeLeaf: Names has more than 1024 pairs, sixteen times the maximum of a new leaf by [Edit.Write]. No clause
	// forbids this, but a reader has to parse all pairs.
	HugeLeaf

	// OddNames: Names ends with a key that has no value (table 36). Found is this key.
	OddNames

	// KeyNull: a key is null, or a reference to an object that is missing (table 36: strings). The pair is not an
	// entry; Found is the key, Value the value.
	KeyNull

	// KeyNotString: a key is something other than a string (table 36). The pair is not an entry; Found is the key,
	// Value the value.
	KeyNotString

	// KeyUnreadable: a key is a reference to bytes that are not an object. The pair is not an entry; Found is the
	// reference, Value the value.
	KeyUnreadable

	// ValueNull: the value of an entry is a direct null (7.9.6).
	ValueNull

	// KeyOrder: the key of an entry is less than the key of the previous entry (7.9.6: sorted). Other is the previous
	// entry, which may be in another leaf.
	KeyOrder

	// DuplicateKey: an entry has the same key as an earlier entry. Other is the first entry with this key. No clause
	// says which of them a reader finds.
	DuplicateKey

	// TooDeep: a kid is 64 levels below the root. Read does not read this kid. PDFium follows 32 levels, pdf.js 10.
	TooDeep

	defectKinds = iota
)

var defectKindNames = [defectKinds]string{
	"RootNotDictionary", "Unreadable", "BothKidsAndNames", "NeitherKidsNorNames", "KidsNotArray", "NamesNotArray",
	"KeyTwice", "ForeignKey", "RootLimits", "LimitsMissing", "LimitsMalformed", "LimitsWrong",
	"EmptyKids", "KidNotIndirect", "KidNotDictionary", "NodeCycle", "NodeShared",
	"EmptyLeaf", "HugeLeaf", "OddNames", "KeyNull", "KeyNotString", "KeyUnreadable", "ValueNull", "KeyOrder",
	"DuplicateKey",
	"TooDeep",
}

// String returns the name of the constant.
func (k DefectKind) String() string { return defectKindNames[k] }
