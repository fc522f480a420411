package batch

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// describe returns the inputs and skipped files of paths, without dir, with the reasons of errors.
func describe(t *testing.T, dir string, where PathOptions, paths ...string) (list []string) {
	t.Helper()
	short := func(path string) string {
		return strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)), "/")
	}
	where.Skipped = func(name string, why Skip) { list = append(list, short(name)+" is "+string(why)) }
	for i, p := range paths {
		if p != Stdin && p != "" && !filepath.IsAbs(p) {
			paths[i] = dir + "/" + p
		}
	}
	for in := range Inputs(slices.Values(paths), where) {
		in.load()
		text := short(in.Name)
		if in.Err != nil {
			text += ": " + (&report.Record{Path: in.Name, Err: in.Err}).Reason()
		}
		if in.Path() != "" && in.Path() != in.Name {
			text += " at " + in.Path()
		}
		list = append(list, text)
		in.Close()
	}
	return list
}

// pathTest is a test of the inputs for paths.
type pathTest struct {
	name  string
	where PathOptions
	paths []string
	want  []string
}

func checkPaths(t *testing.T, dir string, tests []pathTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := describe(t, dir, tt.where, slices.Clone(tt.paths)...); !slices.Equal(got, tt.want) {
				t.Errorf("inputs\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestPathOptions: what each option adds or leaves out.
func TestPathOptions(t *testing.T) {
	pdf := []byte("%PDF-1.4")
	dir := write(t, map[string][]byte{"a.pdf": nil, "b": pdf, "c.txt": []byte("text"), "d.har": []byte("{}"),
		"sub/e.pdf": nil, "sub/f": pdf, "z.zip": zipped(t, "1.pdf", "%PDF-1.4", "2", "x"), "none.zip": zipped(t, "x", ""),
		"7.7z": []byte("7z\xbc\xaf\x27\x1c\x00\x04"), "texts/x": nil})
	const seven = "7.7z: not an archive that webcap can read; unpack it, or make it a zip or tar file"
	notB := func(path string) bool { return filepath.Base(path) == "b" || strings.HasSuffix(path, ".pdf") }
	middle := []string{"c.txt is not a PDF or an archive",
		"d.har is not a PDF or an archive", "none.zip!x is not a PDF or an archive"}
	sub := []string{"sub/e.pdf", "sub/f"}
	sub = append(sub, "texts/x is not a PDF or an archive")
	end := []string{"z.zip!1.pdf", "z.zip!2 is not a PDF or an archive"}
	all := slices.Concat([]string{seven, "a.pdf", "b"}, middle, sub, end)
	checkPaths(t, dir, []pathTest{
		{"all", PathOptions{}, []string{dir}, all},
		{"except", PathOptions{Except: notB}, []string{dir}, slices.Concat(all[:2], middle, sub, end)},
		{"except does not apply to a named file", PathOptions{Except: notB}, []string{"b"}, []string{"b"}},
		{"except does not apply to a pattern", PathOptions{Except: notB}, []string{"?"}, []string{"b"}},
		{"an archive without a PDF file", PathOptions{}, []string{"none.zip"}, []string{
			"none.zip!x is not a PDF or an archive", "none.zip: " + report.ErrNoMembers.Error()}},
		{"a folder without a PDF file", PathOptions{}, []string{"texts"}, []string{
			"texts/x is not a PDF or an archive", "texts: " + report.ErrNoFiles.Error()}},
		{"an empty path", PathOptions{}, []string{"", "b"}, []string{": the path is empty", "b"}},
	})
}

// TestStandardInput: the bytes are read once, and may be a PDF, an archive, or both.
func TestStandardInput(t *testing.T) {
	pdf := []byte("%PDF-1.4")
	zip := zipped(t, "1.pdf", "%PDF-1.4", "2", "x")
	from := func(data []byte) PathOptions { return PathOptions{Stdin: bytes.NewReader(data)} }
	broken := iotest.ErrReader(errors.New("broken"))
	for _, tt := range []pathTest{
		{"a PDF", from(pdf), []string{Stdin, Stdin}, []string{"-", "-"}},
		{"an archive", from(zip), []string{Stdin, Stdin}, []string{"-!1.pdf", "-!2 is not a PDF or an archive",
			"-!1.pdf", "-!2 is not a PDF or an archive"}},
		{"both", from(slices.Concat(pdf, zip)), []string{Stdin}, []string{"-"}},
		{"no members", from(zipped(t)), []string{Stdin}, []string{"-: " + report.ErrNoMembers.Error()}},
		{"unreadable", PathOptions{Stdin: broken}, []string{Stdin}, []string{"-: broken"}},
		{"none", PathOptions{}, []string{Stdin}, []string{"-"}},
		{"a file of that name", PathOptions{Stdin: broken, Literal: true}, []string{Stdin}, []string{"-"}},
	} {
		checkPaths(t, "none", []pathTest{tt})
		if r, ok := tt.where.Stdin.(*bytes.Reader); ok {
			r.Seek(0, io.SeekStart)
		}
	}
	for in := range Inputs(slices.Values([]string{Stdin}), PathOptions{Literal: true}) {
		if in.path != Stdin {
			t.Errorf("path %q, want the file -", in.path)
		}
	}
}

// TestPatternsInFolders: a pattern descends only as far as it can match, and means a file of that name if there is one.
func TestPatternsInFolders(t *testing.T) {
	dir := write(t, map[string][]byte{"a/x/1.pdf": nil, "a/y/2.pdf": nil, "a/y/z/3.pdf": nil, "b.zip": zipped(t, "1.pdf",
		"%PDF-1.4"), "c[1].pdf": nil, "c1.pdf": nil, "d.txt": []byte("x"), "[": nil, "empty/x/y": nil})
	const none = ": no file matches this pattern"
	checkPaths(t, dir, []pathTest{
		{"a star for a folder", PathOptions{}, []string{"a/*/*.pdf"}, []string{"a/x/1.pdf", "a/y/2.pdf"}},
		{"folders themselves do not match", PathOptions{}, []string{"a/*"}, []string{"a/*" + none}},
		{"a star in the middle", PathOptions{}, []string{"*/y/*.pdf"}, []string{"a/y/2.pdf"}},
		{"two stars", PathOptions{}, []string{"a/**/[23].pdf"}, []string{"a/y/2.pdf", "a/y/z/3.pdf"}},
		{"braces", PathOptions{}, []string{"a/{x,y}/?.pdf"}, []string{"a/x/1.pdf", "a/y/2.pdf"}},
		{"an archive", PathOptions{}, []string{"b.*"}, []string{"b.zip!1.pdf"}},
		{"a name like a pattern", PathOptions{}, []string{"c[1].pdf"}, []string{"c[1].pdf"}},
		{"a pattern", PathOptions{}, []string{"c[12].pdf"}, []string{"c1.pdf"}},
		{"not a pattern", PathOptions{}, []string{"x[", "["}, []string{"x[", "["}},
		{"any file matches", PathOptions{}, []string{"d.*"}, []string{"d.txt"}},
		{"no folder", PathOptions{}, []string{"gone/*"}, []string{"gone/*" + none}},
		{"literal", PathOptions{Literal: true}, []string{"c[12].pdf"}, []string{"c[12].pdf"}},
	})
}

// TestArchiveOf: the innermost separator after a file counts, unless there is a file with the whole name.
func TestArchiveOf(t *testing.T) {
	dir := write(t, map[string][]byte{"a": nil, "b!c": nil, "d!e": nil, "d": nil, "f/g": nil, "!h": nil})
	for path, want := range map[string]string{"a!x": "a", "a!x!y": "a", "b!c!x": "b!c", "b!c": "", "d!e!x": "d!e",
		"d!x": "d",
		"f!x": "", "gone!x": "", "f/g!x": "f/g", "a": "", "!h!x": "!h", "!x": "", "a!": "a"} {
		t.Run(path, func(t *testing.T) {
			t.Chdir(dir)
			if got := archiveOf(path); got != want {
				t.Errorf("archiveOf(%q) = %q, want %q", path, got, want)
			}
		})
	}
}

// TestOpenRegular: only regular files are opened.
func TestOpenRegular(t *testing.T) {
	dir := write(t, map[string][]byte{"a": []byte("four")})
	f, size, err := openRegular(filepath.Join(dir, "a"))
	if err != nil || size != 4 {
		t.Fatalf("size %d, error %v", size, err)
	}
	f.Close()
	for _, name := range []string{"", "gone"} {
		t.Run(name, func(t *testing.T) {
			if f, size, err := openRegular(filepath.Join(dir, name)); f != nil || size != 0 || err != fs.ErrNotExist {
				t.Errorf("%v, %d, %v; want only fs.ErrNotExist", f, size, err)
			}
		})
	}
}
