package report

import (
	"errors"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// jsonEntry is an entry of a tree with one of its content sets. kind is absent if there is no content set.
type jsonEntry struct {
	Tree string      `json:"tree"`
	Key  jsondoc.Key `json:"key"`
	Set  jsondoc.Ref `json:"contentSet,omitzero"`
	Kind string      `json:"kind,omitempty"`
	ID   jsondoc.Key `json:"id,omitempty"`
	URL  jsondoc.Key `json:"url,omitempty"`

	Created   string `json:"created,omitempty"` // date in the format of RFC 3339
	Retrieved string `json:"retrieved,omitempty"`
	Expires   string `json:"expires,omitempty"`
}

func entry(e *audit.EntryOutline) jsonEntry {
	return jsonEntry{
		Tree: e.Tree.String(), Key: jsondoc.Key(e.Key), Set: jsondoc.Ref(e.Set), Kind: e.Kind(),
		ID: jsondoc.Key(e.ID), URL: jsondoc.Key(e.URL),
		Created: dateText(e.Created), Retrieved: dateText(e.Retrieved), Expires: dateText(e.Expires),
	}
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func parseDateText(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339, s)
}

func addEntry(rec *Record, j *jsonEntry) error {
	e, err := j.entry()
	if err != nil || rec.Report == nil || rec.Report.Entries == nil {
		return errors.Join(jsondoc.ErrFormat, err)
	}
	rec.Report.Entries.Add(e)
	return nil
}

func (j *jsonEntry) entry() (audit.EntryOutline, error) {
	e := audit.EntryOutline{
		Key: nametree.Key(j.Key), Set: object.Ref(j.Set), Subtype: parseKind(j.Kind), ID: nametree.Key(j.ID),
		URL: string(j.URL),
	}
	var ok bool
	if e.Tree, ok = webcapture.ParseTreeName(j.Tree); !ok {
		return e, jsondoc.ErrFormat
	}
	var errs [3]error
	e.Created, errs[0] = parseDateText(j.Created)
	e.Retrieved, errs[1] = parseDateText(j.Retrieved)
	e.Expires, errs[2] = parseDateText(j.Expires)
	return e, errors.Join(errs[:]...)
}
