package folder

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// FuzzManifest reads a list of files that is any text, and looks up all that it names.
func FuzzManifest(f *testing.F) {
	f.Add("http://h/a\ta.html\nhttp://h/b\tnone\n")
	f.Add(localfile.ByteOrderMark + "# list\r\n\r\nhttp://h/a\t../x\r\nhttp://h/a\t\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		sourcetest.WriteFile(t, "body", dir, "a.html")
		s, err := openList(sourcetest.WriteFile(t, text, dir, "list"))
		if err != nil {
			return
		}
		defer s.Close()
		found := 0
		for c := range s.All {
			sourcetest.Describe(s, c.URL)
			found++
		}
		if kept := s.Stats().Kept; found != kept {
			t.Errorf("%d files are found, %d were kept", found, kept)
		}
	})
}
