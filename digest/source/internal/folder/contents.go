package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/join"
	"github.com/webcap-tools/webcap/digest/source/internal/kind"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
)

// contents lists the files in a folder and its subfolders. Sources are recognized by name. Of the other files, only two
// kinds are opened: pages, for the URL from which they were saved, and files with the names of unsupported formats.
type contents struct {
	f      *folder
	only   kind.Kind              // requested kind of sources; empty for all kinds
	t      capture.Tally          // counts for sources
	rest   capture.Tally          // counts for other files
	files  map[kind.Kind][]string // paths of the sources of each kind
	infos  map[sameStamp][]os.FileInfo
	marks  int  // number of pages searched for their URL
	pages  bool // there are files that browsers show
	others int  // number of files that are not sources
}

// sameStamp is the size and the modification time of a file. Only files with the same stamp can be names of one file.
type sameStamp struct{ size, modified int64 }

// walkFolder finds the sources in a folder. If only is not empty, it finds only sources of this kind. It does not
// follow symbolic links to folders, because their targets are either in the folder already or do not belong to it.
func walkFolder(name string, only kind.Kind) (*contents, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	c := &contents{
		f: &folder{path: name, root: root, hosts: map[string][]string{}, saved: map[string][]savedPage{},
			savedURLs: map[string]string{}},
		only:  only,
		files: map[kind.Kind][]string{}, infos: map[sameStamp][]os.FileInfo{},
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			c.t.SkipLost(filepath.Join(c.f.path, name), "a folder that cannot be read")
		case d.IsDir():
			c.addFolder(name)
		default:
			c.add(name)
		}
		return nil
	})
	if err != nil {
		root.Close()
		return nil, err
	}
	c.dropCopies()
	return c, nil
}

// addFolder adds a subfolder, if it is the folder of a host. name is its path in the folder, with slashes.
func (c *contents) addFolder(name string) {
	if _, host := hostIn(path.Dir(name)); host != "" || !isHost(path.Base(name)) {
		return
	}
	dir, host := path.Split(name)
	c.f.hosts[host] = append(c.f.hosts[host], dir)
}

// add adds a file. name is its path in the folder, with slashes.
func (c *contents) add(name string) {
	where := filepath.Join(c.f.path, filepath.FromSlash(name))
	base := strings.ToLower(path.Base(name))
	if kind := kindNamed(base); kind != "" {
		if c.only == "" || c.only == kind {
			c.addSource(kind, where)
		}
		return
	}
	switch info, err := c.f.root.Stat(name); {
	case err != nil:
		c.rest.Skip(where, "a broken link, or a link out of the folder")
	case info.IsDir():
		// a link to a folder
	case !info.Mode().IsRegular():
		c.rest.Skip(where, "neither a file nor a folder")
	default:
		c.others++
		c.rest.Bytes += info.Size()
		c.addFile(name)
		c.nameForeign(name, where)
	}
}

// addSource adds a file whose name is that of a source. A file with several names is added only once.
func (c *contents) addSource(kind kind.Kind, where string) {
	info, err := os.Stat(where)
	switch {
	case err != nil:
		c.t.SkipLost(where, "a file that cannot be read")
		return
	case info.IsDir():
		return
	case !info.Mode().IsRegular():
		c.t.Skip(where, "neither a file nor a folder")
		return
	}
	stamp := sameStamp{info.Size(), info.ModTime().UnixNano()}
	for _, other := range c.infos[stamp] {
		if os.SameFile(info, other) {
			return
		}
	}
	c.infos[stamp] = append(c.infos[stamp], info)
	c.files[kind] = append(c.files[kind], where)
}

// addFile adds a file that is not a source.
func (c *contents) addFile(name string) {
	_, host := hostIn(path.Dir(name))
	c.pages = c.pages || isShown(name)
	if host != "" || !isSavedName(name) || c.marks == maxMarks {
		return
	}
	c.marks++
	if url := savedFrom(head(c.f.root, name)); url != "" {
		k := urlkey.Alike(url)
		c.f.saved[k] = append(c.f.saved[k], savedPage{url, name})
		c.f.savedURLs[name] = url
	}
}

