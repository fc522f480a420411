//go:build !unix

package rewrite

import "io/fs"

// Owners are kept, and folders synced, on Unix only.

func (osFiles) chown(string, fs.FileInfo) error { return nil }
func (osFiles) syncDir(string) error            { return nil }
