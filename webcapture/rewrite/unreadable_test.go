package rewrite

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

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

// checkUnreadable checks plans for a file with each of its objects unreadable or malformed.
func checkUnreadable(t *testing.T, name string, data []byte, opt Options) {
	t.Helper()
	checkFailures(t, name, data, opt)
	checkMalformed(t, name, data, opt)
}

// TestUnreadableParts: a malformed object stays as it is, and the rest of the file is repaired.
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
			checkMalformed(t, filepath.Base(path), data, opt)
		}
	}
}
