package report

import (
	"errors"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// jsonEntry is an entry of a tree and a content set that it leads to. Without such a set
// there is no kind.
type jsonEntry struct {
	Tree string       `json:"tree"`
	Key  jsondoc.Key  `json:"key"`
	Set  *jsondoc.Ref `json:"contentSet,omitempty"`
	Kind string       `json:"kind,omitempty"`
	ID   *jsondoc.Key `json:"id,omitempty"`
	URL  *jsondoc.Key `json:"url,omitempty"`

	Created   string `json:"created,omitempty"` // as RFC 3339 has dates
	Retrieved string `json:"retrieved,omitempty"`
	Expires   string `json:"expires,omitempty"`
}

func entry(e *audit.EntryOutline) jsonEntry {
	return jsonEntry{
		Tree: e.Tree.String(), Key: jsondoc.KeyOf(e.Key), Set: jsondoc.RefOf(e.Set), Kind: e.Kind(),
		ID: jsondoc.KeyOrNil(e.ID), URL: jsondoc.KeyOrNil(nametree.Key(e.URL)),
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
	e := audit.EntryOutline{Set: j.Set.Decode(), Subtype: parseKind(j.Kind)}
	var known bool
	if e.Tree, known = webcapture.ParseTreeName(j.Tree); !known {
		return e, jsondoc.ErrFormat
	}
	var errs [6]error
	var url nametree.Key
	e.Key, errs[0] = j.Key.Decode()
	e.ID, errs[1] = j.ID.Decode()
	url, errs[2] = j.URL.Decode()
	e.URL = string(url)
	e.Created, errs[3] = parseDateText(j.Created)
	e.Retrieved, errs[4] = parseDateText(j.Retrieved)
	e.Expires, errs[5] = parseDateText(j.Expires)
	return e, errors.Join(errs[:]...)
}
