package engine

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// maxSubjects is the number of findings of each rule that get a subject and a position. Reports for people list at most
// as many.
const maxSubjects = 20

// describe sets Subjects and Positions of a result, for the first findings of each rule.
func (r *Runner) describe(res *Result) error {
	res.Subjects, res.Positions = map[string]string{}, map[string]string{}
	seen := map[*rule.Rule]int{}
	reader := r.freshWorkers(1)[0].Reader
	reader.Forget()
	for i := range res.Findings {
		rule := res.Findings[i].Rule
		if seen[rule]++; seen[rule] > maxSubjects {
			continue
		}
		at := res.Findings[i].Place
		if text := r.position(at); text != "" {
			res.Positions[at.String()] = text
		}
		private := strings.HasPrefix(rule.ID, "WC7") // their messages already say as much as is allowed
		if private || r.File.Meter().Over() != nil {
			continue
		}
		text, err := r.subject(reader, at)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		if text != "" && err == nil {
			res.Subjects[at.String()] = text
		}
	}
	return nil
}

// position describes the location of a place within its tree for people: by the order of nodes, not by object numbers.
// It is empty for a whole tree, and for a place outside the trees.
func (r *Runner) position(at rule.Place) string {
	name, ok := webcapture.ParseTreeName(at.Tree)
	if !ok || r.Trees[name] == nil || at.Node == nil {
		return ""
	}
	t, i := r.Trees[name], at.Node.Position()
	if i >= t.NodeCount() { // the root is not a node
		return ""
	}
	node := "the root"
	if i > 0 {
		node = fmt.Sprintf("node %d of %d", i+1, t.NodeCount())
	}
	node += " of /" + at.Tree
	if at.Node.Index < 0 {
		return node
	}
	what, count := "entry", t.Node(i).Count
	if at.Node.Kid {
		what, count = "kid", len(t.Node(i).Kids)
	}
	if at.Node.Index >= count { // some are unreadable
		return fmt.Sprintf("%s %d in %s", what, at.Node.Index+1, node)
	}
	return fmt.Sprintf("%s %d of %d in %s", what, at.Node.Index+1, count, node)
}

// subject describes the content set at a place: its first URL, with its pages or the size of its image. It is empty
// without a content set or URL.
func (r *Runner) subject(reader *webcapture.Reader, at rule.Place) (string, error) {
	value := object.MakeRef(at.Set)
	if at.Set.Num == 0 {
		if value = r.valueAt(at); value.IsNull() {
			return "", nil
		}
	}
	for set, err := range reader.Values(value) {
		if err != nil {
			return "", err
		}
		var cs webcapture.ContentSet
		if err := reader.Read(set, &cs); err != nil || !cs.Recognized() {
			return "", err
		}
		url := firstURL(&cs)
		if url == "" {
			return "", nil
		}
		extent, err := r.extent(reader, &cs)
		if extent != "" {
			url += ", " + extent
		}
		return url, err
	}
	return "", nil
}

// valueAt returns the value of the entry at a place; null if the place has no entry.
func (r *Runner) valueAt(at rule.Place) object.Object {
	name, ok := webcapture.ParseTreeName(at.Tree)
	if !ok || r.Trees[name] == nil || at.Node == nil || at.Node.Kid || at.Node.Index < 0 {
		return object.Object{}
	}
	t := r.Trees[name]
	i, ok := t.EntryAt(at.Node.Position(), at.Node.Index)
	if !ok {
		return object.Object{}
	}
	return t.Entry(i).Value
}

// firstURL returns the first source URL of a content set as text. It is empty if there is none, or if the URL has a
// user name, which no message may show.
func firstURL(cs *webcapture.ContentSet) string {
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			if len(canon.Split([]byte(url)).Userinfo) > 0 {
				return ""
			}
			text := rule.CutKey(nametree.Key(url)).String()
			if plain, ok := strings.CutPrefix(text, "("); ok && !strings.Contains(text, `\`) {
				text = strings.TrimSuffix(plain, ")")
			}
			return text
		}
	}
	return ""
}

// extent describes the pages of a page set, or the size of an image set's image; empty if unknown.
func (r *Runner) extent(reader *webcapture.Reader, cs *webcapture.ContentSet) (string, error) {
	first, last, pages := 0, 0, 0
	for member := range cs.Members() {
		ref, ok := member.Ref()
		switch {
		case !ok:
			return "", nil
		case cs.Subtype == webcapture.ImageSet:
			image, err := reader.Get(ref)
			d, _ := image.Dict()
			width, ok := d.Lookup("Width").Int()
			height, high := d.Lookup("Height").Int()
			if err != nil || !ok || !high {
				return "", err
			}
			return fmt.Sprintf("%d × %d", width, height), nil
		}
		page := int(r.doc.Numbers.Get(ref))
		if page == 0 {
			return "", nil
		}
		if first == 0 || page < first {
			first = page
		}
		last = max(last, page)
		pages++
	}
	switch {
	case first == 0:
		return "", nil
	case first == last:
		return fmt.Sprintf("page %d", first), nil
	case pages != last-first+1:
		return fmt.Sprintf("%d pages between %d and %d", pages, first, last), nil
	}
	return fmt.Sprintf("pages %d to %d", first, last), nil
}
