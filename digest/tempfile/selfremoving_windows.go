package tempfile

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// selfRemoving makes a file in a folder. Windows removes the file when its last handle is closed.
func selfRemoving(dir string) (*os.File, error) {
	name := filepath.Join(dir, "webcap-"+rand.Text())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}
