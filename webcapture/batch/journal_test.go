package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// journaled runs inputs with a journal at path, and returns the names and outcomes of the records. If after is not
// negative, the run ends after so many records, as if it were killed.
func journaled(t *testing.T, path string, head report.Head, inputs iter.Seq[*Input], opt Options,
	after int) (list []string) {
	t.Helper()
	j, err := OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range j.Run(t.Context(), inputs, opt) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, rec.Path+" "+rec.Outcome().String()); len(list) == after {
			break
		}
	}
	if err := j.Close(after < 0); err != nil {
		t.Fatal(err)
	}
	return list
}

// made returns options whose audits are made up, and counts them.
func made(audits *atomic.Int32) Options { // some audits are in flight when a run ends
	return Options{Workers: 1, Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
		audits.Add(1)
		switch in.Name[len(in.Name)-1] {
		case '3':
			return nil, errors.New("unreadable\nfor a reason")
		case '4':
			return nil, report.TimeLimit(time.Second)
		case '5':
			return nil, &report.SkippedError{Reason: "left out"}
		}
		rep := &audit.Report{Path: in.Name, Facts: webcapture.Facts{Present: true, Size: 7, Version: "1.4"}}
		for i := range int(in.Name[len(in.Name)-1]) % 3 {
			rep.Findings = append(rep.Findings, rule.Finding{Rule: audit.Rules()[i], Message: strings.Repeat("long ", i)})
		}
		return rep, nil
	})}
}

// A journal may break off at any byte: the next run makes one whole journal of it, the same
// that an undisturbed run makes, and audits nothing again that it has.
func TestJournalGoesOnFromAnyByte(t *testing.T) {
	dir := t.TempDir()
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	whole := filepath.Join(dir, "whole")
	var audits atomic.Int32
	want := journaled(t, whole, head, numbered(12), made(&audits), -1)
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cut")
	step := 17
	if webcapturetest.All() {
		step = 1
	}
	for n := len(data) % step; n <= len(data); n += step {
		if err := os.WriteFile(path, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		audits.Store(0)
		got := journaled(t, path, head, numbered(12), made(&audits), -1)
		if !slices.Equal(got, want) {
			t.Fatalf("cut after %d bytes: records %q, want %q", n, got, want)
		}
		if again, _ := os.ReadFile(path); !bytes.Equal(again, data) {
			t.Fatalf("cut after %d bytes: the journal is\n%s\nwant\n%s", n, again, data)
		}
		if begun := bytes.Count(data[:n], []byte("\n"+`{"type":"input",`)); int(audits.Load()) > 12-begun+1 {
			t.Fatalf("cut after %d bytes: %d audits, and %d records had begun", n, audits.Load(), begun)
		}
	}
}

// A run may be killed again and again.
func TestJournalOfManyRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	var audits atomic.Int32
	for n := 3; n < 12; n += 2 {
		if got := journaled(t, path, head, numbered(12), made(&audits), n); len(got) != n {
			t.Errorf("%d records before the end, want %d", len(got), n)
		}
	}
	got := journaled(t, path, head, numbered(12), made(&audits), -1)
	if len(got) != 12 || audits.Load() > 12+4*5 {
		t.Errorf("%d records, %d audits", len(got), audits.Load())
	}
	// What is complete stays so, and what is new is added.
	audits.Store(0)
	if got := journaled(t, path, head, numbered(14), made(&audits), -1); len(got) != 14 || audits.Load() != 2 {
		t.Errorf("%d records, %d audits; want 14 and those of the two new inputs", len(got), audits.Load())
	}
}

// A run whose caller stops is not complete, even if the caller says so.
func TestJournalOfARunThatStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := OpenJournal(path, report.Head{Version: "1", Rules: audit.Rules()[:3]})
	if err != nil {
		t.Fatal(err)
	}
	var audits atomic.Int32
	for range j.Run(t.Context(), numbered(5), made(&audits)) {
		break
	}
	j.Close(true)
	if text, _ := os.ReadFile(path); bytes.Contains(text, []byte(`"summary"`)) {
		t.Errorf("the journal of one record of five has a summary:\n%s", text)
	}
}

// An input that is named twice has two records, however often the run begins.
func TestJournalOfOneNameTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	twice := func(yield func(*Input) bool) {
		for range 2 {
			for in := range numbered(3) {
				if !yield(in) {
					return
				}
			}
		}
	}
	var audits atomic.Int32
	for _, n := range []int{2, 4, -1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := journaled(t, path, report.Head{Version: "1", Rules: audit.Rules()[:3]}, twice, made(&audits),
				n); n < 0 && len(got) != 6 {
				t.Errorf("records %q, want six", got)
			}
		})
	}
}

func TestJournalIsThatOfTheRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "j")
	head := report.Head{Version: "1", Rules: audit.Rules()[:3], Settings: []string{"embedded"}}
	var audits atomic.Int32
	journaled(t, path, head, numbered(3), made(&audits), 2)
	for _, tt := range []struct {
		change func(*report.Head)
		want   string
	}{
		{func(h *report.Head) { h.Version = "2" }, "started with another version of webcap, 1 instead of 2"},
		{func(h *report.Head) { h.Rules = h.Rules[:2] }, "started with the rule " + audit.Rules()[2].ID + " ("},
		{func(h *report.Head) { h.Settings = nil }, "started with the setting embedded; use the"},
		{func(h *report.Head) { h.Settings = []string{"base http://a/"} },
			"started with the setting embedded instead of base http://a/; use the"},
		{func(h *report.Head) { h.Settings = append(h.Settings, "follow-links") },
			"started with no setting follow-links; use the"},
		{func(h *report.Head) { h.Directory = "elsewhere" }, "another folder"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			other := head
			tt.change(&other)
			if _, err := OpenJournal(path, other); !errors.Is(err, ErrJournal) ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v: %v, want ErrJournal and %q", other, err, tt.want)
			}
		})
	}
	before, _ := os.ReadFile(path)
	for _, text := range []string{"something else\n", "{}\n", `{"type":"haed"`} {
		t.Run(text, func(t *testing.T) {
			other := filepath.Join(dir, "other")
			os.WriteFile(other, []byte(text+string(before)), 0o600)
			if _, err := OpenJournal(other, head); !errors.Is(err, ErrJournal) {
				t.Errorf("%q: %v, want ErrJournal", text, err)
			}
			if after, _ := os.ReadFile(other); string(after) != text+string(before) {
				t.Errorf("%q was written over", text)
			}
		})
	}
	j, err := OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(path, head); !errors.Is(err, ErrJournal) {
		t.Errorf("two runs with one journal: %v", err)
	}
	j.Close(false)
}

// A journal that has lost lines, or was edited, ends the run with the number of a line, and stays as it is.
func TestJournalThatWasEdited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	var audits atomic.Int32
	journaled(t, path, head, numbered(9), made(&audits), -1)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	finding := slices.IndexFunc(lines, func(l []byte) bool { return bytes.HasPrefix(l, []byte(`{"type":"finding"`)) })
	for name, edited := range map[string][][]byte{
		"a finding is missing":                    slices.Delete(slices.Clone(lines), finding, finding+1),
		"a finding is doubled":                    slices.Insert(slices.Clone(lines), finding, lines[finding]),
		"one is missing of a run that was killed": slices.Delete(slices.Clone(lines[:len(lines)-3]), finding, finding+1),
		"a number of lines is missing":            {bytes.Replace(data, []byte(`"lines":`), []byte(`"lynes":`), 1)},
	} {
		t.Run(name, func(t *testing.T) {
			text := bytes.Join(edited, nil)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := OpenJournal(path, head)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range j.Run(t.Context(), numbered(9), made(&audits)) {
				err = e
			}
			if d, ok := errors.AsType[*report.LineError](err); !ok || d.Line < 2 || d.Line > finding+2 {
				t.Errorf("%v, want a LineError at or before line %d", err, finding+1)
			}
			j.Close(false)
			after, _ := os.ReadFile(path)
			if kept, _ := lastRecord(bytes.NewReader(text), 0); !bytes.Equal(after, text[:kept]) {
				t.Error("the journal was changed")
			}
		})
	}
}

// Records that come back from a journal are those that went in.
func TestJournalKeepsRecords(t *testing.T) {
	dir := write(t, map[string][]byte{"a.pdf": site(), "b.pdf": []byte("text"), "c.pdf": site()[:1000]})
	path := filepath.Join(t.TempDir(), "j")
	head := report.Head{Version: "1", Rules: audit.Rules()}
	rendered := func() string {
		j, err := OpenJournal(path, head)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		w := report.Table.New(&b, report.Options{Head: head})
		for rec, err := range j.Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			w.Add(rec)
		}
		w.Close(report.Complete)
		if err := j.Close(true); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first, second := rendered(), rendered()
	if first != second || !strings.Contains(first, "3 files: ") {
		t.Errorf("from the journal\n%s\nwant\n%s", second, first)
	}
}

func TestJournalOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	var audits atomic.Int32
	j, err := OpenJournal(filepath.Join(t.TempDir(), "j"), report.Head{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	kept := j.f
	defer kept.Close()
	n, failed := 0, false
	for _, err := range j.Run(t.Context(), numbered(5), made(&audits)) {
		if n++; n == 1 {
			j.to.Writer = full
		}
		failed = failed || err != nil
	}
	if !failed {
		t.Error("no error")
	}
	if n > 2 {
		t.Errorf("%d records after the disk was full", n-2)
	}
}

// A file that cannot be a journal is not an I/O error, and the other way round.
func TestJournalThatCannotBeOpened(t *testing.T) {
	dir := write(t, map[string][]byte{"other": []byte("something else")})
	for path, want := range map[string]string{
		dir:                                "cannot be the journal of this run: not a regular file",
		filepath.Join(dir, "gone/journal"): "",
		filepath.Join(dir, "other"):        "cannot be the journal of this run: ",
	} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			keepGarbage(t)
			j, err := OpenJournal(path, report.Head{Version: "1"})
			if err == nil || j != nil || errors.Is(err, ErrJournal) != (want != "") || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("journal %v, error %v; want %q", j, err, want)
			}
			checkNothingHeld(t, dir)
		})
	}
}

