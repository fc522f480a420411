package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// A Reader reads the output of a JSON or NDJSON writer, one record at a time. It ignores members and lines that it
// does not know.
type Reader struct {
	in        byteLimit
	text      *bufio.Reader // buffer of in
	dec       *json.Decoder // decoder of a document; nil for NDJSON
	head      Head
	directory string // base of relative paths of records, see Join
	rules     map[string]*rule.Rule
	line      int          // NDJSON: number of the current line
	ahead     *Record      // NDJSON: the next record, not yet complete
	sum       *jsonSummary // nil until it is read
	tally     Tally        // counts of the returned records
	done      bool
	end       End
	err       error // error of the last call of Next
}

// maxRecord is the maximum number of bytes of the head, or of one record with all findings, from unknown sources. A
// million findings take half of that.
const maxRecord = 1 << 30

// NewReader returns a Reader of the results in r, and reads their head. The error is that of r, or means that r
// does not have results of webcap, or has an unknown version of the format.
func NewReader(r io.Reader) (*Reader, error) {
	return newReader(r, maxRecord)
}

// newReader returns a Reader with the limit most, so that tests can use a lower one.
func newReader(r io.Reader, most int64) (*Reader, error) {
	rd := &Reader{in: byteLimit{r: r, size: most, left: most}, rules: make(map[string]*rule.Rule), end: Interrupted}
	rd.text = bufio.NewReaderSize(&rd.in, 1<<12)
	begin := rd.beginLines
	if start, _ := rd.text.Peek(64); !isLines.Match(start) {
		rd.dec, begin = json.NewDecoder(rd.text), rd.beginDocument
	}
	if err := begin(); err != nil {
		return nil, rd.readError(err)
	}
	return rd, nil
}

// isLines matches the beginning of NDJSON: the type of the first line.
var isLines = regexp.MustCompile(`^\s*{\s*"type"`)

// Head returns the head of the results. Its rules have ID, Title, Clause, and Level as in the results. If this
// version of webcap has the rule, the other fields are set, too.
func (r *Reader) Head() Head { return r.head }

// End returns the End of the results, after Next has returned io.EOF. Before that, and for truncated results, it
// returns Interrupted. If the summary does not match the results, it returns at least Missing.
func (r *Reader) End() End { return r.end }

// Next returns the next record, and io.EOF after the last one. The error is io.ErrUnexpectedEOF if the results are
// truncated; in NDJSON, the last record may then lack findings.
func (r *Reader) Next() (*Record, error) {
	if r.err != nil {
		return nil, r.err
	}
	next := r.nextElement
	if r.dec == nil {
		next = r.nextLines
	}
	r.in.left = r.in.size
	rec, err := next()
	if err != nil {
		r.err = io.EOF
		if !r.done {
			r.err = r.readError(err)
		}
	}
	if rec == nil {
		return nil, r.err
	}
	rec.Path = inDirectory(rec.Path, r.directory, "")
	if rec.Archive != "" {
		rec.Archive = inDirectory(rec.Archive, r.directory, "")
	}
	r.tally.Add(rec)
	return rec, nil
}

// A byteLimit is a reader that limits the bytes of a record.
type byteLimit struct {
	r          io.Reader
	size, left int64 // maximum number of bytes of a record, and how many are left
}

func (p *byteLimit) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, fmt.Errorf("a record of more than %d bytes", p.size)
	}
	n, err := p.r.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	return n, err
}

// readError returns err in a form for users. It adds the place of a problem in the results. It replaces messages of
// encoding/json, which are about Go.
func (r *Reader) readError(err error) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case !syntax && !kind && !errors.Is(err, jsondoc.ErrFormat):
		return err
	case r.dec == nil && syntax:
		return &LineError{r.line, "is not JSON"}
	case r.dec == nil:
		return &LineError{r.line, "is not valid at this place"}
	case r.dec.InputOffset() == 0: // the file has another format
		return jsondoc.ErrFormat
	}
	return fmt.Errorf("%w, after reading up to byte %d", jsondoc.ErrFormat, r.dec.InputOffset())
}

