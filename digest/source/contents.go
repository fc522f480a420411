//go:build !js

package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
)

// contents lists the files in a folder and its subfolders. Sources are recognized by name.
type contents struct {
	path  string
	t     capture.Stats // counts for sources
	files []capture.File
	saved *folder.Saved // the files that are not sources
	rest  capture.Stats // counts for other files
}

// openFolder opens all sources in a folder. It also opens the files that are found by name, if a folder has the name of
// a host, or if the caller said that it is a folder of files. An error means that nothing is usable.
func openFolder(path string, isSaid bool) (Source, error) {
	c := &contents{path: path, saved: folder.NewSaved(path)}
	if err := fs.WalkDir(os.DirFS(path), ".", c.visit); err != nil {
		return nil, err
	}
	if c.saved.HasHosts || isSaid {
		c.files = append(c.files, c.saved)
		c.t.Add(c.rest)
	}
	x, err := capture.Open(c.files, &c.t)
	if err != nil && len(c.t.Skipped) == 0 {
		return nil, fmt.Errorf("no WARC, ARC, WACZ, HAR, or MHTML file, no cache of WWWOFFLE, and no folder named after a "+
			"host; %s:PATH takes files of any name", Folder)
	}
	return x, err
}

// packed matches the names of files that may have sources, but that webcap does not read.
var packed = regexp.MustCompile(`(?i)(\.(warc|arc|wacz|har|mhtml?)(\.gz)?\.(xz|bz2|lz4|7z|rar)|\.zip|\.webarchive)$`)

// visit adds a file. It does not follow symbolic links, except those to sources: the targets of other links are either
// in the folder already or do not belong to it.
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
	kind := kindNamed(strings.ToLower(d.Name()))
	if kind == "" {
		c.addOther(name, where, d)
		return nil
	}
	info, err := os.Stat(where)
	switch {
	case err != nil:
		c.t.SkipLost(where, "a file that cannot be read")
	case info.Mode().IsRegular():
		files, err := entryOf(kind).Files(where, &c.t)
		if err != nil {
			c.t.SkipLost(fmt.Sprintf("%s: %v", where, err), "an unreadable "+strings.ToUpper(string(kind))+" file")
		}
		c.files = append(c.files, files...)
	case !info.IsDir():
		c.t.Skip(where, "neither a file nor a folder")
	}
	return nil
}

// addOther adds a file that is not a source.
func (c *contents) addOther(name, where string, d fs.DirEntry) {
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() {
		c.rest.Skip(where, "a symbolic link, or another file that is not regular")
		return
	}
	isDownload := c.saved.Add(name, info.Size())
	if packed.MatchString(name) && !isDownload {
		c.t.Skip(where, "a file in a format that webcap does not read; unpack or convert it")
	}
}
