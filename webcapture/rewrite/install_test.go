package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

var (
	oldBytes   = []byte("%PDF-1.3 the original")
	otherBytes = []byte("%PDF-1.3 another file")
	newBytes   = bytes.Repeat([]byte("new"), bufferSize/2) // more than one write
	past       = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
)

// writeNew writes newBytes in pieces, like a writer of PDF files.
func writeNew(w io.Writer) error {
	for piece := range slices.Chunk(newBytes, 100_000) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// checkNew is a check that accepts only newBytes.
func checkNew(path string) error {
	data, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(data, newBytes) {
		err = errors.New("not what was written")
	}
	return err
}

// folder returns a new folder that holds the original, in.pdf.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "in.pdf"), oldBytes)
	return dir
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
}

// holds fails the test unless dir holds these files, and no others.
func holds(t *testing.T, dir string, want map[string][]byte) {
	t.Helper()
	got := contents(t, dir)
	for name, data := range want {
		t.Run(name, func(t *testing.T) {
			if there, ok := got[name]; !ok {
				t.Errorf("%s is missing", name)
			} else if !bytes.Equal(there, data) {
				t.Errorf("%s has %d bytes, %.20q…, want %d, %.20q…", name, len(there), there, len(data), data)
			}
			delete(got, name)
		})
	}
	for name := range got {
		t.Errorf("%s should not be there", name)
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]byte{}
	for _, e := range entries {
		if !e.IsDir() {
			if got[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return got
}

// situation is a way to install over, or next to, in.pdf.
type situation struct {
	name string
	out  string // "" for in place
	opt  Target
}

var (
	newOutput = situation{name: "new output", out: "out.pdf"}
	inPlace   = situation{name: "in place", opt: Target{InPlace: true}}
)

var situations = []situation{
	newOutput,
	{name: "output that exists", out: "other.pdf"},
	inPlace,
	{name: "in place without backup", opt: Target{InPlace: true, NoBackup: true}},
	{name: "through a symbolic link", out: "link.pdf"}, // last: it may be skipped
}

// folder returns a new folder for s.
func (s situation) folder(t *testing.T) string {
	t.Helper()
	dir := folder(t)
	put(t, filepath.Join(dir, "other.pdf"), otherBytes)
	if s.out == "link.pdf" {
		if err := os.Symlink("other.pdf", filepath.Join(dir, s.out)); err != nil {
			t.Skip(err)
		}
	}
	return dir
}

// child returns a command that runs this test in another process. That process installs in dir, with a fault at
// operation at; see inChild.
func (s situation) child(t *testing.T, dir string, at int) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	test, _, _ := strings.Cut(t.Name(), "/")
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), "WEBCAP_TEST_INSTALL="+dir, "WEBCAP_TEST_SITUATION="+s.name,
		"WEBCAP_TEST_AT="+strconv.Itoa(at))
	return cmd
}

// inChild reports whether this is the process of child. If so, it installs first.
func inChild(f fault) bool {
	dir, ok := os.LookupEnv("WEBCAP_TEST_INSTALL")
	if ok {
		at, _ := strconv.Atoi(os.Getenv("WEBCAP_TEST_AT"))
		i := slices.IndexFunc(situations, func(s situation) bool { return s.name == os.Getenv("WEBCAP_TEST_SITUATION") })
		situations[i].install(&faultyFiles{at: at, fault: f}, dir)
	}
	return ok
}

// installAt is install with an output, for an input that was not read before.
func installAt(
	files fileSystem, in, out string, t Target, write func(io.Writer) error, check func(string) error,
) error {
	t.Path = out
	return install(files, in, nil, t, write, check)
}

func (s situation) install(files fileSystem, dir string) error {
	return installAt(files, filepath.Join(dir, "in.pdf"), filepath.Join(dir, s.out), s.opt, writeNew, checkNew)
}

// before and after return the files of the folder before and after the installation.
func (s situation) before() map[string][]byte {
	want := map[string][]byte{"in.pdf": oldBytes, "other.pdf": otherBytes}
	if s.out == "link.pdf" {
		want[s.out] = otherBytes
	}
	return want
}

