package report

import (
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// recordJSON is the JSON of a Record. Its lists, which may be long, are written one element at a time.
type recordJSON struct {
	jsondoc.FilePath
	Archive    string            `json:"archive,omitempty"`
	ArchiveHex string            `json:"archiveHex,omitempty"` // if Archive is not valid UTF-8
	Outcome    string            `json:"outcome"`
	Reason     string            `json:"reason,omitempty"`
	Accepted   string            `json:"accepted,omitempty"`
	Size       int64             `json:"size,omitempty"`
	SHA256     string            `json:"sha256,omitempty"`
	Seconds    float64           `json:"seconds,omitempty"`
	Modified   time.Time         `json:"modified,omitzero"`
	Rewrite    *Rewrite          `json:"rewrite,omitempty"`
	File       *webcapture.Facts `json:"file,omitempty"`
	Database   *Database         `json:"database,omitempty"`

	Unread  []rule.Unread  `json:"unread"`
	Omitted []rule.Omitted `json:"omitted,omitempty"`

	About     map[string]string `json:"about,omitempty"` // Subjects of the report
	Positions map[string]string `json:"positions,omitempty"`
}

// A Database counts the entries and content sets of a content database.
type Database struct {
	URLS *int `json:"urls"` // null without a URLS tree
	IDS  *int `json:"ids"`
	audit.Counts
	Identities *Proofs `json:"identities,omitempty"` // omitted without sources
}

// MarshalJSON returns the record without its findings, identities, and ignored findings.
func (r *Record) MarshalJSON() ([]byte, error) {
	archive := jsondoc.FilePathOf(r.Archive)
	out := recordJSON{FilePath: jsondoc.FilePathOf(r.Path), Archive: archive.Path, ArchiveHex: archive.PathHex,
		Outcome: r.Outcome().String(), Reason: r.Reason(), Accepted: rule.Text(r.Accepted), Size: r.Size, SHA256: r.SHA256,
		Seconds: r.Seconds, Modified: r.Modified.UTC(), Rewrite: r.Rewrite, Unread: []rule.Unread{}}
	if rep := r.Report; rep != nil {
		if out.Database = DatabaseOf(rep); out.Database == nil {
			out.Reason = "no Web Capture content database"
		}
		out.File, out.Unread, out.Omitted = FileOf(rep), append(out.Unread, rep.Unread...), rep.Omitted
		out.About, out.Positions = rep.Subjects, rep.Positions
	}
	return jsondoc.Marshal(out), nil
}

// recordList is a list of a record: the name of its member in a document, the type of its lines, and its elements.
type recordList struct {
	name, kind string
	len        int
	elements   iter.Seq[any]
}

// lists returns the lists of a record. Identities exist only if content sets were compared with sources, and ignored
// findings only if there are any.
func (r *Record) lists() []recordList {
	var findings rule.Findings
	if r.Report != nil {
		findings = r.Report.Findings
	}
	lists := []recordList{listOf("findings", typeFinding, findings)}
	if r.Report != nil && hasIdentities(r.Report) {
		lists = append(lists, listOf("identities", typeIdentity, r.Report.Identities))
	}
	if len(r.Ignored) > 0 {
		lists = append(lists, listOf("ignored", typeIgnored, r.Ignored))
	}
	return lists
}

func listOf[E any](name, kind string, list []E) recordList {
	return recordList{name, kind, len(list), func(yield func(any) bool) {
		for _, e := range list {
			if !yield(e) {
				return
			}
		}
	}}
}

// FileOf returns the properties of an audited file, with notices that are valid UTF-8.
func FileOf(rep *audit.Report) *webcapture.Facts {
	facts := rep.Facts
	facts.Notices = []string{}
	for _, n := range rep.Notices {
		facts.Notices = append(facts.Notices, rule.Text(n))
	}
	return &facts
}

// DatabaseOf returns the counts of an audited content database; nil if there is none.
func DatabaseOf(rep *audit.Report) *Database {
	if !rep.Present {
		return nil
	}
	out := &Database{Counts: rep.Counts}
	if rep.HasURLS {
		out.URLS = &rep.URLS
	}
	if rep.HasIDS {
		out.IDS = &rep.IDS
	}
	if rep.Identities != nil {
		out.Identities = new(ProofsOf(rep))
	}
	return out
}

// UnmarshalJSON sets the record. Its rules have only their IDs.
func (r *Record) UnmarshalJSON(b []byte) error {
	var in recordJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*r = Record{Size: in.Size, SHA256: in.SHA256, Seconds: in.Seconds, Modified: in.Modified, Accepted: in.Accepted,
		Rewrite: in.Rewrite}
	var err, archiveErr error
	r.Path, err = in.Decode()
	r.Archive, archiveErr = jsondoc.FilePath{Path: in.Archive, PathHex: in.ArchiveHex}.Decode()
	switch {
	case in.File != nil:
		r.Report = in.report(r.Path)
	case in.Omitted != nil:
		return jsondoc.ErrFormat
	default:
		if r.Err = ErrorOf(in.Outcome, in.Reason); r.Err == nil {
			return jsondoc.ErrFormat
		}
	}
	return errors.Join(err, archiveErr)
}

// report returns the report of an audited file, without findings and identities.
func (in *recordJSON) report(path string) *audit.Report {
	rep := &audit.Report{Path: path, Facts: *in.File, Omitted: in.Omitted, Subjects: in.About, Positions: in.Positions}
	rep.Unread = append(rep.Unread, in.Unread...) // nil if empty
	d := in.Database
	if d == nil {
		return rep
	}
	rep.Present, rep.Counts = true, d.Counts
	if d.URLS != nil {
		rep.HasURLS, rep.URLS = true, *d.URLS
	}
	if d.IDS != nil {
		rep.HasIDS, rep.IDS = true, *d.IDS
	}
	if d.Identities != nil {
		rep.Identities = []rule.Identity{}
	}
	return rep
}

// ErrorOf returns the Err of a record without a Report, given its outcome and reason. It returns nil for an unknown
// outcome.
func ErrorOf(outcome, reason string) error {
	switch outcome {
	case Nothing.String():
		if reason == ErrNoMembers.Error() {
			return ErrNoMembers
		}
		return ErrNoFiles
	case Failed.String():
		return errors.New(reason)
	case TimedOut.String():
		return &TimeoutError{reason}
	case Skipped.String():
		return &SkippedError{reason}
	}
	return nil
}

// ignoredJSON is the member that the JSON of an Ignored has in addition to those of a finding.
type ignoredJSON struct {
	Ignored struct {
		Reason string `json:"reason"`
	} `json:"ignored"`
}

// MarshalJSON returns the finding with the reason.
func (i Ignored) MarshalJSON() ([]byte, error) {
	var reason ignoredJSON
	reason.Ignored.Reason = rule.Text(i.Reason)
	return jsondoc.Marshal(i.Finding, reason), nil
}

// UnmarshalJSON sets the finding and the reason.
func (i *Ignored) UnmarshalJSON(b []byte) error {
	var reason ignoredJSON
	if err := json.Unmarshal(b, &reason); err != nil {
		return err
	}
	i.Reason = reason.Ignored.Reason
	return i.Finding.UnmarshalJSON(b)
}
