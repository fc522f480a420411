package checks

import (
	"encoding/hex"
	"strings"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about keys and strings of content sets that a tool took for text and converted; see rule.Transcoded.

// transcodedID is a content set whose ID, in another encoding, is the key of its entry of IDS.
type transcodedID struct {
	set *rule.Set // nil if there is none
	as  string    // name of the encoding
}

// transcodedIDOf returns the first content set in the value of an entry of IDS whose ID was encoded to make the key.
func transcodedIDOf(v *rule.Value) transcodedID {
	if v.Tree.Name != webcapture.IDS {
		return transcodedID{}
	}
	if v.Memo == nil {
		v.Memo = findTranscodedID(v)
	}
	return v.Memo.(transcodedID)
}

func findTranscodedID(v *rule.Value) transcodedID {
	for _, s := range v.Sets {
		id, ok := s.Identifier()
		if !ok || !s.Recognized() {
			continue
		}
		if as, ok := rule.Transcoded(id[:], rule.KeyBytes(v.Key)); ok {
			return transcodedID{s, as}
		}
		if strings.EqualFold(string(v.Key), hex.EncodeToString(id[:])) {
			return transcodedID{s, "hexadecimal text"}
		}
	}
	return transcodedID{}
}

// isTranscoded reports whether the key of an entry is an ID in another encoding. It is for rules that check only the
// tree.
func isTranscoded(p *rule.Pass, t *rule.Tree, entry int) bool {
	return transcodedIDOf(valueOf(p, rule.NewEntry(t, entry))).set != nil
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
