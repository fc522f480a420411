package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// A Reader reads the output of a JSON or NDJSON writer, one record at a time. It ignores members and lines that it
// does not know.
type Reader struct {
	in        byteLimit
	dec       *json.Decoder // decoder of in; for NDJSON, only for the head
	text      *bufio.Reader // NDJSON after the head
	at        int64         // offset in r of the end of the lines read
	head      Head
	directory string // base of relative paths of records, see Join
	rules     map[string]*rule.Rule
	lines     bool         // the input is NDJSON
	line      int          // number of the current line
	ahead     *Record      // NDJSON: the next record, not yet complete
	own, raw  []byte       // JSON: stored members of the head or the current input, and the current member
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
	rd := &Reader{in: byteLimit{r: r, size: most, end: most}, rules: make(map[string]*rule.Rule), end: Interrupted}
	rd.dec = json.NewDecoder(&rd.in)
	if err := rd.begin(); err != nil {
		return nil, rd.readError(err)
	}
	return rd, nil
}

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
	if r.lines {
		next = r.nextLines
	}
	r.in.end = max(r.at, r.dec.InputOffset()) + r.in.size
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
	r         io.Reader
	size      int64 // maximum size of a record
	read, end int64 // bytes of r: number read so far, and allowed number
}

func (p *byteLimit) Read(b []byte) (int, error) {
	if p.read >= p.end {
		return 0, fmt.Errorf("a record of more than %d bytes", p.size)
	}
	n, err := p.r.Read(b[:min(int64(len(b)), p.end-p.read)])
	p.read += int64(n)
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
	case r.lines && syntax:
		return &LineError{r.line, "is not JSON"}
	case r.lines && (kind || errors.Is(err, jsondoc.ErrFormat)):
		return &LineError{r.line, "is not valid at this place"}
	case r.dec.InputOffset() == 0 && (syntax || kind): // the file has another format
		return jsondoc.ErrFormat
	case syntax, kind, errors.Is(err, jsondoc.ErrFormat):
		return fmt.Errorf("%w, after reading up to byte %d", jsondoc.ErrFormat, r.dec.InputOffset())
	}
	return err
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

// begin reads a document up to the first input, or the first line of NDJSON.
func (r *Reader) begin() error {
	if err := r.delim('{'); err != nil {
		return err
	}
	if err := r.readSchema(); err != nil {
		return err
	}
	r.own = append(r.own[:0], '{')
	for r.dec.More() {
		name, err := r.name()
		if err != nil {
			return err
		}
		if name == "inputs" {
			if err := r.readHead(); err != nil || r.lines {
				return cmp.Or(err, jsondoc.ErrFormat)
			}
			return r.delim('[')
		}
		if err := r.keep(name); err != nil {
			return err
		}
	}
	if !r.lines {
		return jsondoc.ErrFormat
	}
	if err := r.readHead(); err != nil {
		return err
	}
	if err := r.delim('}'); err != nil {
		return err
	}
	r.beginLines()
	return nil
}

// readSchema reads the first members, which identify the results: the type of the first line if the input is
// NDJSON, and the schema.
func (r *Reader) readSchema() error {
	var kind, has string
	name, err := r.name()
	if err == nil && name == "type" {
		r.lines, r.line = true, 1
		if err = r.dec.Decode(&kind); err == nil && kind != typeHead {
			err = jsondoc.ErrFormat
		}
		if err == nil {
			name, err = r.name()
		}
	}
	if err != nil {
		return err
	}
	if name != "schema" {
		return jsondoc.ErrFormat
	}
	if err := r.dec.Decode(&has); err != nil {
		return err
	}
	if has != schema {
		return fmt.Errorf("results in the format %q, which is not %s", has, schema)
	}
	return nil
}

// keep reads the value of a member, and stores both. Stored members are decoded together later.
func (r *Reader) keep(name string) error {
	if err := r.dec.Decode((*json.RawMessage)(&r.raw)); err != nil {
		return err
	}
	quoted, err := json.Marshal(name)
	r.own = append(append(append(append(r.own, quoted...), ':'), r.raw...), ',')
	return err
}

// kept returns an object with the stored members.
func (r *Reader) kept() []byte { return append(bytes.TrimSuffix(r.own, []byte(",")), '}') }

// nextElement returns the next record of a document. It decodes lists, which may be long, one element at a time, so
// only their decoded form is in memory.
func (r *Reader) nextElement() (*Record, error) {
	if !r.dec.More() {
		return nil, r.readEnd()
	}
	if err := r.delim('{'); err != nil {
		return nil, err
	}
	parts := &Record{Report: &audit.Report{}}
	r.own = append(r.own[:0], '{')
	for r.dec.More() {
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		if err := r.member(name, parts); err != nil {
			return nil, err
		}
	}
	if err := r.delim('}'); err != nil {
		return nil, err
	}
	rec, err := r.record(r.kept())
	if err != nil {
		return nil, err
	}
	return rec, rec.take(parts)
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

// member reads a member of an input. Lists are added to parts, and all other members are stored. As in encoding/json,
// null means absent, and the last of repeated members counts.
func (r *Reader) member(name string, parts *Record) error {
	switch name {
	case "findings":
		parts.Report.Findings = nil
		return r.elements(typeFinding, parts)
	case "identities":
		parts.Report.Identities = nil
		return r.elements(typeIdentity, parts)
	case "ignored":
		parts.Ignored = nil
		return r.elements(typeIgnored, parts)
	}
	return r.keep(name)
}

// elements reads a list, or null, of parts of one type of line, and adds them to a record.
func (r *Reader) elements(kind string, to *Record) error {
	switch t, err := r.dec.Token(); {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != json.Delim('['):
		return jsondoc.ErrFormat
	}
	for r.dec.More() {
		if err := r.dec.Decode((*json.RawMessage)(&r.raw)); err != nil {
			return err
		}
		if err := r.add(to, kind, r.raw); err != nil {
			return err
		}
	}
	return r.delim(']')
}

// add adds a part to a record, given its type of line and its JSON.
func (r *Reader) add(to *Record, kind string, part []byte) (err error) {
	switch {
	case to == nil, to.Report == nil && kind != typeIgnored:
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

// take adds parts that were read before the other members of the record.
func (rec *Record) take(parts *Record) error {
	rec.Ignored = parts.Ignored
	from := parts.Report
	if rec.Report == nil {
		if len(from.Findings)+len(from.Identities) > 0 {
			return jsondoc.ErrFormat
		}
		return nil
	}
	rec.Report.Findings = from.Findings
	// an empty list means that identities were checked
	rec.Report.Identities = append(rec.Report.Identities, from.Identities...)
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
	if r.lines {
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
