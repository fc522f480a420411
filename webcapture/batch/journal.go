package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/webcap-tools/webcap/digest/tempfile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Journal stores the records of a run in a file, as NDJSON. A killed run resumes at the end of its journal: it
// yields the stored records, and then those of the other inputs. So the output equals that of an undisturbed run.
//
// A record is complete only if another record follows it, or the run has ended. The last record of a truncated
// journal may be incomplete, and its input is audited again. So is an input whose file has changed since: its record
// has another size or time of modification.
type Journal struct {
	f      *os.File
	w      report.Writer
	to     *target
	head   report.Head
	kept   int64          // bytes of the file with the head and records of earlier runs; 0 if there are no records
	done   map[uint64]int // numbers of these records by the hash of the name
	synced time.Time
	ended  bool // Run has yielded the records of all inputs

	changed map[int]bool // indexes of records of changed files
}

// Changed returns the number of records that Run has removed, because their files have changed.
func (j *Journal) Changed() int { return len(j.changed) }

// ErrJournal is wrapped by errors which mean that a file cannot be the journal of this run.
var ErrJournal = errors.New("cannot be the journal of this run")

// OpenJournal opens or creates the journal at path for a run with this head. The error is an I/O error or an
// ErrJournal. ErrJournal means that the file is in use, is not a journal, or is the journal of a run with another
// version or other settings.
func OpenJournal(path string, head report.Head) (*Journal, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a regular file", ErrJournal)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f, head: head, synced: time.Now(), done: map[uint64]int{}, changed: map[int]bool{}}
	j.writeTo(f)
	if err := lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: another run is writing to it", ErrJournal)
	}
	if err := j.begin(head); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// target is the writer of a journal.
type target struct{ io.Writer }

// verifier is the target while earlier records are read. They are written again: if r has other bytes, it has lost
// lines, or was edited.
type verifier struct {
	r    *bufio.Reader
	line int // number of the current line
}

func (v *verifier) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		there := make([]byte, len(line))
		if _, err := io.ReadFull(v.r, there); err != nil || !bytes.Equal(there, line) {
			return 0, &report.LineError{Line: v.line, Reason: "is not as webcap wrote it"}
		}
		v.line += bytes.Count(line, []byte("\n"))
	}
	return len(p), nil
}

// writeTo begins to write the records of all runs.
func (j *Journal) writeTo(w io.Writer) {
	j.to = &target{w}
	j.w = report.NDJSON.New(j.to, report.Options{Head: j.head})
}

// begin finds the end of the existing records, and removes the data after it.
func (j *Journal) begin(head report.Head) error {
	var ours bytes.Buffer
	if err := report.NDJSON.New(&ours, report.Options{Head: head}).Close(report.Interrupted); err != nil {
		return err
	}
	first, _, _ := bytes.Cut(ours.Bytes(), []byte("\n"))
	first = append(first, '\n')
	there := make([]byte, len(first))
	n, err := io.ReadFull(j.f, there)
	switch {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return err
	case n < len(first) && bytes.HasPrefix(first, there[:n]): // the file is empty, or a run was killed immediately
	case !bytes.Equal(there, first):
		return j.differs(head)
	default:
		if j.kept, err = lastRecord(j.f, int64(len(first))); err != nil {
			return err
		}
		if j.kept == int64(len(first)) { // there is no record
			j.kept = 0
		}
	}
	if err := j.f.Truncate(j.kept); err != nil {
		return err
	}
	_, err = j.f.Seek(j.kept, io.SeekStart)
	return err
}

// differs returns why the existing file cannot be the journal of this run.
func (j *Journal) differs(head report.Head) error {
	if _, err := j.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := report.NewReader(bufio.NewReader(j.f))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	why := "in another folder"
	if difference := report.Difference(r.Head(), head); difference != "" {
		why = "with " + difference
	}
	return fmt.Errorf("%w: it was started %s; use the same options or a new journal", ErrJournal, why)
}

// lastRecord returns the start of the last record, which may be incomplete, or of the summary. at is the start of the
// first record.
func lastRecord(f io.ReaderAt, at int64) (last int64, err error) {
	r := bufio.NewReaderSize(io.NewSectionReader(f, at, math.MaxInt64-at), 1<<16)
	for last = at; ; {
		line, err := r.ReadSlice('\n')
		if bytes.HasPrefix(line, []byte(`{"type":"input"`)) || bytes.HasPrefix(line, []byte(`{"type":"summary"`)) {
			last = at
		}
		at += int64(len(line))
		for err == bufio.ErrBufferFull { // the rest of a long line does not matter
			line, err = r.ReadSlice('\n')
			at += int64(len(line))
		}
		switch err {
		case nil:
		case io.EOF:
			return last, nil
		default:
			return 0, err
		}
	}
}

