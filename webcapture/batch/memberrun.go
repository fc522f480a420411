package batch

import (
	"errors"
	"os"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
)

// archiveOf returns the path of the archive if p names a member of an archive, or "".
func archiveOf(p string) string {
	if !strings.Contains(p, archive.Separator) {
		return ""
	}
	if _, err := os.Stat(p); err == nil {
		return ""
	}
	for at := len(p); ; {
		if at = strings.LastIndex(p[:at], archive.Separator); at <= 0 {
			return ""
		}
		if st, err := os.Stat(p[:at]); err == nil && st.Mode().IsRegular() {
			return p[:at]
		}
	}
}

// memberRun is a sequence of paths that name members of one archive. One pass over the archive finds all of them, in
// its order.
type memberRun struct {
	dir     string // folder to which archive is relative; empty for the working directory
	archive string
	paths   []string         // empty after the member was found
	index   map[string]int   // indexes of paths
	through map[string]error // errors of the nested archives on the paths, by names; nil while readable
}

// add adds the path of a member of the archive name. If the path does not belong to the run, it begins the next one.
func (r *memberRun) add(w *walk, name, path string) {
	if _, again := r.index[path]; again || len(r.paths) > 0 && r.archive != name {
		r.give(w)
	}
	if r.index == nil {
		*r = memberRun{dir: r.dir, archive: name, index: map[string]int{}, through: map[string]error{}}
	}
	r.index[path] = len(r.paths)
	r.paths = append(r.paths, path)
	for at := len(name); at < len(path); at++ {
		if strings.HasPrefix(path[at:], archive.Separator) {
			r.through[path[:at]] = nil
		}
	}
}

// give yields the members, then an error for each path without one, and empties the run.
func (r *memberRun) give(w *walk) {
	if len(r.paths) == 0 {
		return
	}
	err := r.read(w)
	for _, p := range r.paths {
		if p == "" || w.ended {
			continue
		}
		why := err
		if why == nil {
			why = r.missing(p)
		}
		w.fail(p, why)
	}
	*r = memberRun{dir: r.dir}
}

// read yields the members that the archive has. The error means that the archive cannot be read.
func (r *memberRun) read(w *walk) error {
	f, size, err := openRegular(below(r.dir, r.archive))
	if err != nil {
		return err
	}
	defer f.Close()
	found := 0
	wanted := func(name string) bool {
		_, isThrough := r.through[name]
		_, isNamed := r.index[name]
		return isThrough || isNamed
	}
	for m := range archive.Members(r.archive, f, size, archive.Options{Wanted: wanted}) {
		if _, isThrough := r.through[m.Name]; isThrough {
			r.through[m.Name] = m.Err
		}
		if i, isNamed := r.index[m.Name]; isNamed {
			r.paths[i] = ""
			w.give(inputOf(r.archive, m, found))
			found++
		} else {
			m.Close()
		}
		if w.ended || found == len(r.paths) {
			return nil
		}
	}
	return nil
}

// missing returns the error for a path without a member. It is the error of the innermost unreadable archive on the
// path, or says that there is no such file.
func (r *memberRun) missing(name string) error {
	for ; name != ""; name = name[:max(strings.LastIndex(name, archive.Separator), 0)] {
		if err := r.through[name]; err != nil {
			return err
		}
	}
	return errors.New("no such PDF file in the archive")
}