// A LineError is the error of a Reader about a damaged line of NDJSON.
type LineError struct {
	Line   int // from 1
	Reason string
}

// Error returns the problem and the line number.
func (e *LineError) Error() string {
	return fmt.Sprintf("%v: line %d %s", jsondoc.ErrFormat, e.Line, e.Reason)
}

// beginLines reads the first line of NDJSON.
func (r *Reader) beginLines() error {
	line, err := r.nextLine()
	if err != nil {
		return err
	}
	var start lineStart
	if err := json.Unmarshal(line, &start); err != nil {
		return err
	}
	if start.Type != typeHead {
		return jsondoc.ErrFormat
	}
	return r.readHead(line)
}

// nextLine returns the next line that is not blank. The error is io.EOF after the last line.
func (r *Reader) nextLine() (line []byte, err error) {
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		r.line++
		line, err = r.text.ReadBytes('\n')
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

// lineStart are the first members of a line of NDJSON.
type lineStart struct {
	Type string `json:"type"`
	jsondoc.FilePath
}

// addLine adds a line to the record ahead, or begins a new record. The summary ends the last record.
func (r *Reader) addLine(line []byte) error {
	var start lineStart
	err := json.Unmarshal(line, &start)
	if err != nil {
		return err
	}
	switch start.Type {
	case typeInput:
		r.ahead, err = r.record(line)
	case typeSummary:
		r.ahead, r.sum = nil, new(jsonSummary)
		err = json.Unmarshal(line, r.sum)
	case typeFinding, typeIdentity, typeIgnored:
		// In sorted lines, for example, it is unclear to which record a line belongs.
		if path, err := start.Decode(); err != nil || r.ahead == nil || path != r.ahead.Path {
			return jsondoc.ErrFormat
		}
		err = r.add(r.ahead, start.Type, line)
	}
	return err
}

// beginDocument reads a document up to the first input. The first member, the schema, identifies it.
func (r *Reader) beginDocument() error {
	err := r.delim('{')
	members := map[string]json.RawMessage{}
	for err == nil && r.dec.More() {
		var name string
		name, err = r.name()
		switch {
		case err != nil:
			return err
		case len(members) == 0 && name != "schema":
			return jsondoc.ErrFormat
		case name == "inputs":
			return cmp.Or(r.readHead(jsondoc.Marshal(members)), r.delim('['))
		}
		err = r.keep(members, name)
	}
	return cmp.Or(err, r.readHead(jsondoc.Marshal(members)), jsondoc.ErrFormat)
}

// keep reads the value of a member.
func (r *Reader) keep(members map[string]json.RawMessage, name string) error {
	var value json.RawMessage
	err := r.dec.Decode(&value)
	members[name] = value
	return err
}

// nextElement returns the next record of a document. It decodes lists, which may be long, one element at a time, so
// only their decoded form is in memory.
func (r *Reader) nextElement() (*Record, error) {
	if !r.dec.More() {
		return nil, r.readEnd()
	}
	if err := r.delim('{'); err != nil {
		return nil, err
	}
	lists := &Record{Report: &audit.Report{}}
	members := map[string]json.RawMessage{}
	for r.dec.More() {
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		if kind, ok := listTypes[name]; ok {
			err = r.elements(kind, lists)
		} else {
			err = r.keep(members, name)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := r.delim('}'); err != nil {
		return nil, err
	}
	rec, err := r.record(jsondoc.Marshal(members))
	if err != nil {
		return nil, err
	}
	rec.Ignored = lists.Ignored
	if rec.Report == nil {
		if len(lists.Report.Findings)+len(lists.Report.Identities) > 0 {
			return nil, jsondoc.ErrFormat
		}
		return rec, nil
	}
	rec.Report.Findings = lists.Report.Findings
	// an empty list means that identities were checked
	rec.Report.Identities = append(rec.Report.Identities, lists.Report.Identities...)
	return rec, nil
}

// listTypes are the types of lines by the names of lists in a document.
var listTypes = map[string]string{"findings": typeFinding, "identities": typeIdentity, "ignored": typeIgnored}

// elements reads a list of parts of one type, and adds them to a record.
func (r *Reader) elements(kind string, to *Record) error {
	err := r.delim('[')
	for err == nil && r.dec.More() {
		var part json.RawMessage
		if err = r.dec.Decode(&part); err == nil {
			err = r.add(to, kind, part)
		}
	}
	if err != nil {
		return err
	}
	return r.delim(']')
}

// record returns a record without its lists.
func (r *Reader) record(b []byte) (*Record, error) {
	rec := new(Record)
	if err := rec.UnmarshalJSON(b); err != nil { // json.Unmarshal would check the syntax twice
		return nil, err
	}
	if rec.Report == nil {
		return rec, nil
	}
	for i := range rec.Report.Omitted {
		o := &rec.Report.Omitted[i]
		if err := r.define(&o.Rule); err != nil || o.Count < 0 {
			return nil, jsondoc.ErrFormat
		}
	}
	return rec, nil
}

// add adds a part to a record, given its type of line and its JSON.
func (r *Reader) add(to *Record, kind string, part []byte) (err error) {
	switch {
	case to.Report == nil && kind != typeIgnored:
		return jsondoc.ErrFormat
	case kind == typeFinding:
		var f rule.Finding
		if err = f.UnmarshalJSON(part); err == nil { // json.Unmarshal would check the syntax twice
			err = r.define(&f.Rule)
		}
		if err == nil {
			to.Report.Findings = append(to.Report.Findings, f)
		}
	case kind == typeIdentity:
		var i rule.Identity
		if err = json.Unmarshal(part, &i); err == nil {
			to.Report.Identities = append(to.Report.Identities, i)
		}
	case kind == typeIgnored:
		var i Ignored
		if err = json.Unmarshal(part, &i); err == nil {
			err = r.define(&i.Rule)
		}
		if err == nil {
			to.Ignored = append(to.Ignored, i)
		}
	}
	if _, syntax := errors.AsType[*json.SyntaxError](err); err != nil && !syntax {
		err = jsondoc.ErrFormat
	}
	return err
}

// define replaces a rule that has only its ID by the rule with this ID in the head.
func (r *Reader) define(of **rule.Rule) error {
	defined, ok := r.rules[(*of).ID]
	if !ok {
		return jsondoc.ErrFormat
	}
	*of = defined
	return nil
}

// readEnd reads the rest of a document after the inputs.
func (r *Reader) readEnd() error {
	if err := r.delim(']'); err != nil {
		return err
	}
	for r.dec.More() {
		name, err := r.name()
		if err != nil {
			return err
		}
		to := any(new(json.RawMessage))
		if name == "summary" {
			to = &r.sum
		}
		if err := r.dec.Decode(to); err != nil {
			return err
		}
	}
	if err := r.delim('}'); err != nil {
		return err
	}
	if r.sum == nil {
		return jsondoc.ErrFormat
	}
	return r.readSummary()
}

// readSummary checks that nothing follows the summary, which was read, and compares its counts with the results. It
// always returns an error: io.EOF means success.
func (r *Reader) readSummary() error {
	var err error
	if r.dec == nil {
		_, err = r.nextLine()
	} else {
		_, err = r.dec.Token()
	}
	if err == nil {
		return jsondoc.ErrFormat
	}
	if err != io.EOF {
		return err
	}
	r.done, r.end = true, endOf(r.sum)
	read := r.tally.summary(r.end)
	same := read.Inputs == r.sum.Inputs && read.Outcomes == r.sum.Outcomes && read.Findings == r.sum.Findings &&
		(r.sum.Identities == nil || read.Identities != nil && *read.Identities == *r.sum.Identities)
	if !same {
		r.end = max(r.end, Missing)
	}
	return io.EOF
}

// name reads the name of the next member.
func (r *Reader) name() (string, error) {
	t, err := r.dec.Token()
	if err != nil {
		return "", err
	}
	name, _ := t.(string) // at the end of the object, name is "", which no member has
	return name, nil
}

func (r *Reader) delim(d json.Delim) error {
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != d {
		return jsondoc.ErrFormat
	}
	return nil
}
