package suppress

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Entry selects findings to ignore: those that match all its fields.
type Entry struct {
	Where string // place of the entry, for messages

	Rules []string      // as in audit.Select; nil for any
	Path  string        // pattern of the path, relative to Options.Root, with slashes and **; "" for any
	Key   *nametree.Key // key of the entry, or ID of the content set, of the finding; nil for any

	Reason string    // on one line; required
	Until  time.Time // last day on which the entry is in force; zero for no limit
}

// entry is a compiled Entry.
type entry struct {
	Entry
	rules []string // rule IDs; nil for any
}

func (e Entry) compile() (*entry, error) {
	c := &entry{Entry: e}
	switch {
	case e.Reason == "":
		return nil, errors.New("an entry needs a reason")
	case len(e.Rules) == 0 && e.Path == "" && e.Key == nil:
		return nil, errors.New("an entry needs a rule, a path or a key")
	}
	if err := CheckPattern(e.Path); err != nil {
		return nil, fmt.Errorf("path: %w", err)
	}
	for _, name := range e.Rules {
		rules := audit.Select(name)
		if len(rules) == 0 {
			return nil, fmt.Errorf("rule: %q is neither a rule nor a group", name)
		}
		for _, r := range rules {
			c.rules = append(c.rules, r.ID)
		}
	}
	return c, nil
}

// matches reports whether the entry selects a finding in a file, given the path of the file relative to Options.Root.
func (e *entry) matches(path string, f *rule.Finding) bool {
	return (e.rules == nil || slices.Contains(e.rules, f.Rule.ID)) &&
		(e.Key == nil || isAbout(f.Place, *e.Key)) &&
		(e.Path == "" || doublestar.MatchUnvalidated(e.Path, path))
}

// isAbout reports whether k is the key at a place, or the ID of the content set there. An empty Key of a Place means
// none.
func isAbout(p rule.Place, k nametree.Key) bool {
	return len(k) > 0 && (p.Key == k || p.ID == k)
}

// ParseKey parses a key in the form of reports, (text) or <hexadecimal> as in a PDF file (7.3.4). Any other text is
// the key itself.
func ParseKey(s string) (nametree.Key, error) {
	switch {
	case strings.HasPrefix(s, "<"):
		b, err := hex.DecodeString(strings.TrimSuffix(s[1:], ">"))
		if err != nil || !strings.HasSuffix(s, ">") {
			return "", fmt.Errorf("%q is not a key in hexadecimal", s)
		}
		return nametree.Key(b), nil
	case strings.HasPrefix(s, "("):
		if len(s) < 2 || !strings.HasSuffix(s, ")") {
			return "", fmt.Errorf("%q does not end with a parenthesis", s)
		}
		o, end, err := object.Parse([]byte(s), 0)
		if b, ok := o.AppendString(nil); err == nil && ok && end == len(s) {
			return nametree.Key(b), nil
		}
		return "", fmt.Errorf("%q is not a literal string of a PDF file", s)
	}
	return nametree.Key(s), nil
}
