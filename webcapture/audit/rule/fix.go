package rule

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Fix is a change that would repair a finding. Checks only describe it; a rewrite carries it out. A Fix drops no
// content set with members, and changes an ID only back to a proven value.
type Fix struct {
	Action Action
	Tree   string       // for AddKey: "URLS" or "IDS"
	Old    nametree.Key // present value, for actions on keys, names, URLs, and IDs
	New    nametree.Key // new value
	Set    object.Ref   // content set to change, if Place does not name it
	Index  int          // for DropMember and ReplaceMember: index in O, from 0
	Chosen bool         // the user's choice decides, because no evidence does
}

// Action is the kind of change in a Fix, or in a step of a rewrite that no finding causes.
type Action uint8

// The actions of fixes. "The place" is the place of the finding.
const (
	// ChangeKey changes the key Old of the entry at the place to New. If another entry has the key New, the two values
	// are merged. In IDS, content sets whose ID is not New move to the keys of their own IDs. In URLS, if Set is given,
	// only this content set moves, to the keys of its own URLs.
	ChangeKey Action = iota + 1

	// MakeAbsolute changes the key Old of the entry at the place to New, its form with the caller's base URL. The
	// relative URLs of the content sets in the value are resolved, too.
	MakeAbsolute

	// AddKey gives the content set Set the additional key New in Tree.
	AddKey

	// RestoreKeys handles a pair whose value has no key: the content sets in the value get the keys of their own IDs
	// and URLs.
	RestoreKeys

	// MergeEntries merges the entry at the place with the other entries that have its key.
	MergeEntries

	// RemoveEntry removes the entry at the place, which has no content set.
	RemoveEntry

	// TidyValue removes null and repeated elements from the array value of the entry at the place.
	TidyValue

	// OwnObject makes the direct value of the entry at the place an indirect object. Content sets in it get the keys of
	// their own IDs and URLs in both trees.
	OwnObject

	// DropMember removes element Index of O of the content set Set, and its element of R.
	DropMember

	// ReplaceMember sets element Index of O of the content set Set to the page or image at the place, which has the
	// set's ID. R does not change.
	ReplaceMember

	// RewriteTree writes the defective parts of the tree at the place again: sorted, with correct Limits.
	RewriteTree

	// RemoveTree removes the tree at the place, which has no entries.
	RemoveTree

	// RemoveSet removes the content set at the place, which has no members, from the values of all entries. Entries
	// without a remaining content set are removed.
	RemoveSet

	// BuildIDS gives each content set in URLS an entry in IDS.
	BuildIDS

	// RenameDestination changes the name of the named destination Old to New.
	RenameDestination

	// ChangeSource changes the URL Old of the content set Set to New.
	ChangeSource

	// ChangeID changes the ID Old of the content set Set to New. A proof shows that New was its original ID.
	ChangeID

	// RecomputeID gives the content set Set, its members, and its key in IDS the ID New in place of Old: the MD5 of its
	// image.
	RecomputeID

	// RestoreLink makes PA the action of the link at the place again, and removes its destination, which is gone. New is
	// the URI of PA.
	RestoreLink

	fixActions = iota + 1
)

// The actions that only options of a rewrite cause. No Fix has them.
const (
	// Rebuild gives an entry to a complete content set that has none.
	Rebuild Action = iota + fixActions

	// Restore restores an object or entry from an original of the file.
	Restore

	actions = iota + fixActions
)

var actionNames = [actions]string{
	"", "change-key", "make-absolute", "add-key", "restore-keys", "merge-entries", "remove-entry", "tidy-value",
	"own-object",
	"drop-member", "replace-member", "rewrite-tree", "remove-tree", "remove-set", "build-ids", "rename-destination",
	"change-source", "change-id", "recompute-id", "restore-link",
	"rebuild", "restore",
}

// String returns the action's name, in lower case, such as "change-key".
func (a Action) String() string { return actionNames[a] }

// HasOld reports whether fixes with the action set Old.
func (a Action) HasOld() bool {
	return a.HasNew() && a != AddKey && a != RestoreLink || a == RemoveEntry || a == MergeEntries
}

// HasNew reports whether fixes with the action set New.
func (a Action) HasNew() bool {
	return a == ChangeKey || a == MakeAbsolute || a == AddKey || a == RenameDestination || a == ChangeSource ||
		a == ChangeID || a == RecomputeID || a == RestoreLink
}
