package report

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

type jsonIdentity struct {
	Place   jsondoc.Place `json:"place"`
	Kind    string        `json:"kind"`
	ID      jsondoc.Key   `json:"id"`
	URL     jsondoc.Key   `json:"url,omitempty"`
	Proof   string        `json:"proof"`
	Where   string        `json:"where,omitempty"`
	Reading string        `json:"reading,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	Text    string        `json:"text,omitempty"`
	Capture *jsonCapture  `json:"capture,omitempty"`
}

// jsonCapture is the capture with which an ID was compared.
type jsonCapture struct {
	Record string     `json:"record,omitempty"`
	Time   *time.Time `json:"time,omitempty"`
	Status int        `json:"status,omitempty"`
	MD5    string     `json:"md5"`
	Tried  int        `json:"tried"`
}

// jsonIgnored is an ignored finding, with the reason.
type jsonIgnored struct {
	jsondoc.Finding
	Ignored jsonReason `json:"ignored"`
}

type jsonReason struct {
	Reason string `json:"reason"`
}

func input(r *Record) jsondoc.Input {
	in := jsondoc.InputOf(r.Path, r.Outcome().String(), r.Reason(), r.Report)
	in.Size, in.SHA256, in.Seconds, in.Accepted = r.Size, r.SHA256, r.Seconds, jsondoc.Text(r.Accepted)
	if !r.Modified.IsZero() {
		in.Modified = r.Modified.UTC()
	}
	if r.Rewrite != nil {
		in.Rewrite = &jsondoc.Rewrite{Steps: r.Rewrite.Steps, Written: r.Rewrite.Written, Earlier: r.Rewrite.Earlier}
		for _, m := range r.Rewrite.Missing {
			in.Rewrite.Missing = append(in.Rewrite.Missing, jsondoc.Missing{Kind: "contentSet", Original: m.Original,
				Subtype: m.Subtype, ID: jsondoc.Key(m.ID), URL: jsondoc.Key(m.URL), Reason: m.Reason})
		}
	}
	at := jsondoc.FilePathOf(r.Archive)
	in.Archive, in.ArchiveHex = at.Path, at.PathHex
	if r.Report != nil {
		in.About, in.Positions = r.Report.Subjects, r.Report.Positions
	}
	return in
}

func ignored(i *Ignored) jsonIgnored {
	return jsonIgnored{jsondoc.FindingOf(&i.Finding), jsonReason{jsondoc.Text(i.Reason)}}
}

func identity(i *rule.Identity) jsonIdentity {
	out := jsonIdentity{
		Place: jsondoc.PlaceOf(i.Place), Kind: i.Subtype.String(), ID: jsondoc.Key(i.ID), URL: jsondoc.Key(i.URL),
		Proof: i.Proof.String(),
		Where: jsondoc.Text(i.Where), Reading: jsondoc.Text(i.Reading), Reason: jsondoc.Text(i.Reason),
		Text: jsondoc.Text(i.Text),
	}
	if c := &i.Capture; i.Tried > 0 {
		out.Capture = &jsonCapture{Record: jsondoc.Text(c.Record), Status: c.Status, MD5: c.MD5.String(), Tried: i.Tried}
		if !c.Time.IsZero() {
			out.Capture.Time = new(c.Time.UTC())
		}
	}
	return out
}

func (j jsonIdentity) identity() (rule.Identity, error) {
	out := rule.Identity{
		Place: j.Place.Decode(), Subtype: parseKind(j.Kind), ID: nametree.Key(j.ID), URL: string(j.URL),
		Where: j.Where, Reading: j.Reading, Reason: j.Reason, Text: j.Text,
	}
	if c := j.Capture; c != nil {
		out.Capture = rule.Capture{Record: c.Record, Status: c.Status}
		if n, err := hex.Decode(out.Capture.MD5[:], []byte(c.MD5[:min(len(c.MD5), 2*md5.Size)])); err != nil || n < md5.Size {
			return out, jsondoc.ErrFormat
		}
		out.Tried = c.Tried
		if c.Time != nil {
			out.Capture.Time = *c.Time
		}
	}
	var ok bool
	if out.Proof, ok = rule.ParseProof(j.Proof); !ok {
		return out, jsondoc.ErrFormat
	}
	return out, nil
}

func parseKind(s string) webcapture.Subtype {
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		if s == t.String() {
			return t
		}
	}
	return webcapture.NoSubtype
}

// record returns the record of an input; its findings and other parts follow.
func (r *Reader) record(in *jsondoc.Input) (*Record, error) {
	path, err := in.Decode()
	if err != nil {
		return nil, err
	}
	rec := &Record{Path: path, Size: in.Size, SHA256: in.SHA256, Seconds: in.Seconds, Modified: in.Modified,
		Accepted: in.Accepted}
	if rec.Archive, err = (jsondoc.FilePath{Path: in.Archive, PathHex: in.ArchiveHex}).Decode(); err != nil {
		return nil, err
	}
	if in.Rewrite != nil {
		rec.Rewrite = &Rewrite{Steps: in.Rewrite.Steps, Written: in.Rewrite.Written, Earlier: in.Rewrite.Earlier}
		for _, m := range in.Rewrite.Missing {
			rec.Rewrite.Missing = append(rec.Rewrite.Missing,
				MissingSet{m.Original, m.Subtype, nametree.Key(m.ID), nametree.Key(m.URL), m.Reason})
		}
	}
	if in.File != nil {
		rec.Report, err = in.Report()
	} else if rec.Err = ErrorOf(in.Outcome, in.Reason); rec.Err == nil {
		err = jsondoc.ErrFormat
	}
	if rec.Report != nil {
		rec.Report.Subjects, rec.Report.Positions = in.About, in.Positions
	}
	for i := 0; i < len(in.Omitted) && err == nil; i++ {
		err = r.addOmitted(rec, in.Omitted[i])
	}
	if err != nil {
		return nil, err
	}
	return rec, nil
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
