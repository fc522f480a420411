package checks

import (
	"bytes"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about keys and strings of content sets that a tool took for text and converted; see rule.Transcoded.
//
//	key = UTF-8(URL)                 the URL is older, and the key becomes it
//	URL = UTF-8(key)                 the key is older, and stays
//	key = UTF-8(x), URL = UTF-8(x)   of x as PDFDocEncoding and as Latin-1: the URL is older
//	                                 if other keys were converted in this way; otherwise unknown
//
// If sources have exactly one of key, URL, and x, that one is older.

// transcoding tells how one string became the key of an entry and the ID or URL of a content set in its value.
type transcoding struct {
	set   *rule.Set // the content set, if own is its ID
	own   []byte    // ID or URL of the content set
	from  []byte    // the original string: own, the key, or a third string
	keyAs string    // encoding of the key; empty if from is the key
	ownAs string    // encoding of own; empty if from is own

	asked    bool
	recorded []byte // see older
}

// transcodingOf returns the transcoding of a key and the ID or URL of a content set in its value; nil if there is none.
// There is none if the key is a URL of any content set in the value.
func transcodingOf(v *rule.Value) *transcoding {
	if v.Memo == nil {
		var t *transcoding
		if v.Tree.Name == webcapture.IDS {
			t = transcodedID(v)
		} else if hasKnownSets(v) && acceptingSets(v) == 0 {
			t = transcodedURL(v)
		}
		v.Memo = t
	}
	return v.Memo.(*transcoding)
}

func transcodedID(v *rule.Value) *transcoding {
	for _, s := range v.Sets {
		if id, ok := s.Identifier(); ok && s.Recognized() {
			if as, ok := rule.Transcoded(id[:], rule.KeyBytes(v.Key)); ok {
				return &transcoding{set: s, own: id[:], from: id[:], keyAs: as}
			}
		}
	}
	return nil
}

func transcodedURL(v *rule.Value) *transcoding {
	for _, s := range v.Sets {
		for _, url := range s.SourceURLs {
			if t := relation(url, rule.KeyBytes(v.Key)); t != nil {
				return t
			}
		}
	}
	return nil
}

// relation returns the transcoding of a URL and a key; nil if there is none.
func relation(url, key []byte) *transcoding {
	if as, ok := rule.Transcoded(url, key); ok {
		return &transcoding{own: url, from: url, keyAs: as}
	}
	if rule.NotASCII(url) < 0 && !isTextual(nametree.Key(url)) {
		return nil // the URL was not written as text
	}
	if as, ok := rule.Transcoded(key, url); ok {
		return &transcoding{own: url, from: key, ownAs: as}
	}
	for _, from := range rule.Originals(key) {
		keyAs, ok1 := rule.Transcoded(from, key)
		urlAs, ok2 := rule.Transcoded(from, url)
		if ok1 && ok2 {
			return &transcoding{own: url, from: from, keyAs: keyAs, ownAs: urlAs}
		}
	}
	return nil
}

// older returns the only string for which sources have a capture: own, the key, or from. It returns nil if there are
// none or several, or if that is unknown.
func (t *transcoding) older(p *rule.Pass, key nametree.Key) []byte {
	if t.asked {
		return t.recorded
	}
	t.asked = true
	var list [][]byte
	for _, url := range [][]byte{t.own, rule.KeyBytes(key), t.from} {
		has, known := isRecorded(p, url)
		if !known {
			return nil
		}
		if has && !slices.ContainsFunc(list, func(other []byte) bool { return bytes.Equal(other, url) }) {
			list = append(list, url)
		}
	}
	if len(list) == 1 {
		t.recorded = list[0]
	}
	return t.recorded
}

// isRecorded reports whether sources have a capture of a URL. Error responses and redirects do not count. known is
// false if there are no sources, if they are unreadable, or if the budget is exceeded.
func isRecorded(p *rule.Pass, url []byte) (has, known bool) {
	if p.Audit.Witness == nil || !p.Spend(rule.URLCost) {
		return false, false
	}
	for c, err := range p.Audit.Witness.Lookup(string(url)) {
		if err != nil {
			return false, false
		}
		if c.URL != "" && !c.Failed && c.Redirect == "" {
			return true, true
		}
	}
	return false, true
}

// keyIsYounger reports whether the key is a converted form of the ID or URL, or was written by a tool that converts
// only keys.
func (t *transcoding) keyIsYounger(p *rule.Pass, key nametree.Key) bool {
	if url := t.older(p, key); url != nil {
		return string(url) != string(key)
	}
	return t.ownAs == "" || t.keyAs != "" && writesKeysAs(p, t.keyAs)
}

// reportKey reports a key that is a transcoding of the ID or URL of a content set, with the fix.
func (t *transcoding) reportKey(p *rule.Pass, v *rule.Value, what string, fix *rule.Fix) {
	switch {
	case t.recorded != nil && bytes.Equal(t.recorded, t.own):
		p.Reportf(v.At(), fix, "key %v is the %s %v of its content set in another encoding: sources have only the %s", v.Key, what, shown(t.own), what)
	case t.recorded != nil:
		p.Reportf(v.At(), fix, "key %v and the %s %v of its content set are two encodings of %v, and only this is in the "+
			"sources", v.Key, what, shown(t.own), shown(t.recorded))
	case t.ownAs == "":
		p.Reportf(v.At(), fix, "key %v is the %s %v of its content set, treated as text and stored as %s", v.Key, what,
			shown(t.own), t.keyAs)
	default:
		p.Reportf(v.At(), fix, "key %v and the %s %v of its content set are two encodings of %v; other keys were also stored as %s",
			v.Key, what, shown(t.own), shown(t.from), t.keyAs)
	}
}

// isTranscoded reports whether an entry has a transcoding. It is for rules that check only the tree.
func isTranscoded(p *rule.Pass, t *rule.Tree, entry int) bool {
	return transcodingOf(valueOf(p, rule.NewEntry(t, entry))) != nil
}

// keyEncodings are the encodings to which a tool converted keys of either tree, but not their content sets. They are
// collected on first use, because most files need none.
type keyEncodings struct {
	once sync.Once
	seen map[string]bool
}

func writesKeysAs(p *rule.Pass, encoding string) bool {
	k := rule.Shared[keyEncodings](p.Audit)
	k.once.Do(func() {
		k.seen = map[string]bool{}
		for name, t := range p.Audit.Trees {
			if t == nil {
				continue
			}
			for _, i := range p.Audit.InFileOrder(t, p.Audit.Unresolved.Entries[name]) {
				if t := transcodingOf(valueOf(p, rule.NewEntry(t, i))); t != nil && t.ownAs == "" {
					k.seen[t.keyAs] = true
				}
			}
		}
	})
	return k.seen[encoding]
}

// valueOf returns an entry with the readable content sets in its value. It is for rules that check only the entry.
func valueOf(p *rule.Pass, e rule.Entry) *rule.Value {
	v := &rule.Value{Entry: e}
	for o, err := range p.Reader.Values(e.Value) {
		if err != nil || !p.Spend(rule.ElementCost) {
			break
		}
		v.Elements++
		s := new(rule.Set)
		s.Ref, _ = o.Ref()
		if p.Reader.Read(o, &s.ContentSet) == nil {
			v.Sets = append(v.Sets, s)
		}
	}
	return v
}
