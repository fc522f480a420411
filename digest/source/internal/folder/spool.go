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
	"strings"

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
	root  *os.Root
	pairs []spoolName
}

// spoolName is the name of a pair of files, without the letter D or U, and the folder of the pair.
type spoolName struct{ folder, name string }

// String returns the path.
func (s *Spool) String() string { return s.path }

var (
	// spoolFolder matches the folders of protocols and hosts, and those of older copies. spoolFile matches their files.
	spoolFolder = regexp.MustCompile(`^((https?|ftp|finger)(/[^/]+)?|lasttime|prevtime[0-9]{1,4})$`)
	spoolFile   = regexp.MustCompile(`^((?:https?|ftp|finger)/[^/]+|(?:last|prev)time[0-9]*)/([DU])([0-9A-Za-z+-]{22})$`)
)

// IsSpool reports whether a folder is a cache of WWWOFFLE. It must have the subfolders outgoing and lasttime, or a pair
// of files in the folder of a host in the folder of a protocol.
func IsSpool(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.IsDir() { // opening a pipe would block
		return false
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return false
	}
	defer root.Close()
	has := func(folder string) bool {
		info, err := root.Stat(folder)
		return err == nil && info.IsDir()
	}
	if has("outgoing") && has("lasttime") {
		return true
	}
	files, _ := fs.Glob(root.FS(), "*/*/U*")
	for _, file := range files {
		m := spoolFile.FindStringSubmatch(file)
		if m != nil && localfile.IsFile(root, file) && localfile.IsFile(root, m[1]+"/D"+m[3]) {
			return true
		}
	}
	return false
}

// NewSpool opens the cache at a path.
func NewSpool(path string) (*Spool, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Spool{path: path, root: root}, nil
}

// Scan adds an entry for each pair of files.
func (s *Spool) Scan(t *capture.Scan) error {
	err := fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		m := spoolFile.FindStringSubmatch(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrPermission):
			return err
		case err != nil:
			t.SkipLost(filepath.Join(s.path, name), "a folder that cannot be read")
			return nil
		case d.IsDir() && name != "." && !spoolFolder.MatchString(name):
			return fs.SkipDir
		case m == nil:
			return nil
		}
		if info, err := s.root.Lstat(m[1] + "/D" + m[3]); m[2] == "U" && err == nil && !info.IsDir() {
			return nil // the pair is added at its D file
		}
		s.add(t, spoolName{m[1], m[3]})
		return nil
	})
	if err == nil && t.Files == 0 && t.Total().Skipped == nil {
		err = errors.New("the folder has no files that WWWOFFLE stored")
	}
	return err
}

// add adds the entry of a pair, or counts an unusable pair.
func (s *Spool) add(t *capture.Scan, n spoolName) {
	t.Files++
	where := filepath.Join(s.path, n.folder, "D"+n.name)
	c, reason, err := s.entry(n)
	switch {
	case err != nil:
		t.SkipLost(where, "files that cannot be read")
	case reason != "":
		t.Skip(where, reason)
	default:
		t.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(c.URL)), Time: c.Time.UnixMicro(), At: int64(len(s.pairs))})
		s.pairs = append(s.pairs, n)
		if info, err := s.root.Stat(n.folder + "/D" + n.name); err == nil {
			t.Bytes += info.Size()
		}
	}
}

// Read returns the candidate of an entry.
func (s *Spool) Read(_ *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	n := s.pairs[e.At]
	c, reason, err := s.entry(n)
	if reason != "" {
		err = errors.New(reason)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", filepath.Join(s.path, n.folder, "D"+n.name), err)
	}
	return c, c.URL, nil
}

// Names returns the forms of a URL in the versions of WWWOFFLE.
func (s *Spool) Names(url string) (names []string) {
	for _, p := range []*canon.Profile{canon.WWWOFFLE29E, canon.WWWOFFLE29, canon.WWWOFFLE26} {
		names = append(names, string(p.Append(nil, []byte(url))))
	}
	return names
}

// Close closes the folder.
func (s *Spool) Close() error { return s.root.Close() }

// url returns the URL in the U file with a name. The error is fs.ErrNotExist if there is no such file.
func (s *Spool) url(folder, name string) (string, error) {
	file := folder + "/U" + name
	info, err := s.root.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	f, err := s.root.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSpooledURL))
	return string(data), err
}

// entry returns the candidate of a pair, or the reason why it is unusable. An error means that it cannot be read.
func (s *Spool) entry(n spoolName) (c *capture.Candidate, reason string, err error) {
	url, size, reason, err := s.checkPair(n.folder, n.name)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	file := n.folder + "/D" + n.name
	h, reason, err := s.replyHeader(file)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	c = &capture.Candidate{
		URL:       url,
		MediaType: h.Get("Content-Type"),
		Where:     filepath.Join(s.path, filepath.FromSlash(file)),
		Redirect:  h.Redirect(),
		Status:    h.Status,
		Time:      h.Date(),
		Size:      size - h.Size,
	}
	if c.Redirect == "" {
		c.Doubt = body.StatusDoubt(h.Status)
		c.Body = h.Body(func() (io.ReadCloser, error) { return s.openAt(file, h.Size) })
	}
	return c, "", nil
}

// checkPair returns the URL in the U file and the size of the D file with a name, or the reason why the pair is
// unusable.
func (s *Spool) checkPair(folder, name string) (url string, size int64, reason string, err error) {
	url, err = s.url(folder, name)
	info, dataErr := s.root.Stat(folder + "/D" + name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "a D file without its U file"
	case err != nil:
		return "", 0, "", err
	case canon.CacheName([]byte(url)) != name:
		reason = "a U file whose URL does not match its name"
	case posted(url):
		reason = "a reply to POST or PUT"
	case errors.Is(dataErr, fs.ErrNotExist):
		reason = "a U file without its D file"
	case dataErr != nil:
		return "", 0, "", dataErr
	case !info.Mode().IsRegular():
		reason = "a D file that is not a regular file"
	case info.Size() == 0:
		reason = "an empty D file"
	case localfile.IsFile(s.root, folder+"/L"+name):
		reason = "a file that WWWOFFLE was writing (it is locked)"
	default:
		size = info.Size()
	}
	return url, size, reason, nil
}

// replyHeader returns the header of the response in a D file, or the reason why the response is unusable.
func (s *Spool) replyHeader(file string) (h *body.Header, reason string, err error) {
	f, err := s.root.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	h, err = body.ReadHeader(bufio.NewReader(f))
	switch {
	case errors.Is(err, body.ErrHeader):
		return nil, "a D file whose header does not end", nil
	case err != nil:
		return nil, "", err
	case h.Status == 0:
		return nil, "a D file that does not begin with a status line", nil
	case h.Reason == "WWWOFFLE Remote Host Error", h.Reason == "WWWOFFLE Requested Resource Gone":
		return nil, "an error that WWWOFFLE made", nil
	}
	return h, h.Unusable(), nil
}

// openAt opens a file at an offset.
func (s *Spool) openAt(file string, offset int64) (io.ReadCloser, error) {
	f, err := s.root.Open(file)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// posted reports whether WWWOFFLE made a URL for a POST or PUT request. After the arguments, such a URL has "!POST:" or
// "!PUT:", a digest, and a time.
func posted(url string) bool {
	_, args, _ := strings.Cut(url, "?")
	return strings.Contains(args, "!POST:") || strings.Contains(args, "!PUT:")
}