// A file with only a part of the first line becomes a journal.
func TestJournalOfFewBytes(t *testing.T) {
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	var audits atomic.Int32
	journaled(t, whole, head, numbered(1), made(&audits), -1)
	data, _ := os.ReadFile(whole)
	first := bytes.IndexByte(data, '\n')
	for n, want := range map[int]bool{0: true, 1: true, first: true, first + 1: true} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path := filepath.Join(dir, fmt.Sprint(n))
			os.WriteFile(path, data[:n], 0o600)
			j, err := OpenJournal(path, head)
			if (err == nil) != want || err != nil && !errors.Is(err, ErrJournal) {
				t.Errorf("error %v, want success: %v", err, want)
			}
			if err != nil {
				return
			}
			if err := j.Close(true); err != nil {
				t.Error(err)
			}
			if after, _ := os.ReadFile(path); len(after) > 0 {
				t.Errorf("the journal of a run that did not begin: %q", after)
			}
		})
	}
	path := filepath.Join(dir, "changed")
	os.WriteFile(path, []byte(strings.Replace(string(data[:first-1]), "head", "haed", 1)), 0o600)
	if _, err := OpenJournal(path, head); !errors.Is(err, ErrJournal) {
		t.Errorf("a file that begins in another way: %v", err)
	}
}

// Records with lines longer than any buffer are read, and so is the one after them.
func TestJournalOfLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	var audits atomic.Int32
	opt := Options{Workers: 1, Do: auditing(func(_ context.Context, in *Input) (*audit.Report, error) {
		audits.Add(1)
		rep := &audit.Report{Path: in.Name, Facts: webcapture.Facts{Present: true, Version: "1.4"}}
		for range 3 {
			rep.Findings = append(rep.Findings, rule.Finding{Rule: audit.Rules()[0], Message: strings.Repeat("long ", 50_000)})
		}
		return rep, nil
	})}
	for range 2 {
		if got := journaled(t, path, head, numbered(3), opt, -1); len(got) != 3 || audits.Load() != 3 {
			t.Errorf("records %q, %d audits; want 3 of both", got, audits.Load())
		}
	}
}

// A run ends with the records of earlier runs if its caller stops, its context ends, or the journal is damaged.
func TestJournalStopsAmongEarlierRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	var audits atomic.Int32
	journaled(t, path, head, numbered(6), made(&audits), -1)
	data, _ := os.ReadFile(path)
	for _, tt := range []struct {
		name    string
		data    []byte
		stop    func(cancel func()) (goOn bool)
		records int
		failed  bool
	}{
		{"nothing happens", data, func(func()) bool { return true }, 6, false},
		{"the caller stops", data, func(func()) bool { return false }, 1, false},
		{"the context ends", data, func(cancel func()) bool { cancel(); return true }, 1, false},
		{"damage", bytes.Replace(data, []byte(`"path":"001"`), []byte(`"path":"0\x00"`), 1), func(func()) bool { return true }, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.WriteFile(path, tt.data, 0o600)
			j, err := OpenJournal(path, head)
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close(false)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			audits.Store(0)
			records, failed := 0, false
			for rec, err := range j.Run(ctx, numbered(6), made(&audits)) {
				if failed = err != nil; (rec == nil) != failed {
					t.Errorf("record %v and error %v", rec, err)
				}
				if err == nil {
					records++
				}
				if !tt.stop(cancel) {
					break
				}
			}
			if records != tt.records || failed != tt.failed || audits.Load() != 0 {
				t.Errorf("%d records, error %v, %d audits; want %d, %v, none", records, failed, audits.Load(), tt.records,
					tt.failed)
			}
		})
	}
}

// The summary says that the run is complete. An interrupted run has none.
func TestJournalSummary(t *testing.T) {
	head := report.Head{Version: "1", Rules: audit.Rules()[:3]}
	for _, tt := range []struct {
		name             string
		interrupt, close bool
		want             bool
	}{{"complete", false, true, true}, {"more to come", false, false, false}, {"interrupted", true, true, false}} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "j")
			j, err := OpenJournal(path, head)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var audits atomic.Int32
			for range j.Run(ctx, numbered(2), made(&audits)) {
				if tt.interrupt {
					cancel()
				}
			}
			if err := j.Close(tt.close); err != nil {
				t.Error(err)
			}
			if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(`"summary"`)) != tt.want {
				t.Errorf("journal\n%s\nwant a summary: %v", data, tt.want)
			}
			if err := j.Close(false); !errors.Is(err, os.ErrClosed) {
				t.Errorf("closed twice: %v", err)
			}
		})
	}
}
