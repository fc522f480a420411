package batch

import (
	"errors"
	"iter"
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Ref refers to an input, for another process: see [Resolve].
type Ref struct {
	Name string // name of the input

	// Archive is the path of the archive with the input. At is the index of the member in the archive; if At is -1,
	// the member is found by its name.
	Archive string
	At      int

	// Outcome and Reason are those of the record, if the input cannot be audited. Otherwise they are empty.
	Outcome, Reason string
}

// byName is the value of At for a member that is found by its name.
const byName = -1

// Ref returns a reference to the input for processes with access to the same files. Standard input has none.
func (in *Input) Ref() Ref {
	ref := Ref{Name: in.Name, Archive: in.in, At: in.at}
	if in.Err != nil && in.member == nil {
		rec := report.Record{Path: in.Name, Err: in.Err}
		ref.Outcome, ref.Reason = rec.Outcome().String(), rec.Reason()
	}
	return ref
}

// Size returns the number of bytes of the input; 0 if unknown before it is read.
func (in *Input) Size() int64 { return in.size() }

// Close releases an input that is not passed to [Run]. Run releases its inputs itself.
func (in *Input) Close() { in.close() }

var errGone = errors.New("no longer in the archive")

// Resolve yields an input for each ref, in order. Relative paths are below dir. If consecutive refs are in the same
// archive, the archive is read once. A missing file or member is an input with an error.
func Resolve(dir string, refs []Ref) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for len(refs) > 0 {
			n := together(refs)
			switch first := refs[0]; {
			case first.Outcome != "":
				if !yield(first.input(&Input{Err: report.ErrorOf(first.Outcome, first.Reason)})) {
					return
				}
			case !resolve(dir, refs[:n], yield):
				return
			}
			refs = refs[n:]
		}
	}
}

// input sets the name and archive of in to those of the ref, and returns in.
func (ref Ref) input(in *Input) *Input {
	in.Name = ref.Name
	if ref.Archive != ref.Name {
		in.archive = ref.Archive
	}
	return in
}

// together returns the number of refs that one pass over the archive of the first ref finds.
func together(refs []Ref) int {
	n := 1
	if refs[0].Outcome != "" {
		return n
	}
	for n < len(refs) && refs[0].Archive != "" && refs[n].Archive == refs[0].Archive && refs[n].At > refs[n-1].At &&
		refs[n-1].At != byName {
		n++
	}
	return n
}

func resolve(dir string, refs []Ref, yield func(*Input) bool) bool {
	first := refs[0]
	w := &walk{yield: yield}
	switch {
	case first.Archive == "":
		return yield(&Input{Name: first.Name, path: below(dir, first.Name)})
	case first.At == byName:
		run := memberRun{dir: dir}
		run.add(first.Archive, first.Name)
		run.give(w)
		return !w.ended
	}
	f, size, err := openArchive(below(dir, first.Archive))
	if err != nil {
		return failAll(refs, oserror.Reason(err), yield)
	}
	at := 0
	for m := range archive.Members(first.Archive, f, size) {
		if at++; at-1 < refs[0].At {
			m.Close()
			continue
		}
		in := inputOf(first.Archive, m)
		if in.Name != refs[0].Name {
			m.Close()
			in = &Input{Name: refs[0].Name, Err: errGone, archive: first.Archive}
		}
		if !yield(in) {
			return false
		}
		if refs = refs[1:]; len(refs) == 0 {
			return true
		}
	}
	return failAll(refs, errGone, yield)
}

// failAll yields an input with err for each ref; all refs are in one archive.
func failAll(refs []Ref, err error, yield func(*Input) bool) bool {
	for _, ref := range refs {
		if !yield(&Input{Name: ref.Name, Err: err, archive: ref.Archive}) {
			return false
		}
	}
	return true
}

// below returns a path that is relative to dir. An empty dir is the working directory.
func below(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
