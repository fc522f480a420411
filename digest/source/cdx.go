package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// A cdxReader makes entries of the lines of an index: of CDXJ,
//
//	com,example)/ 20200101000000 {"url": "http://example.com/", "offset": "0", …}
//
// or of CDX, where a first line says by letters what the columns are.
type cdxReader struct {
	tally
	parts   []part
	numbers map[string]uint32 // of parts, by the base of their names
	entries []entry
	useless map[entry]bool // part and position of those that are of no use
	limit   int64          // the number of entries that the parts have room for
	columns map[string]int // of CDX, by their letters; nil in CDXJ
	width   int            // the number of columns
}

// A cdxLine is what a line says, as it stands in CDXJ.
type cdxLine struct {
	date     string
	URL      string
	Filename string
	Offset   stringOrNumber
	Status   stringOrNumber
	Mime     string
	Digest   string
	Method   string
}

// A stringOrNumber is a value that some programs write as a string, and others as a
// number.
type stringOrNumber string

func (s *stringOrNumber) UnmarshalJSON(b []byte) error {
	*s = stringOrNumber(bytes.Trim(b, `"`))
	return nil
}

// read reads an index. The error says that it is not to be trusted.
func (x *cdxReader) read(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxCDXLine)
	x.columns = nil
	for in.Scan() {
		text := in.Bytes()
		if first := bytes.TrimSpace(text); len(first) == 0 || first[0] == '!' {
			continue
		}
		if rest, ok := bytes.CutPrefix(text, []byte(" CDX ")); ok {
			x.setColumns(strings.Fields(string(rest)))
			continue
		}
		line, ok := x.split(text)
		if !ok || !x.add(line) || int64(len(x.entries)) > x.limit {
			return errCDX
		}
	}
	return in.Err()
}

func (x *cdxReader) setColumns(letters []string) {
	x.columns, x.width = map[string]int{}, len(letters)
	for i, letter := range letters {
		x.columns[letter] = i
	}
}

// split takes a line apart; false if it is not as the format has it.
func (x *cdxReader) split(text []byte) (line cdxLine, ok bool) {
	if x.columns != nil {
		return x.splitCDX(text)
	}
	_, rest, _ := bytes.Cut(text, []byte(" "))
	date, rest, ok := bytes.Cut(rest, []byte(" "))
	if !ok || json.Unmarshal(rest, &line) != nil {
		return line, false
	}
	line.date = string(date)
	return line, true
}

func (x *cdxReader) splitCDX(text []byte) (line cdxLine, ok bool) {
	fields := strings.Fields(string(text))
	if len(fields) != x.width {
		return line, false
	}
	column := func(letter string) string {
		if i, ok := x.columns[letter]; ok {
			return fields[i]
		}
		return ""
	}
	return cdxLine{
		date:     column("b"),
		URL:      column("a"),
		Filename: column("g"),
		Offset:   stringOrNumber(column("V")),
		Status:   stringOrNumber(column("s")),
		Mime:     column("m"),
		Digest:   column("k"),
	}, true
}

// add notes what a line says; false if that cannot be.
func (x *cdxReader) add(line cdxLine) bool {
	number, ok := x.numbers[path.Base(line.Filename)]
	offset, err := strconv.ParseInt(string(line.Offset), 10, 64)
	if line.URL == "" || !ok || err != nil || offset < 0 || offset >= x.parts[number].size {
		return false
	}
	if !isRetrieved([]byte(line.URL)) {
		return true
	}
	if line.Digest == "-" {
		line.Digest = ""
	}
	e := entry{
		url:      hash(Alike(line.URL)),
		time:     parseDate([]byte(line.date)).UnixMicro(),
		payload:  hash(line.Digest[strings.IndexByte(line.Digest, ':')+1:]),
		position: position{member: offset},
		part:     number,
		revisit:  line.Mime == "warc/revisit",
	}
	h := &header{}
	h.status, _ = strconv.Atoi(string(line.Status))
	where := x.parts[number].where(e.position)
	m := method([]byte(line.Method + " "))
	switch reason := h.unusable(); {
	case m != "":
		x.skip(where, "a reply to "+m)
		x.useless[place(&e)] = true
	case reason != "" && !e.revisit:
		x.skip(where, reason)
	default:
		x.entries = append(x.entries, e)
	}
	return true
}

// readFile reads an index that is an entry of a zip file.
func (x *cdxReader) readFile(f *zip.File, packed bool) error {
	entry, err := f.Open()
	if err != nil {
		return err
	}
	r := inflated{entry}
	defer r.Close()
	if !packed {
		return x.read(r)
	}
	g, err := gzip.NewReader(r)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	return x.read(g)
}

// isIndexName says whether a name, in lower case, is that of an index of archive files.
func isIndexName(base string) bool {
	base = strings.TrimSuffix(base, ".gz")
	return strings.HasSuffix(base, ".cdx") || strings.HasSuffix(base, ".cdxj")
}
