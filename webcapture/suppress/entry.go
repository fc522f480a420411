package suppress

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Entry selects findings to ignore. A finding is selected if it matches all fields, or if it has the fingerprint.
type Entry struct {
	Where string // place of the entry, for messages

	Rules       []string      // as in audit.Select; nil for any
	Path        string        // pattern of the path, relative to Options.Root, with slashes and **; "" for any
	Key         *nametree.Key // key of the entry, or ID of the content set, of the finding; nil for any
	Fingerprint string        // from report.Fingerprints; the fields above must be empty then

	Reason string    // on one line; required
	Until  time.Time // last day on which the entry is in force; zero for no limit
}

// entry is a compiled Entry.
type entry struct {
	Entry
	rules   []string // rule IDs; nil for any
	pattern bool     // Path may match more than one path
	stem    string   // folder that contains all matches of Path, or Path itself
	expired bool

	seen   bool // a file that matches Path was among the inputs
	unsure bool // such a file was not audited completely
	used   int  // number of matching findings, ignored or, after expiry, counted
}

// isFingerprint matches results of report.Fingerprints.
var isFingerprint = regexp.MustCompile(`^[0-9a-f]{32}$`)

func (e Entry) compile(today time.Time) (*entry, error) {
	c := &entry{Entry: e}
	switch {
	case e.Reason == "":
		return nil, errors.New("an entry needs a reason")
	case e.Fingerprint != "" && (len(e.Rules) > 0 || e.Path != "" || e.Key != nil):
		return nil, errors.New("a fingerprint names one finding; remove rule, path and key")
	case e.Fingerprint == "" && len(e.Rules) == 0 && e.Path == "" && e.Key == nil:
		return nil, errors.New("an entry needs a rule, a path, a key or a fingerprint")
	case e.Fingerprint != "" && !isFingerprint.MatchString(e.Fingerprint):
		return nil, fmt.Errorf("fingerprint: %q is not 32 lower-case hexadecimal digits",
			e.Fingerprint)
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
	c.stem = e.Path
	if c.pattern = strings.ContainsAny(e.Path, `*?[{\`); c.pattern {
		c.stem, _ = doublestar.SplitPattern(e.Path)
	}
	c.expired = !e.Until.IsZero() && e.Until.Format(time.DateOnly) < today.Format(time.DateOnly)
	return c, nil
}

// matchesPath reports whether the entry applies to a file, given its path relative to Options.Root.
func (e *entry) matchesPath(path string) bool {
	if e.Path == "" {
		return true
	}
	ok, _ := doublestar.Match(e.Path, path) // the pattern is valid
	return ok
}

// names reports whether the entry selects a finding. The caller has checked the path.
func (e *entry) names(f *rule.Finding, fingerprint string) bool {
	if e.Fingerprint != "" {
		return e.Fingerprint == fingerprint
	}
	return (e.rules == nil || slices.Contains(e.rules, f.Rule.ID)) &&
		(e.Key == nil || isAbout(f.Place, *e.Key))
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
