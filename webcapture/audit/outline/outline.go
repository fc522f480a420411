package outline

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// An Outline is the shape of a content database, for reports that draw it. It
// has a bounded size for any file, and counts the parts that it leaves out.
type Outline struct {
	Trees    []Tree // that the file has, URLS before IDS
	Sets     []Set  // in the order in which the trees lead to them
	SetsLeft int    // that the trees lead to besides
}

// A TreeOutline is a name tree, node by node.
type Tree struct {
	Name  string // "URLS" or "IDS"
	Nodes []Node // in the order of nametree.Tree.Node; empty if the root is none

	// NodesLeft is how many nodes are left out. The first that are taken are those
	// with something wrong, and the nodes above them.
	NodesLeft int
}

// A NodeOutline is a node of a name tree (7.9.6, table 36). Its keys are cut
// where they are longer than 512 bytes.
type Node struct {
	Ref    object.Ref // Num 0 if it stands in its parent itself
	Parent int        // in Nodes; -1 for the root
	Depth  int        // 0 for the root
	Kids   int        // nodes right below, those that are left out included
	Pairs  int        // entries of its own

	Limits *nametree.Limits // as they are stored; nil if there are none, or none that can be read
	Bounds *nametree.Limits // what they should be; nil if that is not known
	Fault  LimitsFault

	First, Last nametree.Key // of its own entries, if Pairs is not 0

	// Bad are the pairs that some finding is about, and BadLeft is how many there
	// are besides.
	Bad     []Pair
	BadLeft int
}

// A PairOutline is a pair of a node.
type Pair struct {
	Index int          // in Names, counted in pairs
	Entry bool         // it has a key that is a string
	Key   nametree.Key // of an entry
}

// A LimitsFault says what is wrong with the Limits of a node.
type LimitsFault uint8

// The faults.
const (
	LimitsRight     LimitsFault = iota
	LimitsMissing               // there are none
	LimitsMalformed             // they are not an array of two strings
	LimitsWrong                 // they are not the least and the greatest key
	LimitsOnRoot                // the root has some

	limitsFaults
)

// String returns the fault in lower case; "" for LimitsRight.
func (f LimitsFault) String() string {
	return [limitsFaults]string{"", "missing", "malformed", "wrong", "on the root"}[f]
}

// ParseLimitsFault returns the fault of which s is the String.
func ParseLimitsFault(s string) (f LimitsFault, ok bool) {
	for f := range limitsFaults {
		if f.String() == s {
			return f, true
		}
	}
	return 0, false
}

// A SetOutline is a content set (14.10.4). What is text is valid UTF-8.
type Set struct {
	Place       rule.Place
	Entries     []rule.Place // of the trees, that lead to it: the first ones
	Subtype     webcapture.Subtype
	ID          nametree.Key // empty if it is missing
	URLs        []string     // of its sources, as they are stored
	URLsLeft    int          // besides
	Title       string       // of a page set
	ContentType string
	Date        string // as messages show dates; as it is stored if it is none
	Members     []Member
	MembersLeft int // besides
}

// A MemberOutline is a page or an image of a content set.
type Member struct {
	Ref           object.Ref // Num 0 for an element that is not a reference
	Page          int        // its number in page order, from 1; 0 if it is not a page of the document
	Width, Height int64      // of an image, in samples

	// Picture is what people know the image by: a JPEG file as it was captured, or a PNG
	// file made of it, which may be smaller. It is nil if there is none that is known to be harmless and
	// small, and for members of a set after the first.
	Picture []byte
}

// PictureType returns the media type of a picture: JPEG or PNG by how it begins; empty for anything
// else, which foreign results may have.
func PictureType(picture []byte) string {
	switch {
	case bytes.HasPrefix(picture, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(picture, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	}
	return ""
}
