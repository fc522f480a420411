package wwwoffle

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

func (s *spool) List(yield func(*capture.Candidate, error) bool) {
	for n, err := range s.pairs {
		if err != nil {
			continue // counted in Stats
		}
		if _, more := s.yield([]spoolName{n}, yield); !more {
			return
		}
	}
}

// spoolName is the name of a pair of files, without the letter D or U, and the folder of the pair.
type spoolName struct{ folder, name string }

// Lookup yields copies by age, oldest first; the last one is the copy that WWWOFFLE would show. If there is no current
// copy, Lookup searches other spellings of the URL.
func (s *spool) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		forms := wwwoffleForms(url)
		var hosts []string
		for _, form := range forms {
			hosts = appendNew(hosts, hostFolders(form)...)
		}
		if _, more := s.yield(s.olderNames(forms), yield); !more {
			return
		}
		current := currentNames(hosts, forms)
		if found, more := s.yield(current, yield); found || !more {
			return
		}
		s.yieldOthers(hosts, current, url, urlkey.Same(url), yield)
	}
}

// LookupAlike searches the folders of the hosts that alike URLs may have.
func (s *spool) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		var hosts []string
		for _, form := range wwwoffleForms(url) {
			for _, host := range urlkey.HostsAlike(form) {
				hosts = appendNew(hosts, hostFolders(host)...)
			}
		}
		s.yieldOthers(hosts, nil, url, urlkey.IsAlike(url), yield)
	}
}

// yieldOthers yields captures in the folders of hosts, if is returns true for their URL. It omits those with the names
// in tried.
func (s *spool) yieldOthers(hosts []string, tried []spoolName, url string, is func(string) bool,
	yield func(*capture.Candidate, error) bool) {
	names, err := s.otherNames(hosts, url, is)
	if err != nil && !yield(nil, fmt.Errorf("%s: %w", s.path, err)) {
		return
	}
	names = slices.DeleteFunc(names, func(n spoolName) bool { return slices.Contains(tried, n) })
	s.yield(names, yield)
}

// yield yields the captures with these names. found reports whether there was a capture, and more whether to continue.
func (s *spool) yield(names []spoolName, yield func(*capture.Candidate, error) bool) (found, more bool) {
	for _, n := range names {
		c, reason, err := s.entry(n.folder, n.name)
		if reason != "" {
			continue // counted in Stats
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", filepath.Join(s.path, n.folder, "D"+n.name), err)
		}
		found = found || err == nil
		if !yield(c, err) {
			return found, false
		}
	}
	return found, true
}

// wwwoffleForms returns the forms of a URL in the versions of WWWOFFLE, newest first, with and without the port 443 of
// https. WWWOFFLE removes this port only if it was built with GnuTLS.
func wwwoffleForms(url string) (forms []string) {
	for _, p := range []*canon.Profile{canon.WWWOFFLE29E, canon.WWWOFFLE29, canon.WWWOFFLE26} {
		form := string(p.Append(nil, []byte(url)))
		forms = appendNew(forms, form, withOtherPort(form))
	}
	return forms
}

// withOtherPort returns the form of an https URL in which the default port is added if there is no port, and removed if
// it is there. It returns any other form unchanged.
func withOtherPort(form string) string {
	rest, ok := strings.CutPrefix(form, "https://")
	if !ok {
		return form
	}
	authority, path, _ := strings.Cut(rest, "/")
	switch u := canon.Split([]byte(form)); {
	case string(u.Port) == "443":
		authority = strings.TrimSuffix(authority, ":443")
	case !u.HasPort:
		authority += ":443"
	}
	return "https://" + authority + "/" + path
}

// appendNew appends values that are not in the list yet.
func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// olderNames returns the names of URL forms in the folders of older copies, oldest first. It omits copies that are also
// the current copy.
func (s *spool) olderNames(forms []string) (names []spoolName) {
	for _, folder := range s.older {
		for _, form := range forms {
			if name := canon.CacheName([]byte(form)); !s.current(folder, name) {
				names = append(names, spoolName{folder, name})
			}
		}
	}
	return names
}

// currentNames returns the names of the forms of a URL in the folders of hosts, which have the latest copies.
func currentNames(hosts, forms []string) (names []spoolName) {
	for _, host := range hosts {
		for _, form := range forms {
			names = append(names, spoolName{host, canon.CacheName([]byte(form))})
		}
	}
	return names
}

// otherNames returns the names in the folders of hosts for whose URLs is returns true. An error means that a folder
// could not be read.
func (s *spool) otherNames(hosts []string, url string, is func(string) bool) (names []spoolName, err error) {
	alike := urlkey.Alike(url)
	for _, host := range hosts {
		there, hostErr := s.host(host)
		err = cmp.Or(err, hostErr)
		for _, f := range there[alike] {
			if is(f.url) {
				names = append(names, spoolName{host, f.name})
			}
		}
	}
	return names, err
}

// spoolEntry is the name of a pair of files, without the letter D or U, and the URL in the U file.
type spoolEntry struct{ name, url string }

// host returns the entries of the folder of a host, by the common form of alike URLs. It reads the folder only once,
// unless the folder has no entries or reading fails.
func (s *spool) host(folder string) (map[string][]spoolEntry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	names, ok := s.hosts[folder]
	if ok {
		return names, nil
	}
	names = map[string][]spoolEntry{}
	list, err := s.names(folder)
	for _, name := range list {
		if url, err := s.url(folder, name); err == nil {
			k := urlkey.Alike(url)
			names[k] = append(names[k], spoolEntry{name, url})
		}
	}
	if len(names) > 0 && err == nil {
		s.hosts[folder] = names
	}
	return names, err
}
