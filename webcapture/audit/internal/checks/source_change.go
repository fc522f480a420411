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
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// fixSource returns the fix that makes a key of URLS the URL of a content set in its value, with the reason. The fix is
// nil if the key has defects that no rule repairs. It is also nil if the content set has several keys, unless the
// verdict is proven.
func fixSource(p *rule.Pass, v *rule.Value, s *rule.Set, url []byte, verdict witness.Verdict) (*rule.Fix, string) {
	key := canonicalKey(rule.KeyBytes(v.Key))
	if problem := keptProblem(key); problem != "" {
		return nil, verdict.Why + ", but the key " + problem + "; " + remedySets
	}
	if n := countKeys(p, v, s); n > 1 && !verdict.Proven {
		return nil, fmt.Sprintf("the content set has %d keys and one URL, so --prefer keys cannot choose; %s", n, remedySets)
	}
	fix := &rule.Fix{Action: rule.ChangeSource, Old: shown(url), New: key, Set: s.Ref}
	return chosenFix(fix, verdict), verdict.Why
}

// The remedies in findings. Each finding names only those that would change its outcome.
const (
	remedyOriginal = "give --from"
	remedyProof    = "give --source or --from"
	orPreferSets   = ", or choose with --prefer sets"
	remedySets     = remedyProof + orPreferSets
	remedyEither   = remedyProof + ", or choose with --prefer keys|sets"
)

// chosenFix sets Chosen of a fix if the user chose the verdict. It returns nil for nil.
func chosenFix(fix *rule.Fix, verdict witness.Verdict) *rule.Fix {
	if fix != nil {
		fix.Chosen = verdict.Chosen
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
