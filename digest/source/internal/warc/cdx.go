package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// cdxReader reads the lines of an index as entries. A line is in CDXJ,
//
//	com,example)/ 20200101000000 {"url": "http://example.com/", "offset": "0", …}
//
// or in CDX, where letters in the first line name the columns.
type cdxReader struct {
	capture.Tally
	parts   []Part
	numbers map[string]uint32 // indexes of parts, by the base of their names
	entries entries
	useless map[entry]bool // unusable entries, with only part and position
	others  bool           // lines may refer to missing files
	missing capture.Tally  // counts of lines for missing files; unused if others is true
	limit   int64          // maximum number of entries, by the size of the parts
	columns map[string]int // indexes of the columns of CDX, by their letters; nil for CDXJ
	width   int            // number of columns
}

// cdxLine holds the values of a line of CDXJ or CDX, with the names of CDXJ.
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

// stringOrNumber is a JSON value that some programs write as a string, and others as a number.
type stringOrNumber string

func (s *stringOrNumber) UnmarshalJSON(b []byte) error {
	*s = stringOrNumber(bytes.Trim(b, `"`))
	return nil
}

// read reads an index. An error means that the index is unreliable.
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
		if !ok || !x.add(line) || int64(x.entries.len()) > x.limit {
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

// split splits a line; ok is false if the line is invalid.
func (x *cdxReader) split(text []byte) (line cdxLine, ok bool) {
	if x.columns != nil {
		return x.splitCDX(text)
	}
	first, rest, _ := bytes.Cut(text, []byte(" "))
	date, rest, ok := bytes.Cut(rest, []byte(" "))
	if !ok || json.Unmarshal(rest, &line) != nil {
		return line, false
	}
	line.date = string(date)
	line.Method = cmp.Or(line.Method, methodIn(string(first)))
	return line, true
}

// methodIn returns the method in the key of a request. pywb adds it for methods other than GET.
func methodIn(key string) string {
	_, method, _ := strings.Cut(strings.ToUpper(key), "__WB_METHOD=")
	method, _, _ = strings.Cut(method, "&")
	return method
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
		Method:   methodIn(column("N")),
	}, true
}

// add adds the entry of a line. It returns false if the line is impossible.
func (x *cdxReader) add(line cdxLine) bool {
	number, ok := x.numbers[path.Base(line.Filename)]
	if !ok {
		if !x.others {
			x.missing.SkipLost(line.Filename+", of "+line.URL, "a record in an index, whose archive file is missing")
		}
		return true
	}
	offset, err := strconv.ParseInt(string(line.Offset), 10, 64)
	if line.URL == "" || err != nil || offset < 0 || offset >= x.parts[number].Size {
		return false
	}
	if !urlkey.IsRetrieved([]byte(line.URL)) {
		return true
	}
	if line.Digest == "-" {
		line.Digest = ""
	}
	e := entry{
		url:      urlkey.Hash(urlkey.Alike(line.URL)),
		time:     parseDate([]byte(line.date)).UnixMicro(),
		payload:  urlkey.Hash(line.Digest[strings.IndexByte(line.Digest, ':')+1:]),
		position: position{member: offset},
		part:     number,
		revisit:  line.Mime == "warc/revisit",
	}
	h := &body.Header{}
	h.Status, _ = strconv.Atoi(string(line.Status))
	where := x.parts[number].where(e.position)
	m := method([]byte(line.Method + " "))
	switch reason := h.Unusable(); {
	case m != "":
		x.Skip(where, "a reply to "+m)
		x.useless[place(&e)] = true
	case reason != "" && !e.revisit:
		x.Skip(where, reason)
	default:
		x.entries.add(e)
	}
	return true
}

// CDX is an index that is stored with archive files.
type CDX struct {
	Open   func() (io.ReadCloser, error)
	Packed bool // compressed by gzip
}

// readFile reads an index.
func (x *cdxReader) readFile(f CDX) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	return x.readStream(r, f.Packed)
}

