package warc

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// open opens an archive file, and closes it when the test ends.
func open(t testing.TB, path string) *capture.Index {
	t.Helper()
	s, err := capture.Open([]capture.File{New(path)}, &capture.Stats{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openBytes(t testing.TB, name string, data []byte) *capture.Index {
	t.Helper()
	return open(t, sourcetest.ArchiveFile(t, name, data))
}