// nameForeign counts a file that seems to be a source of an unsupported format. Files in the folder of a host are not
// counted, because they are downloads.
func (c *contents) nameForeign(name, where string) {
	if _, host := hostIn(path.Dir(name)); host != "" || !isForeignName(strings.ToLower(path.Base(name))) {
		return
	}
	if what := Foreign(where); what != "" && what != otherZip {
		c.t.Skip(where, what)
	}
}

// isShown reports whether a file with this name may be one that browsers show or that pages need.
func isShown(name string) bool {
	switch strings.ToLower(path.Ext(strings.TrimSuffix(name, ".orig"))) {
	case ".gif", ".jpg", ".jpeg", ".png", ".svg", ".webp", ".ico", ".bmp", ".pdf", ".css", ".js", ".swf":
		return true
	}
	return isPageName(path.Base(name))
}

// kindNamed returns the kind of source that a file name suggests; empty if it suggests none. base is in lower case.
func kindNamed(base string) kind.Kind {
	for _, e := range kind.Files {
		if slices.ContainsFunc(e.Names, func(end string) bool { return strings.HasSuffix(base, end) }) {
			return e.Kind
		}
	}
	return ""
}

// dropCopies drops the combined files of Browsertrix Crawler in the folder of a collection: NAME_0.warc.gz and so on,
// where NAME is the name of the collection. They are copies of the files in the subfolder archive.
func (c *contents) dropCopies() {
	files := c.files[kind.WARC]
	size := map[string]int64{} // total size of the files in each folder named archive
	for _, f := range files {
		if dir := filepath.Dir(f); filepath.Base(dir) == "archive" {
			size[filepath.Dir(dir)] += sizeAt(f)
		}
	}
	copied := map[string]int64{}
	isCopy := func(f string) bool {
		dir := filepath.Dir(f)
		abs, err := filepath.Abs(dir)
		rest, ok := strings.CutPrefix(filepath.Base(f), filepath.Base(abs)+"_")
		number, _, _ := strings.Cut(rest, ".")
		return err == nil && ok && number != "" && strings.Trim(number, "0123456789") == "" && size[dir] > 0
	}
	for _, f := range files {
		if isCopy(f) {
			copied[filepath.Dir(f)] += sizeAt(f)
		}
	}
	c.files[kind.WARC] = slices.DeleteFunc(files, func(f string) bool {
		dir := filepath.Dir(f)
		// Each copy has an additional warcinfo record. If the copies are much larger, they have other data.
		drop := isCopy(f) && copied[dir] <= size[dir]+size[dir]/50+64<<10
		if drop {
			c.t.Skip(f, "a copy of the files in the folder archive")
		}
		return drop
	})
}

