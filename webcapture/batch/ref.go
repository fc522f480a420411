package batch

import (
	"iter"
	"path/filepath"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Ref refers to an input, for another process: see [Resolve]. Its JSON keeps all bytes of names.
type Ref struct {
	Name []byte `json:"n"` // name of the input

	// Archive is the path of the archive with the input; empty for other inputs. At is the number of inputs before it
	// that were found in the same pass over the archive.
	Archive []byte `json:"a,omitempty"`
	At      int    `json:"i,omitempty"`

	// Outcome and Reason are those of the record, if the input cannot be audited. Otherwise they are empty.
	Outcome string `json:"o,omitempty"`
	Reason  string `json:"r,omitempty"`
}

// Ref returns a reference to the input for processes with access to the same files. Standard input has none.
func (in *Input) Ref() Ref {
	ref := Ref{Name: []byte(in.Name), Archive: []byte(in.archive), At: in.at}
	if in.Err != nil && in.member == nil {
		rec := report.Record{Path: in.Name, Err: in.Err}
		ref.Outcome, ref.Reason = rec.Outcome().String(), rec.Reason()
	}
	return ref
}

// Resolve yields an input for each ref. Relative paths are below dir. A missing file or member is an input with an
// error. The members that refs of one pass over an archive name are found in one pass again. So the order is that of
// the refs, unless the archive has changed.
func Resolve(dir string, refs []Ref) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		w := &walk{yield: yield}
		run := memberRun{dir: dir}
		for i, ref := range refs {
			name, archive := string(ref.Name), string(ref.Archive)
			isMember := archive != "" && ref.Outcome == ""
			if !isMember || i > 0 && ref.At <= refs[i-1].At {
				run.give(w)
			}
			switch {
			case w.ended:
			case isMember:
				run.add(w, archive, name)
			case ref.Outcome != "":
				w.give(&Input{Name: name, Err: report.ErrorOf(ref.Outcome, ref.Reason), archive: archive})
			default:
				w.give(&Input{Name: name, path: below(dir, name)})
			}
			if w.ended {
				return
			}
		}
		run.give(w)
	}
}

// below returns a path that is relative to dir. An empty dir is the working directory.
func below(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
