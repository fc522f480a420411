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
	j := &Journal{f: f, to: &target{io.Discard}, head: head, synced: time.Now(), done: map[uint64]int{}, changed: map[int]bool{}}
	j.w = report.NDJSON.New(j.to, report.Options{Head: head})
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

// target is the writer of a journal. It drops output while earlier records are read.
type target struct{ io.Writer }

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
		if j.kept, err = end(j.f, int64(len(first))); err != nil {
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

// journalScan reads the lines of a journal, and checks the stored numbers of lines.
type journalScan struct {
	line    int   // line number, from 1
	last    int64 // start of the last record, which may be incomplete, or of the summary
	inputs  int   // number of records
	input   int   // line number of the last record
	expects int   // number of lines according to the last record; -1 if absent
	has     int   // number of lines found for the last record
}

// end returns the start of the last record, which may be incomplete, or of the summary. at is the start of the
// first record. The error is that of the file, or names a record with missing or surplus lines.
func end(f io.ReaderAt, at int64) (int64, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(f, at, 1<<62-at), 1<<16)
	s := journalScan{line: 1, last: at}
	for {
		line, err := r.ReadSlice('\n')
		s.line++
		if err := s.add(line, at); err != nil {
			return 0, err
		}
		at += int64(len(line))
		for err == bufio.ErrBufferFull { // the rest of a long line does not matter
			line, err = r.ReadSlice('\n')
			at += int64(len(line))
		}
		switch err {
		case nil:
		case io.EOF:
			return s.last, nil
		default:
			return 0, err
		}
	}
}

// add processes a line, of which only the beginning is needed. at is the offset of the line.
func (s *journalScan) add(line []byte, at int64) error {
	switch {
	case bytes.HasPrefix(line, []byte(`{"type":"input"`)):
		if err := s.whole(); err != nil {
			return err
		}
		s.last, s.input, s.expects, s.has = at, s.line, number(line, `{"type":"input","lines":%d,`), 0
		s.inputs++
	case bytes.HasPrefix(line, []byte(`{"type":"summary"`)):
		s.last = at
		if n := number(line, `{"type":"summary","inputs":%d,`); n >= 0 && n != s.inputs {
			return fmt.Errorf("%w: line %d says that the number of records is %d, but it is %d", ErrJournal, s.line, n, s.inputs)
		}
		return s.whole()
	case bytes.HasPrefix(line, []byte(`{"type":"`)):
		s.has++
	}
	return nil
}

// whole returns an error if the last record has another number of lines than it states.
func (s *journalScan) whole() error {
	if s.input == 0 || s.has == s.expects {
		return nil
	}
	return fmt.Errorf(`%w: line %d has "lines":%d, but the number of lines that follow is %d`, ErrJournal, s.input,
		s.expects, s.has)
}

// number returns the number in the beginning of a line; -1 if the beginning differs from format.
func number(line []byte, format string) int {
	n := -1
	if _, err := fmt.Sscanf(string(line[:min(len(line), len(format)+20)]), format, &n); err != nil {
		return -1
	}
	return n
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
	r, err := j.earlier()
	for i := 0; err == nil; i++ {
		var rec *report.Record
		if rec, err = r.Next(); err != nil {
			break
		}
		if hasChanged(rec) {
			j.changed[i] = true
			continue
		}
		if err = j.w.Add(rec); err != nil {
			break
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
	r, err := j.earlier()
	w := report.NDJSON.New(to, report.Options{Head: j.head})
	for i := 0; err == nil; i++ {
		var rec *report.Record
		if rec, err = r.Next(); err == nil && !j.changed[i] {
			err = w.Add(rec)
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
