package checks

import (
	"fmt"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about a valid key and a valid record of a content set that contradict each other. Both stay unless
// the user prefers one side.

// preferredURL returns the fix for a content set under a key of URLS that is not one of its URLs, with the reason. The
// fix moves the content set to the key of its own URL, or makes the key its URL. It is nil without a choice, or if the
// content set cannot change.
func preferredURL(p *rule.Pass, v *rule.Value, s *rule.Set) (*rule.Fix, string) {
	url, ok := onlyURL(s)
	if !ok || s.Ref.Num == 0 {
		return nil, "only an indirect content set with one URL can change; " + remedyOriginal
	}
	if fix := absoluteSource(p, s, url); fix != nil && comesToAccept(p, s, v.Key) {
		return fix, "the base URL makes it the key"
	}
	own, isAbsolute := p.Audit.Base.Key(url)
	key := canonicalKey(rule.KeyBytes(v.Key))
	problem := keptProblem(key)
	chosen := "you chose --prefer " + p.Audit.Prefer.String()
	switch {
	case p.Audit.Prefer == rule.Sets && !isAbsolute:
		return nil, chosen + ", but the URL is relative; give the base URL with --base"
	case p.Audit.Prefer == rule.Sets:
		return chosenMove(v, s, own), chosen
	case p.Audit.Prefer == rule.Keys && problem != "":
		return nil, chosen + ", but the key " + problem + "; " + remedySets
	case problem != "":
		return nil, remedySets
	case p.Audit.Prefer != rule.Keys:
		return nil, remedyEither
	}
	if n := countKeys(p, v, s); n > 1 {
		return nil, fmt.Sprintf("the content set has %d keys and one URL, so --prefer keys cannot choose; %s", n, remedySets)
	}
	return &rule.Fix{Action: rule.ChangeSource, Old: shown(url), New: key, Set: s.Ref, Chosen: true}, chosen
}

// preferredID returns the fix that moves a content set from a key of IDS to its ID, with the reason. It is nil unless
// the user prefers content sets.
func preferredID(p *rule.Pass, v *rule.Value, s *rule.Set, id nametree.Key) (*rule.Fix, string) {
	switch p.Audit.Prefer {
	case rule.Sets:
		fix := chosenMove(v, s, id)
		if fix == nil {
			return nil, "the content set is stored directly in an array; " + remedyOriginal
		}
		return fix, "you chose --prefer sets"
	case rule.Keys:
		return nil, "no choice changes the ID of a content set to a key; " + remedySets
	case rule.Data:
		if fix, problem := dataID(p, s.Ref); problem == "" {
			return fix, chosenData
		}
	}
	return nil, remedySets
}

// chosenMove returns the fix that moves a content set to another key. If it is the only one in the value, the key of
// the entry changes. The result is nil for one of several that is a direct object, because no other entry can refer to
// it.
func chosenMove(v *rule.Value, s *rule.Set, to nametree.Key) *rule.Fix {
	fix := &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: to, Chosen: true}
	if v.Elements > 1 {
		if s.Ref.Num == 0 {
			return nil
		}
		fix.Set = s.Ref
	}
	return fix
}

// keptProblem describes a defect of a key of URLS that no rule repairs; empty if there is none.
func keptProblem(key nametree.Key) string {
	switch u := canon.Split([]byte(key)); {
	case !u.Absolute() || isDrive(u):
		return "is not an absolute URL"
	case rule.NotASCII([]byte(key)) >= 0:
		return "is not ASCII"
	case Unencoded(key) != "":
		return "is not percent-encoded"
	}
	return ""
}

// foreignKeys are the keys of URLS, in canonical form, that were not found consistent with their content sets.
type foreignKeys struct {
	once sync.Once
	of   map[object.Ref][]nametree.Key
}

// countKeys returns the number of different keys of URLS that lead to a content set, including that of v. Only one of
// them can be its URL. Keys that are redirects of the content set do not count.
func countKeys(p *rule.Pass, v *rule.Value, s *rule.Set) int {
	f := rule.Shared[foreignKeys](p.Audit)
	f.once.Do(func() {
		f.of = map[object.Ref][]nametree.Key{}
		for _, i := range p.Audit.Unresolved.Entries[webcapture.URLS] {
			e := v.Tree.Entry(i)
			for o, err := range p.Reader.Values(e.Value) {
				ref, ok := o.Ref()
				if isMissing(p, err) || !p.Spend(rule.ElementCost) {
					return
				}
				if key := canonicalKey(rule.KeyBytes(e.Key)); ok && err == nil && !slices.Contains(f.of[ref], key) {
					f.of[ref] = append(f.of[ref], key)
				}
			}
		}
	})
	keys := slices.Clone(f.of[s.Ref])
	var redirects []string
	for role, url := range s.SourceURLs {
		if role != webcapture.Destination {
			redirects = append(redirects, rule.Forms(url)...)
			continue
		}
		if where, entries := findEntries(p, p.DB.URLS, rule.Forms(url), s.Ref); where == here {
			keys = append(keys, canonicalKey(rule.KeyBytes(v.Tree.Entry(entries[0]).Key)))
		}
	}
	slices.Sort(keys)
	return len(slices.DeleteFunc(slices.Compact(keys), func(key nametree.Key) bool {
		return slices.Contains(redirects, string(key))
	}))
}
