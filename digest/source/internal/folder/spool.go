package folder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Spool is the cache of WWWOFFLE. The response for a URL is in
//
//	protocol/host[:port]/Dname
//
// and the URL is in Uname next to it; name is canon.CacheName of the URL. Older copies are in the folders lasttime and
// prevtime1, 2, …, each of which has the files of all hosts.
type Spool struct {
	path  string
	pairs []spoolPair
}

// spoolPair is the folder of a pair of files, and their name without the letter D or U.
type spoolPair struct{ folder, name string }

// NewSpool returns the cache at a path.
func NewSpool(path string) *Spool { return &Spool{path: path} }

// String returns the path.
func (s *Spool) String() string { return s.path }

var (
	// spoolFolder matches the folders of protocols and hosts, and those of older copies. dataFile matches their D files.
	spoolFolder = regexp.MustCompile(`^((https?|ftp|finger)(/[^/]+)?|lasttime|prevtime[0-9]{1,4}|\.)$`)
	dataFile    = regexp.MustCompile(`^((?:https?|ftp|finger)/[^/]+|(?:last|prev)time[0-9]*)/D([0-9A-Za-z+-]{22})$`)
)

// IsSpool reports whether a folder has a D file in the folder of a host in the folder of a protocol.
func IsSpool(path string) bool {
	files, _ := fs.Glob(os.DirFS(path), "*/*/D*")
	return slices.ContainsFunc(files, dataFile.MatchString)
}

// Scan adds an entry for each pair of files. It does not follow symbolic links.
func (s *Spool) Scan(t *capture.Scan) error {
	return fs.WalkDir(os.DirFS(s.path), ".", func(name string, d fs.DirEntry, err error) error {
		m := dataFile.FindStringSubmatch(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrPermission):
			return err
		case err != nil:
			t.SkipLost(filepath.Join(s.path, name), "a folder that cannot be read")
		case d.IsDir() && !spoolFolder.MatchString(name):
			return fs.SkipDir
		case m != nil && d.Type().IsRegular():
			if info, err := d.Info(); err == nil {
				s.add(t, spoolPair{m[1], m[2]}, info.Size())
			}
		}
		return nil
	})
}

// add adds the entry of a pair with a D file of a size, or counts an unusable pair.
func (s *Spool) add(t *capture.Scan, p spoolPair, size int64) {
	t.Files++
	c, reason, err := s.candidate(p)
	switch {
	case err != nil:
		t.SkipLost(s.file(p, "D"), "files that cannot be read")
	case reason != "":
		t.Skip(s.file(p, "D"), reason)
	default:
		t.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(c.URL)), Time: c.Time.UnixMicro(), At: int64(len(s.pairs))})
		t.Bytes += size
		s.pairs = append(s.pairs, p)
	}
}

// file returns the path of a file of a pair.
func (s *Spool) file(p spoolPair, letter string) string {
	return filepath.Join(s.path, filepath.FromSlash(p.folder), letter+p.name)
}

// Read returns the candidate of an entry.
func (s *Spool) Read(_ *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	p := s.pairs[e.At]
	c, reason, err := s.candidate(p)
	if reason != "" {
		err = errors.New(reason)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", s.file(p, "D"), err)
	}
	return c, c.URL, nil
}

// candidate returns the candidate of a pair, or the reason why it is unusable. An error means that it cannot be read.
func (s *Spool) candidate(p spoolPair) (c *capture.Candidate, reason string, err error) {
	url, err := s.url(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "a D file without its U file", nil
	case err != nil:
		return nil, "", err
	case canon.CacheName(url) != p.name:
		return nil, "a U file whose URL does not match its name", nil
	case localfile.Regular(s.file(p, "L")) == nil:
		return nil, "a file that WWWOFFLE was writing (it is locked)", nil
	}
	file := s.file(p, "D")
	f, err := localfile.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	h, err := body.ReadHeader(bufio.NewReader(f))
	switch {
	case errors.Is(err, body.ErrHeader), err == nil && h.Status == 0:
		return nil, "a D file that does not begin with the header of a reply", nil
	case err != nil:
		return nil, "", err
	case h.Unusable() != "":
		return nil, h.Unusable(), nil
	}
	c = &capture.Candidate{
		URL:       string(url),
		MediaType: h.Get("Content-Type"),
		Where:     file,
		Redirect:  h.Redirect(),
		Status:    h.Status,
		Time:      h.Date(),
		Size:      localfile.OpenSize(f) - h.Size,
	}
	if c.Redirect == "" {
		c.Doubt = body.StatusDoubt(h.Status)
		c.Body = h.Body(func() (io.ReadCloser, error) { return openAt(file, h.Size) })
	}
	return c, "", nil
}

// url returns the URL in the U file of a pair.
func (s *Spool) url(p spoolPair) ([]byte, error) {
	f, err := localfile.Open(s.file(p, "U"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxURL))
}

// openAt opens a file at an offset.
func openAt(path string, offset int64) (io.ReadCloser, error) {
	f, err := localfile.Open(path)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
