package batch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// Journal keeps the records of a run in a file, as NDJSON. A run that was killed goes on
// where its journal ends: with the records that it has, and those of the other inputs. So
// both runs together give what one would have given that was not killed.
//
// A record counts once the next one has begun, or the run has ended: the last one of a
// journal that breaks off may lack a part, and is made anew.
type Journal struct {
	f      *os.File
	w      report.Writer
	to     *target
	kept   int64   // bytes of the file with records of earlier runs, the head included; 0 for none
	done   nameSet // of those records
	synced time.Time
	ended  bool // Run has yielded the records of all inputs
}

// ErrJournal is in all errors that say that a file cannot be the journal of this run.
var ErrJournal = errors.New("it cannot be the journal of this run")

// OpenJournal opens the journal at path, or makes one, for a run whose records have this
// head. The error is that of the disk, or has ErrJournal in it: the file is something else,
// the journal of a run of another version or with other settings, or is being written.
func OpenJournal(path string, head report.Head) (*Journal, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: it is not a regular file", ErrJournal)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f, to: &target{}, synced: time.Now()}
	j.w = report.NDJSON.New(j.to, report.Options{Head: head})
	if err := Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: another run is writing it", ErrJournal)
	}
	if err := j.begin(head); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// target is the writer of a journal. It writes nothing while earlier records are read.
type target struct{ io.Writer }

func (t *target) Write(p []byte) (int, error) {
	if t.Writer == nil {
		return len(p), nil
	}
	return t.Writer.Write(p)
}

// beginning is what nothing begins with that is not a journal.
const beginning = `{"type":"head","schema":`

// begin finds out where the records end that are there.
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
	case n == 0, n < len(first) && n > len(beginning) &&
		bytes.HasPrefix(first, there[:n]): // nothing, or a run was killed at once
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

// differs says why what is there is not the journal of this run.
func (j *Journal) differs(head report.Head) error {
	if _, err := j.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := report.NewReader(bufio.NewReader(j.f))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	if v := r.Head().Version; v != head.Version {
		return fmt.Errorf("%w: it was begun by version %s, and this is %s", ErrJournal, v, head.Version)
	}
	return fmt.Errorf("%w: it was begun with other rules, sources or settings, or in another folder", ErrJournal)
}

// A journalScan goes through the lines of a journal, and compares their numbers with those that the journal says.
type journalScan struct {
	line    int   // the number of the line, from 1
	last    int64 // where the last record begins that may not be whole, or the summary
	inputs  int   // records
	input   int   // the line of the last one
	expects int   // lines that it has to have; negative if it does not say
	has     int   // lines that it has
}

// end returns where the last record begins that may not be whole, or where the summary does. At is where the first
// record begins. The error is that of the file, or says which record has lost lines or has too many.
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
		for err == bufio.ErrBufferFull { // what a line begins with says all
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

// add notes a line, by its beginning, which is at a place in the file.
func (s *journalScan) add(line []byte, at int64) error {
	if n, ok := number(line, `{"type":"input"`, `,"lines":`); ok {
		if err := s.whole(); err != nil {
			return err
		}
		s.last, s.input, s.expects, s.has = at, s.line, n, 0
		s.inputs++
	} else if n, ok := number(line, `{"type":"summary"`, `,"inputs":`); ok {
		s.last = at
		if n >= 0 && n != s.inputs {
			return fmt.Errorf("%w: line %d counts %d records, and there are %d", ErrJournal, s.line, n, s.inputs)
		}
		return s.whole()
	} else if bytes.HasPrefix(line, []byte(`{"type":"`)) {
		s.has++
	}
	return nil
}

// whole returns an error if the last record does not have as many lines as it says.
func (s *journalScan) whole() error {
	switch {
	case s.input == 0, s.has == s.expects:
		return nil
	case s.expects < 0:
		return fmt.Errorf(`%w: line %d does not say how many lines follow ("lines")`, ErrJournal, s.input)
	}
	return fmt.Errorf(`%w: line %d says "lines":%d, and %d follow`, ErrJournal, s.input, s.expects, s.has)
}

// number reports whether a line begins with kind, and returns the number of the member that follows; -1 if it does
// not follow, or the line is cut off there.
func number(line []byte, kind, member string) (int, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(kind))
	if !ok {
		return 0, false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(member))
	digits, _, whole := bytes.Cut(rest, []byte(","))
	n, err := strconv.Atoi(string(digits))
	if !ok || !whole || err != nil || n < 0 {
		return -1, true
	}
	return n, true
}

// Run is [Run] with the records of earlier runs first, and those of all other inputs after
// them, which it adds to the journal. An error, after which there are no more records, is
// that of the journal; a *report.LineError if what it has is damaged.
func (j *Journal) Run(ctx context.Context, inputs iter.Seq[*Input], opt Options) iter.Seq2[*report.Record, error] {
	return func(yield func(*report.Record, error) bool) {
		for rec, err := range j.records() {
			if !yield(rec, err) || err != nil || ctx.Err() != nil {
				return
			}
		}
		j.to.Writer = j.f
		for rec := range Run(ctx, only(inputs, func(name string) bool { return !j.done.take(name) }), opt) {
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

// records yields the records of earlier runs.
func (j *Journal) records() iter.Seq2[*report.Record, error] {
	return func(yield func(*report.Record, error) bool) {
		if j.kept == 0 {
			return
		}
		r, err := report.NewReader(bufio.NewReaderSize(io.NewSectionReader(j.f, 0, j.kept), 1<<16))
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			rec, err := r.Next()
			if err == io.ErrUnexpectedEOF { // there is no summary yet
				break
			}
			if err == nil {
				err = j.w.Add(rec)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			j.done.add(rec.Path)
			if !yield(rec, nil) {
				return
			}
		}
		j.done.sort()
	}
}

// add appends a record. What was added when a run is killed stays; what was added a second
// ago stays when the power goes.
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

// Close ends the journal, with a summary if the run is complete: if the inputs were all that
// there are, and Run has yielded the records of all of them.
func (j *Journal) Close(complete bool) error {
	var err error
	if complete && j.ended {
		err = j.w.Close(report.Complete)
	}
	return errors.Join(err, j.f.Sync(), j.f.Close())
}

// nameSet is a multiset of names: 9 bytes for each of millions.
type nameSet struct {
	hashes []uint64
	taken  []bool
}

var nameSeed = maphash.MakeSeed()

func (n *nameSet) add(name string) { n.hashes = append(n.hashes, maphash.String(nameSeed, name)) }

func (n *nameSet) sort() {
	slices.Sort(n.hashes)
	n.taken = make([]bool, len(n.hashes))
}

// take reports whether a name is in the set, and takes it out, once.
func (n *nameSet) take(name string) bool {
	h := maphash.String(nameSeed, name)
	i, _ := slices.BinarySearch(n.hashes, h)
	for ; i < len(n.hashes) && n.hashes[i] == h; i++ {
		if !n.taken[i] {
			n.taken[i] = true
			return true
		}
	}
	return false
}