func (s situation) after() map[string][]byte {
	want := s.before()
	if !s.opt.InPlace {
		want[s.out] = newBytes
		if s.out == "link.pdf" {
			want["other.pdf"] = newBytes
		}
		return want
	}
	want["in.pdf"] = newBytes
	if !s.opt.NoBackup {
		want["in.pdf.bak"] = oldBytes
	}
	return want
}

func TestInstall(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			dir := s.folder(t)
			in := filepath.Join(dir, "in.pdf")
			was, err := osFiles{}.stat(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.install(&faultyFiles{}, dir); err != nil {
				t.Fatal(err)
			}
			holds(t, dir, s.after())

			out := in
			if !s.opt.InPlace {
				out = filepath.Join(dir, s.out)
			}
			now, err := os.Stat(out)
			if err != nil {
				t.Fatal(err)
			}
			if now.Mode() != was.Mode() {
				t.Errorf("mode %v, want %v", now.Mode(), was.Mode())
			}
			if now.ModTime().Equal(past) {
				t.Error("the time of modification is that of the old file")
			}
			if bak, err := os.Stat(in + ".bak"); err == nil {
				if bak.Mode() != was.Mode() || !bak.ModTime().Equal(past) {
					t.Errorf("backup has %v, %v, want %v, %v", bak.Mode(), bak.ModTime(), was.Mode(), past)
				}
				if !os.SameFile(bak, was) {
					t.Error("the backup is no hard link")
				}
			}
		})
	}
}

// faultyFiles is the file system of the machine, with a fault at operation number at, counted from 1. It syncs
// nothing.
type faultyFiles struct {
	osFiles
	at    int
	fault fault
	done  []string // the names of the operations so far
}

type fault int

const (
	fails  fault = iota // this operation does not happen
	dies                // nor does any later one
	killed              // nor does anything else
	blocks              // the process waits to be killed
	ends                // the process ends in order, as soon as it can
)

var errFault = errors.New("injected fault")

func (f *faultyFiles) op(name string) error {
	f.done = append(f.done, name)
	n := len(f.done)
	switch {
	case n == f.at && f.fault == killed:
		panic(errFault)
	case n == f.at && f.fault == blocks:
		fmt.Println("blocked")
		select {}
	case n == f.at && f.fault == ends:
		go func() {
			tempfile.RemoveAll()
			os.Exit(0)
		}()
		time.Sleep(50 * time.Millisecond) // in which it ends, unless it has to wait
		return nil
	case n == f.at, n > f.at && f.at > 0 && (f.fault == dies || f.fault == killed):
		return errFault
	}
	return nil
}

func (f *faultyFiles) stat(path string) (fs.FileInfo, error) {
	if err := f.op("stat"); err != nil {
		return nil, err
	}
	return f.osFiles.stat(path)
}

func (f *faultyFiles) lstat(path string) (fs.FileInfo, error) {
	if err := f.op("lstat"); err != nil {
		return nil, err
	}
	return f.osFiles.lstat(path)
}

func (f *faultyFiles) createTemp(dir, pattern string) (file, error) {
	if err := f.op("createTemp"); err != nil {
		return nil, err
	}
	w, err := f.osFiles.createTemp(dir, pattern)
	return faultyFile{w, f}, err
}

func (f *faultyFiles) chown(path string, was fs.FileInfo) error {
	if err := f.op("chown"); err != nil {
		return err
	}
	return f.osFiles.chown(path, was)
}

func (f *faultyFiles) chmod(path string, mode fs.FileMode) error {
	if err := f.op("chmod"); err != nil {
		return err
	}
	return f.osFiles.chmod(path, mode)
}

func (f *faultyFiles) link(path, name string) error {
	if err := f.op("link"); err != nil {
		return err
	}
	return f.osFiles.link(path, name)
}

func (f *faultyFiles) rename(path, name string) error {
	if err := f.op("rename"); err != nil {
		return err
	}
	return f.osFiles.rename(path, name)
}

