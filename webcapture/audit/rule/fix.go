package rule

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Fix is a change that would mend a finding, as data: rules look, a rewrite
// touches. It drops no content set, and changes an ID only back to a proven value.
type Fix struct {
	Action Action
	Tree   string       // of AddKey: "URLS" or "IDS"
	Old    nametree.Key // the key as it is, of actions on keys and names
	New    nametree.Key // the key as it would be
	Set    object.Ref   // the content set that the action is about, where the place names none
	Index  int          // of DropMember: the element of O, counted from 0
	Chosen bool         // the choice of the user decides, because no evidence does
}

// An Action is one kind of change: of a Fix, or of a step of a rewrite that no finding asks for.
type Action uint8

// The actions of fixes. Places are those of the findings.
const (
	// ChangeKey: the key Old of the entry at the place becomes New. Where that is
	// the key of another entry, their values become one. Content sets in a value
	// of IDS that have another ID go to the keys that are theirs.
	ChangeKey Action = iota + 1

	// MakeAbsolute: the key Old is resolved against a base URL, which only the
	// caller knows, and made canonical.
	MakeAbsolute

	// AddKey: the content set Set stands under New in Tree as well.
	AddKey

	// RestoreKeys: the pair at the place has a value without a key; its content
	// sets go to the keys that are theirs.
	RestoreKeys

	// MergeEntries: the entry at the place and those with the same key become one.
	MergeEntries

	// RemoveEntry: the entry at the place, which leads to nothing, goes.
	RemoveEntry

	// TidyValue: what is null or repeated in the array value of the entry at the
	// place goes.
	TidyValue

	// OwnObject: the value that stands in the entry at the place becomes an object,
	// and content sets in it get the keys that are theirs in both trees.
	OwnObject

	// DropMember: element Index of O of the content set Set goes, with its
	// element of R. A set that stands in a tree, where Set.Num is 0, has to become
	// an object first.
	DropMember

	// ReplaceMember: element Index of O of the content set Set becomes the page or image at
	// the place, which carries the set's ID; R stays.
	ReplaceMember

	// RewriteTree: the tree at the place is written anew where it is not sound:
	// sorted, with the Limits that are right.
	RewriteTree

	// RemoveTree: the tree at the place, which has no entries, goes.
	RemoveTree

	// RemoveSet: the content set at the place, which has no members, leaves the
	// values of all entries. Entries that lead to nothing then go.
	RemoveSet

	// BuildIDS: each content set that URLS leads to gets an entry in IDS.
	BuildIDS

	// RenameDestination: the named destination Old gets the name New.
	RenameDestination

	// ChangeSource: the URL Old of the content set Set becomes New.
	ChangeSource

	// ChangeID: the ID Old of the content set Set becomes New, which a proof says it was.
	ChangeID

	fixActions = iota + 1
)

// The actions that options of a rewrite ask for. No Fix has them.
const (
	// Rebuild: a complete content set that no entry leads to gets an entry.
	Rebuild Action = iota + fixActions

	// Plant: what the original has, of which the file is made, is in the file again.
	Plant

	actions = iota + fixActions
)

var actionNames = [actions]string{
	"", "change-key", "make-absolute", "add-key", "restore-keys", "merge-entries", "remove-entry", "tidy-value",
	"own-object",
	"drop-member", "replace-member", "rewrite-tree", "remove-tree", "remove-set", "build-ids", "rename-destination",
	"change-source", "change-id",
	"rebuild", "plant",
}

// String returns the action's name, in lower case, such as "change-key".
func (a Action) String() string { return actionNames[a] }

// HasOld reports whether fixes with the action have an Old.
func (a Action) HasOld() bool {
	return a.HasNew() && a != AddKey || a == MakeAbsolute || a == RemoveEntry || a == MergeEntries
}

// HasNew reports whether fixes with the action have a New.
func (a Action) HasNew() bool {
	return a == ChangeKey || a == AddKey || a == RenameDestination || a == ChangeSource || a == ChangeID
}

// ParseAction returns the action of fixes with a name; false if there is none.
func ParseAction(name string) (Action, bool) {
	for a, n := range actionNames[:fixActions] {
		if n == name && a > 0 {
			return Action(a), true
		}
	}
	return 0, false
}
