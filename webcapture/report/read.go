package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A Reader reads what a JSON writer has written, a record at a time.
type Reader struct {
	dec      *json.Decoder
	head     Head
	rules    map[string]*audit.Rule
	complete bool
	err      error // of the last Next
}

// NewReader returns a Reader of the results in r, of which it reads the head.
// The error is that of r, or says that these are no results of webcap, or
// results in a version of the format that it does not know.
func NewReader(r io.Reader) (*Reader, error) {
	rd := &Reader{dec: json.NewDecoder(r)}
	if err := rd.readHead(); err != nil {
		return nil, whole(err)
	}
	return rd, nil
}

// Head returns what stands before the records. Its rules have what the results
// say of them: ID, Title, Clause and Level.
func (r *Reader) Head() Head { return r.head }

// Complete reports, after Next has returned io.EOF, whether the results are of
// all inputs that were asked for.
func (r *Reader) Complete() bool { return r.complete }

// Next returns the next record, and io.EOF after the last one. Results that end
// before their summary give io.ErrUnexpectedEOF.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	var rec *Record
	if r.dec.More() {
		rec, r.err = r.readRecord()
	} else if r.err = r.readSummary(); r.err == nil {
		return nil, r.end()
	}
	r.err = whole(r.err)
	return rec, r.err
}

func (r *Reader) end() error {
	r.err = io.EOF
	return r.err
}

// whole returns err for results that end where they must not.
func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *Reader) readHead() error {
	if err := r.delim('{'); err != nil {
		return err
	}
	var h jsonHead
	if err := r.member("schema", &h.Schema); err != nil {
		return err
	}
	if h.Schema != Schema {
		return fmt.Errorf("results in the format %q, which is not %s", h.Schema, Schema)
	}
	var rules []jsonRule
	if err := r.member("tool", &h.Tool); err != nil {
		return err
	}
	name, err := r.dec.Token()
	if err != nil {
		return err
	}
	if name == "sources" {
		if err := r.dec.Decode(&h.Sources); err != nil {
			return err
		}
		if name, err = r.dec.Token(); err != nil {
			return err
		}
	}
	if name != "rules" {
		return errFormat
	}
	if err := r.dec.Decode(&rules); err != nil {
		return err
	}
	for _, j := range h.Sources {
		r.head.Sources = append(r.head.Sources, j.source())
	}
	r.head.Version = h.Tool.Version
	r.rules = make(map[string]*audit.Rule)
	for _, j := range rules {
		level, ok := parseLevel(j.Level)
		if !ok {
			return errFormat
		}
		rule := &audit.Rule{ID: j.ID, Title: j.Title, Clause: j.Clause, Level: level}
		r.head.Rules = append(r.head.Rules, rule)
		r.rules[j.ID] = rule
	}
	if err := r.name("inputs"); err != nil {
		return err
	}
	return r.delim('[')
}

func (j jsonStore) source() Source {
	s := Source{Name: j.Name, Stats: source.Stats{Files: j.Files, Kept: j.Kept}}
	if j.Reason != "" {
		s.Err = errors.New(j.Reason)
	}
	for _, k := range j.Skipped {
		s.Skipped = append(s.Skipped, source.Skip(k))
	}
	return s
}

func (r *Reader) readRecord() (*Record, error) {
	var in struct {
		jsonInput
		Findings   []jsonFinding  `json:"findings"`
		Identities []jsonIdentity `json:"identities"`
		Outline    *jsonOutline   `json:"outline"`
	}
	if err := r.dec.Decode(&in); err != nil {
		return nil, err
	}
	rec, err := in.record()
	if err != nil {
		return nil, err
	}
	for _, j := range in.Findings {
		f, err := j.finding(r.rules)
		if err != nil || rec.Report == nil {
			return nil, errors.Join(errFormat, err)
		}
		rec.Report.Findings = append(rec.Report.Findings, f)
	}
	if rec.Report != nil && in.Identities != nil {
		rec.Report.Identities = make([]audit.Identity, len(in.Identities))
	}
	for k, j := range in.Identities {
		if rec.Report == nil {
			return nil, errFormat
		}
		if rec.Report.Identities[k], err = j.identity(); err != nil {
			return nil, errors.Join(errFormat, err)
		}
	}
	if in.Outline != nil {
		if rec.Report == nil {
			return nil, errFormat
		}
		if rec.Report.Outline, err = in.Outline.outline(); err != nil {
			return nil, errors.Join(errFormat, err)
		}
	}
	return rec, nil
}

func (r *Reader) readSummary() error {
	if err := r.delim(']'); err != nil {
		return err
	}
	var s jsonSummary
	if err := r.member("summary", &s); err != nil {
		return err
	}
	r.complete = s.Complete
	return r.delim('}')
}

// member reads the next member of the document, which has to be called name.
func (r *Reader) member(name string, to any) error {
	if err := r.name(name); err != nil {
		return err
	}
	return r.dec.Decode(to)
}

func (r *Reader) name(name string) error {
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != name {
		return errFormat
	}
	return nil
}

func (r *Reader) delim(d json.Delim) error {
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != d {
		return errFormat
	}
	return nil
}
