package rule

// A Level says how bad it is when a rule is broken.
type Level uint8

// The levels, by the verb of the clause: what shall be is an error when it is
// not, what should be a warning, anything else worth knowing a note.
const (
	Note Level = iota + 1
	Warning
	Error
)

// String returns the level in lower case.
func (l Level) String() string { return [...]string{"none", "note", "warning", "error"}[l] }

// A Rule is one thing that is checked. Its ID is never used again for another.
type Rule struct {
	ID      string // "WC" and three digits; the first is the group's
	Title   string // what holds when the rule is kept; a sentence
	Problem string // what is wrong when it is not, of any number of findings; a headline
	Cause   string // where that usually comes from: what follows Problem after a comma; empty if unknown
	Clause  string // who says so
	Level   Level
	Strict  Level  // by the letter of the clause, where real files taught a lower one; 0 if Level is it
	Doc     string // why it matters; sentences
	Repair  string // what a rewrite does about it; sentences

	// OnRequest: the repair is made only where the rule is named, because it takes
	// something away that may be wanted.
	OnRequest bool

	// Action is what its fixes do; 0 if it has no repair.
	Action Action

	// SetAction is what its fixes do where a key is right and its content set is wrong; 0 if they
	// never change the set.
	SetAction Action

	// Evidence is what the repair rests on; zero for a rule without one.
	Evidence Evidence

	// MayFollow lists the actions of a rewrite after which the rule may have findings
	// that it did not have before. What such an action takes away was wrong, but it
	// was there; what it adds, or makes an object, is audited for the first time.
	// After any other action a new finding means that the file is not rewritten.
	MayFollow []Action

	// Exactly one of the following checks. They look and report, and keep nothing.

	CheckTree  func(*Pass, *Tree)  // each tree
	CheckURL   func(*Pass, *Entry) // each entry of URLS, by itself
	CheckValue func(*Pass, *Value) // each entry with the content sets in its value
	CheckSet   func(*Pass, *Set)   // each content set, by itself
	CheckLinks func(*Pass, *Links) // each content set with the entries that lead to it
	CheckInfo  func(*Pass, *Info)  // the Web Capture information dictionary and its commands

	CheckIdentity func(*Pass, *Identity) // each content set with its source, if sources are given

	// Of the document as a whole, where a rule may have several. These need every page.

	CheckPage     func(*Pass, *Page, *Document)   // each page
	CheckImage    func(*Pass, *Image, *Document)  // each image that pages show or content sets list
	CheckMember   func(*Pass, *Member, *Document) // each object that a content set lists
	CheckDocument func(*Pass, *Document)          // once
}

// Evidence says what a repair rests on. Its texts begin with a capital letter and have no full stop at
// the end; docs/repairs.md is made of them.
type Evidence struct {
	Contradiction string // the records that contradict each other
	Witness       string // which evidence decides what changes
	Undecided     string // what happens without it; empty if it is always there
}

// A Group is a range of rules that belong together.
type Group struct {
	Prefix string // of the rules' IDs
	Name   string // one word, in lower case
	Title  string
}

// Groups returns the groups of rules, in order.
func Groups() []Group {
	return []Group{
		{"WC1", "trees", "name trees"},
		{"WC2", "urls", "keys of URLS"},
		{"WC3", "ids", "keys of IDS"},
		{"WC4", "sets", "content sets"},
		{"WC5", "document", "agreement with pages, links and names"},
		{"WC6", "info", "SpiderInfo, commands, versions"},
		{"WC7", "privacy", "privacy"},
	}
}