func (f *faultyFiles) remove(path string) error {
	if err := f.op("remove"); err != nil {
		return err
	}
	return f.osFiles.remove(path)
}

func (f *faultyFiles) syncDir(string) error { return f.op("syncDir") }

type faultyFile struct {
	file
	*faultyFiles
}

// Write writes half of p before it fails, as full disks do.
func (f faultyFile) Write(p []byte) (int, error) {
	if err := f.op("write"); err != nil {
		n, _ := f.file.Write(p[:len(p)/2])
		return n, err
	}
	return f.file.Write(p)
}

func (f faultyFile) Sync() error { return f.op("sync") }

// Close closes the file even if it fails, so that no test keeps one open.
func (f faultyFile) Close() error {
	return errors.Join(f.op("close"), f.file.Close())
}

// operations returns the names of the operations of s.
func (s situation) operations(t *testing.T) []string {
	t.Helper()
	files := &faultyFiles{}
	if err := s.install(files, s.folder(t)); err != nil {
		t.Fatal(err)
	}
	return files.done
}

// A file is synced before it gets its name, and its folder afterwards.
func TestInstallSyncs(t *testing.T) {
	const want = "stat lstat lstat createTemp write write sync close chown chmod link syncDir stat rename syncDir"
	if got := strings.Join(inPlace.operations(t), " "); got != want {
		t.Errorf("install does %s\nwant        %s", got, want)
	}
}

// Each operation of each situation fails once.
func TestInstallFailsWhole(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			ops := s.operations(t)
			for i, op := range ops {
				t.Run(fmt.Sprintf("%d %s", i+1, op), func(t *testing.T) {
					dir := s.folder(t)
					err := s.install(&faultyFiles{at: i + 1, fault: fails}, dir)
					switch {
					case op == "chown":
						if err != nil {
							t.Errorf("an owner that stays is an error: %v", err)
						}
						holds(t, dir, s.after())
						return
					case !errors.Is(err, errFault):
						t.Fatalf("error %v, want the injected one", err)
					case i == len(ops)-1:
						if op != "syncDir" || !strings.Contains(err.Error(), "is written, but") {
							t.Errorf("%s comes last and says %q, want syncDir and that the file is written", op, err)
						}
						holds(t, dir, s.after())
					default:
						holds(t, dir, s.before())
					}
					if line := err.Error(); strings.Contains(line, "\n") || !strings.Contains(line, dir) ||
						strings.Contains(line, ".tmp") {
						t.Errorf("error %q is not a line that names the file, and not the temporary one", line)
					}
				})
			}
		})
	}
}

// From each operation on, the disk fails, or the process ends. All files are complete.
func TestInstallEndsWhole(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			ops := s.operations(t)
			for i, op := range ops {
				for fault, name := range map[fault]string{dies: "disk", killed: "process"} {
					t.Run(fmt.Sprintf("%d %s/%s", i+1, op, name), func(t *testing.T) {
						dir := s.folder(t)
						err := func() (err error) {
							defer func() {
								if v := recover(); v != nil && v != errFault {
									panic(v)
								}
							}()
							err = s.install(&faultyFiles{at: i + 1, fault: fault}, dir)
							if fault == killed {
								t.Error("install returned")
							}
							return err
						}()
						if fault == dies && !errors.Is(err, errFault) {
							t.Errorf("error %v, want the injected one", err)
						}
						s.whole(t, dir, i == len(ops)-1)
					})
				}
			}
		})
	}
}

