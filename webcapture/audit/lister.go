package audit

import (
	"strings"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// newEntries lists the entries of both trees. It reads at most work bytes of objects. Each entry has one row, and at
// most records rows are added to these. newEntries returns only errors of the disk.
func newEntries(a *rule.Audit, work int64, records int) (*Entries, error) {
	l := lister{file: a.File, reader: a.File.NewReader(), out: &Entries{}, work: work, more: records}
	for _, t := range a.Trees {
		if t == nil {
			continue
		}
		if err := l.tree(t); err != nil {
			return nil, err
		}
	}
	l.out.clip()
	return l.out, nil
}

// lister collects entries.
type lister struct {
	file   *webcapture.File
	reader *webcapture.Reader
	out    *Entries
	work   int64 // bytes of objects that may still be read
	more   int   // additional rows that may still be added
	set    webcapture.ContentSet
	rows   []EntryOutline // rows of the last read value, without the entry's data
	left   bool           // the value has content sets without a row
}

// tree lists the entries of a tree. It reads each value once, in file order.
func (l *lister) tree(t *rule.Tree) error {
	valueOf := func(i int) object.Ref {
		ref, _ := t.Entry(i).Value.Ref()
		return ref
	}
	var last object.Ref // value of rows
	for _, i := range l.file.OrderByPosition(t.Len(), valueOf) {
		e, ref := t.Entry(i), valueOf(i)
		if ref.Num == 0 || ref != last {
			if err := l.read(e.Value); err != nil {
				return err
			}
			last = ref
		}
		l.list(t.Name, e.Key)
	}
	return nil
}

// list adds the rows of an entry with the last read value.
func (l *lister) list(tree webcapture.TreeName, key nametree.Key) {
	rows := l.rows[:min(len(l.rows), 1+l.more)]
	l.more -= max(0, len(rows)-1)
	if l.left || len(rows) < len(l.rows) {
		l.out.Left++
	}
	for _, row := range rows {
		row.Tree, row.Key = tree, key
		l.out.Add(row)
	}
	if len(rows) == 0 {
		l.out.Add(EntryOutline{Tree: tree, Key: key})
	}
}

// read reads the content sets of a value. It stops if the budget is exceeded.
func (l *lister) read(value object.Object) error {
	l.rows, l.left = l.rows[:0], l.reader.BytesRead() > l.work
	if l.left {
		return nil
	}
	for element, err := range l.reader.Values(value) {
		if l.left = err == nil && (len(l.rows) > l.more || l.reader.BytesRead() > l.work); l.left {
			return nil
		}
		if err == nil {
			err = l.reader.Read(element, &l.set)
		}
		if object.IsMalformed(err) {
			continue // the audit reports it
		}
		if err != nil {
			return err
		}
		if l.set.Recognized() {
			ref, _ := element.Ref()
			l.rows = append(l.rows, l.outline(ref))
		}
	}
	return nil
}

// outline returns the row of the last read content set.
func (l *lister) outline(ref object.Ref) EntryOutline {
	cs := &l.set
	row := EntryOutline{Set: ref, Subtype: cs.Subtype, ID: rule.CutKey(nametree.Key(cs.ID.Bytes)), Created: l.date(cs.TS)}
	if len(cs.Sources) > 0 {
		row.Retrieved, row.Expires = l.date(cs.Sources[0].TS), l.date(cs.Sources[0].E)
	}
	row.URL = l.firstURL()
	return row
}

// firstURL returns the first source URL of the last read content set; empty if there is none, or if it is too long.
func (l *lister) firstURL() string {
	for i := range l.set.Sources {
		for _, url := range l.set.Sources[i].URLs() {
			if len(url) > maxListedURL {
				return ""
			}
			return string(url)
		}
	}
	return ""
}

// date returns the date in an entry; zero if the date is missing, invalid, or has no year of four digits in UTC.
func (l *lister) date(entry object.Object) time.Time {
	s, _ := l.reader.String(entry) // the audit reports unreadable objects
	t, fault := rule.ParseDate(s.Bytes)
	if fault != "" || t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// writersOf returns Producer and Creator of the document information (14.3.3), which name the programs that made the
// file. They are empty if missing or unreadable.
func writersOf(f *webcapture.File) (producer, creator string, err error) {
	reader := f.NewReader()
	info, err := reader.Resolve(f.DocumentInfo())
	if err != nil {
		return "", "", object.IgnoreMalformed(err)
	}
	d, _ := info.Dict()
	for _, field := range []struct {
		key string
		to  *string
	}{{"Producer", &producer}, {"Creator", &creator}} {
		s, err := reader.String(d.Lookup(field.key))
		if object.IgnoreMalformed(err) != nil {
			return "", "", err
		}
		*field.to = strings.ToValidUTF8(rule.TitleText(s.Bytes[:min(len(s.Bytes), rule.MaxShown)]), "\uFFFD")
	}
	return producer, creator, nil
}
