package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/canon"
)

// A spool is the cache of WWWOFFLE. What was retrieved from a URL is in
//
//	protocol/host[:port]/Dname
//
// with the URL in Uname beside it, where name is canon.CacheName of that URL as
// WWWOFFLE reduces it. Older copies are in lasttime and prevtime1, 2, …, the
// files of all hosts together.
type spool struct {
	path  string
	root  *os.Root
	older []string // folders of older copies, the oldest first
	stats func() Stats

	mutex sync.Mutex
	hosts map[string]map[string][]string // for folders of hosts that were searched, names by the key of their URL
}

var (
	spoolProtocols = []string{"http", "https", "ftp", "finger"}
	olderFolder    = regexp.MustCompile(`^(lasttime|prevtime[0-9]{1,4})$`)
	cacheName      = regexp.MustCompile(`^[0-9A-Za-z+-]{22}$`)

	// wwwoffleForms are the reductions of the versions, newest first.
	wwwoffleForms = []*canon.Profile{canon.WWWOFFLE29E, canon.WWWOFFLE29, canon.WWWOFFLE26}
)

// isSpool reports whether a folder has the folders that WWWOFFLE makes, or one of
// a protocol with a pair of files in that of a host.
func isSpool(name string) bool {
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
	s := &spool{root: root}
	for _, protocol := range spoolProtocols {
		for _, host := range s.folders(protocol) {
			for _, name := range s.names(host) {
				if s.isFile(host+"/U"+name) && s.isFile(host+"/D"+name) {
					return true
				}
			}
		}
	}
	return false
}

func openSpool(path string, _ Options) (Source, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	s := &spool{path: path, root: root, hosts: map[string]map[string][]string{}}
	for _, name := range s.folders(".") {
		if olderFolder.MatchString(name) {
			s.older = append(s.older, name)
		}
	}
	slices.SortFunc(s.older, func(a, b string) int { return age(b) - age(a) })
	if !s.hasEntries() {
		root.Close()
		return nil, errors.New("there is nothing that WWWOFFLE has stored")
	}
	s.stats = sync.OnceValue(s.count)
	return s, nil
}

// age is 0 for lasttime and N for prevtimeN.
func age(folder string) int {
	n := 0
	fmt.Sscanf(folder, "prevtime%d", &n)
	return n
}

func (s *spool) Stats() Stats { return s.stats() }
func (s *spool) Close() error { return s.root.Close() }

// folders returns the folders in a folder, with its name before theirs.
func (s *spool) folders(in string) []string {
	list, _ := fs.ReadDir(s.root.FS(), in)
	var names []string
	for _, d := range list {
		if d.IsDir() {
			names = append(names, path.Join(in, d.Name()))
		}
	}
	return names
}

