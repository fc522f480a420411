// Package wwwoffle opens the spool folders of WWWOFFLE.
package wwwoffle

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// spool is the cache of WWWOFFLE. The response for a URL is in
//
//	protocol/host[:port]/Dname
//
// and the URL is in Uname next to it; name is canon.CacheName of the URL. Older copies are in the folders lasttime and
// prevtime1, 2, …, each of which has the files of all hosts.
type spool struct {
	path  string
	root  *os.Root
	lists fs.FS    // the folders in root; tests replace it
	older []string // folders of older copies, the oldest first
	stats func() capture.Stats

	mutex sync.Mutex
	// entries of the folders of hosts that were searched, by folder and by the common form of alike URLs
	hosts map[string]map[string][]spoolEntry
}

var (
	spoolProtocols = []string{"http", "https", "ftp", "finger"}
	olderFolder    = regexp.MustCompile(`^(lasttime|prevtime[0-9]{1,4})$`)
	cacheName      = regexp.MustCompile(`^[0-9A-Za-z+-]{22}$`)
)

// Is reports whether a folder is a cache of WWWOFFLE. It must have the subfolders outgoing and lasttime, or a pair of
// files in the folder of a host in the folder of a protocol.
func Is(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
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
	s := &spool{root: root, lists: root.FS()}
	for _, protocol := range spoolProtocols {
		hosts, _ := s.folders(protocol)
		for _, host := range hosts {
			names, _ := s.names(host)
			for _, name := range names {
				if localfile.IsFile(s.root, host+"/U"+name) && localfile.IsFile(s.root, host+"/D"+name) {
					return true
				}
			}
		}
	}
	return false
}

func Open(path string) (capture.Source, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	s := &spool{path: path, root: root, lists: root.FS(), hosts: map[string]map[string][]spoolEntry{}}
	names, err := s.folders(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	for _, name := range names {
		if olderFolder.MatchString(name) {
			s.older = append(s.older, name)
		}
	}
	slices.SortFunc(s.older, func(a, b string) int { return age(b) - age(a) })
	if err := s.checkEntries(); err != nil {
		root.Close()
		return nil, err
	}
	s.stats = sync.OnceValue(s.count)
	return s, nil
}

// age returns the age of a folder of older copies: 0 for lasttime and N for prevtimeN.
func age(folder string) int {
	n := 0
	fmt.Sscanf(folder, "prevtime%d", &n)
	return n
}

func (s *spool) Stats() capture.Stats { return s.stats() }
func (s *spool) Close() error         { return s.root.Close() }

// readDir returns the contents of a folder; none if the folder does not exist. An error means that the list is
// incomplete.
func (s *spool) readDir(folder string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.lists, folder)
	if err != nil && localfile.Missing(err) {
		err = nil
	}
	return list, err
}

// folders returns the subfolders of a folder. The results begin with the name of the folder.
func (s *spool) folders(in string) ([]string, error) {
	list, err := s.readDir(in)
	var names []string
	for _, d := range list {
		if d.IsDir() {
			names = append(names, path.Join(in, d.Name()))
		}
	}
	return names, err
}

