package batch

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
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
	if got := linesOf(t, Resolve(dir, refs)); got != want {
		t.Errorf("the records are others:\n%.3000s\nwant\n%.3000s", got, want)
	}
	for _, size := range []int{1, 7} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			var got strings.Builder
			for part := range slices.Chunk(refs, size) {
				_, records, _ := strings.Cut(linesOf(t, Resolve(dir, part)), "\n")
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
	refs := refsOf(zips[0])
	for _, row := range []struct {
		name    string
		replace func()
	}{
		{"with other members", func() { os.WriteFile(zips[0], zipped(t, "x.pdf", "x"), 0o666) }},
		{"gone", func() { os.Remove(zips[0]) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.replace()
			n := 0
			for in := range Resolve(dir, refs) {
				if in.Err == nil || in.Name != string(refs[n].Name) {
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

// resolvedOf describes each input that Resolve yields, and closes it. It stops after so many inputs.
func resolvedOf(t *testing.T, dir string, refs []Ref, most int) (list []string) {
	t.Helper()
	for in := range Resolve(dir, refs) {
		in.load()
		text := in.Name
		switch {
		case in.Err != nil:
			text += ": " + in.Err.Error()
		case in.member != nil:
			data := in.member.Data
			start := make([]byte, 10)
			data.ReadAt(start, 0)
			text += fmt.Sprintf(": %s", start)
		default:
			path, _ := filepath.Rel(dir, in.path)
			text += ": path " + filepath.ToSlash(path)
		}
		if in.archive != "" {
			text += " in " + in.archive
		}
		list = append(list, text)
		in.Close()
		if len(list) == most {
			break
		}
	}
	return list
}

// Each kind of ref gives its input, and errors do not end the sequence.
func TestResolveEachKind(t *testing.T) {
	keepGarbage(t)
	dir := write(t, map[string][]byte{"a.pdf": []byte("%PDF-1.4 a"), "x.tar": tarred(t, 4, 10),
		"cut.zip": []byte("PK\x03\x04")})
	member := func(archive string, n, at int) Ref {
		return Ref{Name: []byte(fmt.Sprintf("%s!%d.pdf", archive, n)), Archive: []byte(archive), At: at}
	}
	refs := []Ref{
		{Name: []byte("own.zip"), Archive: []byte("own.zip"), Outcome: "error", Reason: "unreadable"},
		{Name: []byte("skipped"), Outcome: report.Skipped.String(), Reason: "left out"}, {Name: []byte("a.pdf")}, {Name: []byte("gone.pdf")},
		{Name: []byte(filepath.Join(dir, "a.pdf"))},
		member("sent.zip", 1, 0), member("sent.zip", 2, 3),
		member("x.tar", 1, 1), member("x.tar", 3, 3), member("x.tar", 0, 0), member("x.tar", 9, 1), member("x.tar", 2, 2),
		member("x.tar", 3, 2), member("x.tar", 8, 3),
		{Name: []byte("cut.zip"), Archive: []byte("cut.zip")}, {Name: []byte("a.pdf")},
	}
	const missing, gone = ": no such PDF file in the archive", ": file does not exist"
	want := []string{
		"own.zip: unreadable in own.zip", "skipped: left out", "a.pdf: path a.pdf", "gone.pdf: path gone.pdf",
		filepath.Join(dir, "a.pdf") + ": path a.pdf",
		"sent.zip!1.pdf" + gone, "sent.zip!2.pdf" + gone,
		"x.tar!1.pdf: %PDF-1.4 1 in x.tar", "x.tar!3.pdf: %PDF-1.4 3 in x.tar", // one pass
		"x.tar!0.pdf: %PDF-1.4 0 in x.tar", "x.tar!2.pdf: %PDF-1.4 2 in x.tar", "x.tar!9.pdf" + missing,
		"x.tar!3.pdf: %PDF-1.4 3 in x.tar", "x.tar!8.pdf" + missing,
		"cut.zip: the zip file is cut off or damaged: its directory is missing or wrong in cut.zip",
		"a.pdf: path a.pdf",
	}
	for n := 1; n <= len(want); n++ {
		if got := resolvedOf(t, dir, refs, n); !slices.Equal(got, want[:n]) {
			t.Fatalf("the first %d inputs:\n%s\nwant\n%s", n, strings.Join(got, "\n"), strings.Join(want[:n], "\n"))
		}
		checkNothingHeld(t, dir)
	}
}

// An archive with several refs is read once.
func TestResolveReadsAnArchiveOnce(t *testing.T) {
	dir := write(t, map[string][]byte{"x.tar": tarred(t, 4, 10)})
	n := 0
	for in := range Resolve(dir, []Ref{{Name: []byte("x.tar!1.pdf"), Archive: []byte("x.tar"), At: 1},
		{Name: []byte("x.tar!3.pdf"), Archive: []byte("x.tar"), At: 3}}) {
		n++
		if n == 1 && runtime.GOOS != "windows" { // where no open file can be removed
			if err := os.Remove(filepath.Join(dir, "x.tar")); err != nil {
				t.Fatal(err)
			}
		}
		if in.Err != nil {
			t.Errorf("%s: %v", in.Name, in.Err)
		}
		in.Close()
	}
	if n != 2 {
		t.Errorf("%d inputs, want 2", n)
	}
}

// A ref has the outcome of an input with an error, unless the archive can tell it again.
func TestRefOfErrors(t *testing.T) {
	dir := write(t, map[string][]byte{"x.zip": zipped(t, "in.7z", "7z\xbc\xaf\x27\x1c"), "e/x": nil, "a.pdf": nil})
	zip, empty, pdf := filepath.Join(dir, "x.zip"), filepath.Join(dir, "e"), filepath.Join(dir, "a.pdf")
	want := []Ref{{Name: []byte(zip + "!in.7z"), Archive: []byte(zip)}, {Name: []byte(pdf)},
		{Name: []byte(empty), Outcome: report.Nothing.String(), Reason: report.ErrNoFiles.Error()}}
	if got := refsOf(zip, pdf, empty); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("refs %+v, want %+v", got, want)
	}
}
