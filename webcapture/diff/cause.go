package diff

import "fmt"

// A CauseKind is a known way in which tools damage content databases.
type CauseKind uint8

// The kinds of damage.
const (
	DatabaseDropped CauseKind = iota // nothing of Web Capture is left in the catalog
	TreeDropped                      // Tree is gone, or has no entries
	KeysTranscoded                   // Count of the Of keys of Tree were taken for text, and written in the encoding As
	// Tree is not sorted, as after its parts were strung together; Count of its Of keys are no longer found
	TreeDisordered
	SetsDropped      // Count of Of content sets are gone
	MembersNulled    // Count of Of members of content sets are null
	LinksBroken      // Count of Of links to named destinations lead nowhere
	PageIDsDropped   // Count of Of pages with an ID have lost it, or are gone
	RetainedURLsLost // Count of Of links no longer keep the URL that they had
)

// A Cause is damage that has been done between A and B.
type Cause struct {
	Kind      CauseKind
	Tree      string // "URLS" or "IDS"; empty where no tree is meant
	As        string // "UTF-8" or "UTF-16"
	Count, Of int    // both 0 where the kind does not count
}

// String describes the damage on one line.
func (c Cause) String() string {
	n := fmt.Sprintf("%d of %d", c.Count, c.Of)
	switch c.Kind {
	case DatabaseDropped:
		return "the content database was dropped: no tree, no SpiderInfo"
	case TreeDropped:
		return fmt.Sprintf("the tree %s was dropped, with %d keys", c.Tree, c.Of)
	case KeysTranscoded:
		return fmt.Sprintf("%s keys of %s were taken for text and written as %s", n, c.Tree, c.As)
	case TreeDisordered:
		text := c.Tree + " is no longer in order, as when trees are joined end to end"
		if c.Count > 0 {
			text += ": searches for " + n + " keys fail"
		}
		return text
	case SetsDropped:
		return n + " content sets were dropped"
	case MembersNulled:
		return n + " members of content sets were replaced by null"
	case LinksBroken:
		return fmt.Sprintf("links to named destinations: %d of %d led somewhere, %d still do", c.Of, c.Of, c.Of-c.Count)
	case PageIDsDropped:
		return n + " pages with an ID lost it, or were removed"
	default:
		return n + " links that keep a URL in PA lost it, or were removed"
	}
}

// String returns the kind as JSON has it.
func (k CauseKind) String() string {
	return [...]string{
		"databaseDropped", "treeDropped", "keysTranscoded", "treeDisordered", "setsDropped", "membersNulled",
		"linksBroken", "pageIDsDropped", "retainedURLsLost",
	}[k]
}