// Run yields the records of earlier runs first, and then those of all other inputs, which it adds to the journal;
// see [Run]. An error ends the records. It is an I/O error of the journal, or a *report.LineError if the journal is
// damaged.
func (j *Journal) Run(ctx context.Context, inputs iter.Seq[*Input], opt Options) iter.Seq2[*report.Record, error] {
	return func(yield func(*report.Record, error) bool) {
		more, err := j.replay(func(rec *report.Record, err error) bool { return yield(rec, err) && ctx.Err() == nil })
		if err != nil {
			yield(nil, err)
		}
		if err != nil || !more {
			return
		}
		j.to.Writer = j.f
		opt.modified = true
		for rec := range Run(ctx, j.remaining(inputs), opt) {
			if err := j.add(rec); err != nil {
				yield(nil, err)
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
		j.ended = ctx.Err() == nil
	}
}

// remaining yields the inputs without a record in the journal, and releases all others.
func (j *Journal) remaining(inputs iter.Seq[*Input]) iter.Seq[*Input] {
	return func(yield func(*Input) bool) {
		for in := range inputs {
			if h := hashOf(in.Name); j.done[h] > 0 {
				j.done[h]--
				in.Close()
				continue
			}
			if !yield(in) {
				return
			}
		}
	}
}

// earlier returns a reader of the records of earlier runs, which ends with io.ErrUnexpectedEOF.
func (j *Journal) earlier() (*report.Reader, error) {
	return report.NewReader(bufio.NewReaderSize(io.NewSectionReader(j.f, 0, j.kept), 1<<16))
}

// replay yields the records of earlier runs, without those of changed files. It returns false if the caller stops.
func (j *Journal) replay(yield func(*report.Record, error) bool) (more bool, err error) {
	if j.kept == 0 {
		return true, nil
	}
	j.writeTo(&verifier{bufio.NewReader(io.NewSectionReader(j.f, 0, j.kept)), 1})
	r, err := j.earlier()
	for i := 0; err == nil; i++ {
		var rec *report.Record
		if rec, err = r.Next(); err != nil {
			break
		}
		if err = j.w.Add(rec); err != nil {
			break
		}
		if hasChanged(rec) {
			j.changed[i] = true
			continue
		}
		j.done[hashOf(rec.Path)]++
		if !yield(rec, nil) {
			return false, nil
		}
	}
	if err != io.ErrUnexpectedEOF {
		return false, err
	}
	if len(j.changed) > 0 {
		return true, j.dropChanged()
	}
	return true, nil
}

// hasChanged reports whether the file of a record, or the archive with it, has changed since. A file that no longer
// exists has not.
func hasChanged(rec *report.Record) bool {
	st, err := os.Stat(cmp.Or(rec.Archive, rec.Path))
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	return !st.ModTime().Equal(rec.Modified) || rec.Archive == "" && rec.Size > 0 && rec.Size != st.Size()
}

// dropChanged replaces the file by one without the records of changed files. If the program is killed, one of both
// exists.
func (j *Journal) dropChanged() error {
	path, err := filepath.EvalSymlinks(j.f.Name())
	if err != nil {
		return err
	}
	st, err := j.f.Stat()
	if err != nil {
		return err
	}
	temp, err := tempfile.Create(func() (*os.File, error) { return os.CreateTemp(filepath.Dir(path), ".webcap-*.tmp") })
	if err != nil {
		return err
	}
	err = errors.Join(j.copyUnchanged(temp), temp.Chmod(st.Mode().Perm()), temp.Sync(), temp.Close(), j.f.Close())
	if err == nil {
		err = tempfile.Rename(temp.Name(), path)
	}
	if err != nil {
		tempfile.Remove(temp.Name())
		return err
	}
	if j.f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return err
	}
	if err := lock(j.f); err != nil {
		return err
	}
	_, err = j.f.Seek(0, io.SeekEnd)
	return err
}

// copyUnchanged writes the records of earlier runs without those of changed files.
func (j *Journal) copyUnchanged(to io.Writer) error {
	j.writeTo(to)
	r, err := j.earlier()
	for i := 0; err == nil; i++ {
		var rec *report.Record
		if rec, err = r.Next(); err == nil && !j.changed[i] {
			err = j.w.Add(rec)
		}
	}
	if err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// add appends a record. The record is safe immediately if the run is killed. For a power failure, add syncs the file at
// most once a second.
func (j *Journal) add(rec *report.Record) error {
	if err := j.w.Add(rec); err != nil {
		return err
	}
	if time.Since(j.synced) < time.Second {
		return nil
	}
	j.synced = time.Now()
	return j.f.Sync()
}

// Close ends the journal. If complete, it adds a summary: there are no more inputs, and Run has yielded all their
// records.
func (j *Journal) Close(complete bool) error {
	var err error
	if complete && j.ended {
		err = j.w.Close(report.Complete)
	}
	return errors.Join(err, j.f.Sync(), j.f.Close())
}

var nameSeed = maphash.MakeSeed()

// hashOf stands for a name in a set that may have millions.
func hashOf(name string) uint64 { return maphash.String(nameSeed, name) }
