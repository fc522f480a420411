package report

import (
	"errors"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

type jsonIdentity struct {
	Place   jsonPlace `json:"place"`
	Kind    string    `json:"kind"`
	ID      jsonKey   `json:"id"`
	URL     *jsonKey  `json:"url,omitempty"`
	Proof   string    `json:"proof"`
	Where   string    `json:"where,omitempty"`
	Reading string    `json:"reading,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Text    string    `json:"text,omitempty"`
}

// jsonIgnored is a finding that is ignored, and why.
type jsonIgnored struct {
	jsonFinding
	Ignored jsonReason `json:"ignored"`
}

type jsonReason struct {
	Reason string `json:"reason"`
}

func input(r *Record) jsonInput {
	return inputOf(r.Path, r.Outcome().String(), r.Reason(), r.Report)
}

func ignored(i *Ignored) jsonIgnored {
	return jsonIgnored{finding(&i.Finding), jsonReason{jsonText(i.Reason)}}
}

func identity(i *audit.Identity) jsonIdentity {
	out := jsonIdentity{
		Place: place(i.Place), Kind: i.Subtype.String(), ID: key(i.ID), Proof: i.Proof.String(),
		Where: jsonText(i.Where), Reading: jsonText(i.Reading), Reason: jsonText(i.Reason), Text: jsonText(i.Text),
	}
	if i.URL != "" {
		k := key(nametree.Key(i.URL))
		out.URL = &k
	}
	return out
}

func (j jsonIdentity) identity() (audit.Identity, error) {
	out := audit.Identity{Where: j.Where, Reading: j.Reading, Reason: j.Reason, Text: j.Text}
	var err error
	if out.Place, err = j.Place.place(); err != nil {
		return out, err
	}
	var known bool
	if out.Proof, known = audit.ParseProof(j.Proof); !known {
		return out, errFormat
	}
	out.Subtype = parseKind(j.Kind)
	if out.ID, err = j.ID.key(); err != nil || j.URL == nil {
		return out, err
	}
	url, err := j.URL.key()
	out.URL = string(url)
	return out, err
}

func parseKind(s string) webcapture.Subtype {
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		if s == t.String() {
			return t
		}
	}
	return webcapture.NoSubtype
}

// record returns the record of an input; its findings and all that is about them follow.
func record(in *jsonInput) (*Record, error) {
	path, err := in.path()
	if err != nil {
		return nil, err
	}
	r := &Record{Path: path}
	switch {
	case in.File != nil:
		r.Report, err = in.report()
	case in.Outcome == Nothing.String():
		r.Err = ErrNoFiles
	case in.Outcome == Failed.String():
		r.Err = errors.New(in.Reason)
	default:
		err = errFormat
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}
