package batch

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// linesOf returns the records of inputs.
func linesOf(t *testing.T, inputs iter.Seq[*Input]) string {
	t.Helper()
	var b bytes.Buffer
	w := report.NDJSON.New(&b, report.Options{})
	for rec := range Run(context.Background(), inputs, Options{}) {
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// refsOf returns the Ref of each input that Inputs yields for the paths.
func refsOf(paths ...string) (refs []Ref) {
	for in := range Inputs(slices.Values(paths), PathOptions{}) {
		refs = append(refs, in.Ref())
		in.Close()
	}
	return refs
}

// Refs resolved elsewhere give the records of their inputs, for any subset.
func TestResolve(t *testing.T) {
	dir := t.TempDir()
	batchtest.Write(t, filepath.Join(dir, "in"), 120, 1<<20)
	for _, name := range []string{"in/empty/none.txt", "in/\xff.pdf"} {
		t.Run(name, func(t *testing.T) {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
			os.WriteFile(filepath.Join(dir, name), nil, 0o666)
		})
	}
	zips, _ := filepath.Glob(filepath.Join(dir, "in/*/a.zip"))
	zip, _ := filepath.Rel(dir, zips[0])
	paths := []string{"in", "in/empty", "in/missing", "no-such-*", zip + "!1.pdf", zip + "!missing.pdf"}
	t.Chdir(dir)
	want := linesOf(t, Inputs(slices.Values(paths), PathOptions{}))
	refs := refsOf(paths...)
	t.Chdir(t.TempDir())
	if got := linesOf(t, Resolve(dir, refs, nil)); got != want {
		t.Errorf("the records are others:\n%.3000s\nwant\n%.3000s", got, want)
	}
	for _, size := range []int{1, 7} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			var got strings.Builder
			for part := range slices.Chunk(refs, size) {
				_, records, _ := strings.Cut(linesOf(t, Resolve(dir, part, nil)), "\n")
				got.WriteString(records)
			}
			if _, records, _ := strings.Cut(want, "\n"); got.String() != records {
				t.Errorf("%d at a time, the records are others", size)
			}
		})
	}
}

// If an archive was replaced, no member is taken for another one.
func TestResolveChangedArchive(t *testing.T) {
	dir := t.TempDir()
	batchtest.Write(t, filepath.Join(dir, "in"), 120, 1<<20)
	zips, _ := filepath.Glob(filepath.Join(dir, "in/*/a.zip"))
	tars, _ := filepath.Glob(filepath.Join(dir, "in/*/b.tar.zst"))
	refs := refsOf(zips[0])
	for i := range refs { // as if there had been one more, before them
		refs[i].At++
	}
	for _, row := range []struct {
		name    string
		replace func()
	}{
		{"as it was", func() {}},
		{"of another kind", func() { os.Rename(tars[0], zips[0]) }},
		{"gone", func() { os.Remove(zips[0]) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.replace()
			n := 0
			for in := range Resolve(dir, refs, nil) {
				if in.Err == nil || in.Name != refs[n].Name {
					t.Errorf("%s is %s: %v", refs[n].Name, in.Name, in.Err)
				}
				in.Close()
				n++
			}
			if n != len(refs) {
				t.Errorf("%d inputs for %d refs", n, len(refs))
			}
		})
	}
}