// readStream reads an index that may be compressed.
func (x *cdxReader) readStream(r io.Reader, packed bool) error {
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

// indexesOf returns the indexes that programs store next to an archive file, or in the index folder of its
// collection.
func indexesOf(file string) (list []string) {
	stem := file
	for _, end := range Names {
		if rest, ok := strings.CutSuffix(strings.ToLower(file), end); ok {
			stem = file[:len(rest)]
		}
	}
	dir, base := filepath.Split(file)
	for _, name := range []string{
		file, stem, filepath.Join(dir, "..", "warc-cdx", base), filepath.Join(dir, "..", "indexes", "index"),
		filepath.Join(dir, "..", "indexes", "autoindex"),
	} {
		for _, end := range []string{".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"} {
			if localfile.Regular(name+end) == nil && !slices.Contains(list, name+end) {
				list = append(list, name+end)
			}
		}
	}
	return list
}

// readIndexes reads indexes of archive files, and stores the entries in the parts. It uses an index only if it is not
// older than its files and its positions are those of records. It returns the positions of unusable records; nil if no
// index is usable.
func readIndexes(parts []Part, indexes []string, t *capture.Tally) map[entry]bool {
	byPart := map[uint32]*scan{}
	useless := map[entry]bool{}
	for _, name := range indexes {
		x, err := readIndex(parts, name)
		if err != nil {
			t.Skip(name, "an index that does not match the archive files")
			continue
		}
		for i, s := range x.perPart() {
			if older(name, parts[i].Path) {
				continue // the file may have grown since the index was written
			}
			if byPart[i] == nil {
				byPart[i] = s
			} else {
				byPart[i].entries.move(&s.entries)
			}
		}
		for p := range x.useless {
			useless[p] = true
		}
		for _, k := range x.Total().Skipped {
			t.Note(k.First, k.Reason, k.Count, k.Capped)
		}
	}
	if len(byPart) == 0 {
		return nil
	}
	for i, s := range byPart {
		s.entries.distinct()
		s.Files, s.records = 1, s.entries.len()
		s.Bytes, s.Kept = parts[i].Size, s.entries.len()
		parts[i].indexed = s
	}
	return useless
}

// readIndex reads one index. An error means that the index is unreliable.
func readIndex(parts []Part, name string) (*cdxReader, error) {
	x := &cdxReader{parts: parts, numbers: map[string]uint32{}, useless: map[entry]bool{}, others: true}
	twice := map[string]bool{}
	for i := range parts {
		base := filepath.Base(parts[i].Path)
		if _, ok := x.numbers[base]; ok {
			twice[base] = true
		}
		x.numbers[base] = uint32(i)
		x.limit += parts[i].Size/minRecord + 1
	}
	for base := range twice { // two parts with this base are ambiguous
		delete(x.numbers, base)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := x.readStream(f, strings.HasSuffix(strings.ToLower(name), ".gz")); err != nil {
		return nil, err
	}
	for i := range x.perPart() {
		if err := parts[i].sniff(); err != nil {
			return nil, err
		}
	}
	a := newArchive(parts, x.entries, capture.Stats{})
	defer a.long.Close()
	x.entries = a.index.entries
	return x, a.fits()
}

// distinct removes repeated entries. There are such entries because a crawler writes an index of each archive file, and
// an index of all archive files.
func (l *entries) distinct() {
	l.sort(func(a, b *entry) int { return cmp.Or(byPlace(a, b), cmp.Compare(a.url, b.url)) })
}

// perPart returns the entries by archive file. Files without entries are omitted.
func (x *cdxReader) perPart() map[uint32]*scan {
	scans := map[uint32]*scan{}
	for e := range x.entries.all() {
		s := scans[e.part]
		if s == nil {
			s = &scan{part: &x.parts[e.part]}
			scans[e.part] = s
		}
		s.entries.add(*e)
	}
	return scans
}

// older reports whether the file at the path name was modified before the file at the path other.
func older(name, other string) bool {
	a, err := os.Stat(name)
	if err != nil {
		return true
	}
	b, err := os.Stat(other)
	return err == nil && a.ModTime().Before(b.ModTime())
}

// IsIndexName reports whether base, in lower case, is a usual name of an index of archive files.
func IsIndexName(base string) bool {
	base = strings.TrimSuffix(base, ".gz")
	return strings.HasSuffix(base, ".cdx") || strings.HasSuffix(base, ".cdxj")
}

var (
	ErrNoIndex = errors.New("there is no index")
	errCDX     = errors.New("the index does not match the archive files")
)

// OpenListed opens archive files with the indexes that are stored with them. It counts index entries for missing files
// in missing. The error is ErrNoIndex, or says that the indexes are unusable.
func OpenListed(parts []Part, indexes []CDX, o capture.Options, missing *capture.Tally) (*Archive, error) {
	x := &cdxReader{parts: parts, numbers: map[string]uint32{}, useless: map[entry]bool{}}
	defer func() { missing.Add(x.missing.Total()) }()
	for i, p := range parts {
		x.Bytes += p.Size
		if err := parts[i].sniff(); err != nil {
			return nil, err
		}
		x.numbers[path.Base(p.Name)] = uint32(i)
		x.limit += p.Size/minRecord + 1
	}
	for _, f := range indexes {
		if err := x.readFile(f); err != nil {
			return nil, err
		}
	}
	if x.entries.len() == 0 {
		return nil, ErrNoIndex
	}
	x.entries.distinct()
	a := newArchive(parts, x.entries, capture.Stats{})
	if err := a.fits(); err != nil {
		a.long.Close()
		return nil, err
	}
	a.rest = sync.OnceValue(func() *index { return a.scanned(x.useless, o) })
	x.Files, x.Kept = len(parts), a.index.entries.len()
	a.Counts = x.Total()
	return a, nil
}

// fits checks a sample of index entries: there must be a record of the URL at each position. The error is errCDX.
func (a *Archive) fits() error {
	const tries = 16
	n := a.index.entries.len()
	for i := range min(tries, n) {
		e := a.index.entries.at(i * n / min(tries, n))
		s, err := a.parts[e.part].read(e.position)
		if err != nil || urlkey.Hash(urlkey.Alike(string(s.url))) != e.url {
			return errCDX
		}
	}
	return nil
}
