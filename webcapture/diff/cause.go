package diff

import (
	"fmt"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// CauseKind is a known kind of damage that tools do to content databases.
type CauseKind uint8

// The kinds of damage.
const (
	DatabaseDropped CauseKind = iota // the catalog has no Web Capture entries left
	TreeDropped                      // Tree is missing, or has no entries
	KeysTranscoded                   // Count of Of keys of Tree were taken for text, and converted to the encoding As
	// Tree is no longer sorted, for example after two trees were joined; Count of Of keys can no longer be found
	TreeDisordered
	SetsDropped      // Count of Of content sets are missing
	MembersNulled    // Count of Of members of content sets are null
	LinksBroken      // Count of Of links to named destinations no longer work, or are missing
	PageIDsDropped   // Count of Of pages with an ID have lost the ID, or are missing
	RetainedURLsLost // Count of Of links have lost their URL in PA
)

// Cause is damage that B has and A does not have.
type Cause struct {
	Kind      CauseKind
	Tree      string // "URLS" or "IDS"; empty for other kinds
	As        string // "UTF-8" or "UTF-16"
	Count, Of int    // both 0 for kinds without counts
}

// losses says in words of what Count and Of are the numbers, and what happened to Count.
var losses = map[CauseKind][2]string{
	SetsDropped:      {"content set", "dropped"},
	MembersNulled:    {"member", "of content sets replaced by null"},
	LinksBroken:      {"link", "to a named destination broken or removed"},
	PageIDsDropped:   {"page ID", "lost, or the page removed"},
	RetainedURLsLost: {"URL", "in PA of a link lost, or the link removed"},
}

// String describes the damage on one line.
func (c Cause) String() string {
	words := losses[c.Kind]
	switch c.Kind {
	case DatabaseDropped:
		return "the content database was dropped: no tree, no SpiderInfo"
	case TreeDropped:
		return fmt.Sprintf("the tree %s was dropped, with %s", c.Tree, layout.Count(c.Of, "key"))
	case KeysTranscoded:
		words = [2]string{"key", "of " + c.Tree + " re-encoded as " + c.As + " text"}
	case TreeDisordered:
		text := c.Tree + " is no longer in order, as after joining two trees end to end"
		if c.Count > 0 {
			text += fmt.Sprintf(": searches fail for %d of %s", c.Count, layout.Count(c.Of, "key"))
		}
		return text
	}
	return fmt.Sprintf("%d of %s %s", c.Count, layout.Count(c.Of, words[0]), words[1])
}

// String returns the name of the kind in JSON.
func (k CauseKind) String() string {
	return [...]string{
		"databaseDropped", "treeDropped", "keysTranscoded", "treeDisordered", "setsDropped", "membersNulled",
		"linksBroken", "pageIDsDropped", "retainedURLsLost",
	}[k]
}
