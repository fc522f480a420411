//go:build !js

package source

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
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/internal/warc"
)

// contents lists the files in a folder and its subfolders. Sources are recognized by name. Of the other files, only two
// kinds are opened: pages, for the URL from which they were saved, and files with the names of unsupported formats.
type contents struct {
	path   string
	root   *os.Root
	saved  *folder.Saved     // the files that are not sources
	only   Kind              // requested kind of sources; empty for all kinds
	t      capture.Tally     // counts for sources
	rest   capture.Tally     // counts for other files
	files  map[Kind][]string // paths of the sources of each kind
	pages  bool              // there are files that browsers show
	others int               // number of files that are not sources
}

// walkFolder finds the sources in a folder. If only is not empty, it finds only sources of this kind. It does not
// follow symbolic links to folders, because their targets are either in the folder already or do not belong to it.
func walkFolder(name string, only Kind) (*contents, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	c := &contents{path: name, root: root, saved: folder.NewSaved(name, root), only: only, files: map[Kind][]string{}}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			c.t.SkipLost(filepath.Join(c.path, name), "a folder that cannot be read")
		case !d.IsDir():
			c.add(name)
		}
		return nil
	})
	if err != nil {
		root.Close()
		return nil, err
	}
	return c, nil
}

// add adds a file. name is its path in the folder, with slashes.
func (c *contents) add(name string) {
	where := filepath.Join(c.path, filepath.FromSlash(name))
	base := strings.ToLower(path.Base(name))
	if kind := kindNamed(base); kind != "" {
		if c.only == "" || c.only == kind {
			c.addSource(kind, where)
		}
		return
	}
	switch info, err := c.root.Stat(name); {
	case err != nil:
		c.rest.Skip(where, "a broken link, or a link out of the folder")
	case info.IsDir():
		// a link to a folder
	case !info.Mode().IsRegular():
		c.rest.Skip(where, "neither a file nor a folder")
	default:
		c.others++
		c.rest.Bytes += info.Size()
		c.pages = c.pages || folder.IsShown(name)
		c.saved.Add(name)
		c.nameForeign(name, where)
	}
}

// addSource adds a file whose name is that of a source.
func (c *contents) addSource(kind Kind, where string) {
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
	c.files[kind] = append(c.files[kind], where)
}

// nameForeign counts a file that seems to be a source of an unsupported format. Files in the folder of a host are not
// counted, because they are downloads.
func (c *contents) nameForeign(name, where string) {
	if folder.IsDownload(name) || !isForeignName(strings.ToLower(path.Base(name))) {
		return
	}
	if what := foreign(where); what != "" && what != otherZip {
		c.t.Skip(where, what)
	}
}

// openFolder opens all sources in a folder, and the files that are found by name. guessed means that the caller did not
// say that it is a folder of files. An error means that nothing is usable.
func openFolder(name string, guessed bool) (Source, error) {
	c, err := walkFolder(name, "")
	if err != nil {
		return nil, err
	}
	sources := c.open()
	if c.others > 0 && (c.saved.HasHosts || c.saved.HasPages() || sources == nil && (c.pages || !guessed)) {
		if sources == nil {
			c.rest.Add(c.t.Total())
		}
		if sources != nil || guessed { // otherwise the folder itself is the requested source
			c.rest.Found = named(c.others)
		}
		saved, err := capture.Open([]capture.File{c.saved}, &c.rest)
		if err != nil || sources == nil {
			return saved, err
		}
		return capture.Join(sources, saved), nil
	}
	c.root.Close()
	if sources == nil {
		return nil, c.nothing()
	}
	return sources, nil
}

// openKind opens all sources of one kind in a folder and its subfolders.
func openKind(e kindEntry, name string) (Source, error) {
	c, err := walkFolder(name, e.Kind)
	if err != nil {
		return nil, err
	}
	c.root.Close()
	switch sources := c.open(); {
	case sources != nil:
		return sources, nil
	case c.files[e.Kind] == nil:
		return nil, fmt.Errorf("there is no %s in the folder", e.Noun)
	}
	return nil, fmt.Errorf("no %s in the folder can be read%s", e.Noun, capture.FirstSkip(c.t.Total()))
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
		"no folder named after a host, no page and no image; %s:PATH takes files of any name", Folder)
}

// open opens the sources; nil if there is none. Unreadable ones are skipped.
func (c *contents) open() Source {
	var files []capture.File
	var from []string // paths of the sources that have these files
	for _, e := range kinds {
		for _, path := range c.files[e.Kind] {
			list, err := e.Files(path, &c.t)
			switch {
			case err != nil:
				c.t.SkipLost(fmt.Sprintf("%s: %v", path, err), fmt.Sprintf("an unreadable %s", e.Noun))
			default:
				files = append(files, list...)
				from = append(from, slices.Repeat([]string{path}, len(list))...)
			}
		}
	}
	if files == nil {
		return nil
	}
	x, err := capture.Open(files, &c.t)
	if err != nil {
		return nil
	}
	usable := map[string]bool{}
	for i, path := range from {
		usable[path] = usable[path] || x.IsUsable(i)
	}
	x.Describe(c.found(x.Stats().Kept, usable))
	return x
}

// found describes the sources with these paths.
func (c *contents) found(records int, usable map[string]bool) string {
	var list []string
	for _, e := range kinds {
		files := slices.DeleteFunc(slices.Clone(c.files[e.Kind]), func(path string) bool { return !usable[path] })
		if e.Kind == WARC {
			list = append(list, countArchives(files)...)
		} else if len(files) > 0 {
			list = append(list, count(len(files), e.Noun))
		}
	}
	return fmt.Sprintf("%s in %s", count(records, "record"), strings.Join(list, ", "))
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
