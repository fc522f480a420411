package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// beginLines switches from decoding values to reading lines, after the head. That is faster: most lines are short,
// and a decoder scans each of them twice.
func (r *Reader) beginLines() {
	r.text = bufio.NewReaderSize(io.MultiReader(r.dec.Buffered(), &r.in), 1<<16)
	r.at = r.dec.InputOffset()
	r.line-- // the rest of the line of the head follows
}

// nextLine returns the next line that is not blank. The line is valid until the next call. The error is io.EOF
// after the last line.
func (r *Reader) nextLine() (line []byte, err error) {
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		r.line++
		if line, err = r.text.ReadSlice('\n'); err == bufio.ErrBufferFull {
			var rest []byte
			line = bytes.Clone(line)
			rest, err = r.text.ReadBytes('\n')
			line = append(line, rest...)
		}
		r.at += int64(len(line))
	}
	if err == io.EOF && len(bytes.TrimSpace(line)) > 0 {
		err = json.NewDecoder(bytes.NewReader(line)).Decode(new(json.RawMessage)) // is it truncated?
	}
	return line, err
}

// nextLines returns the next record of NDJSON: the line of its input, and the lines up to the next input or the
// summary.
func (r *Reader) nextLines() (*Record, error) {
	for r.sum == nil {
		before := r.ahead
		line, err := r.nextLine()
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

// addLine adds a line to the record ahead, or begins a new record. The summary ends the last record.
func (r *Reader) addLine(line []byte) error {
	kind, err := lineType(line)
	if err != nil {
		return err
	}
	switch kind {
	case typeInput:
		r.ahead, err = r.record(line)
		return err
	case typeSummary:
		r.ahead, r.sum = nil, new(jsonSummary)
		return json.Unmarshal(line, r.sum)
	case typeFinding, typeIdentity, typeIgnored:
		if err := r.checkPath(kind, line); err != nil {
			return err
		}
		return r.add(r.ahead, kind, line)
	}
	return json.Unmarshal(line, &struct{}{})
}

// checkPath returns jsondoc.ErrFormat if a line is not about the record ahead, for example because lines were sorted.
// Then it is unclear to which record a line belongs.
func (r *Reader) checkPath(kind string, line []byte) error {
	if r.ahead == nil {
		return jsondoc.ErrFormat
	}
	start := jsondoc.Marshal(lineStart{kind, jsondoc.FilePathOf(r.ahead.Path)})
	if bytes.HasPrefix(line, append(start[:len(start)-1], ',')) { // as webcap writes it
		return nil
	}
	var at jsondoc.FilePath
	if err := json.Unmarshal(line, &at); err != nil {
		return err
	}
	if path, err := at.Decode(); err != nil || path != r.ahead.Path {
		return jsondoc.ErrFormat
	}
	return nil
}

// lineStart are the first members of a line about a part of a record.
type lineStart struct {
	Type string `json:"type"`
	jsondoc.FilePath
}

// lineType returns the type of a line. In output of webcap, it is the first member.
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
