//go:build !js

package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
)

// contents lists the files in a folder and its subfolders. Sources are recognized by name. Of the other files, only
// those with the names of unsupported formats are opened.
type contents struct {
	path   string
	root   *os.Root
	saved  *folder.Saved     // the files that are not sources
	only   *kindEntry        // requested kind of sources; nil for all kinds
	t      capture.Tally     // counts for sources
	rest   capture.Tally     // counts for other files
	files  map[Kind][]string // paths of the sources of each kind
	others int               // number of files that are not sources
}

// openFolder opens all sources in a folder, and the files that are found by name. If only is not nil, it opens only
// sources of this kind. guessed means that the caller did not say that it is a folder of files. An error means that
// nothing is usable.
func openFolder(name string, only *kindEntry, guessed bool) (Source, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	c := &contents{path: name, root: root, saved: folder.NewSaved(name, root), only: only, files: map[Kind][]string{}}
	err = fs.WalkDir(root.FS(), ".", c.visit)
	if err != nil {
		root.Close()
		return nil, err
	}
	return c.open(guessed)
}

// visit adds a file. It does not follow symbolic links to folders, because their targets are either in the folder
// already or do not belong to it.
func (c *contents) visit(name string, d fs.DirEntry, err error) error {
	where := filepath.Join(c.path, filepath.FromSlash(name))
	switch {
	case err != nil && name == ".":
		return err
	case err != nil:
		c.t.SkipLost(where, "a folder that cannot be read")
		return nil
	case d.IsDir():
		return nil
	}
	base := strings.ToLower(path.Base(name))
	kind, t := kindNamed(base), &c.rest
	info, err := c.root.Stat(name)
	if kind != "" {
		if c.only != nil && c.only.Kind != kind {
			return nil
		}
		t = &c.t
		info, err = os.Stat(where) // the link to a source may leave the folder
	}
	switch {
	case err != nil && kind != "":
		t.SkipLost(where, "a file that cannot be read")
	case err != nil:
		t.Skip(where, "a broken link, or a link out of the folder")
	case info.IsDir():
		// a link to a folder
	case !info.Mode().IsRegular():
		t.Skip(where, "neither a file nor a folder")
	case kind != "":
		c.files[kind] = append(c.files[kind], where)
	default:
		c.others++
		t.Bytes += info.Size()
		c.saved.Add(name)
		if isForeignName(base) && !folder.IsDownload(name) {
			if what := foreign(where); what != "" && what != otherZip {
				c.t.Skip(where, what)
			}
		}
	}
	return nil
}

// open opens the files. Unreadable ones are skipped.
func (c *contents) open(guessed bool) (Source, error) {
	var files []capture.File
	for _, e := range kinds {
		for _, path := range c.files[e.Kind] {
			list, err := e.Files(path, &c.t)
			if err != nil {
				c.t.SkipLost(fmt.Sprintf("%s: %v", path, err), fmt.Sprintf("an unreadable %s", e.Noun))
				continue
			}
			files = append(files, list...)
		}
	}
	named := c.only == nil && c.others > 0 && (c.saved.HasHosts || files == nil && !guessed)
	isPlain := named && files == nil && !guessed // the folder itself is the requested source
	if named {
		files = append(files, c.saved)
		c.t.Add(c.rest.Total())
	} else {
		c.root.Close()
	}
	if files == nil {
		return nil, c.nothing()
	}
	x, err := capture.Open(files, &c.t)
	if err != nil {
		return nil, c.nothing()
	}
	if !named {
		c.others = 0
	}
	if !isPlain {
		x.Describe(c.found(x.Stats()))
	}
	return x, nil
}

// nothing returns the error for a folder without usable files. The error names the expected files.
func (c *contents) nothing() error {
	if c.only != nil && c.files[c.only.Kind] == nil {
		return fmt.Errorf("there is no %s in the folder", c.only.Noun)
	} else if c.only != nil {
		return fmt.Errorf("no %s in the folder can be read%s", c.only.Noun, capture.FirstSkip(c.t.Total()))
	}
	known := c.t.Total().Skipped != nil
	c.t.Add(c.rest.Total())
	stats := c.t.Total()
	switch {
	case c.others == 0 && stats.Skipped == nil:
		return errors.New("the folder has no files")
	case c.others == 0 || known:
		return fmt.Errorf("nothing in the folder can be read%s", capture.FirstSkip(stats))
	}
	return fmt.Errorf("the folder has no usable files: no WARC, ARC, WACZ, HAR or MHTML file, no cache of WWWOFFLE, and "+
		"no folder named after a host; %s:PATH takes files of any name", Folder)
}

// found describes the contents that are used.
func (c *contents) found(s capture.Stats) string {
	var list []string
	if n := s.Files - c.others; n > 0 {
		list = append(list, count(s.Kept-c.others, "record")+" in "+count(n, "file"))
	}
	if c.others > 0 {
		list = append(list, count(c.others, "file")+" found by name")
	}
	return strings.Join(list, "; ")
}

// count returns a number with its noun, which is plural unless n is 1.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
