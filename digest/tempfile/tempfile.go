// Package tempfile makes files that are renamed when they are complete. It keeps track of them, so that none is
// left when the program is interrupted.
//
// A program that is about to end calls [RemoveAll], even during other work. Steps that must not be interrupted,
// such as keeping a backup and replacing the original, run between [Begin] and a call of the function that it
// returns.
package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// ofProcess is the tracker that the functions of the package use.
var ofProcess = newTracker()

// Begin begins a step that must not be interrupted, and returns the function that ends it. Steps may be nested.
// When the program is about to end, Begin does not return.
func Begin() (end func()) { return ofProcess.begin() }

// Create makes a file by calling open, and tracks it until Rename or Remove.
func Create(open func() (*os.File, error)) (*os.File, error) { return ofProcess.create(open) }

// Mkdir makes a folder for files that Rename puts there, and tracks it until Remove. RemoveAll removes it if it is
// empty by then.
func Mkdir(path string) error { return ofProcess.mkdir(path) }

// File is a temporary file. Close removes it.
type File struct {
	*os.File
	named bool
}

// New makes a temporary file. If the system supports it, the file disappears even if the program is killed. Use no name
// of it: it may have none, and other handles may not open it.
func New() (*File, error) {
	if f, err := selfRemoving(os.TempDir()); err == nil {
		return &File{f, false}, nil
	}
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

// Remove removes a file, or an empty folder.
func Remove(path string) error { return ofProcess.remove(path) }

// RemoveAll waits until all steps have ended, blocks new ones, and removes all files and empty folders. The program
// must end then.
func RemoveAll() { ofProcess.removeAll() }

// tracker holds the temporary files and the steps of a process.
type tracker struct {
	mu      sync.Mutex
	changed *sync.Cond
	files   map[string]*os.File // by path
	folders map[string]bool
	steps   int  // begun and not ended
	ending  bool // RemoveAll was called
}

func newTracker() *tracker {
	t := &tracker{files: map[string]*os.File{}, folders: map[string]bool{}}
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

func (t *tracker) mkdir(path string) error {
	defer t.begin()()
	err := os.Mkdir(path, 0o777)
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.folders[path] = true
	}
	return err
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
	delete(t.folders, path)
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
	for path := range t.folders {
		os.Remove(path)
	}
}
