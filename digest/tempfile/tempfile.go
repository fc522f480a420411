// Package tempfile makes the files that are written under another name first, and keeps
// track of them, so that none is left when the program is interrupted.
//
// A program that is about to end calls [RemoveAll], whatever else it is doing. What has to
// be done as a whole, such as to keep a backup and replace the original, is done between
// [Begin] and the function that it returns.
package tempfile

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

var (
	mu      sync.Mutex
	changed = sync.NewCond(&mu)
	files   = map[string]bool{} // by path
	steps   int                 // that have begun and not ended
	ending  bool                // RemoveAll was called
)

// Begin begins a step that is done as a whole or not at all, and returns what ends it. A
// step may be a part of another. When the program is about to end, Begin does not return.
func Begin() (end func()) {
	mu.Lock()
	defer mu.Unlock()
	for ending && steps == 0 {
		changed.Wait()
	}
	steps++
	return func() {
		mu.Lock()
		defer mu.Unlock()
		steps--
		changed.Broadcast()
	}
}

// Create makes a file with open, which is kept track of until Rename or Remove.
func Create(open func() (*os.File, error)) (*os.File, error) {
	defer Begin()()
	f, err := open()
	if err == nil {
		track(f.Name(), true)
	}
	return f, err
}

// Rename gives a file its name.
func Rename(path, name string) error {
	defer Begin()()
	err := os.Rename(path, name)
	if err == nil {
		track(path, false)
	}
	return err
}

// Remove removes a file.
func Remove(path string) error {
	err := os.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		track(path, false)
	}
	return err
}

func track(path string, there bool) {
	mu.Lock()
	defer mu.Unlock()
	if there {
		files[path] = true
	} else {
		delete(files, path)
	}
}

// RemoveAll lets the steps end that have begun, and no other begin, and removes all
// files. The program has to end then.
func RemoveAll() {
	mu.Lock()
	defer mu.Unlock()
	ending = true
	for steps > 0 {
		changed.Wait()
	}
	for path := range files {
		os.Remove(path)
	}
}
