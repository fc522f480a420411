package batch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// heldFiles returns the files below a folder that this process has open or mapped. It is empty on systems without
// /proc.
func heldFiles(dir string) (list []string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // /proc has real paths
	}
	fds, _ := filepath.Glob("/proc/self/fd/*")
	for _, fd := range fds {
		if to, _ := os.Readlink(fd); strings.HasPrefix(to, dir) {
			list = append(list, "open: "+to)
		}
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		if i := strings.Index(line, dir); i >= 0 {
			list = append(list, "mapped: "+strings.TrimSpace(line[i:]))
		}
	}
	return list
}

// An open file is held, also if the path of its folder has a symbolic link.
func TestHeldFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // see heldFiles
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(write(t, map[string][]byte{"a": site()}), link); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(link, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if list := heldFiles(link); len(list) != 1 {
		t.Errorf("held while a file is open: %q", list)
	}
	f.Close()
	checkNothingHeld(t, link)
}

// keepGarbage turns off the garbage collector, which closes files that nothing refers to.
func keepGarbage(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// checkNothingHeld fails if a file below dir is open or mapped.
func checkNothingHeld(t *testing.T, dir string) {
	t.Helper()
	if held := heldFiles(dir); held != nil {
		t.Errorf("still held:\n%s", strings.Join(held, "\n"))
	}
}

// manyKinds writes inputs of many kinds to a folder, where also temporary files are from now on.
func manyKinds(t *testing.T) (dir string) {
	t.Helper()
	keepGarbage(t)
	pdf, text := string(site()), "text"
	large := string(append(site(), make([]byte, 1<<20)...)) // as a member, in a temporary file
	dir = write(t, map[string][]byte{
		"in/a.pdf": site(), "in/b": site(), "in/c.txt": []byte(text), "in/d.pdf": []byte(text), "in/e.pdf": nil,
		"in/f.zip":    zipped(t, "1.pdf", pdf, "2.pdf", text, "3.pdf", large, "4.txt", text, "in.zip", "PK\x03\x04 damaged"),
		"in/g.tar":    tarred(t, 3, 1<<20+1),
		"in/both":     slices.Concat(site(), zipped(t, "1.pdf", pdf)),
		"in/both.pdf": slices.Concat(site(), zipped(t, "1.pdf", pdf)),
		"in/one.zip":  zipped(t, "1.pdf", pdf), "in/bad.zip": zipped(t, "1.pdf", text),
		"in/large.zip": zipped(t, "1.pdf", large), "in/cut.zip": []byte("PK\x03\x04 damaged"),
		"in/deep.zip": zipped(t, "one.zip", string(zipped(t, "1.pdf", pdf))), "in/none.zip": zipped(t, "1.txt", text),
		"tmp/x": nil,
	})
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	t.Setenv("TMP", filepath.Join(dir, "tmp"))
	return filepath.Join(dir, "in")
}

// Each record comes after its input was released, for all options.
func TestRunReleasesInputs(t *testing.T) {
	dir := manyKinds(t)
	for name, opt := range map[string]Options{
		"default": {}, "no digest": {NoHash: true},
		"look":  {Look: func(*webcapture.File) (*audit.Report, error) { return nil, errors.New("x") }},
		"do":    {Do: auditing(func(context.Context, *Input) (*audit.Report, error) { return nil, errors.New("x") })},
		"panic": {Look: func(*webcapture.File) (*audit.Report, error) { panic("x") }},
	} {
		t.Run(name, func(t *testing.T) {
			opt.Workers = 1
			for range Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), opt) {
			}
			checkNothingHeld(t, filepath.Dir(dir))
		})
	}
}

// Options.Do may replace the file, which some systems allow only if it is not open.
func TestDoGetsAClosedFile(t *testing.T) {
	dir := write(t, map[string][]byte{"a": site()})
	opt := Options{Do: func(context.Context, *Input, *report.Record) { checkNothingHeld(t, dir) }}
	n := 0
	for range Run(t.Context(), Inputs(slices.Values([]string{filepath.Join(dir, "a")}), PathOptions{}), opt) {
		n++
	}
	if n != 1 {
		t.Errorf("%d records, want 1", n)
	}
}