// names returns the names of what is in a folder, without the letters D and U.
func (s *spool) names(folder string) []string {
	list, _ := fs.ReadDir(s.root.FS(), folder)
	var names []string
	for _, d := range list {
		if name := d.Name(); (name[0] == 'D' || name[0] == 'U') && cacheName.MatchString(name[1:]) {
			names = append(names, name[1:])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *spool) isFile(name string) bool {
	info, err := s.root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// all yields the folders of hosts, and then those of older copies.
func (s *spool) all(yield func(string) bool) {
	for _, protocol := range spoolProtocols {
		for _, host := range s.folders(protocol) {
			if !yield(host) {
				return
			}
		}
	}
	for _, older := range s.older {
		if !yield(older) {
			return
		}
	}
}

func (s *spool) hasEntries() bool {
	for folder := range s.all {
		if len(s.names(folder)) > 0 {
			return true
		}
	}
	return false
}

func (s *spool) count() Stats {
	var t tally
	for folder := range s.all {
		for _, name := range s.names(folder) {
			if slices.Contains(s.older, folder) && s.current(folder, name) {
				continue
			}
			t.Files++
			where := filepath.Join(s.path, folder, "D"+name)
			switch _, reason, err := s.entry(folder, name); {
			case err != nil:
				t.skip(where, "files that cannot be read")
			case reason != "":
				t.skip(where, reason)
			default:
				t.Kept++
			}
		}
	}
	return t.stats()
}

// current reports whether the data of an older copy are those in the folder of
// its host: WWWOFFLE links what it has retrieved last.
func (s *spool) current(folder, name string) bool {
	url, err := s.url(folder, name)
	if err != nil {
		return false
	}
	for _, host := range hostFolders(url) {
		if s.same(folder+"/D"+name, host+"/D"+name) {
			return true
		}
	}
	return false
}

func (s *spool) same(a, b string) bool {
	one, err := s.root.Stat(a)
	if err != nil {
		return false
	}
	other, err := s.root.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// hostFolders returns the names that the folder of the host of a URL may have,
// which is reduced as WWWOFFLE does. On Cygwin "!" stands for ":".
func hostFolders(url string) []string {
	protocol, rest, ok := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if !ok || !slices.Contains(spoolProtocols, protocol) || host == "" || strings.Contains(host, `\`) || !filepath.IsLocal(host) {
		return nil
	}
	list := []string{protocol + "/" + host}
	if strings.Contains(host, ":") {
		list = append(list, protocol+"/"+strings.ReplaceAll(host, ":", "!"))
	}
	return list
}

// url returns what a U file holds.
func (s *spool) url(folder, name string) (string, error) {
	if !s.isFile(folder + "/U" + name) {
		return "", fs.ErrNotExist
	}
	f, err := s.root.Open(folder + "/U" + name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSpooledURL))
	return string(data), err
}

// entry returns what is kept under a name, or the reason why it is of no use.
// The error says that it cannot be read.
func (s *spool) entry(folder, name string) (c *Candidate, reason string, err error) {
	url, err := s.url(folder, name)
	dataName := folder + "/D" + name
	info, dataErr := s.root.Stat(dataName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "a D file without its U file", nil
	case err != nil:
		return nil, "", err
	case canon.CacheName([]byte(url)) != name:
		return nil, "a U file that holds another URL than its name says", nil
	case posted(url):
		return nil, "a reply to POST or PUT", nil
	case errors.Is(dataErr, fs.ErrNotExist):
		return nil, "a U file without its D file", nil
	case dataErr != nil:
		return nil, "", dataErr
	case !info.Mode().IsRegular():
		return nil, "a D file that is none", nil
	case info.Size() == 0:
		return nil, "an empty D file", nil
	case s.isFile(folder + "/L" + name):
		return nil, "a file that WWWOFFLE was writing (it is locked)", nil
	}
	f, err := s.root.Open(dataName)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	h, err := readHead(bufio.NewReader(f))
	switch {
	case errors.Is(err, errHead):
		return nil, "a D file whose head does not end", nil
	case err != nil:
		return nil, "", err
	case h.status == 0:
		return nil, "a D file that does not begin with a status line", nil
	case h.reason == "WWWOFFLE Remote Host Error", h.reason == "WWWOFFLE Requested Resource Gone":
		return nil, "an error that WWWOFFLE made", nil
	case h.unusable() != "":
		return nil, h.unusable(), nil
	}
	c = &Candidate{
		URL:       url,
		MediaType: h.get("Content-Type"),
		Where:     filepath.Join(s.path, filepath.FromSlash(dataName)),
		Redirect:  h.redirect(),
		Failed:    h.failed(),
	}
	if date, err := http.ParseTime(h.get("Date")); err == nil {
		c.Time = date
	}
	if c.Redirect == "" {
		c.Bodies = spoolBodies(h, func() (io.ReadCloser, error) {
			f, err := s.root.Open(dataName)
			if err != nil {
				return nil, err
			}
			if _, err := f.Seek(h.size, io.SeekStart); err != nil {
				f.Close()
				return nil, err
			}
			return f, nil
		})
	}
	return c, "", nil
}

// posted reports whether a URL is one that WWWOFFLE made for what was sent with POST
// or PUT: with "!POST:", a digest and a time behind the arguments.
func posted(url string) bool {
	_, args, _ := strings.Cut(url, "?")
	return strings.Contains(args, "!POST:") || strings.Contains(args, "!PUT:")
}

// spoolBodies returns the forms of a body. If WWWOFFLE compressed it, then what
// was retrieved is what comes out, and that is first.
func spoolBodies(h *head, open opener) []Body {
	compressed := slices.ContainsFunc(h.fields, func(f field) bool {
		return strings.EqualFold(f.name, "Pragma") && strings.Contains(strings.ToLower(f.value), "wwwoffle-compressed")
	})
	list := h.bodies(open)
	if compressed {
		slices.Reverse(list)
	}
	return list
}

func (s *spool) Lookup(url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		var forms []string
		for _, p := range wwwoffleForms {
			if form := string(p.Append(nil, []byte(url))); !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
		var hosts []string
		for _, form := range forms {
			for _, host := range hostFolders(form) {
				if !slices.Contains(hosts, host) {
					hosts = append(hosts, host)
				}
			}
		}
		// Newest last: copies by age, then what WWWOFFLE itself would show.
		found := 0
		try := func(folder, name string) bool {
			c, reason, err := s.entry(folder, name)
			switch {
			case err != nil:
				return yield(nil, fmt.Errorf("%s: %w", filepath.Join(s.path, folder, "D"+name), err))
			case reason != "":
				return true // Stats has it
			}
			found++
			return yield(c, nil)
		}
		for _, folder := range s.older {
			for _, form := range forms {
				if name := canon.CacheName([]byte(form)); !s.current(folder, name) && !try(folder, name) {
					return
				}
			}
		}
		older := found
		for _, host := range hosts {
			for _, form := range forms {
				if !try(host, canon.CacheName([]byte(form))) {
					return
				}
			}
		}
		if found > older {
			return
		}
		for _, host := range hosts {
			for _, name := range s.host(host)[key(url)] {
				if !try(host, name) {
					return
				}
			}
		}
	}
}

// host returns the names in the folder of a host, which is read once.
func (s *spool) host(folder string) map[string][]string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	names, ok := s.hosts[folder]
	if ok {
		return names
	}
	names = map[string][]string{}
	for _, name := range s.names(folder) {
		if url, err := s.url(folder, name); err == nil {
			k := key(url)
			names[k] = append(names[k], name)
		}
	}
	if len(names) > 0 {
		s.hosts[folder] = names
	}
	return names
}
