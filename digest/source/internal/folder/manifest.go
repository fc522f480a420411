package folder

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// List is a list that maps URLs to files, one per line:
//
//	URL TAB file [TAB media type]
//
// File names are relative to the folder of the manifest. Blank lines, and lines that begin with "#", are ignored.
type List struct {
	path    string
	entries []manifestEntry
}

// NewList returns the list at a path.
func NewList(path string) *List { return &List{path: path} }

// String returns the path.
func (m *List) String() string { return m.path }

type manifestEntry struct {
	url, file, mediaType string
	line                 int
	size                 int64
}

// IsList reports whether the first line that is not ignored is a valid line of a manifest.
func IsList(path string) bool {
	data := localfile.Beginning(path)
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(localfile.ByteOrderMark))) {
		if e, ok := manifestLine(string(line)); ok {
			return e.file != ""
		}
	}
	return false
}

// manifestLine splits a line; ok is false if the line is ignored. The file of e is empty if the line is invalid.
func manifestLine(line string) (e manifestEntry, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if strings.TrimSpace(line) == "" || line[0] == '#' {
		return e, false
	}
	fields := strings.Split(line, "\t")
	if u := canon.Split([]byte(fields[0])); len(fields) < 2 || !u.Absolute() || !u.HasAuthority {
		return e, true
	}
	e.url, e.file = fields[0], fields[1]
	if len(fields) > 2 {
		e.mediaType = fields[2]
	} else {
		e.mediaType = mime.TypeByExtension(filepath.Ext(e.file))
	}
	return e, true
}

// lineWork and lineMemory are the price of a line, in addition to its bytes: an access to the disk, and an entry.
const (
	lineWork   = 2 << 10
	lineMemory = 192
)

// Scan reads the lines.
func (m *List) Scan(t *capture.Scan) error {
	file, err := localfile.Open(m.path)
	if err != nil {
		return err
	}
	defer file.Close()
	t.Start(localfile.OpenSize(file))
	t.Bytes = 0 // the size of the files counts
	return m.read(t, t.Reader(file))
}

func (m *List) read(t *capture.Scan, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxManifestLine)
	n := 0
	for lines.Scan() {
		n++
		text := lines.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, localfile.ByteOrderMark)
		}
		if e, ok := manifestLine(text); ok {
			if err := cmp.Or(t.Meter.Pay(lineWork), t.Meter.Keep(lineMemory+int64(len(text)))); err != nil {
				return err
			}
			e.line = n
			m.add(e, t)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		t.SkipCapped(m.where(n+1), fmt.Sprintf("a line longer than %d bytes, and all later lines", maxManifestLine))
	} else if err != nil {
		return err
	}
	if t.Kept == 0 {
		return fmt.Errorf("no usable line%s", capture.FirstSkip(t.Total()))
	}
	return nil
}

// add adds an entry. If the entry is unusable, add counts it in t instead, with the reason.
func (m *List) add(e manifestEntry, t *capture.Scan) {
	if reason := m.unusable(&e); reason != "" {
		t.Skip(m.where(e.line), reason)
		return
	}
	t.Bytes += e.size
	t.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(e.url)), At: int64(len(m.entries))})
	m.entries = append(m.entries, e)
}

// unusable returns the reason why an entry is unusable. If the entry is usable, unusable sets its size and returns "".
func (m *List) unusable(e *manifestEntry) string {
	if e.file == "" {
		return "a line that is not of the form URL, tab, file, with an absolute URL"
	}
	info, err := os.Stat(m.file(*e))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "a missing file"
	case err != nil:
		return "a file that cannot be read"
	case !info.Mode().IsRegular():
		return "a path that is not a file"
	}
	e.size = info.Size()
	return ""
}

// where describes a line of the manifest, for messages.
func (m *List) where(line int) string { return fmt.Sprintf("%s, line %d", m.path, line) }

// file returns the path of an entry's file.
func (m *List) file(e manifestEntry) string {
	if filepath.IsAbs(e.file) {
		return e.file
	}
	return filepath.Join(filepath.Dir(m.path), filepath.FromSlash(e.file))
}

// Read returns the candidate of an entry.
func (m *List) Read(_ *capture.Index, p *capture.Entry) (*capture.Candidate, string, error) {
	e := m.entries[p.At]
	return &capture.Candidate{
		URL:       e.url,
		MediaType: e.mediaType,
		Where:     fmt.Sprintf("%s: %s", m.where(e.line), e.file),
		Size:      e.size,
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return os.Open(m.file(e)) }},
	}, e.url, nil
}
