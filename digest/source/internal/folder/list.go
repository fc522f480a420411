package folder

import (
	"bufio"
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
//	URL TAB file
//
// File names are relative to the folder of the list. Blank lines, and lines that begin with "#", are ignored.
type List struct {
	path  string
	lines []listLine
	sizes map[string]int64 // of the files, by path: many lines may name one file
}

// NewList returns the list at a path.
func NewList(path string) *List { return &List{path: path, sizes: map[string]int64{}} }

// String returns the path.
func (l *List) String() string { return l.path }

// listLine is a line of a list. The file is empty if the line is invalid.
type listLine struct {
	url, file string
	number    int
}

// parseLine splits a line; ok is false if the line is ignored.
func parseLine(text string) (e listLine, ok bool) {
	text = strings.TrimRight(text, "\r\n")
	if strings.TrimSpace(text) == "" || text[0] == '#' {
		return e, false
	}
	url, file, _ := strings.Cut(text, "\t")
	if u := canon.Split([]byte(url)); u.Absolute() && u.HasAuthority {
		e.url, e.file = url, file
	}
	return e, true
}

// lineWork and lineMemory are the price of a line, in addition to its bytes: an access to the disk, and an entry.
const (
	lineWork   = 2 << 10
	lineMemory = 192
)

// Scan reads the lines.
func (l *List) Scan(t *capture.Scan) error {
	file, err := localfile.Open(l.path)
	if err != nil {
		return err
	}
	defer file.Close()
	t.Start(localfile.OpenSize(file))
	t.Bytes = 0 // the size of the files counts
	lines := bufio.NewScanner(t.Reader(file))
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		text := lines.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, localfile.ByteOrderMark)
		}
		if e, ok := parseLine(text); ok {
			if err := cmp.Or(t.Meter.Pay(lineWork), t.Meter.Keep(lineMemory+int64(len(text)))); err != nil {
				return err
			}
			e.number = n
			l.add(e, t)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		t.SkipCapped(l.where(n+1), fmt.Sprintf("a line longer than %d bytes, and all later lines", maxLine))
	} else if err != nil {
		return err
	}
	return nil
}

// add adds a line. If the line is unusable, add counts it.
func (l *List) add(e listLine, t *capture.Scan) {
	if e.file == "" {
		t.Skip(l.where(e.number), "a line that is not of the form URL, tab, file, with an absolute URL")
		return
	}
	path := l.file(e)
	if _, known := l.sizes[path]; !known {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			t.Skip(l.where(e.number), "a missing or unreadable file")
			return
		}
		l.sizes[path] = info.Size()
		t.Bytes += info.Size()
	}
	t.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(e.url)), At: int64(len(l.lines))})
	l.lines = append(l.lines, e)
}

// where describes a line of the list, for messages.
func (l *List) where(line int) string { return fmt.Sprintf("%s, line %d", l.path, line) }

// file returns the path of the file of a line.
func (l *List) file(e listLine) string {
	if filepath.IsAbs(e.file) {
		return e.file
	}
	return filepath.Join(filepath.Dir(l.path), filepath.FromSlash(e.file))
}

// Read returns the candidate of an entry.
func (l *List) Read(_ *capture.Index, p *capture.Entry) (*capture.Candidate, string, error) {
	e := l.lines[p.At]
	return &capture.Candidate{
		URL:       e.url,
		MediaType: mime.TypeByExtension(filepath.Ext(e.file)),
		Where:     fmt.Sprintf("%s: %s", l.where(e.number), e.file),
		Size:      l.sizes[l.file(e)],
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return localfile.Open(l.file(e)) }},
	}, e.url, nil
}
