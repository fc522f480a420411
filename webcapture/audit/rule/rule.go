package rule

import "strings"

// Level is the severity of a finding.
type Level uint8

// An error breaks a "shall", and something is lost, not found, or confused. A warning breaks a "shall" without such an
// effect, or a "should". A note is any other useful observation. If real files never comply, the level is lower.
const (
	Note Level = iota + 1
	Warning
	Error
)

// String returns the level in lower case.
func (l Level) String() string { return [...]string{"none", "note", "warning", "error"}[l] }

// Rule is a requirement that an audit checks. An ID is never reused for another rule.
type Rule struct {
	ID      string // "WC" and three digits; the first digit is the group
	Title   string // the requirement; a sentence
	Problem string // the violation, for any number of findings; a noun phrase
	Cause   string // the usual cause, as a continuation of Problem after a comma; empty if unknown
	Clause  string // the source of the requirement
	Level   Level
	Doc     string // why the rule matters; sentences
	Repair  string // what a rewrite does: imperative sentences, or "None" with the reason

	// OnRequest means that a rewrite repairs only if the user names the rule. Such a repair removes something that the
	// user may want.
	OnRequest bool

	// Action is the action of the rule's fixes; 0 if there is no repair.
	Action Action

	// OtherAction is another action that fixes of the rule may have; 0 if all have Action.
	OtherAction Action

	// Basis justifies the repair; zero without a repair.
	Basis Basis

	// MayFollow lists the actions of a rewrite that may cause new findings of the rule. Such an
	// action removes a wrong object, or adds an object that was never audited before. After
	// any other action, webcap does not save a file with new findings.
	MayFollow []Action

	// At least one of the following checks is set; a rule about keys and content sets may have a check of each. Checks
	// report and keep no state.

	CheckTree  func(*Pass, *Tree)  // each tree
	CheckURL   func(*Pass, *Entry) // each entry of URLS alone
	CheckValue func(*Pass, *Value) // each entry with the content sets in its value
	CheckSet   func(*Pass, *Set)   // each content set alone
	CheckLinks func(*Pass, *Links) // each content set with its entries in both trees
	CheckInfo  func(*Pass, *Info)  // the Web Capture information dictionary and its commands

	CheckIdentity func(*Pass, *Identity) // each content set with its source, if sources are given

	// Checks of the whole document, which need every page.

	CheckPage     func(*Pass, *Page, *Document)   // each page
	CheckImage    func(*Pass, *Image, *Document)  // each image that pages show or content sets list
	CheckMember   func(*Pass, *Member, *Document) // each object that a content set lists
	CheckDocument func(*Pass, *Document)          // once
}

// Remedy returns Repair, with the option that a repair on request needs.
func (r *Rule) Remedy() string {
	if !r.OnRequest {
		return r.Repair
	}
	return "On request (--only " + r.ID + "): " + strings.ToLower(r.Repair[:1]) + r.Repair[1:]
}

// Basis justifies a repair. Its texts begin with a capital letter and have no full stop at the end; docs/repairs.md
// shows them.
type Basis struct {
	Wrong     string // the value that is broken, or the values that contradict each other
	Right     string // what the right value follows from
	Otherwise string // the outcome without it; empty if the right value always follows
}

// Group is a range of related rules.
type Group struct {
	Prefix string // prefix of the rules' IDs
	Name   string // one word, in lower case
	Title  string
}

// Page returns the name of the group's page in docs/rules.
func (g Group) Page() string { return strings.ToLower(g.Prefix) + "xx.md" }

// Group returns the group of the rule; it panics if there is none.
func (r *Rule) Group() Group {
	for _, g := range Groups() {
		if strings.HasPrefix(r.ID, g.Prefix) {
			return g
		}
	}
	panic("rule " + r.ID + " has no group")
}

// Groups returns the groups of rules, in order.
func Groups() []Group {
	return []Group{
		{"WC1", "trees", "name trees"},
		{"WC2", "urls", "keys of URLS"},
		{"WC3", "ids", "keys of IDS"},
		{"WC4", "sets", "content sets"},
		{"WC5", "document", "agreement with pages, links, and names"},
		{"WC6", "info", "SpiderInfo, commands, versions"},
		{"WC7", "privacy", "privacy"},
	}
}
