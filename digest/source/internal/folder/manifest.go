package folder

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

func (m *manifest) List(yield func(*capture.Candidate, error) bool) {
	var list []manifestEntry
	for entries := range maps.Values(m.entries) {
		list = append(list, entries...)
	}
	slices.SortFunc(list, func(a, b manifestEntry) int { return cmp.Compare(a.line, b.line) })
	for _, e := range list {
		if !yield(m.candidate(e), nil) {
			return
		}
	}
}

// manifest is a list that maps URLs to files, one per line:
//
//	URL TAB file [TAB media type]
//
// File names are relative to the folder of the manifest. Blank lines, and lines that begin with "#", are ignored.
type manifest struct {
	path    string
	entries map[string][]manifestEntry // by the common form of alike URLs
	stats   capture.Stats
}

type manifestEntry struct {
	url, file, mediaType string
	line                 int
	size                 int64
}

// isManifest reports whether the first line that is not ignored is a valid line of a manifest.
func isManifest(path string) bool {
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

func openManifest(path string) (capture.Source, error) {
	if err := localfile.Regular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m := &manifest{path: path, entries: map[string][]manifestEntry{}}
	if err := m.read(file); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *manifest) read(r io.Reader) error {
	t := capture.Tally{Stats: capture.Stats{Files: 1}}
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
			if t.Kept == maxManifestLines {
				t.SkipCapped(m.where(n), fmt.Sprintf("all lines after the first %d", maxManifestLines))
				break
			}
			e.line = n
			m.add(e, &t)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		t.SkipCapped(m.where(n+1), fmt.Sprintf("a line longer than %d bytes, and all later lines", maxManifestLine))
	} else if err != nil {
		return err
	}
	m.stats = t.Total()
	if t.Kept == 0 {
		return fmt.Errorf("no usable line%s", capture.FirstSkip(m.stats))
	}
	return nil
}

// add adds an entry. If the entry is unusable, add counts it in t instead, with the reason.
func (m *manifest) add(e manifestEntry, t *capture.Tally) {
	if reason := m.unusable(&e); reason != "" {
		t.Skip(m.where(e.line), reason)
		return
	}
	t.Kept++
	t.Bytes += e.size
	k := urlkey.Alike(e.url)
	m.entries[k] = append(m.entries[k], e)
}

// unusable returns the reason why an entry is unusable. If the entry is usable, unusable sets its size and returns "".
func (m *manifest) unusable(e *manifestEntry) string {
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
func (m *manifest) where(line int) string { return fmt.Sprintf("%s, line %d", m.path, line) }

// file returns the path of an entry's file.
func (m *manifest) file(e manifestEntry) string {
	if filepath.IsAbs(e.file) {
		return e.file
	}
	return filepath.Join(filepath.Dir(m.path), filepath.FromSlash(e.file))
}

func (m *manifest) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return m.lookup(url, urlkey.Same(url))
}

func (m *manifest) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return m.lookup(url, urlkey.IsAlike(url))
}

// lookup yields the captures of the URLs that are alike url and for which is(URL) is true.
func (m *manifest) lookup(url string, is func(string) bool) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		seen := map[string]bool{} // a repeated file is not another capture
		for _, e := range m.entries[urlkey.Alike(url)] {
			if !is(e.url) {
				continue
			}
			if file := m.file(e); seen[file+"\t"+e.mediaType] {
				continue
			} else {
				seen[file+"\t"+e.mediaType] = true
			}
			if !yield(m.candidate(e), nil) {
				return
			}
		}
	}
}

func (m *manifest) candidate(e manifestEntry) *capture.Candidate {
	return &capture.Candidate{
		URL:       e.url,
		MediaType: e.mediaType,
		Where:     fmt.Sprintf("%s: %s", m.where(e.line), e.file),
		Size:      e.size,
		Body: &body.Body{Place: m.file(e),
			Open: func() (io.ReadCloser, error) { return os.Open(m.file(e)) }},
	}
}

func (m *manifest) Stats() capture.Stats { return m.stats }
func (m *manifest) Close() error         { return nil }

func (m *manifest) URLOf(abs string) string {
	for _, list := range m.entries {
		for _, e := range list {
			if file, err := filepath.Abs(m.file(e)); err == nil && file == abs {
				return e.url
			}
		}
	}
	return ""
}
