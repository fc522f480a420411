package batch

import (
	"errors"
	"fmt"
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

// memberRun is a sequence of paths that name members of one archive. One pass over the archive finds all of them,
// in any order. More passes are needed only if members that wait for their turn would take too much memory.
type memberRun struct {
	dir     string // folder to which archive is relative; empty for the working directory
	archive string
	list    []namedMember
	index   map[string]int   // indexes of list, by plain names
	through map[string]error // errors of the nested archives on the paths, by plain names; nil while readable
	next    int              // index in list of the next member to yield
	held    int64            // bytes of members that wait for their turn
}

// namedMember is the member of an archive that a path names.
type namedMember struct {
	path   string
	member *archive.Member // nil until it is found
	exact  bool            // path is the exact name of member, not only its plain form
	passed bool            // the member was found, but not read, for lack of memory
}

// plain returns a name as people type it, without escapes of separators.
func plain(name string) string {
	return strings.ReplaceAll(name, archive.EscapedSeparator, archive.Separator)
}

// add adds a path. It returns false if the path does not belong to the run.
func (r *memberRun) add(name, path string) bool {
	key := plain(path)
	if _, known := r.index[key]; known || len(r.list) == maxNamed || len(r.list) > 0 && r.archive != name {
		return false
	}
	if r.index == nil {
		*r = memberRun{dir: r.dir, archive: name, index: map[string]int{}, through: map[string]error{}}
	}
	r.index[key] = len(r.list)
	r.list = append(r.list, namedMember{path: path})
	for at := len(plain(name)); at < len(key); at++ {
		if strings.HasPrefix(key[at:], archive.Separator) {
			r.through[key[:at]] = nil
		}
	}
	return true
}

// give yields the members, in the order of the paths, and empties the run.
func (r *memberRun) give(w *walk) {
	for r.next < len(r.list) && !w.ended {
		if err := r.pass(w); err != nil {
			for ; r.next < len(r.list) && !w.ended; r.next++ {
				w.fail(r.list[r.next].path, err)
			}
		}
	}
	for _, n := range r.list[r.next:] {
		if n.member != nil {
			n.member.Close()
		}
	}
	*r = memberRun{dir: r.dir}
}

// pass reads the archive once. The error means that the archive cannot be read.
func (r *memberRun) pass(w *walk) error {
	f, size, err := openArchive(below(r.dir, r.archive))
	if err != nil {
		return err
	}
	kind, err := archive.KindOf(f, size, r.archive)
	if err == nil && !kind.IsArchive() {
		err = fmt.Errorf("%s is not an archive", r.archive)
	}
	if err != nil {
		f.Close()
		return err
	}
	for m := range archive.Select(r.archive, f, size, archive.Options{Wanted: r.wanted}) {
		if !r.take(m) {
			m.Close()
			continue
		}
		for r.next < len(r.list) && r.list[r.next].exact && !w.ended {
			r.giveNext(w)
		}
		if w.ended || r.next == len(r.list) {
			return nil
		}
	}
	for r.next < len(r.list) && !r.list[r.next].passed && !w.ended {
		r.giveNext(w)
	}
	for i := range r.list {
		r.list[i].passed = false
	}
	return nil
}

// wanted reports whether to visit an archive, or to read a member.
func (r *memberRun) wanted(name string) bool {
	name = plain(name)
	if _, through := r.through[name]; through {
		return true
	}
	i, named := r.index[name]
	if !named || i < r.next || r.list[i].exact {
		return false
	}
	r.list[i].passed = i > r.next && r.held > maxHeld
	return !r.list[i].passed
}

// take keeps a member until its turn. It returns false if no path needs the member.
func (r *memberRun) take(m *archive.Member) bool {
	name := plain(m.Name)
	if _, through := r.through[name]; through && m.Err != nil {
		r.through[name] = m.Err
	}
	i, named := r.index[name]
	if !named || i < r.next {
		return false
	}
	n := &r.list[i]
	exact := m.Name == n.path
	if n.exact || n.member != nil && !exact {
		return false
	}
	if n.member != nil {
		r.held -= n.member.Held()
		n.member.Close()
	}
	n.member, n.exact = m, exact
	r.held += m.Held()
	return true
}

// giveNext yields the next input.
func (r *memberRun) giveNext(w *walk) {
	n := r.list[r.next]
	r.next++
	if n.member == nil {
		w.fail(n.path, r.missing(n.path))
		return
	}
	r.held -= n.member.Held()
	w.give(inputOf(r.archive, n.member))
}

// missing returns the error for a path without a member. It is the error of the innermost unreadable archive on the
// path, or says that there is no such file.
func (r *memberRun) missing(name string) error {
	for name = plain(name); name != ""; name = name[:max(strings.LastIndex(name, archive.Separator), 0)] {
		if err := r.through[name]; err != nil {
			return err
		}
	}
	return errors.New("no such PDF file in the archive")
}
