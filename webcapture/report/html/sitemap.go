package html

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// The map of the captured site: hosts, their folders, and the content sets in the folders. Each part has a mark for
// the highest level of its findings.

// A siteHost is a host with a scheme, the group of URLs without a host, or the group of content sets without a URL.
type siteHost struct {
	Name    string
	Mark    setMark
	Folders []*siteFolder
}

// A siteFolder is a folder of a host. It contains all URLs that are equal up to the last slash.
type siteFolder struct {
	Name string
	Mark setMark
	Open bool // the content sets are visible initially
	Sets []siteSet
}

// A setMark summarizes the findings in a part of the map.
type setMark struct {
	Sets, Found int // number of content sets, and of those with findings
	Level       rule.Level
}

func (m *setMark) add(s *siteSet) {
	m.Sets++
	if s.Link.N > 0 {
		m.Found++
		m.Level = max(m.Level, s.Link.Level)
	}
}

// Class returns the highest level as a style class; "is-clean" without findings.
func (m setMark) Class() string {
	if m.Found == 0 {
		return "is-clean"
	}
	return m.Level.String()
}

// A siteSet is a content set.
type siteSet struct {
	Kind, Place        string
	Title, Type, Date  string
	ID                 string
	URLs               []string
	URLsLeft           int
	Members            string
	Proof, Class, Says string // result for its identifier; empty without sources
	Link               findingLink
	Picture            template.URL // picture of the first image; empty if there is none

	host, folder, file string
	isPage             bool
}

// Where returns the place, without the words "content set" at its start.
func (s siteSet) Where() string { return strings.TrimPrefix(s.Place, "content set ") }

// Name returns the title of the set, or else the file name in its URL.
func (s siteSet) Name() string { return cmp.Or(s.Title, s.file, "no name") }

// mapOf groups content sets by host and folder, both sorted by name. In a folder, page sets come first.
func mapOf(sets []siteSet) []siteHost {
	hosts := map[string]*siteHost{}
	folders := map[[2]string]*siteFolder{}
	for _, s := range sets {
		host, folder := hosts[s.host], folders[[2]string{s.host, s.folder}]
		if host == nil {
			host = &siteHost{Name: s.host}
			hosts[s.host] = host
		}
		if folder == nil {
			folder = &siteFolder{Name: s.folder}
			folders[[2]string{s.host, s.folder}] = folder
			host.Folders = append(host.Folders, folder)
		}
		host.Mark.add(&s)
		folder.Mark.add(&s)
		folder.Sets = append(folder.Sets, s)
	}
	const atOnce = 48 // content sets of a file that are visible initially: one or two screens
	var out []siteHost
	shown := 0
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		host := hosts[name]
		slices.SortFunc(host.Folders, func(a, b *siteFolder) int { return cmp.Compare(a.Name, b.Name) })
		for _, f := range host.Folders {
			slices.SortStableFunc(f.Sets, func(a, b siteSet) int {
				return cmp.Or(b2i(b.isPage)-b2i(a.isPage), cmp.Compare(a.file, b.file))
			})
			f.Open = shown == 0 || shown+len(f.Sets) <= atOnce
			shown += len(f.Sets)
		}
		out = append(out, *host)
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func newSiteSet(s *outline.Set) siteSet {
	out := siteSet{
		Kind: s.Subtype.String(), Place: layout.Printable(s.Place.String()), Title: layout.Printable(s.Title),
		Type: layout.Printable(s.ContentType), Date: layout.Printable(s.Date),
		URLsLeft: s.URLsLeft, Members: membersText(s), host: "Without URL", isPage: s.Subtype == webcapture.PageSet,
	}
	if s.ID != "" {
		out.ID = s.ID.String()
	}
	for _, url := range s.URLs {
		out.URLs = append(out.URLs, urlText(url))
	}
	if len(s.URLs) > 0 {
		host, folder, file := splitURL(s.URLs[0])
		out.host, out.folder, out.file = urlText(host), urlText(folder), urlText(file)
	}
	if len(s.Members) > 0 {
		out.Picture = pictureURL(s.Members[0].Picture)
	}
	return out
}

// urlText returns a URL, or a part of one, on one printable line.
func urlText(url string) string {
	if len(url) == utf8.RuneCountInString(url) && layout.Printable(url) == url {
		return url // printable ASCII needs no parentheses
	}
	return nametree.Key(url).String()
}

// splitURL splits a URL into scheme and host, folder, and file name with query.
func splitURL(url string) (host, folder, file string) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return "Other URLs", "", url
	}
	path := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = i
	}
	host, rest = scheme+"://"+rest[:path], rest[path:]
	end := len(rest)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		end = i
	}
	last := strings.LastIndexByte(rest[:end], '/') + 1
	return host, rest[:last], rest[last:]
}

// pictureURL returns a picture as a data URL. The URL is safe: its media type is one of two that cannot run code,
// and the rest is Base64.
func pictureURL(picture []byte) template.URL {
	media := outline.PictureType(picture)
	if media == "" {
		return ""
	}
	return template.URL("data:" + media + ";base64," + base64.StdEncoding.EncodeToString(picture))
}

// membersText describes the pages or images of a content set.
func membersText(s *outline.Set) string {
	var parts []string
	for i := 0; i < len(s.Members); i++ {
		m := s.Members[i]
		switch {
		case m.Page > 0:
			last := i
			for last+1 < len(s.Members) && s.Members[last+1].Page == s.Members[last].Page+1 {
				last++
			}
			parts = append(parts, pagesText(m.Page, s.Members[last].Page))
			i = last
		case m.Width > 0 && m.Height > 0:
			parts = append(parts, fmt.Sprintf("%d × %d", m.Width, m.Height))
		case m.Ref.Num != 0:
			parts = append(parts, m.Ref.String())
		default:
			parts = append(parts, "no reference")
		}
	}
	if s.MembersLeft > 0 {
		parts = append(parts, fmt.Sprintf("%d more", s.MembersLeft))
	}
	return strings.Join(parts, ", ")
}

func pagesText(first, last int) string {
	if first == last {
		return "page " + group(first)
	}
	return "pages " + group(first) + "–" + group(last)
}

// prove adds the result of checking the set's identifier.
func (s *siteSet) prove(id *rule.Identity) {
	s.Proof, s.Class = id.Proof.String(), proofClass(id.Proof.String())
	parts := []string{id.Where, id.Reading, id.Reason, id.Evidence()}
	if id.Text != "" {
		parts = append(parts, "text identifier: "+id.Text)
	}
	s.Says = layout.Printable(strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; "))
}