// whole fails the test unless every file in dir is as it was, or, if the install
// got that far, as it will be. Temporary files, and a backup, may be there.
func (s situation) whole(t *testing.T, dir string, installed bool) {
	t.Helper()
	want := s.before()
	if installed {
		want = s.after()
	}
	for name, data := range contents(t, dir) {
		t.Run(name, func(t *testing.T) {
			switch {
			case strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp"):
				if installed {
					t.Errorf("%s is left after the last step", name)
				}
				return
			case name == "in.pdf.bak" && !s.opt.NoBackup && s.opt.InPlace:
				want[name] = oldBytes
			}
			if !bytes.Equal(data, want[name]) {
				t.Errorf("%s has %d bytes, %.20q…", name, len(data), data)
			}
			delete(want, name)
		})
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

// The process is killed before each operation.
func TestInstallKilled(t *testing.T) {
	if inChild(blocks) {
		return
	}
	s := inPlace
	ops := s.operations(t)
	lefts := 0
	for i, op := range ops {
		t.Run(fmt.Sprintf("%d %s", i+1, op), func(t *testing.T) {
			dir := s.folder(t)
			cmd := s.child(t, dir, i+1)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line := make([]byte, len("blocked"))
			if _, err := io.ReadFull(out, line); err != nil || string(line) != "blocked" {
				t.Errorf("the process says %q, %v", line, err)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			if err := cmd.Wait(); err == nil {
				t.Error("the process ended by itself")
			}
			s.whole(t, dir, i == len(ops)-1)
			if data, err := os.ReadFile(filepath.Join(dir, "in.pdf")); err != nil || bytes.Equal(data, newBytes) {
				return // there is nothing to do for the next run
			}
			left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp"))
			for _, path := range left {
				lefts++
				if !MadeBeside(path) || os.Remove(path) != nil {
					t.Errorf("%s is no temporary file", path)
				}
			}
			if err := s.install(osFiles{}, dir); err != nil {
				t.Errorf("the next run: %v", err)
			}
			holds(t, dir, s.after())
		})
	}
	if lefts == 0 {
		t.Error("no run left a temporary file")
	}
}

// Backups and temporary files are recognized by their names.
func TestMadeBeside(t *testing.T) {
	dir := folder(t)
	for name, want := range map[string]bool{"in.pdf": false, "in.pdf.bak": true, "out.pdf.bak": false,
		".in.pdf.8.tmp": true, "in.pdf.8.tmp": false} {
		t.Run(name, func(t *testing.T) {
			if got := MadeBeside(filepath.Join(dir, name)); got != want {
				t.Errorf("%s is made next to another: %v", name, got)
			}
		})
	}
}

// The process is interrupted during each operation: everything is done or nothing, and no temporary file is left.
func TestInstallInterrupted(t *testing.T) {
	if inChild(ends) {
		return
	}
	for _, s := range situations {
		if !s.opt.InPlace {
			continue
		}
		wholes := 0
		for i, op := range s.operations(t) {
			dir := s.folder(t)
			if out, err := s.child(t, dir, i+1).CombinedOutput(); err != nil {
				t.Fatalf("%s, %d %s: %v\n%s", s.name, i+1, op, err, out)
			}
			got := contents(t, dir)
			if reflect.DeepEqual(got, s.after()) {
				wholes++
			} else if !reflect.DeepEqual(got, s.before()) {
				t.Errorf("%s, %d %s: files %v", s.name, i+1, op, slices.Sorted(maps.Keys(got)))
			}
		}
		if wholes == 0 {
			t.Errorf("%s: no step was let end", s.name)
		}
	}
}

func TestInstallRefuses(t *testing.T) {
	for _, tt := range []struct {
		name    string
		in, out string
		opt     Target
		setUp   func(in func(string) string) error
		want    string
	}{
		{"the input", "in.pdf", "in.pdf", Target{}, nil,
			"cannot write $/in.pdf: the output is the input; use --in-place or name another output"},
		{"the input, spelled otherwise", "in.pdf", "sub/../in.pdf", Target{},
			func(in func(string) string) error { return os.Mkdir(in("sub"), 0o777) },
			"cannot write $/sub/../in.pdf: the output is the input; use --in-place or name another output"},
		{"a symbolic link to the input", "in.pdf", "link.pdf", Target{},
			func(in func(string) string) error { return os.Symlink("in.pdf", in("link.pdf")) },
			"cannot write $/link.pdf: the output is the input; use --in-place or name another output"},
		{"the input's own name when the input is a symbolic link", "link.pdf", "in.pdf", Target{},
			func(in func(string) string) error { return os.Symlink("in.pdf", in("link.pdf")) },
			"cannot write $/in.pdf: the output is the input; use --in-place or name another output"},
		{"a hard link of the input", "in.pdf", "link.pdf", Target{},
			func(in func(string) string) error { return os.Link(in("in.pdf"), in("link.pdf")) },
			"cannot write $/link.pdf: the output is the input; use --in-place or name another output"},
		{"a link that leads nowhere", "in.pdf", "link.pdf", Target{},
			func(in func(string) string) error { return os.Symlink("gone.pdf", in("link.pdf")) },
			"cannot write $/link.pdf: a broken symbolic link; name another output"},
		{"a page of a source", "in.pdf", "page", Target{},
			func(in func(string) string) error { return os.WriteFile(in("page"), []byte("<p>%PDF-"), 0o666) },
			"cannot write $/page: the existing file is not a PDF; name another output"},
		{"a page of a few bytes", "in.pdf", "page", Target{},
			func(in func(string) string) error { return os.WriteFile(in("page"), []byte("%PDF"), 0o666) },
			"cannot write $/page: the existing file is not a PDF; name another output"},
		{"a folder", "in.pdf", "sub", Target{},
			func(in func(string) string) error { return os.Mkdir(in("sub"), 0o777) },
			"cannot write $/sub: not a regular file; name another output"},
		{"a folder in place", "sub", "", Target{InPlace: true},
			func(in func(string) string) error { return os.Mkdir(in("sub"), 0o777) },
			"cannot write $/sub: not a regular file; name another output"},
		{"a backup that exists", "in.pdf", "", Target{InPlace: true},
			func(in func(string) string) error { return os.Symlink("gone", in("in.pdf.bak")) },
			"cannot back up: $/in.pdf.bak exists; move it or use --no-backup"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t)
			in := func(name string) string { return dir + string(filepath.Separator) + filepath.FromSlash(name) }
			if tt.setUp != nil {
				if err := tt.setUp(in); err != nil {
					t.Skip(err)
				}
			}
			entries, _ := os.ReadDir(dir)
			err := installAt(osFiles{}, in(tt.in), in(tt.out), tt.opt,
				func(io.Writer) error { t.Error("something is written"); return nil },
				func(string) error { t.Error("something is checked"); return nil })
			want := filepath.FromSlash(strings.ReplaceAll(tt.want, "$", dir))
			if err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
			if now, _ := os.ReadDir(dir); len(now) != len(entries) {
				t.Errorf("the folder holds %v, held %v", now, entries)
			}
			if data, _ := os.ReadFile(in("in.pdf")); !bytes.Equal(data, oldBytes) {
				t.Errorf("in.pdf holds %q", data)
			}
		})
	}
}

func TestInstallNamesTheFolder(t *testing.T) {
	dir := folder(t)
	out := filepath.Join(dir, "gone", "out.pdf")
	err := installAt(osFiles{}, filepath.Join(dir, "in.pdf"), out, Target{}, writeNew, checkNew)
	if !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "cannot write "+out+": cannot create a file in its folder: ") {
		t.Errorf("error %v", err)
	}
}

func TestInstallIntoReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("every folder is writable")
	}
	dir := folder(t)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	err := installAt(osFiles{}, filepath.Join(dir, "in.pdf"), "", Target{InPlace: true}, writeNew, checkNew)
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v, want %v", err, fs.ErrPermission)
	}
	holds(t, dir, map[string][]byte{"in.pdf": oldBytes})
}

func TestInstallFollowsLinks(t *testing.T) {
	for _, replace := range []bool{false, true} {
		t.Run(fmt.Sprint(replace), func(t *testing.T) {
			dir, far := folder(t), t.TempDir()
			file, link := filepath.Join(far, "file.pdf"), filepath.Join(dir, "link.pdf")
			put(t, file, oldBytes)
			if err := os.Symlink(file, link); err != nil {
				t.Skip(err)
			}
			in, want := filepath.Join(dir, "in.pdf"), map[string][]byte{"file.pdf": newBytes}
			if replace {
				in, want["file.pdf.bak"] = link, oldBytes
			}
			if err := installAt(osFiles{}, in, link, Target{InPlace: replace}, writeNew, checkNew); err != nil {
				t.Fatal(err)
			}
			holds(t, far, want)
			if got, err := os.Readlink(link); got != file {
				t.Errorf("in place %v: link leads to %q, %v, want %q", replace, got, err, file)
			}
			holds(t, dir, map[string][]byte{"in.pdf": oldBytes, "link.pdf": newBytes})
		})
	}
}

