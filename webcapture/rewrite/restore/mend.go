package restore

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// mendedEntries are the entries of a content set that mend can restore. For O and R, see join.go.
var mendedEntries = [...]string{"S", "ID", "CT", "TS", "T", "TID", "SI"}

// mend restores missing entries of a content set of the file. It also changes back entries that differ from the
// original.
func (r *restoration) mend(set object.Ref, cs *webcapture.ContentSet) error {
	if r.sets.was[set] == nil {
		return nil // it has the ID, but was not matched: for example, too many content sets share the ID
	}
	var own webcapture.ContentSet
	if err := r.file.reader.Read(object.MakeRef(set), &own); err != nil {
		return object.IgnoreMalformed(err)
	}
	agrees := r.sets.agrees[set]
	if agrees.id {
		return nil
	}
	var changes []object.Setting
	if was := r.sets.was[set]; was.proof.id {
		var err error
		if changes, err = r.mendMembers(set, cs, &own); err != nil {
			return err
		}
	} else if !slices.Equal(was.members, r.sets.own[set].members) {
		r.sets.disputed[was] = true
	}
	back := r.changesBack(set)
	ownURL := r.sourceText(&own)
	if !back && ownURL != r.sourceText(cs) && ownURL != "" {
		r.changes.Unmatched = append(r.changes.Unmatched, r.Name+": "+setName(&own)+
			" has other source information in the file, which stays")
	}
	m := mendedSet{set: set, proof: r.sets.was[set].proof, cs: cs, own: &own, ownURL: ownURL, back: back,
		keepsURL: agrees.url || ownURL == r.sourceText(cs) && r.keepsForm(set),
		fills:    back || own.ID.OK() && string(own.ID.Bytes) == string(cs.ID.Bytes) && ownURL == r.sourceText(cs)}
	for _, key := range mendedEntries {
		if text, err := r.mendEntry(&m, key); err != nil {
			return err
		} else if text != nil {
			changes = append(changes, object.Setting{Key: key, Value: text})
		}
	}
	if changes, err := r.dropForeign(&m, changes); err != nil {
		return err
	} else if len(changes) > 0 {
		r.Update.Put(set, own.Dict.AppendWith(nil, changes...))
	}
	return nil
}

// dropForeign removes entries that belong to the other subtype (tables 389 and 390) from a content set whose S changes
// back. Entries that the original has stay.
func (r *restoration) dropForeign(m *mendedSet, changes []object.Setting) ([]object.Setting, error) {
	isS := func(c object.Setting) bool { return c.Key == "S" }
	if m.own.Subtype == webcapture.NoSubtype || !slices.ContainsFunc(changes, isS) {
		return changes, nil
	}
	for _, key := range []string{"CT", "T", "TID", "R"} {
		is, _, err := normal(r.file.reader, m.own.Dict.Lookup(key))
		if err != nil {
			return nil, err
		}
		if is == "null" || !m.cs.Dict.Lookup(key).IsNull() {
			continue
		}
		changes = slices.DeleteFunc(changes, func(c object.Setting) bool { return c.Key == key })
		changes = append(changes, object.Setting{Key: key})
		r.replacement("", rule.Place{Set: m.set}, shown(key, is, m.own), "no "+key)
	}
	return changes, nil
}

// mendedSet is a content set of the file with its match in the original.
type mendedSet struct {
	set      object.Ref
	cs, own  *webcapture.ContentSet // the content set in the original, and in the file
	ownURL   string
	back     bool // values may change back to those of the original
	fills    bool // missing values are restored
	keepsURL bool // SI stays, because it agrees with other records
	proof    agreement
}

// mendEntry returns the original's value of an entry as text; nil if the entry does not change.
func (r *restoration) mendEntry(m *mendedSet, key string) ([]byte, error) {
	theirs, ours := m.cs.Dict.Lookup(key), m.own.Dict.Lookup(key)
	was, okWas, err := normal(r.original.reader, theirs)
	if err != nil {
		return nil, err
	}
	is, okIs, err := normal(r.file.reader, ours)
	if err != nil {
		return nil, err
	}
	isMissing := is == "null" || key == "SI" && m.ownURL == ""
	switch {
	case was == "null", okWas && okIs && was == is, !r.decides(key, theirs, m), key == "SI" && m.keepsURL:
		return nil, nil
	case key == "ID" && !m.proof.id, key == "SI" && !m.proof.url:
		r.sets.disputed[r.sets.was[m.set]] = true
		return nil, nil
	case !okWas || !okIs && !m.back:
		r.changes.Unmatched = append(r.changes.Unmatched,
			fmt.Sprintf("%s: %s of %s cannot be compared; it stays", r.Name, key, setName(m.own)))
		return nil, nil
	case !m.back && !(isMissing && (m.fills || key == "SI")):
		return nil, nil
	}
	text, err := r.copied(theirs, maxDepth)
	if err != nil {
		return nil, err
	}
	old := ""
	if !isMissing {
		old = shown(key, is, m.own)
	}
	r.replacement("", rule.Place{Set: m.set}, old, shown(key, was, m.cs))
	return text, nil
}

// decides reports whether the original's value of an entry is valid. An ID needs 16 bytes. A media type or date that
// is a direct string needs ASCII, and must not be empty. A content set needs pages or images. A source needs a URL,
// and one that was written as text does not replace one that was not; without a URL in the file, any source is
// valid.
func (r *restoration) decides(key string, value object.Object, m *mendedSet) bool {
	switch key {
	case "ID":
		return isID(string(m.cs.ID.Bytes))
	case "CT", "TS":
		text, ok := value.AppendString(nil)
		return !ok || len(text) > 0 && !slices.ContainsFunc(text, func(c byte) bool { return c < ' ' || c > '~' })
	case "S":
		return m.cs.Subtype == webcapture.PageSet || m.cs.Subtype == webcapture.ImageSet
	case "SI":
		return m.ownURL == "" || r.sourceText(m.cs) != "" && (!hasTextURL(m.cs) || hasTextURL(m.own))
	}
	return true
}

// hasTextURL reports whether a URL of a content set was written as text; see rule.PlainURL.
func hasTextURL(cs *webcapture.ContentSet) bool {
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			if _, isText := rule.PlainURL(url); isText {
				return true
			}
		}
	}
	return false
}

// shown returns the value of an entry for messages.
func shown(key, value string, cs *webcapture.ContentSet) string {
	switch {
	case key == "ID":
		return "ID " + nametree.Key(cs.ID.Bytes).String()
	case key == "SI" && len(cs.Sources) > 0:
		for _, url := range cs.Sources[0].URLs() {
			value = nametree.Key(url).Shorten(maxShown)
			break
		}
	}
	if len(value) > maxShown {
		value = value[:maxShown] + "…"
	}
	return key + " " + value
}

// setName describes a content set for messages.
func setName(cs *webcapture.ContentSet) string {
	return cs.Subtype.String() + " " + nametree.Key(cs.ID.Bytes).String()
}
