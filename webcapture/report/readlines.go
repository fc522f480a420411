package report

import (
	"bytes"
	"encoding/json"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// nextLines returns the next record of NDJSON: its line, and those after it up to
// the next input or the summary.
func (r *Reader) nextLines() (*Record, error) {
	for r.sum == nil {
		before := r.ahead
		var line json.RawMessage
		r.line++
		err := r.dec.Decode(&line)
		if err == nil {
			err = r.addLine(line)
		} else {
			r.ahead = nil
		}
		if err != nil || before != nil && r.ahead != before {
			return before, err
		}
	}
	return nil, r.readSummary()
}

// addLine adds what a line says to the record ahead, or begins a new one; there is
// none after the summary.
func (r *Reader) addLine(line []byte) error {
	kind, err := lineType(line)
	if err != nil {
		return err
	}
	switch kind {
	case typeInput:
		var in jsondoc.Input
		if err := json.Unmarshal(line, &in); err != nil {
			return err
		}
		r.ahead, err = r.record(&in)
		return err
	case typeSummary:
		r.ahead, r.sum = nil, new(jsonSummary)
		return json.Unmarshal(line, r.sum)
	case typeFinding:
		var f struct {
			jsondoc.FilePath
			jsondoc.Finding
		}
		return r.addPart(line, &f, &f.FilePath, func() error { return r.addFinding(r.ahead, &f.Finding) })
	case typeIdentity:
		var i struct {
			jsondoc.FilePath
			jsonIdentity
		}
		return r.addPart(line, &i, &i.FilePath, func() error { return addIdentity(r.ahead, &i.jsonIdentity) })
	case typeIgnored:
		var i struct {
			jsondoc.FilePath
			jsonIgnored
		}
		return r.addPart(line, &i, &i.FilePath, func() error { return r.addIgnored(r.ahead, &i.jsonIgnored) })
	case typeEntry:
		var e struct {
			jsondoc.FilePath
			jsonEntry
		}
		return r.addPart(line, &e, &e.FilePath, func() error { return addEntry(r.ahead, &e.jsonEntry) })
	case typeOutline:
		var o struct {
			jsondoc.FilePath
			jsonOutline
		}
		return r.addPart(line, &o, &o.FilePath, func() error { return addOutline(r.ahead, &o.jsonOutline) })
	}
	return nil
}

// addPart reads a line about a part of the record ahead, and adds that if the line
// is in its place: in lines that were sorted, nothing says to which record they belong.
func (r *Reader) addPart(line []byte, to any, at *jsondoc.FilePath, add func() error) error {
	if err := json.Unmarshal(line, to); err != nil {
		return err
	}
	if path, err := at.Decode(); err != nil || r.ahead == nil || path != r.ahead.Path {
		return jsondoc.ErrFormat
	}
	return add()
}

// lineType returns the type of a line, which is its first member as webcap writes it.
func lineType(line []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`)); ok {
		if name, _, _ := bytes.Cut(rest, []byte(`"`)); !bytes.Contains(name, []byte(`\`)) {
			return string(name), nil
		}
	}
	var l struct {
		Type string `json:"type"`
	}
	err := json.Unmarshal(line, &l)
	return l.Type, err
}
