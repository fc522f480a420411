package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// A Defect is something that is wrong or odd about a tree.
type Defect struct {
	Kind  DefectKind
	Node  int // the node; -1 if the root is not one
	Index int // the kid or pair of the node, counted from 0; -1 if the defect is that of the whole node
	Entry int // the entry; -1 if the defect is not that of one
	Other int // what the entry or kid collides with, an entry or a node; -1 if the kind has no such thing

	// Name is the dictionary key of ForeignKey and KeyTwice.
	Name string

	// Found is what stands where something else should be, as stored: a key that
	// is not a string, Limits that are not an array.
	Found object.Object

	// Value is the other half of a pair or dictionary entry that Found or Name
	// begins. A pair without a usable key is not an entry; here is its value.
	Value object.Object

	// Err is the *object.Malformed that kept a part of the tree from being
	// read, nil for most defects.
	Err error
}

// A DefectKind says what is wrong. Clauses are those of ISO 32000-2:2020.
type DefectKind uint8

// The kinds of defects.
const (
	// RootNotDictionary: the root is not a dictionary, null included (7.9.6).
	// The tree has no nodes. Found is the root.
	RootNotDictionary DefectKind = iota

	// Unreadable: the bytes of a node are not an object (7.3). Err says why, Found
	// is the reference. Node and Index are the parent's, or -1 for the root.
	Unreadable

	// BothKidsAndNames: a node has both (table 36: Kids in intermediate nodes,
	// Names in leaves; a root has one of them). Both have been read.
	BothKidsAndNames

	// NeitherKidsNorNames: a node has neither of them (table 36). Trees that
	// Acrobat has emptied are roots like that.
	NeitherKidsNorNames

	// KidsNotArray: Kids is not an array (table 36). Found is what it is; Err
	// is set if it could not be read.
	KidsNotArray

	// NamesNotArray: Names is not an array (table 36). Found and Err as for KidsNotArray.
	NamesNotArray

	// KeyTwice: the dictionary of a node holds Kids, Names or Limits twice
	// (7.3.7). The last one counts; Value is the one before. Name is the key.
	KeyTwice

	// ForeignKey: the dictionary of a node holds a key other than Kids, Names
	// and Limits (table 36 has no others, and no Type). Name is the key, Value
	// its value.
	ForeignKey

	// RootLimits: the root has Limits (table 36: intermediate and leaf nodes
	// only). Found is what it is.
	RootLimits

	// LimitsMissing: a node other than the root has no Limits (table 36).
	LimitsMissing

	// LimitsMalformed: Limits is not an array of two strings (table 36). Found
	// is what it is; Err is set if it, or one of the strings, could not be read.
	LimitsMalformed

	// LimitsWrong: Limits is not the least and the greatest key of the node
	// (table 36). [Node.Bounds] is what it should be.
	LimitsWrong

	// EmptyKids: Kids has no elements. No clause forbids it.
	EmptyKids

	// SingleKid: Kids has one element, so that the node leads nowhere that its
	// kid does not. No clause forbids it.
	SingleKid

	// KidNotIndirect: a kid is a dictionary, not a reference to one (table 36).
	// It has been read.
	KidNotIndirect

	// KidNotDictionary: a kid is something else: null, a reference to an object
	// that is missing, a stream (table 36). Found is the kid.
	KidNotDictionary

	// NodeCycle: a kid is the node itself, or one above it (7.9.6: a tree). It
	// has not been followed. Other is the node that it is.
	NodeCycle

	// NodeShared: a kid is a node that was reached before, through another kid
	// (7.9.6: a tree). Its entries count once. Other is the node that it is.
	NodeShared

	// EmptyLeaf: Names of a node other than the root has no elements. No clause
	// forbids it, but no Limits are right for it. A root like that is an empty tree.
	EmptyLeaf

	// HugeLeaf: Names has more than 1024 pairs, sixteen times what writers
	// choose. No clause forbids it, but a reader has to take it in as a whole.
	HugeLeaf

	// OddNames: Names ends with a key that has no value (table 36). Found is
	// that key.
	OddNames

	// KeyNull: a key is null, or a reference to an object that is missing (table 36: strings).
	// The pair makes no entry; Found is the key, Value the value.
	KeyNull

	// KeyNotString: a key is something other than a string (table 36). The pair
	// makes no entry; Found is the key, Value the value.
	KeyNotString

	// KeyUnreadable: a key is a reference, and the bytes that it leads to are not an
	// object. The pair makes no entry; Found is the reference, Value the value.
	KeyUnreadable

	// ValueNull: the value of an entry is null, and stands there as null (7.9.6).
	ValueNull

	// KeyOrder: the key of an entry is less than that of the entry before it,
	// Other, which may be in another leaf (7.9.6: sorted).
	KeyOrder

	// DuplicateKey: an entry has the key of an earlier one, Other being the
	// first. No clause says which of them a reader finds.
	DuplicateKey

	// TooDeep: a kid is 64 levels below the root; it has not been read.
	// PDFium follows 32 levels, pdf.js 10.
	TooDeep

	// TooManyNodes: the Kids of all nodes have more elements than the Budget allows. This
	// kid and all others from here on have not been read. Reported once.
	TooManyNodes

	// TooManyEntries: the tree has more pairs than the Budget allows. This one and
	// whatever comes after it have not been read.
	TooManyEntries

	// TooLarge: a key is too long, or nodes and keys make more bytes than the Budget allows, each counted as
	// often as it is referred to. webcap did not read anything after this position.
	TooLarge

	// TooManyDefects: there are more defects than the Budget allows. Of those that were
	// found after this one the list has the first thousand of each kind, those that were
	// found before included; [Tree.DefectCount] counts all. The tree has been read on.
	TooManyDefects

	defectKinds = iota
)

var defectKindNames = [defectKinds]string{
	"RootNotDictionary", "Unreadable", "BothKidsAndNames", "NeitherKidsNorNames", "KidsNotArray", "NamesNotArray",
	"KeyTwice", "ForeignKey", "RootLimits", "LimitsMissing", "LimitsMalformed", "LimitsWrong",
	"EmptyKids", "SingleKid", "KidNotIndirect", "KidNotDictionary", "NodeCycle", "NodeShared",
	"EmptyLeaf", "HugeLeaf", "OddNames", "KeyNull", "KeyNotString", "KeyUnreadable", "ValueNull", "KeyOrder",
	"DuplicateKey",
	"TooDeep", "TooManyNodes", "TooManyEntries", "TooLarge", "TooManyDefects",
}

// String returns the name of the constant.
func (k DefectKind) String() string { return defectKindNames[k] }

// harmless are the defects that keep Find from no entry: the entries ascend,
// and every node that a search passes has its Limits right or needs none.
var harmless = [defectKinds]bool{
	KeyTwice:         true,
	ForeignKey:       true,
	RootLimits:       true,
	SingleKid:        true,
	EmptyKids:        false, // its Limits, right for no key, may draw a search into it
	KidNotIndirect:   true,
	KidNotDictionary: true,
	EmptyLeaf:        false, // as EmptyKids
	HugeLeaf:         true,
	OddNames:         true,
	ValueNull:        true,
}