func TestInstallReplacesOneHardLink(t *testing.T) {
	dir := folder(t)
	in := filepath.Join(dir, "in.pdf")
	if err := os.Link(in, filepath.Join(dir, "twin.pdf")); err != nil {
		t.Skip(err)
	}
	if err := installAt(osFiles{}, in, "", Target{InPlace: true, NoBackup: true}, writeNew, checkNew); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string][]byte{"in.pdf": newBytes, "twin.pdf": oldBytes})
}

// install returns errors of write and check unchanged.
func TestInstallReturnsErrorsOfItsCallers(t *testing.T) {
	errOwn := errors.New("own")
	right, wrong := writeNew, func(w io.Writer) error {
		if _, err := w.Write(newBytes[:10]); err != nil {
			return err
		}
		return errOwn
	}
	for _, s := range situations {
		dir := s.folder(t)
		in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, s.out)
		if err := installAt(osFiles{}, in, out, s.opt, wrong, checkNew); err != errOwn {
			t.Errorf("%s: error %v of write, want %v", s.name, err, errOwn)
		}
		if err := installAt(osFiles{}, in, out, s.opt, right, func(string) error { return errOwn }); err != errOwn {
			t.Errorf("%s: error %v of check, want %v", s.name, err, errOwn)
		}
		holds(t, dir, s.before())
	}
}

// install returns an error of the disk, even if write drops it.
func TestInstallSeesErrorsThatWriteDropped(t *testing.T) {
	s := newOutput
	dir := s.folder(t)
	files := &faultyFiles{at: slices.Index(s.operations(t), "write") + 1}
	drop := func(w io.Writer) error { writeNew(w); return nil }
	err := installAt(files, filepath.Join(dir, "in.pdf"), filepath.Join(dir, s.out), s.opt, drop,
		func(string) error { return nil })
	if !errors.Is(err, errFault) {
		t.Errorf("error %v, want %v", err, errFault)
	}
	holds(t, dir, s.before())
}

func TestInstallCleansUpAfterPanic(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			dir := s.folder(t)
			in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, s.out)
			for _, do := range []func(){
				func() {
					installAt(osFiles{}, in, out, s.opt, func(io.Writer) error { panic(errFault) }, checkNew)
				},
				func() { installAt(osFiles{}, in, out, s.opt, writeNew, func(string) error { panic(errFault) }) },
			} {
				func() {
					defer func() {
						if v := recover(); v != errFault {
							t.Errorf("recovered %v, want %v", v, errFault)
						}
					}()
					do()
				}()
				holds(t, dir, s.before())
			}
		})
	}
}

func TestInstallWritesForTheOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions")
	}
	dir := folder(t)
	out := filepath.Join(dir, "out.pdf")
	var got fs.FileMode
	err := installAt(osFiles{}, filepath.Join(dir, "in.pdf"), out, Target{}, writeNew, func(path string) error {
		info, err := os.Stat(path)
		if err == nil {
			got = info.Mode()
		}
		if ok, _ := filepath.Match(filepath.Join(dir, ".out.pdf.*.tmp"), path); !ok {
			t.Errorf("the temporary file is %s", path)
		}
		return err
	})
	if err != nil || got != 0o600 {
		t.Errorf("mode %v, %v, want 0600", got, err)
	}
}

