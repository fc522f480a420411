package outline

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Outline is the shape of a content database, for reports that draw it. Its size is limited for any file. Omitted parts
// are counted.
type Outline struct {
	Trees    []Tree // existing trees, URLS before IDS
	Sets     []Set  // in the order of the entries
	SetsLeft int    // number of omitted content sets
}

// Tree is a name tree, node by node.
type Tree struct {
	Name  string // "URLS" or "IDS"
	Nodes []Node // in the order of nametree.Tree.Node; empty if the root is not a node

	// NodesLeft is the number of omitted nodes. Nodes with defects and their ancestors are included first.
	NodesLeft int
}

// Node is a node of a name tree (7.9.6, table 36). Keys are cut after 512 bytes.
type Node struct {
	Ref    object.Ref // Num 0 for a direct object
	Parent int        // index in Nodes; -1 for the root
	Depth  int        // 0 for the root
	Kids   int        // number of child nodes, including omitted ones
	Pairs  int        // number of its own entries

	Limits *nametree.Limits // as stored; nil if missing or unreadable
	Bounds *nametree.Limits // correct values; nil if unknown
	Fault  LimitsFault

	First, Last nametree.Key // keys of its own entries, if Pairs is not 0

	// Bad are the pairs with findings. BadLeft is the number of omitted ones.
	Bad     []Pair
	BadLeft int
}

// Pair is a key and its value in the Names of a node.
type Pair struct {
	Index int          // index of the pair in Names
	Entry bool         // the key is a string
	Key   nametree.Key // key of an entry
}

// LimitsFault is the defect in the Limits of a node.
type LimitsFault uint8

// The faults.
const (
	LimitsRight     LimitsFault = iota
	LimitsMissing               // Limits is missing
	LimitsMalformed             // Limits is not an array of two strings
	LimitsWrong                 // Limits are not the least and the greatest key
	LimitsOnRoot                // the root has Limits

	limitsFaults
)

// String returns the fault in lower case; "" for LimitsRight.
func (f LimitsFault) String() string {
	return [limitsFaults]string{"", "missing", "malformed", "wrong", "on the root"}[f]
}

// ParseLimitsFault returns the fault with the String s; false if there is none.
func ParseLimitsFault(s string) (f LimitsFault, ok bool) {
	for f := range limitsFaults {
		if f.String() == s {
			return f, true
		}
	}
	return 0, false
}

// Set is a content set (14.10.4). Title, ContentType, and Date are valid UTF-8.
type Set struct {
	Place       rule.Place
	Entries     []rule.Place // its first entries in the trees
	Subtype     webcapture.Subtype
	ID          nametree.Key // empty if it is missing
	URLs        []string     // URLs of its sources, as stored
	URLsLeft    int          // number of omitted URLs
	Title       string       // T; the standard allows it only in a page set
	ContentType string
	Date        string // in the form of messages; as stored if it is invalid
	Members     []Member
	MembersLeft int // number of omitted members
}

// Member is a page or an image of a content set.
type Member struct {
	Ref           object.Ref // Num 0 for an element that is not a reference
	Page          int        // page number, from 1; 0 if it is not a page of the document
	Width, Height int64      // size of an image in samples

	// Picture shows the image: the captured JPEG file, or a PNG file made of the image, which may be smaller. It is nil
	// for members after the first, and if no small and harmless picture is possible.
	Picture []byte
}

// PictureType returns the media type of a picture, JPEG or PNG, by its first bytes. It is empty for other data, which
// results of other programs may have.
func PictureType(picture []byte) string {
	switch {
	case bytes.HasPrefix(picture, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(picture, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	}
	return ""
}
