//go:build !unix

package rewrite

import "io/fs"

// Only Unix keeps owners and syncs folders.

func (osFiles) chown(string, fs.FileInfo) error { return nil }
func (osFiles) syncDir(string) error            { return nil }