// The input may be written to, or replaced, while the new file is made of it.
func TestInstallSeesThatTheInputChanged(t *testing.T) {
	changed := []byte("THE ORIGINAL")
	for _, s := range situations {
		for name, change := range map[string]func(in string) error{
			"longer": func(in string) error {
				if err := os.WriteFile(in, append(changed, changed...), 0); err != nil {
					return err
				}
				return os.Chtimes(in, past, past)
			},
			"later": func(in string) error { return os.WriteFile(in, changed, 0) },
			"another": func(in string) error {
				if err := os.WriteFile(in+".new", changed, 0o666); err != nil {
					return err
				}
				if err := os.Chtimes(in+".new", past, past); err != nil {
					return err
				}
				return os.Rename(in+".new", in)
			},
		} {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				dir := s.folder(t)
				in := filepath.Join(dir, "in.pdf")
				var want map[string][]byte
				err := installAt(&faultyFiles{}, in, filepath.Join(dir, s.out), s.opt, writeNew,
					func(string) error {
						if err := change(in); err != nil {
							t.Fatal(err)
						}
						data, err := os.ReadFile(in)
						want = s.before()
						want["in.pdf"] = data
						return err
					})
				if err == nil || !strings.HasSuffix(err.Error(), in+" changed while it was being rewritten") {
					t.Errorf("error %v", err)
				}
				got := contents(t, dir)
				if bak, ok := got["in.pdf.bak"]; ok && name == "another" {
					want["in.pdf.bak"] = bak
				}
				holds(t, dir, want)
			})
		}
	}
}

// lostReply renames a file, and returns an error.
type lostReply struct{ osFiles }

func (l lostReply) rename(path, name string) error {
	return errors.Join(l.osFiles.rename(path, name), errFault)
}

func TestInstallKeepsTheBackupWhenTheOriginalIsGone(t *testing.T) {
	dir := folder(t)
	err := installAt(lostReply{}, filepath.Join(dir, "in.pdf"), "", Target{InPlace: true}, writeNew, checkNew)
	if !errors.Is(err, errFault) {
		t.Errorf("error %v, want %v", err, errFault)
	}
	holds(t, dir, map[string][]byte{"in.pdf": newBytes, "in.pdf.bak": oldBytes})
}

// lateBackup is a folder in which another program creates FILE.bak at the last moment.
type lateBackup struct{ osFiles }

func (l lateBackup) link(path, name string) error {
	if err := os.WriteFile(name, otherBytes, 0o666); err != nil {
		return err
	}
	return l.osFiles.link(path, name)
}

func TestInstallNeverTouchesABackup(t *testing.T) {
	dir := folder(t)
	err := installAt(lateBackup{}, filepath.Join(dir, "in.pdf"), "", Target{InPlace: true}, writeNew, checkNew)
	if err == nil || !strings.Contains(err.Error(), "in.pdf.bak exists; move it") {
		t.Errorf("error %v", err)
	}
	holds(t, dir, map[string][]byte{"in.pdf": oldBytes, "in.pdf.bak": otherBytes})
}

// TestInstallResumes: the backup of a killed run serves as the backup of the next run. A backup of another file is
// an error.
func TestInstallResumes(t *testing.T) {
	for name, c := range map[string]struct {
		leave func(in, bak string) error
		ok    bool
	}{
		"a hard link":      {os.Link, true},
		"a copy":           {func(_, bak string) error { return os.WriteFile(bak, oldBytes, 0o666) }, false},
		"another file":     {func(_, bak string) error { return os.WriteFile(bak, otherBytes, 0o666) }, false},
		"one as long":      {func(_, bak string) error { return os.WriteFile(bak, bytes.ToUpper(oldBytes), 0o666) }, false},
		"a link to itself": {func(in, bak string) error { return os.Symlink(in, bak) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			in := filepath.Join(dir, "in.pdf")
			if err := c.leave(in, in+".bak"); err != nil { // symbolic links take a privilege on Windows
				t.Skip(err)
			}
			err := installAt(osFiles{}, in, "", Target{InPlace: true}, writeNew, checkNew)
			if (err == nil) != c.ok {
				t.Fatalf("the error is %v", err)
			}
			if c.ok {
				holds(t, dir, map[string][]byte{"in.pdf": newBytes, "in.pdf.bak": oldBytes})
			}
		})
	}
}
