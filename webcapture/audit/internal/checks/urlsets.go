package checks

// Keys of URLS and the URLs of their content sets: each leads to the other (14.10.3.1, 14.10.3.2). A valid key and a
// valid URL that contradict each other both stay unless the user prefers one side.

import (
	"fmt"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlNoSource = &rule.Rule{
	ID:      "WC221",
	Title:   "A URLS key is a URL of each content set in its value.",
	Problem: "URLS keys that are not the URL of their content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.1, 14.10.3.2, and 14.10.5.1, table 391; 7.9.2",
	Level:   rule.Error,
	Doc: "The key says where the content came from, and so does the source information of the set. If they differ, " +
		"one of them is wrong. A viewer then shows a page for a URL that it did not come from. An array value holds " +
		"content sets of one URL, so a set with another URL is in the wrong place. If a tool stores the key or the URL " +
		"as text, in another encoding, they are different bytes. The message then names the encoding.",
	Repair: "With --prefer sets, move the set to the key of its URL. With --prefer keys, make the key the URL of " +
		"the set. Otherwise keep both: each is valid by itself.",
	Basis: rule.Basis{
		Wrong:     "A key differs from the URL of a content set in its value",
		Right:     "The user: --prefer keys or --prefer sets",
		Otherwise: "Both are kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.ChangeSource,
	// A content set of another URL may join or stay in a value after its other content sets have moved.
	MayFollow:  []rule.Action{rule.ChangeKey, rule.AddKey, rule.OwnObject, rule.MergeEntries},
	CheckValue: checkURLNoSource,
}

var urlMissingKey = &rule.Rule{
	ID:      "WC223",
	Title:   "The URL of a content set is a key of URLS that leads to the set.",
	Problem: "Content sets that cannot be found by their URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.2",
	Level:   rule.Warning,
	Doc: "A viewer that follows a link looks for its URL in the tree. If the URL is not a key, or its key leads only " +
		"to other sets, the viewer fetches the page again, although the file has it. The same holds if a tool removed " +
		"URLS. A tree without entries is normal only if no content set has a URL.",
	Repair: "Add an entry with the canonical URL as key, if no other set has the ID or members of the set. If the key " +
		"exists and is the URL of the sets in its value, add the set to the value, which becomes an array.",
	Basis: rule.Basis{
		Wrong: "The URL of a content set is not a key of URLS, or the key leads only to other sets or nothing. No key " +
			"leads to the set: one with another URL is WC221",
		Right: "The URL of the set, if no other set of its kind has its ID or one of its members. If the key " +
			"exists, it is a URL of each set in its value",
		Otherwise: "The set gets no key",
	},
	Action:      rule.AddKey,
	OtherAction: rule.ChangeSource,
	// A key without content set may be removed. Then another content set may count as the copy. A key added or changed
	// for one set may also be the URL of another.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.AddKey, rule.ChangeKey, rule.Restore},
	CheckLinks: checkURLMissingKey,
}

func checkURLNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !hasKnownSets(v) {
		return
	}
	switch {
	case acceptingSets(v) > 0:
		reportForeignSets(p, v)
	case v.URL.Absolute() && !isText(&v.Entry) && slices.ContainsFunc(v.Sets, namesURLs):
		fix, why := preferredURL(p, v, v.Sets[0])
		p.Reportf(v.At(), fix, "key %v is not a URL of its content set (14.10.3.2), which %s%s: %s", v.Key,
			comesFrom(v.Sets), encodingsIn(v), why)
	}
}

// acceptingSets returns the number of content sets in the value of an entry that have the key as a URL.
func acceptingSets(v *rule.Value) int {
	n := 0
	for _, s := range v.Sets {
		if s.Recognized() && s.Accepts(v.Key) {
			n++
		}
	}
	return n
}

// encodingsIn tells, for a message, whether a key and a URL of a content set in its value are two encodings of one
// text.
func encodingsIn(v *rule.Value) string {
	for _, s := range v.Sets {
		for _, url := range s.SourceURLs {
			if how := encodingsOf(rule.KeyBytes(v.Key), url); how != "" {
				return "; " + how
			}
		}
	}
	return ""
}

// encodingsOf tells, for a message, whether a key of URLS and a URL are two encodings of one text; empty if not. It
// does not tell which of them is right.
func encodingsOf(key, url []byte) string {
	if as, ok := rule.Transcoded(url, key); ok {
		return "the key is the URL, stored as " + as
	}
	if as, ok := rule.Transcoded(key, url); ok {
		return "the URL is the key, stored as " + as
	}
	return ""
}

// reportForeignSets reports the content sets that do not have the key as a URL, next to others that do.
func reportForeignSets(p *rule.Pass, v *rule.Value) {
	for i, s := range v.Sets {
		if s.Recognized() && namesURLs(s) && !s.Accepts(v.Key) {
			fix, why := preferredURL(p, v, s)
			p.Reportf(v.At(), fix, "key %v is not a URL of element %d of its value (14.10.3.1), content set%s, which %s: %s",
				v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]), why)
		}
	}
}

