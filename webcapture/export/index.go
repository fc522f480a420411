package export

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/webcap-tools/webcap/canon"
)

// An Entry is a line of an index (CDXJ) about a record.
type Entry struct {
	key  string // key of the URL in SURT form
	when time.Time

	URL      string `json:"url"`
	MIME     string `json:"mime"`
	Digest   string `json:"digest"`
	Length   int64  `json:"length,string"` // length of the record as stored
	Offset   int64  `json:"offset,string"`
	Filename string `json:"filename"`
}

// timestamp is the layout of dates in an index.
const timestamp = "20060102150405"

func surt(url string) string { return string(canon.SURT.Append(nil, []byte(url))) }

// writeEntries sorts list by key and date, and writes it as an index.
func writeEntries(to io.Writer, list []Entry) error {
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.key, b.key), a.when.Compare(b.when)) })
	w := bufio.NewWriter(to)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		fmt.Fprintf(w, "%s %s ", list[i].key, list[i].when.Format(timestamp))
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return w.Flush()
}

// An Index holds the URLs of a web archive and the dates of their captures. It is safe for concurrent use.
type Index struct {
	seed  maphash.Seed
	lines []indexLine // sorted
}

// indexLine is a line of an index. It takes only 16 bytes, because an index may have many millions of lines.
type indexLine struct {
	key  uint64 // hash of the key
	when int64  // date in seconds
}

func (l indexLine) compare(o indexLine) int {
	return cmp.Or(cmp.Compare(l.key, o.key), cmp.Compare(l.when, o.when))
}

// ReadIndex reads an index in CDXJ, or in CDX whose first two columns are the key and the date. The index may be
// compressed with gzip, and need not be sorted. If a line has the URL, its key does
// not count. Other keys must be URLs, or in SURT form.
func ReadIndex(r io.Reader) (*Index, error) {
	in := bufio.NewReaderSize(r, maxLine)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(z, maxLine)
	}
	x := &Index{seed: maphash.MakeSeed()}
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return nil, fmt.Errorf("line %d is longer than %d bytes", n, maxLine)
		case err != nil && err != io.EOF:
			return nil, err
		}
		if fault := x.add(bytes.TrimRight(line, "\r\n")); fault != "" {
			return nil, fmt.Errorf("line %d %s", n, fault)
		}
		if err == io.EOF {
			slices.SortFunc(x.lines, indexLine.compare)
			return x, nil
		}
	}
}

// maxLine is the maximum length of a line of an index.
const maxLine = 1 << 20

// add adds a line. fault describes a problem of the line, or is "".
func (x *Index) add(line []byte) (fault string) {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	if len(line) == 0 || bytes.HasPrefix(line, []byte(" CDX ")) || line[0] == '!' { // a header
		return ""
	}
	key, rest, _ := bytes.Cut(line, []byte(" "))
	digits, _, _ := bytes.Cut(rest, []byte(" "))
	if len(digits) < 4 || len(digits) > 17 || bytes.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return "is not a line of an index: expected a key and a date, such as 20100102030405"
	}
	if !bytes.ContainsAny(key, "):") {
		return "has a key that is not SURT, such as com,example)/"
	}
	// Some programs remove www from keys, and wget does not write SURT.
	if url := urlOf(rest[len(digits):]); url != "" {
		key = []byte(surt(url))
	} else if bytes.Contains(key, []byte("://")) {
		key = []byte(surt(string(key)))
	}
	const earliest = "00000101000000"
	full := string(digits[:min(len(digits), len(earliest))])
	full += earliest[len(full):]
	when, err := time.Parse(timestamp, full)
	if err != nil {
		return "has no date in its second column"
	}
	x.lines = append(x.lines, indexLine{maphash.Bytes(x.seed, key), when.Unix()})
	return ""
}

// urlOf returns the URL in the columns after the date: the member url of JSON, or the first column. It returns "" if
// there is none.
func urlOf(columns []byte) string {
	columns = bytes.TrimSpace(columns)
	if bytes.HasPrefix(columns, []byte("{")) {
		var entry struct{ URL string }
		if json.Unmarshal(columns, &entry) != nil {
			return ""
		}
		return entry.URL
	}
	first, _, _ := bytes.Cut(columns, []byte(" "))
	if !bytes.Contains(first, []byte("://")) {
		return ""
	}
	return string(first)
}

// Len returns the number of captures in the index.
func (x *Index) Len() int { return len(x.lines) }

// Nearest returns the date of the capture of a URL nearest to t; the earlier date if two are equally near. ok is
// false if the index does not have the URL.
func (x *Index) Nearest(url string, t time.Time) (nearest time.Time, ok bool) {
	want := indexLine{maphash.String(x.seed, surt(url)), t.Unix()}
	at, _ := slices.BinarySearchFunc(x.lines, want, indexLine.compare)
	has := func(i int) bool { return i >= 0 && i < len(x.lines) && x.lines[i].key == want.key }
	best := at - 1
	if !has(best) || has(at) && x.lines[at].when-want.when < want.when-x.lines[best].when {
		best = at
	}
	if !has(best) {
		return time.Time{}, false
	}
	return time.Unix(x.lines[best].when, 0).UTC(), true
}
