package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
)

// put makes a tracked file in a folder.
func (t *tracker) put(test *testing.T, dir, name string) (path string) {
	test.Helper()
	f, err := t.create(func() (*os.File, error) { return os.Create(filepath.Join(dir, name)) })
	if err != nil {
		test.Fatal(err)
	}
	f.Close()
	return f.Name()
}

// holds fails the test unless a folder has exactly these files, in order.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func TestRemoveAll(t *testing.T) {
	dir, files := t.TempDir(), newTracker()
	files.put(t, dir, "a")
	files.put(t, dir, "b")
	if err := files.rename(files.put(t, dir, "c"), filepath.Join(dir, "named")); err != nil {
		t.Fatal(err)
	}
	d := files.put(t, dir, "d")
	if err := files.remove(d); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c", "d"} { // files of another program
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files.removeAll()
	holds(t, dir, "c", "d", "named")
}

// After a failed operation the file is still tracked, and is removed with the others.
func TestRemoveAllAfterErrors(t *testing.T) {
	dir, files := t.TempDir(), newTracker()
	a := files.put(t, dir, "a")
	if err := files.rename(a, filepath.Join(dir, "nowhere", "a")); err == nil {
		t.Error("a file was renamed into a folder that is not there")
	}
	if err := files.remove(filepath.Join(a, "b")); err == nil {
		t.Error("a file was removed that cannot be there")
	}
	failed := errors.New("failed")
	if _, err := files.create(func() (*os.File, error) { return nil, failed }); err != failed {
		t.Errorf("error %v, want %v", err, failed)
	}
	if len(files.files) != 1 {
		t.Errorf("%d files are kept track of, want 1", len(files.files))
	}
	files.removeAll()
	holds(t, dir)
}

// A removed file is not removed twice: its name may belong to another program by then.
func TestRemoveTwice(t *testing.T) {
	dir, files := t.TempDir(), newTracker()
	a := files.put(t, dir, "a")
	os.Remove(a)
	if err := files.remove(a); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	os.WriteFile(a, nil, 0o666)
	files.removeAll()
	holds(t, dir, "a")
}

// A removed file stays open, so other work can continue until the program ends. Only Windows closes it first.
func TestRemoveAllKeepsFilesOpen(t *testing.T) {
	dir, files := t.TempDir(), newTracker()
	f, err := files.create(func() (*os.File, error) { return os.Create(filepath.Join(dir, "a")) })
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files.removeAll()
	holds(t, dir)
	if _, err := f.WriteString("more"); err != nil && runtime.GOOS != "windows" {
		t.Errorf("write after removeAll: %v", err)
	}
}

// A step that has begun ends, with nested steps, before files are removed; none begins afterwards.
func TestSteps(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		files := newTracker()
		a := files.put(t, dir, "a")
		end := files.begin()
		removed := make(chan bool)
		go func() {
			files.removeAll()
			close(removed)
		}()
		synctest.Wait()
		files.put(t, dir, "b")
		if err := files.rename(a, filepath.Join(dir, "named")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case <-removed:
			t.Error("files are removed within a step")
		default:
		}
		holds(t, dir, "b", "named")
		end()
		<-removed
		holds(t, dir, "named")

		begun := false
		go func() {
			files.begin()
			begun = true
		}()
		synctest.Wait()
		if begun {
			t.Error("a step begins when the program is about to end")
		}
		// only so that the test can end
		files.mu.Lock()
		files.ending = false
		files.changed.Broadcast()
		files.mu.Unlock()
	})
}

// The functions of the package share one tracker.
func TestOfProcess(t *testing.T) {
	was := ofProcess
	defer func() { ofProcess = was }()
	ofProcess = newTracker()
	dir := t.TempDir()
	put := func(name string) string {
		f, err := Create(func() (*os.File, error) { return os.Create(filepath.Join(dir, name)) })
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		return f.Name()
	}
	put("a")
	end := Begin()
	if err := errors.Join(Remove(put("b")), Rename(put("c"), filepath.Join(dir, "named"))); err != nil {
		t.Error(err)
	}
	end()
	missing := filepath.Join(dir, "missing")
	if err := Remove(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Remove of a missing file: %v", err)
	}
	if err := Rename(missing, filepath.Join(dir, "other")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Rename of a missing file: %v", err)
	}
	RemoveAll()
	holds(t, dir, "named")
}

// setTempDir sets the folder of temporary files.
func setTempDir(t *testing.T, dir string) {
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // on Windows
}

// A temporary file works like any other, has no name if the system supports that, and leaves nothing.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	setTempDir(t, dir)
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || runtime.GOOS == "linux" && len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
	b := make([]byte, 4)
	if _, err := f.WriteString("data"); err != nil {
		t.Error(err)
	}
	if _, err := f.ReadAt(b, 0); err != nil || string(b) != "data" {
		t.Errorf("%q, %v", b, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	setTempDir(t, filepath.Join(dir, "missing"))
	if f, err := New(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v, %v", f, err)
	}
}

// A system without files that remove themselves gets a file with a name. The file does not outlive Close.
func TestNewNamed(t *testing.T) {
	dir := t.TempDir()
	setTempDir(t, dir)
	f, err := newNamed()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		holds(t, dir)
	}
	if _, err := f.WriteString("data"); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	holds(t, dir)
	if err := f.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("second Close: %v, want %v", err, os.ErrClosed)
	}
	setTempDir(t, filepath.Join(dir, "missing"))
	if f, err := newNamed(); !errors.Is(err, fs.ErrNotExist) || f != nil {
		t.Errorf("in a missing folder: %v, %v", f, err)
	}
}

// Close removes a file whose name could not be removed earlier, because it was open.
func TestCloseRemovesTheName(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(func() (*os.File, error) { return os.Create(filepath.Join(dir, "a")) })
	if err != nil {
		t.Fatal(err)
	}
	if err := (&File{f, true}).Close(); err != nil {
		t.Error(err)
	}
	holds(t, dir)
}