// comesFrom describes the origin of content sets by their first URL.
func comesFrom(sets []*rule.Set) string {
	for _, s := range sets {
		for _, url := range s.SourceURLs {
			return "comes from " + rule.Short(nametree.Key(url[:min(len(url), rule.MaxShown+1)]))
		}
	}
	return "has no URL"
}

// namesURLs reports whether a content set has any URL. If it has none, other rules report SI, AU, or U.
func namesURLs(s *rule.Set) bool {
	for range s.SourceURLs {
		return true
	}
	return false
}

// preferredURL returns the fix for a content set under a key of URLS that is not one of its URLs, with the reason. The
// fix moves the content set to the key of its own URL, or makes the key its URL. It is nil without a choice, or if the
// content set cannot change.
func preferredURL(p *rule.Pass, v *rule.Value, s *rule.Set) (*rule.Fix, string) {
	url, ok := onlyURL(s)
	if !ok || s.Ref.Num == 0 {
		return nil, "only an indirect content set with one URL can change; " + remedyOriginal
	}
	if fix := absoluteSource(p, s, url); fix != nil && comesToAccept(p.Audit.Base, s, v.Key) {
		return fix, "the base URL makes it the key"
	}
	own, isAbsolute := p.Audit.Base.Key(url)
	key := canonicalKey(rule.KeyBytes(v.Key))
	problem := keptProblem(key)
	chosen := "you chose --prefer " + p.Audit.Prefer.String()
	switch {
	case p.Audit.Prefer == rule.Sets && !isAbsolute:
		return nil, chosen + ", but the URL is relative; " + remedyBase
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

func (f *foreignKeys) read(p *rule.Pass, t *rule.Tree) {
	f.of = map[object.Ref][]nametree.Key{}
	for _, i := range p.Audit.Deferred[webcapture.URLS] {
		e := t.Entry(i)
		for o, err := range p.Reader.Values(e.Value) {
			ref, ok := o.Ref()
			if isMissing(p, err) || !p.Spend(meter.Object+16*int64(len(f.of[ref]))) {
				return
			}
			if key := canonicalKey(rule.KeyBytes(e.Key)); ok && err == nil && !slices.Contains(f.of[ref], key) {
				f.of[ref] = append(f.of[ref], key)
			}
		}
	}
}

// countKeys returns the number of different keys of URLS that lead to a content set, including that of v. Only one of
// them can be its URL. Keys that are redirects of the content set do not count.
func countKeys(p *rule.Pass, v *rule.Value, s *rule.Set) int {
	f := rule.Shared[foreignKeys](p.Audit)
	f.once.Do(func() { p.Apart(func() { f.read(p, v.Tree) }) })
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

func checkURLMissingKey(p *rule.Pass, l *rule.Links) {
	eachUnlisted(p, l, webcapture.Destination, func(url []byte, entries []int) {
		if len(entries) == 0 {
			fix, why := addURL(p, l, url)
			p.Reportf(l.At(), fix, "URL %v is not a key of URLS (14.10.3.2)%s", nametree.Key(url), why)
			return
		}
		problem := ""
		if l.Ref.Num == 0 { // no other value can contain a direct content set
			return
		}
		e := p.DB.URLS.Entry(entries[0])
		if problem = foreignIn(p, e); problem == "" && !isAlone(p, l.Set) {
			problem = whyNotAlone
		}
		fix, why := addKey(l, "URLS", e.Key, problem)
		p.Reportf(l.At(), fix, "key %v of URLS, at %v, is the URL of this set, but does not lead to it (14.10.3.1)%s",
			nametree.Key(url), rule.PlaceOf(p.DB.URLS, e), why)
	})
}

// addURL returns the fix that gives a content set one of its URLs as key, or the reason why there is none. If the URL
// is relative, the fix first makes it absolute in the content set.
func addURL(p *rule.Pass, l *rule.Links, url []byte) (*rule.Fix, string) {
	fix := absoluteSource(p, l.Set, url)
	switch {
	case fix != nil:
		return fix, fmt.Sprintf("; the base URL makes it %v", fix.New)
	case rule.IsRelative(url) && l.Ref.Num == 0:
		return nil, ", but is relative; repair WC121 first"
	case rule.IsRelative(url):
		return nil, ", but is relative; " + remedyBase
	case !isAlone(p, l.Set):
		return nil, ", but " + whyNotAlone
	}
	return addKey(l, "URLS", canonicalKey(url), "")
}

// absoluteSource returns the fix that makes a relative URL of a content set absolute; nil without a base URL, and for
// an absolute URL.
func absoluteSource(p *rule.Pass, s *rule.Set, url []byte) *rule.Fix {
	key, ok := p.Audit.Base.Key(url)
	if !ok || !rule.IsRelative(url) || s.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.ChangeSource, Old: shown(url), New: key, Set: s.Ref}
}

// foreignIn describes what is in the value of an entry of URLS without having the key as a URL; empty if there is
// nothing. Otherwise the key may be wrong.
func foreignIn(p *rule.Pass, e nametree.Entry) string {
	for s := range setsIn(p, e.Value) {
		switch {
		case s == nil || !s.Recognized():
			return "its value has something that is not a content set; give --from"
		case namesURLs(s) && !s.Accepts(e.Key):
			return "another content set in its value does not have this URL; " + remedyEither
		}
	}
	return ""
}

// eachUnlisted calls report for each URL of a content set, in a role, that leads to no entry with the content set. It
// passes the entries under the URL, if there are any. It does nothing if the content set is under a key that is not one
// of its URLs, because another rule reports that.
func eachUnlisted(p *rule.Pass, l *rule.Links, as webcapture.Role, report func(url []byte, entries []int)) {
	if hidesKeys(p, p.DB.URLS) {
		return
	}
	own := map[string]bool{}
	for _, e := range l.URLS {
		if !l.Accepts(e.Key) {
			return
		}
		for _, f := range rule.Forms(rule.KeyBytes(e.Key)) {
			own[f] = true
		}
	}
	done := map[string]bool{}
	for role, url := range l.SourceURLs {
		fs := rule.Forms(url)
		if role != as || done[fs[0]] || anyIn(own, fs) {
			continue
		}
		done[fs[0]] = true
		if where, entries := findEntries(p, p.DB.URLS, fs, l.Ref); where != here {
			report(url, entries)
		}
	}
}

func anyIn(set map[string]bool, list []string) bool {
	for _, s := range list {
		if set[s] {
			return true
		}
	}
	return false
}

// keyFor returns the fix that gives a content set a key in a tree; nil for a direct content set, because no other entry
// can refer to it.
func keyFor(l *rule.Links, tree string, key nametree.Key) *rule.Fix {
	if l.Ref.Num == 0 {
		return nil
	}
	return &rule.Fix{Action: rule.AddKey, Tree: tree, New: key, Set: l.Ref}
}

// addKey returns the fix that gives a content set a key in a tree, or the reason why there is none. problem is a reason
// that the caller found. A direct content set gets no key, because no other entry can refer to it.
func addKey(l *rule.Links, tree string, key nametree.Key, problem string) (*rule.Fix, string) {
	if problem != "" {
		return nil, ", but " + problem
	}
	if fix := keyFor(l, tree, key); fix != nil {
		return fix, ""
	}
	return nil, "; repair WC121 first"
}

// commonURL returns the key for the URL that all content sets in a value have; empty if there is no such URL, if it is
// not absolute, or if it is not the only one.
func commonURL(v *rule.Value) (key nametree.Key) {
	for i, s := range v.Sets {
		url, ok := onlyURL(s)
		if !ok || !s.Recognized() || i > 0 && canonicalKey(url) != key {
			return ""
		}
		key = canonicalKey(url)
	}
	if u := canon.Split(rule.KeyBytes(key)); !u.Absolute() || isDrive(u) || len(v.Sets) != v.Elements {
		return ""
	}
	return key
}

// areAlone is like isAlone, for all content sets in a value.
func areAlone(p *rule.Pass, v *rule.Value) bool {
	for _, s := range v.Sets {
		if !isAlone(p, s) {
			return false
		}
	}
	return true
}

// onlyURL returns the URL of a content set; false if it has none or several. Redirects do not count.
func onlyURL(s *rule.Set) (only []byte, ok bool) {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination {
			if ok {
				return nil, false
			}
			only, ok = url, true
		}
	}
	return only, ok
}

// underKey reports whether a key of the content set in URLS has the form of url. A rule for that key then reports
// defects of the URL.
func underKey(p *rule.Pass, s *rule.Set, url []byte) bool {
	if p.DB.URLS == nil || !p.Spend(meter.Object) {
		return false
	}
	where, _ := findEntries(p, p.DB.URLS, rule.Forms(url), s.Ref)
	return where == here
}