// sizeAt returns the size of a file; 0 if there is none.
func sizeAt(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// openContents opens all sources in a folder, and the folder itself if it has files to look up by name. An error means
// that nothing is usable.
func openContents(name string, guessed bool) (capture.Source, error) {
	c, err := walkFolder(name, "")
	if err != nil {
		return nil, err
	}
	list := c.open()
	switch {
	case c.others > 0 && (len(c.f.hosts) > 0 || len(c.f.saved) > 0 || list == nil && (c.pages || !guessed)):
		c.rest.Files, c.rest.Kept = c.others, c.others
		c.t.Add(c.rest.Total())
		if list != nil || guessed { // otherwise the folder itself is the requested source
			c.found("%s", named(c.others))
		}
	case list == nil:
		c.f.Close()
		return nil, c.nothing()
	default:
		return c.withoutFiles(list), nil
	}
	c.f.stats = c.t.Total()
	return join.Sources(append(list, c.f)...), nil
}

// withoutFiles closes the folder. It returns the opened sources as one source, whose Stats count the skipped files.
func (c *contents) withoutFiles(list []capture.Source) capture.Source {
	c.f.Close()
	return join.Sources(append(list, join.Skipped(c.t.Total()))...)
}

// OpenKind opens all sources of one kind in a folder and its subfolders.
func OpenKind(e kind.Entry, name string) (capture.Source, error) {
	c, err := walkFolder(name, e.Kind)
	if err != nil {
		return nil, err
	}
	list := c.open()
	if list == nil {
		c.f.Close()
		if c.files[e.Kind] == nil {
			return nil, fmt.Errorf("there is no %s in the folder", e.Noun)
		}
		return nil, fmt.Errorf("no %s in the folder can be read%s", e.Noun, capture.FirstSkip(c.t.Total()))
	}
	return c.withoutFiles(list), nil
}

// found appends to the description of the contents.
func (c *contents) found(format string, args ...any) {
	if c.t.Found != "" {
		c.t.Found += "; "
	}
	c.t.Found += fmt.Sprintf(format, args...)
}

// nothing returns the error for a folder without usable files. The error names the expected files.
func (c *contents) nothing() error {
	known := c.t.Total().Skipped != nil
	c.t.Add(c.rest.Total())
	stats := c.t.Total()
	switch {
	case c.others == 0 && stats.Skipped == nil:
		return errors.New("the folder has no files")
	case c.others == 0 || known:
		return fmt.Errorf("nothing in the folder can be read%s", capture.FirstSkip(stats))
	}
	return fmt.Errorf("the folder has no usable files: no WARC, ARC, WACZ, HAR or MHTML file, no cache of WWWOFFLE, "+
		"no folder named after a host, no page and no image; %s:PATH takes files of any name", kind.Folder)
}

// open opens the sources. Unreadable ones are skipped.
func (c *contents) open() (list []capture.Source) {
	var files []string
	records := 0
	for _, e := range kind.Files {
		opened := c.openFiles(e)
		for _, s := range opened {
			records += s.Stats().Kept
		}
		if n := len(opened); e.Kind == kind.WARC && n > 0 {
			files = append(files, countArchives(c.files[kind.WARC])...)
		} else if n > 0 {
			files = append(files, count(n, e.Noun))
		}
		list = append(list, opened...)
	}
	if list != nil {
		c.found("%s in %s", count(records, "record"), strings.Join(files, ", "))
	}
	return list
}

// openFiles opens the files of a kind. Archive files become one source, because records may refer to records in other
// files.
func (c *contents) openFiles(e kind.Entry) (list []capture.Source) {
	files := c.files[e.Kind]
	if e.Kind == kind.WARC && len(files) > 0 {
		a, err := warc.OpenFiles(files)
		if err != nil {
			c.t.SkipLost(err.Error(), "unreadable archive files")
			return nil
		}
		return []capture.Source{a}
	}
	for _, f := range files {
		s, err := e.Open(f)
		if err != nil {
			c.t.SkipLost(fmt.Sprintf("%s: %v", f, err), fmt.Sprintf("an unreadable %s", e.Noun))
			continue
		}
		if a, ok := s.(*warc.Archive); ok && c.hasParts(a) {
			a.Close()
			c.t.Skip(f, "a WACZ file whose archive files are also in the folder")
			continue
		}
		list = append(list, s)
	}
	return list
}

// hasParts reports whether each archive file of a WACZ file is also in the folder, with the same name and size.
func (c *contents) hasParts(a *warc.Archive) bool {
	return a.EachPart(func(name string, size int64) bool {
		return slices.ContainsFunc(c.files[kind.WARC], func(f string) bool {
			return filepath.Base(f) == path.Base(name) && sizeAt(f) == size
		})
	})
}

// countArchives returns the numbers of WARC and ARC files as text.
func countArchives(files []string) (list []string) {
	arcs := 0
	for _, f := range files {
		if warc.IsARCName(f) {
			arcs++
		}
	}
	if n := len(files) - arcs; n > 0 {
		list = append(list, count(n, "WARC file"))
	}
	if arcs > 0 {
		list = append(list, count(arcs, "ARC file"))
	}
	return list
}

// named describes n files that are looked up by name.
func named(n int) string {
	if n == 1 {
		return "1 file found by name"
	}
	return fmt.Sprintf("%d files found by name", n)
}

// count returns a number with its noun, which is plural unless n is 1.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
