// Package tempfile makes temporary files. Most are renamed when they are complete. The package tracks them, so that a
// program that is interrupted can remove them.
//
// A program that is about to end calls [RemoveAll], even during other work. A step that must not be interrupted, such
// as keeping a backup and replacing the original, calls [Begin] first and the function that Begin returned last.
package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// ofProcess is the tracker that the exported functions use.
var ofProcess = newTracker()

// Begin begins a step that must not be interrupted, and returns the function that ends the step. Steps may be nested.
// After RemoveAll was called and the last step has ended, Begin blocks forever.
func Begin() (end func()) { return ofProcess.begin() }

// Create makes a file by calling open, and tracks the file until Rename or Remove is called.
func Create(open func() (*os.File, error)) (*os.File, error) { return ofProcess.create(open) }

// File is a temporary file. Close removes it.
type File struct {
	*os.File
	named bool
}

// New makes a temporary file. If the system supports this, the file disappears even if the program is killed. Do not
// use the name of the file: it may have none, and it may not be possible to open it again.
func New() (*File, error) {
	if f, err := selfRemoving(os.TempDir()); err == nil {
		return &File{f, false}, nil
	}
	return newNamed()
}

// newNamed makes a temporary file with a name, and removes the name at once if the system allows that.
func newNamed() (*File, error) {
	f, err := Create(func() (*os.File, error) { return os.CreateTemp("", "webcap-*") })
	if err != nil {
		return nil, err
	}
	return &File{f, Remove(f.Name()) != nil}, nil
}

// Close closes and removes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named {
		err = errors.Join(err, Remove(f.Name()))
	}
	return err
}

// Rename renames a tracked file to its final name.
func Rename(path, name string) error { return ofProcess.rename(path, name) }

// Remove removes a tracked file.
func Remove(path string) error { return ofProcess.remove(path) }

// RemoveAll waits until no step is running. From then on, it blocks new steps. It removes all tracked files. The
// program must end after this call.
func RemoveAll() { ofProcess.removeAll() }

// tracker holds the temporary files and the steps of a process.
type tracker struct {
	mu      sync.Mutex
	changed *sync.Cond
	files   map[string]*os.File // by path
	steps   int                 // number of steps that have not ended
	ending  bool                // RemoveAll was called
}

func newTracker() *tracker {
	t := &tracker{files: map[string]*os.File{}}
	t.changed = sync.NewCond(&t.mu)
	return t
}

func (t *tracker) begin() (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.ending && t.steps == 0 {
		t.changed.Wait()
	}
	t.steps++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.steps--
		t.changed.Broadcast()
	}
}

func (t *tracker) create(open func() (*os.File, error)) (*os.File, error) {
	defer t.begin()()
	f, err := open()
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.files[f.Name()] = f
	}
	return f, err
}

func (t *tracker) rename(path, name string) error {
	defer t.begin()()
	err := os.Rename(path, name)
	if err == nil {
		t.forget(path)
	}
	return err
}

func (t *tracker) remove(path string) error {
	err := os.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		t.forget(path)
	}
	return err
}

func (t *tracker) forget(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, path)
}

func (t *tracker) removeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ending = true
	for t.steps > 0 {
		t.changed.Wait()
	}
	for path, f := range t.files {
		if os.Remove(path) != nil { // Windows does not remove a file that is open
			f.Close()
			os.Remove(path)
		}
	}
}
