package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"github.com/webcap-tools/webcap/canon"
)

// An Index is the set of URLs of a web archive. It is safe for concurrent use.
type Index struct {
	seed maphash.Seed
	keys []uint64 // hashes, sorted: an index may have many millions of lines
}

func surt(url string) []byte { return canon.SURT.Append(nil, []byte(url)) }

// maxLine is the maximum length of a line of an index.
const maxLine = 1 << 20

// ReadIndex reads an index in CDXJ, or in CDX whose first two columns are the key and the date. The index may be
// compressed with gzip, and need not be sorted. If a line has the URL, its key does
// not count. Other keys must be URLs, or in SURT form.
func ReadIndex(r io.Reader) (*Index, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReader(z)
	}
	x := &Index{seed: maphash.MakeSeed()}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if fault := x.add(bytes.TrimRight(lines.Bytes(), "\r")); fault != "" {
			return nil, fmt.Errorf("line %d %s", n, fault)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes", n, maxLine)
	} else if err != nil {
		return nil, err
	}
	slices.Sort(x.keys)
	return x, nil
}

// add adds a line. fault describes a problem of the line, or is "".
func (x *Index) add(line []byte) (fault string) {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	if len(line) == 0 || bytes.HasPrefix(line, []byte(" CDX ")) || line[0] == '!' { // a header
		return ""
	}
	key, rest, _ := bytes.Cut(line, []byte(" "))
	date, columns, _ := bytes.Cut(rest, []byte(" "))
	if len(date) < 4 || len(date) > 17 || bytes.ContainsFunc(date, func(r rune) bool { return r < '0' || r > '9' }) {
		return "is not a line of an index: expected a key and a date, such as 20100102030405"
	}
	if !bytes.ContainsAny(key, "):") {
		return "has a key that is not SURT, such as com,example)/"
	}
	// Some programs remove www from keys, and wget does not write SURT.
	if url := urlOf(columns); url != "" {
		key = surt(url)
	} else if bytes.Contains(key, []byte("://")) {
		key = surt(string(key))
	}
	x.keys = append(x.keys, maphash.Bytes(x.seed, key))
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

// Len returns the number of lines about captures.
func (x *Index) Len() int { return len(x.keys) }

// Has reports whether the index has a URL.
func (x *Index) Has(url string) bool {
	_, ok := slices.BinarySearch(x.keys, maphash.Bytes(x.seed, surt(url)))
	return ok
}
