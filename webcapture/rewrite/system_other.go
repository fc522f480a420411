//go:build !unix

package rewrite

import "io/fs"

// Only Unix keeps owners and syncs folders.

func (osFiles) chown(string, fs.FileInfo) error { return nil }
func (osFiles) syncDir(string) error            { return nil }

// lock does nothing. These systems do not allow the removal of files that are being written.
func lock(string) (unlock func(), ok bool) { return func() {}, true }
