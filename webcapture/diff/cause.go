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
	all := func(noun string) string { // the number before the damage
		if c.Of != 1 {
			noun += "s"
		}
		return fmt.Sprintf("%d %s", c.Of, noun)
	}
	of := func(noun string) string { return fmt.Sprintf("%d of %s", c.Count, all(noun)) }
	switch c.Kind {
	case DatabaseDropped:
		return "the content database was dropped: no tree, no SpiderInfo"
	case TreeDropped:
		return fmt.Sprintf("the tree %s was dropped, with %s", c.Tree, all("key"))
	case KeysTranscoded:
		return fmt.Sprintf("%s of %s re-encoded as %s text", of("key"), c.Tree, c.As)
	case TreeDisordered:
		text := c.Tree + " is no longer in order, as after joining two trees end to end"
		if c.Count > 0 {
			text += ": searches fail for " + of("key")
		}
		return text
	case SetsDropped:
		return of("content set") + " dropped"
	case MembersNulled:
		return of("member") + " of content sets replaced by null"
	case LinksBroken:
		return of("link") + " to a named destination broken"
	case PageIDsDropped:
		return of("page ID") + " lost, or the page removed"
	default:
		return of("URL") + " in PA of a link lost, or the link removed"
	}
}

// String returns the kind as JSON has it.
func (k CauseKind) String() string {
	return [...]string{
		"databaseDropped", "treeDropped", "keysTranscoded", "treeDisordered", "setsDropped", "membersNulled",
		"linksBroken", "pageIDsDropped", "retainedURLsLost",
	}[k]
}
