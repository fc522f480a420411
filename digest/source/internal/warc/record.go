package warc

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// record is the header of a WARC record (ISO 28500:2017, clause 4) or of an ARC record. Its slices are views of the
// bytes of the header. URLs have no brackets.
type record struct {
	kind       string // type in lower case, or arcRecord
	http       bool   // the block is an HTTP message
	url, media []byte
	date       []byte
	payload    []byte // WARC-Payload-Digest
	block      []byte // WARC-Block-Digest
	refersURL  []byte // WARC-Refers-To-Target-URI
	refersDate []byte
	profile    []byte // WARC-Profile
	split      bool   // the record is a segment of a split record
	doubtURL   string // why the URL may be another one; empty if it is certain
	truncated  bool   // WARC-Truncated: the program stopped before the end
	raw        []byte // the whole header
	length     int64  // length of the block; negative if the header lacks it
}

var (
	errNotRecord = errors.New("not the start of a record")
	errNoEnd     = errors.New("the header of the record does not end")
)

// parseRecord reads the header of the record at the start of b.
func parseRecord(b []byte) (record, error) {
	if isVersion(b) {
		return parseWARC(b)
	}
	return parseARC(b)
}

// isVersion reports whether b begins with the first line of a WARC record. It ignores case, because some programs write
// the line in lower case.
func isVersion(b []byte) bool {
	const name = "WARC/"
	return bytes.HasPrefix(b, []byte(name)) ||
		len(b) > len(name) && bytes.EqualFold(b[:len(name)], []byte(name)) && b[len(name)]-'0' < 10
}

func parseWARC(b []byte) (record, error) {
	r := record{length: -1}
	_, at := lineAt(b, 0) // the version
	var name, value []byte
	for at >= 0 {
		line, next := lineAt(b, at)
		switch {
		case next < 0:
			return record{}, errNoEnd
		case len(line) == 0:
			r.setField(name, value)
			r.raw = b[:next]
			r.setKind()
			return r, nil
		case line[0] == ' ' || line[0] == '\t': // continuation of the field
			value = bytes.TrimSpace(append(append(slices.Clip(value), ' '), bytes.TrimSpace(line)...))
		case isVersion(line):
			return record{}, errNotRecord // the header has no end, and this line may begin another record
		default:
			r.setField(name, value)
			name, value, _ = bytes.Cut(line, []byte(":"))
			value = bytes.TrimSpace(value)
		}
		at = next
	}
	return record{}, errNoEnd
}

// lineAt returns the line of b at an offset, without the line end, and the offset of the next line. next is -1 if the
// line has no end.
func lineAt(b []byte, at int) (line []byte, next int) {
	end := bytes.IndexByte(b[at:], '\n')
	if end < 0 {
		return nil, -1
	}
	return bytes.TrimSuffix(b[at:at+end], []byte("\r")), at + end + 1
}

// setField sets the value of a named field (ISO 28500:2017, clause 5).
func (r *record) setField(name, value []byte) {
	switch strings.ToLower(string(name)) {
	case "warc-type":
		r.kind = strings.ToLower(string(value))
	case "content-length":
		r.length = parseLength(value)
	case "content-type":
		r.media = value
	case "warc-date":
		r.date = value
	case "warc-target-uri":
		r.url = withoutBrackets(value)
	case "warc-refers-to-target-uri":
		r.refersURL = withoutBrackets(value)
	case "warc-refers-to-date":
		r.refersDate = value
	case "warc-payload-digest":
		r.payload = value
	case "warc-block-digest":
		r.block = value
	case "warc-truncated":
		r.truncated = true
	case "warc-profile":
		r.profile = withoutBrackets(value)
	case "warc-segment-number":
		r.split = true
	}
}

// arcRecord is the kind of ARC records. No kind of WARC records is in upper case.
const arcRecord = "ARC"

// isReply reports whether a record has retrieved data. isRevisit means that its body is in another record.
func (r *record) isReply() bool {
	return r.kind == "response" || r.kind == "resource" || r.kind == arcRecord
}
func (r *record) isRevisit() bool { return r.kind == "revisit" }
func (r *record) isRequest() bool { return r.kind == "request" }

// isOther reports whether a record is about retrieved data, such as metadata, or made of them.
func (r *record) isOther() bool { return !r.isReply() && !r.isRevisit() && !r.isRequest() }

// setKind sets values that depend on several fields.
func (r *record) setKind() {
	const message = "application/http"
	r.http = len(r.media) >= len(message) && bytes.EqualFold(r.media[:len(message)], []byte(message)) ||
		len(r.media) == 0 && !r.isOther()
	if bareHost.Match(r.url) {
		r.url, r.doubtURL = append([]byte("http://"), r.url...), "the URL of the record has no scheme"
	}
}

// bareHost matches a URL without a scheme, as warcit writes it.
var bareHost = regexp.MustCompile(`^[\pL\pN-]+(\.[\pL\pN-]+)+(:\d+)?/`)

// withoutBrackets removes angle brackets around uri. They occur around identifiers in WARC 1.0, and around URLs in
// files of wget.
func withoutBrackets(uri []byte) []byte {
	if len(uri) > 1 && uri[0] == '<' && uri[len(uri)-1] == '>' {
		return uri[1 : len(uri)-1]
	}
	return uri
}

func parseLength(value []byte) int64 {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// parseARC parses the first line of an ARC record: URL, address, date, media type, and length. Version 2 has further
// columns before the length. A URL may contain blanks, so parseARC searches for the date to find the columns.
func parseARC(b []byte) (record, error) {
	end := bytes.IndexByte(b[:min(len(b), maxRecordHeader)], '\n')
	if !arcScheme(b) {
		return record{}, errNotRecord
	}
	if end < 0 {
		return record{}, errNoEnd
	}
	line := bytes.TrimSuffix(b[:end], []byte("\r"))
	about := isFiledesc(line)
	fields := bytes.Split(line, []byte(" "))
	for i := 2; i < len(fields)-2; i++ {
		if !isARCDate(fields[i]) && !(about && string(fields[i]) == "-") {
			continue
		}
		n := 0
		for _, f := range fields[:i-1] {
			n += len(f) + 1
		}
		r := record{
			kind:   arcRecord,
			http:   true,
			url:    line[:n-1],
			date:   fields[i],
			media:  fields[i+1],
			raw:    b[:end+1],
			length: parseLength(fields[len(fields)-1]),
		}
		if r.length >= 0 {
			return r, nil
		}
	}
	return record{}, errNotRecord
}

// arcScheme reports whether b begins with the scheme of a URL.
func arcScheme(b []byte) bool {
	for i, c := range b {
		switch {
		case c == ':':
			return i > 1
		case c|0x20-'a' >= 26 && (i == 0 || c-'0' >= 10 && c != '+' && c != '-' && c != '.') || i > 20:
			return false
		}
	}
	return false
}

// isFiledesc reports whether b begins with the record about the ARC file itself. Some programs write dashes as values
// in this record, even for the date.
func isFiledesc(b []byte) bool { return bytes.HasPrefix(b, []byte("filedesc://")) }

func isARCDate(s []byte) bool {
	_, err := strconv.ParseUint(string(s), 10, 64)
	return err == nil && (len(s) == 14 || len(s) == 12)
}

// dateLayouts are the formats of dates in WARC 1.0, in WARC 1.1, and in ARC and CDX. In WARC 1.1, parts may be omitted
// from the right.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006",
	"20060102150405", "20060102150405.999999999", "200601021504",
}

// parseDate parses a date; the result is the zero time if the date is invalid.
func parseDate(s []byte) time.Time {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, string(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