// If the caller of Run stops, inputs that wait for a worker, or for room in the queue, are released.
func TestRunReleasesInputsIfItStops(t *testing.T) {
	all := map[string][]byte{}
	for _, name := range strings.Split("abcdefghijkl", "") {
		all[name] = site()
	}
	dir := write(t, all)
	keepGarbage(t)
	for _, tt := range []struct {
		name  string
		hangs string // input whose audit hangs until the run has ended
	}{{"the queue is full", ""}, {"all workers are busy", "b"}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang := make(chan bool)
				opt := Options{Workers: 1, Do: func(_ context.Context, in *Input, _ *report.Record) {
					if filepath.Base(in.Name) == tt.hangs {
						<-hang
					}
				}}
				for range Run(t.Context(), Inputs(slices.Values([]string{dir}), PathOptions{}), opt) {
					synctest.Wait()
					break
				}
				synctest.Wait()
				close(hang)
				synctest.Wait()
				checkNothingHeld(t, dir)
			})
		})
	}
}

// The iterator of inputs stops with its caller at each input, and leaves open only the files of inputs.
func TestInputsStopAnywhere(t *testing.T) {
	dir := manyKinds(t)
	data := zipped(t, "1.pdf", string(site()), "2.pdf", string(site()))
	for _, tt := range []struct {
		name  string
		paths []string
		stdin []byte
	}{
		{"a folder", []string{dir}, nil},
		{"a pattern", []string{dir + "/**"}, nil},
		{"files", []string{dir + "/f.zip", dir + "/g.tar", dir + "/both", dir + "/none.zip", dir + "/x*", dir}, nil},
		{"members", []string{dir + "/f.zip!3.pdf", dir + "/f.zip!1.pdf", dir + "/f.zip!x.pdf", dir + "/g.tar!2.pdf",
			dir + "/g.tar!1.pdf", dir + "/cut.zip!a.pdf", dir + "/cut.zip!b.pdf", dir + "/one.zip!1.pdf"}, nil},
		{"an archive from standard input", []string{Stdin, Stdin}, data},
		{"a PDF and archive from standard input", []string{Stdin, Stdin}, slices.Concat(site(), data)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for n, total := 1, 1; n <= total; n++ {
				i := 0
				for in := range Inputs(slices.Values(tt.paths), PathOptions{Stdin: bytes.NewReader(tt.stdin)}) {
					in.Close()
					if i++; i == n {
						total = n + 1 // there may be another one
						break
					}
				}
				checkNothingHeld(t, filepath.Dir(dir))
			}
		})
	}
}

// Local names a file with the bytes of the PDF, which done removes only if it is a copy.
func TestLocal(t *testing.T) {
	dir := manyKinds(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	large := append(site(), make([]byte, 1<<20)...)
	for _, tt := range []struct {
		path, file string // file is empty for a copy, or an error
		data       []byte
		err        string
	}{
		{in("a.pdf"), in("a.pdf"), site(), ""}, {in("both"), in("both"), slices.Concat(site(), zipped(t, "1.pdf",
			string(site()))), ""}, {in("c.txt"), in("c.txt"), []byte("text"), ""},
		{in("one.zip"), "", site(), ""}, {in("one.zip!1.pdf"), "", site(), ""}, {in("large.zip"), "", large, ""},
		{in("deep.zip!one.zip!1.pdf"), "", site(), ""},
		{Stdin, Stdin, nil, ""}, {dir, dir, nil, ""}, {in("gone"), in("gone"), nil, ""},
		{in("f.zip"), "", nil, "it has several PDF files; name one, such as " + in("f.zip!1.pdf")},
		{in("cut.zip"), "", nil, "cut off or damaged"}, {in("none.zip"), "", nil, report.ErrNoMembers.Error()},
		{in("*"), "", nil, "it has several PDF files; name one, such as " + in("a.pdf")},
		{in("a.pd*"), in("a.pdf"), site(), ""},
	} {
		t.Run(filepath.Base(tt.path), func(t *testing.T) {
			file, done, err := Local(tt.path)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%q, error %v, want %q", file, err, tt.err)
				}
				checkNothingHeld(t, filepath.Dir(dir))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkNothingHeld(t, filepath.Dir(dir))
			if tt.file != "" && file != tt.file || tt.file == "" && filepath.Ext(file) != ".pdf" {
				t.Errorf("file %q, want %q", file, tt.file)
			}
			before, _ := os.ReadFile(file)
			if !bytes.Equal(before, tt.data) {
				t.Errorf("%d bytes, want %d", len(before), len(tt.data))
			}
			done()
			if after, _ := os.ReadFile(file); bytes.Equal(after, tt.data) != (tt.file != "") && tt.data != nil {
				t.Errorf("after done, the file has %d bytes", len(after))
			}
		})
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "../tmp/webcap-*")); left != nil {
		t.Errorf("files %q are left", left)
	}
}
