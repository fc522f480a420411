package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"mime"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/canon"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || isManifest(path)
}

// openFolder opens a folder of files whose names follow from their URLs, or the
// manifest of one.
func openFolder(path string, _ Options) (Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return openManifest(path)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path, root: root}
	if err := f.probe(); err != nil {
		root.Close()
		return nil, err
	}
	f.stats = sync.OnceValue(f.count)
	return f, nil
}

// A folder is files as wget -x leaves them. What it holds is asked of the disk:
// from a URL follow the few names that its file may have, and these are tried.
// No name and no link leads out of the folder.
type folder struct {
	path  string
	root  *os.Root
	stats func() Stats
}

func (f *folder) Stats() Stats { return f.stats() }
func (f *folder) Close() error { return f.root.Close() }

// probe fails if the folder cannot be read, or there is no file in it.
func (f *folder) probe() error {
	found := false
	err := fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err == nil && d.Type().IsRegular():
			found = true
			return fs.SkipAll
		}
		return nil
	})
	if err == nil && !found {
		err = errors.New("there is no file in the folder")
	}
	return err
}

func (f *folder) count() Stats {
	var t tally
	fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			t.skip(filepath.Join(f.path, name), "a folder that cannot be read")
		} else if !d.IsDir() {
			f.countFile(name, &t)
		}
		return nil
	})
	return t.stats()
}

func (f *folder) countFile(name string, t *tally) {
	where := filepath.Join(f.path, name)
	switch info, err := f.root.Stat(name); {
	case err != nil:
		t.skip(where, "a link that leads out of the folder, or nowhere")
	case info.Mode().IsRegular():
		t.Files++
		t.Kept++
		t.Bytes += info.Size()
	case !info.IsDir():
		t.skip(where, "neither a file nor a folder")
	}
}

func (f *folder) Lookup(url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		seen := map[string]bool{}
		for _, n := range append(f.localNames(url), fileNames(url)...) {
			for _, n := range f.variants(n) {
				if seen[n.path] {
					continue
				}
				seen[n.path] = true
				c, err := f.candidate(url, n)
				if (c != nil || err != nil) && !yield(c, err) {
					return
				}
			}
		}
	}
}

// LookupAlike looks for the names of URLs alike.
func (f *folder) LookupAlike(url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		alike := alikeURL(url)
		seen := map[string]bool{}
		for _, other := range hostsAlike(Alike(url)) {
			file, query, hasQuery := strings.Cut(other, "?")
			for _, other := range []string{file, file + "/"} {
				if hasQuery {
					other += "?" + query
				}
				if !alike(other) {
					continue
				}
				for c, err := range f.Lookup(other) {
					if c != nil && seen[c.Where] {
						continue
					}
					if c != nil {
						seen[c.Where] = true
					}
					if !yield(c, err) {
						return
					}
				}
			}
		}
	}
}

// candidate returns what a file of a name holds; nil if there is no such file. The
// error says that nobody can tell.
func (f *folder) candidate(url string, n fileName) (*Candidate, error) {
	info, err := f.root.Stat(n.path)
	if err != nil && !missing(err) {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	return &Candidate{
		URL:       url,
		MediaType: mime.TypeByExtension(n.ext),
		Where:     filepath.Join(f.path, n.path),
		Size:      info.Size(),
		Uncertain: n.uncertain,
		Bodies:    []Body{NewBody(AsStored, func() (io.ReadCloser, error) { return f.root.Open(n.path) })},
	}, nil
}

// variants returns what wget's options make of a name. With -K the file as it
// was retrieved ends in .orig, and that without is one whose links wget has
// changed; -E adds the extension of the media type; and old versions add .1 where
// the name is that of a folder already.
func (f *folder) variants(n fileName) []fileName {
	backup := n.path + ".orig"
	list := []fileName{
		{backup, n.ext, n.uncertain},
		{n.path, n.ext, n.uncertain || isFile(f.root, backup)},
	}
	for _, ext := range []string{".html", ".css"} {
		list = append(list,
			fileName{n.path + ext + ".orig", ext, true},
			fileName{n.path + ext, ext, true})
	}
	if info, err := f.root.Stat(n.path); err == nil && info.IsDir() {
		list = append(list, fileName{n.path + ".1", n.ext, true})
	}
	return list
}

// localNames returns the names that a file: URL may have. If it leads into the
// folder, there is one. Otherwise the folder may be a copy of one that it leads
// into, and the end of its path a name here.
func (f *folder) localNames(url string) []fileName {
	u := canon.Split([]byte(key(url)))
	if string(u.Scheme) != "file" {
		return nil
	}
	file := string(canon.Decode(nil, u.Path))
	if name, ok := f.below(file); ok {
		return []fileName{{name, path.Ext(name), false}}
	}
	var list []fileName
	for i := range file {
		if name := file[i+1:]; file[i] == '/' && filepath.IsLocal(name) && !strings.Contains(name, "\x00") && len(list) < maxPathEnds {
			list = append(list, fileName{name, path.Ext(name), true})
		}
	}
	return list
}

// below returns the name of a file below the folder, with slashes, of which file
// is the absolute path.
func (f *folder) below(file string) (name string, ok bool) {
	if runtime.GOOS == "windows" {
		file = strings.TrimPrefix(file, "/") // before the letter of the drive
	}
	root, err := filepath.Abs(f.path)
	if err != nil {
		return "", false
	}
	name, err = filepath.Rel(root, filepath.FromSlash(file))
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}