// names returns the names of files in a folder, without the letters D and U.
func (s *spool) names(folder string) ([]string, error) {
	list, err := s.readDir(folder)
	var names []string
	for _, d := range list {
		if name := d.Name(); (name[0] == 'D' || name[0] == 'U') && cacheName.MatchString(name[1:]) {
			names = append(names, name[1:])
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// all yields the folders of hosts, and then the folders of older copies. For an error, it yields the folder whose
// subfolders are unreadable.
func (s *spool) all(yield func(string, error) bool) {
	for _, protocol := range spoolProtocols {
		hosts, err := s.folders(protocol)
		if err != nil && !yield(protocol, err) {
			return
		}
		for _, host := range hosts {
			if !yield(host, nil) {
				return
			}
		}
	}
	for _, older := range s.older {
		if !yield(older, nil) {
			return
		}
	}
}

// checkEntries returns an error if no folder has files of WWWOFFLE. If a folder is unreadable, this is the error.
func (s *spool) checkEntries() (err error) {
	for folder, folderErr := range s.all {
		names, namesErr := s.names(folder)
		if len(names) > 0 {
			return nil
		}
		err = cmp.Or(err, folderErr, namesErr)
	}
	return cmp.Or(err, errors.New("the folder has no files that WWWOFFLE stored"))
}

func (s *spool) count() capture.Stats {
	var t capture.Tally
	for n, err := range s.pairs {
		if err != nil {
			t.SkipLost(filepath.Join(s.path, n.folder), "a folder that cannot be read")
			continue
		}
		t.Files++
		where := filepath.Join(s.path, n.folder, "D"+n.name)
		switch _, reason, err := s.entry(n.folder, n.name); {
		case err != nil:
			t.SkipLost(where, "files that cannot be read")
		case reason != "":
			t.Skip(where, reason)
		default:
			t.Kept++
			if info, err := s.root.Stat(n.folder + "/D" + n.name); err == nil {
				t.Bytes += info.Size()
			}
		}
	}
	return t.Total()
}

// pairs yields the name of each pair of files once, even if one of the two files is missing. For a folder that is not
// completely readable, it also yields an error, with the folder and an empty name.
func (s *spool) pairs(yield func(spoolName, error) bool) {
	for folder, err := range s.all {
		var names []string
		if err == nil {
			names, err = s.names(folder)
		}
		if err != nil && !yield(spoolName{folder: folder}, err) {
			return
		}
		for _, name := range names {
			if slices.Contains(s.older, folder) && s.current(folder, name) {
				continue
			}
			if !yield(spoolName{folder, name}, nil) {
				return
			}
		}
	}
}

// current reports whether the copy in a folder of older copies is the same file as the copy in the folder of its host.
// WWWOFFLE makes a hard link for the latest copy, so this file is in both folders.
func (s *spool) current(folder, name string) bool {
	url, _ := s.url(folder, name) // without a URL, there is no folder of a host
	for _, host := range hostFolders(url) {
		if s.same(folder+"/D"+name, host+"/D"+name) {
			return true
		}
	}
	return false
}

func (s *spool) same(a, b string) bool {
	one, _ := s.root.Stat(a)
	other, _ := s.root.Stat(b)
	return os.SameFile(one, other) // a missing file is not the same as any
}

// hostFolders returns the possible names of the folder for the host of a URL. The URL must be in the form of WWWOFFLE.
// On Cygwin, names have "!" instead of ":".
func hostFolders(url string) []string {
	protocol, rest, ok := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if !ok || !slices.Contains(spoolProtocols, protocol) || host == "" || strings.Contains(host, `\`) {
		return nil
	}
	var list []string
	for _, name := range []string{host, strings.ReplaceAll(host, ":", "!")} { // Windows forbids colons
		if folder := protocol + "/" + name; filepath.IsLocal(name) && !slices.Contains(list, folder) {
			list = append(list, folder)
		}
	}
	return list
}

// url returns the URL in the U file with a name. The error is fs.ErrNotExist if there is no such file.
func (s *spool) url(folder, name string) (string, error) {
	file := folder + "/U" + name
	info, err := s.root.Stat(file)
	if err != nil && !localfile.Missing(err) {
		return "", err
	}
	if err != nil || !info.Mode().IsRegular() {
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

// entry returns the capture with a name, or the reason why it is unusable. An error means that it cannot be read.
func (s *spool) entry(folder, name string) (c *capture.Candidate, reason string, err error) {
	url, size, reason, err := s.checkPair(folder, name)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	file := folder + "/D" + name
	h, reason, err := s.replyHeader(file)
	if reason != "" || err != nil {
		return nil, reason, err
	}
	c = s.candidate(url, file, h)
	c.Size = size - h.Size
	return c, "", nil
}

// checkPair returns the URL in the U file and the size of the D file with a name, or the reason why the pair is
// unusable.
func (s *spool) checkPair(folder, name string) (url string, size int64, reason string, err error) {
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
func (s *spool) replyHeader(file string) (h *body.Header, reason string, err error) {
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

func (s *spool) candidate(url, file string, h *body.Header) *capture.Candidate {
	c := &capture.Candidate{
		URL:       url,
		MediaType: h.Get("Content-Type"),
		Where:     filepath.Join(s.path, filepath.FromSlash(file)),
		Redirect:  h.Redirect(),
		Status:    h.Status,
		Time:      h.Date(),
	}
	if c.Redirect == "" {
		c.Doubt = body.StatusDoubt(h.Status)
		c.Body = h.Body(func() (io.ReadCloser, error) { return s.openAt(file, h.Size) })
	}
	return c
}

// openAt opens a file at an offset.
func (s *spool) openAt(file string, offset int64) (io.ReadCloser, error) {
	f, err := s.root.Open(file)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, offset, localfile.ToEnd), f}, nil
}

// posted reports whether WWWOFFLE made a URL for a POST or PUT request. After the arguments, such a URL has "!POST:" or
// "!PUT:", a digest, and a time.
func posted(url string) bool {
	_, args, _ := strings.Cut(url, "?")
	return strings.Contains(args, "!POST:") || strings.Contains(args, "!PUT:")
}
