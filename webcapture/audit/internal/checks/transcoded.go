package checks

import (
	"bytes"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules share about keys and strings of content sets that a tool has taken for text:
// see Transcoded.
//
//	key = UTF-8(URL)                 the URL is older, and the key becomes it
//	URL = UTF-8(key)                 the key is older, and stays
//	key = UTF-8(x), URL = UTF-8(x)   of x as PDFDocEncoding and as Latin-1: the URL is older
//	                                 if other keys were written so; else it is not known
//
// Where sources have the URL of one of the three, and not those of the others, that one is older.

// A transcoding is how the key of an entry and what a content set in its value has in its
// place, an ID or a URL, are made of one string.
type transcoding struct {
	set   *rule.Set
	own   []byte // the ID or URL of the set
	from  []byte // the one string: own, the key, or what both are made of
	keyAs string // the encoding of the key; empty if from is the key
	ownAs string // the encoding of own; empty if from is own

	asked    bool
	recorded []byte // see older
}

// transcoded returns how the key and something that a set in the value has are made of one
// string, nil if nothing is. Keys that are a URL of some set are not made of another.
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
				t.set = s
				return t
			}
		}
	}
	return nil
}

// relation returns how a URL and a key are made of one string, nil if they are not.
func relation(url, key []byte) *transcoding {
	if as, ok := rule.Transcoded(url, key); ok {
		return &transcoding{own: url, from: url, keyAs: as}
	}
	if rule.NotASCII(url) < 0 && !isTextual(nametree.Key(url)) {
		return nil // it was not written as text
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

// older returns which of the key, what the set has and what both are made of is a URL that
// sources have; nil if none of them is, several are, or that cannot be told.
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

// isRecorded reports whether sources are given that have what was retrieved from a URL. A reply that says
// that there is nothing, or that it is elsewhere, is not that. It is not known where sources
// cannot be read, or where too much would have to be looked for.
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

// keyIsYounger reports whether the key was made of what the set has, or was written by a
// tool that leaves content sets as they are.
func (t *transcoding) keyIsYounger(p *rule.Pass, key nametree.Key) bool {
	if url := t.older(p, key); url != nil {
		return string(url) != string(key)
	}
	return t.ownAs == "" || t.keyAs != "" && writesKeysAs(p, t.keyAs)
}

// reportKey reports a key that is a transcoding of what a set has, with its repair.
func (t *transcoding) reportKey(p *rule.Pass, v *rule.Value, what string, fix *rule.Fix) {
	switch {
	case t.recorded != nil && bytes.Equal(t.recorded, t.own):
		p.Reportf(v.At(), fix, "key %v is the %s %v of its content set in another encoding: sources have only the %s", v.Key, what, shown(t.own), what)
	case t.recorded != nil:
		p.Reportf(v.At(), fix, "key %v and the %s %v of its content set are two encodings of %v: of these three, sources have only the last", v.Key, what, shown(t.own), shown(t.recorded))
	case t.ownAs == "":
		p.Reportf(v.At(), fix, "key %v is the %s %v of its content set, treated as text and stored as %s", v.Key, what,
			shown(t.own), t.keyAs)
	default:
		p.Reportf(v.At(), fix, "key %v and the %s %v of its content set are two encodings of %v; other keys were also stored as %s",
			v.Key, what, shown(t.own), shown(t.from), t.keyAs)
	}
}

// isTranscoded reports whether the key of an entry and what its content sets have are made
// of one string, for rules that see the tree alone.
func isTranscoded(p *rule.Pass, t *rule.Tree, entry int) bool {
	return transcodingOf(valueOf(p, rule.NewEntry(t, entry))) != nil
}

// keyEncodings are the encodings of keys, in either tree, that a tool re-encoded without changing their content sets.
// They are gathered on first use. Most files need none.
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

// valueOf returns an entry with the content sets in its value as far as they can be read,
// for those who see the entry alone.
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
