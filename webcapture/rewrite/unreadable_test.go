package rewrite

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// faultyReader fails once, when it is asked for the at-th time. It counts from 1.
type faultyReader struct {
	objectReader
	at, asked int
}

func (r *faultyReader) fault() error {
	if r.asked++; r.asked == r.at {
		return errFault
	}
	return nil
}

func (r *faultyReader) Get(ref object.Ref) (object.Object, error) {
	if err := r.fault(); err != nil {
		return object.Object{}, err
	}
	return r.objectReader.Get(ref)
}

func (r *faultyReader) Stream(ref object.Ref) (io.Reader, error) {
	if err := r.fault(); err != nil {
		return nil, err
	}
	return r.objectReader.Stream(ref)
}

func (r *faultyReader) Resolve(o object.Object) (object.Object, error) {
	if err := r.fault(); err != nil {
		return object.Object{}, err
	}
	return r.objectReader.Resolve(o)
}

func (r *faultyReader) Read(o object.Object, cs *webcapture.ContentSet) error {
	if err := r.fault(); err != nil {
		return err
	}
	return r.objectReader.Read(o, cs)
}

func (r *faultyReader) String(o object.Object) (webcapture.String, error) {
	if err := r.fault(); err != nil {
		return webcapture.String{}, err
	}
	return r.objectReader.String(o)
}

func (r *faultyReader) Values(o object.Object) iter.Seq2[object.Object, error] {
	if err := r.fault(); err != nil {
		return func(yield func(object.Object, error) bool) { yield(object.Object{}, err) }
	}
	return r.objectReader.Values(o)
}

// checkFaults checks that there is no plan if any one of the reads of planning fails.
func checkFaults(t *testing.T, name string, data []byte, opt Options) {
	t.Helper()
	f := opened(t, data, opt)
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Run(f, audit.Options{Database: db})
	if err != nil {
		t.Fatal(err)
	}
	for at := 1; ; at++ {
		p := newPlanner(state{f, db, rep}, opt)
		r := &faultyReader{objectReader: p.reader, at: at}
		p.reader = r
		err := p.make()
		if r.asked < at {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return
		}
		if !errors.Is(err, errFault) {
			t.Errorf("%s: when read %d fails, there is a plan all the same:\n%s", name, at, describe(planOfDraft(p.draft)))
		}
	}
}

// malformed calls do for each object of a file, while that object is not one: what
// stands there cannot be parsed.
func malformed(data []byte, do func(object string)) {
	for _, at := range objectHeader.FindAllIndex(data, -1) {
		body := data[at[1]+1 : at[1]+3]
		was := bytes.Clone(body)
		copy(body, "]]")
		do(string(data[at[0]:at[1]]))
		copy(body, was)
	}
}

// checkMalformed makes sure that a file can be repaired whichever of its objects is
// malformed.
func checkMalformed(t *testing.T, name string, data []byte, opt Options) {
	t.Helper()
	malformed(data, func(header string) {
		f := opened(t, data, opt)
		if f.WithoutXRef() {
			return // the catalog is malformed, so no update can be appended
		}
		p, err := NewPlan(t.Context(), f, opt)
		if err != nil {
			t.Errorf("%s: with %s malformed the error is %v", name, header, err)
			return
		}
		if _, err := p.verifyFile(opened(t, written(t, p), opt)); err != nil && !hidden(err) {
			t.Errorf("%s: with %s malformed: %v\nthe plan is\n%s", name, header, err, describe(p))
		}
	})
}

// hidden reports whether a file is not rewritten because an ID without a content set is that of a page: an
// unreadable content set may list that page.
func hidden(err error) bool {
	e, ok := errors.AsType[*newFinding](err)
	return ok && e.Rule.ID == "WC521"
}

// checkUnreadable makes sure of what TestUnreadableParts says.
func checkUnreadable(t *testing.T, name string, data []byte, opt Options) {
	t.Helper()
	checkFaults(t, name, data, opt)
	checkFailures(t, name, data, opt)
	checkMalformed(t, name, data, opt)
}

// TestUnreadableParts: a plan that goes by what it could read would drop the rest, so
// there is none if something cannot be read. What can be read and is malformed stays
// as it is, and the rest of the file is repaired all the same.
func TestUnreadableParts(t *testing.T) {
	files, err := filepath.Glob("../../testdata/audit/WC*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range webcapturetest.Sample(5, files) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data := pdf(t, string(archive.Files[0].Data))
		for _, opt := range []Options{{Rules: audit.Rules()}, {Rules: audit.Rules(), Rebuild: true}} {
			checkFaults(t, filepath.Base(path), data, opt)
			checkMalformed(t, filepath.Base(path), data, opt)
		}
	}
}
