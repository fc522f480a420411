package source

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/warc"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// collection writes a list of WACZ files, and two of these next to it.
func collection(t *testing.T, list string) (path string) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"list.json": []byte(list),
		"1.wacz": sourcetest.Zip(t,
			sourcetest.ZipEntry{Name: "archive/a.warc.gz",
				Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/1", "one", "WARC-Record-ID: <urn:1>"))}),
		"more/2.wacz": sourcetest.Zip(t,
			sourcetest.ZipEntry{Name: "archive/a.warc.gz",
				Data: sourcetest.Gzip(sourcetest.WARCRecord("revisit", "http://a/2", "",
					"WARC-Refers-To: <urn:1>"))}),
		"bad.wacz": []byte("noise"),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "list.json")
}

// TestMultiWACZ: a collection may be a list of WACZ files in its folder. Unreadable files are reported, and the others
// are used.
func TestMultiWACZ(t *testing.T) {
	path := collection(t, `{"profile": "multi-wacz-package", "resources": [
		{"name": "1", "path": "1.wacz", "hash": "sha256:0"}, {"path": "more/2.wacz"}, {"path": "notes.txt"},
		{"path": "bad.wacz"}, {"path": "gone.wacz"}, {"path": "../1.wacz"}, {"path": "https://a.example/3.wacz"}]}`)
	if !warc.IsWACZ(path) {
		t.Error("it is not taken for a list of WACZ files")
	}
	s, err := Open("", path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, url := range []string{"http://a/1", "http://a/2"} {
		t.Run(url, func(t *testing.T) {
			if data, err := sourcetest.ReadAll(sourcetest.LookupOne(t, s, url)); err != nil ||
				string(data) != "one" {
				t.Errorf("%s: %q, %v", url, data, err)
			}
		})
	}
	skipped := map[string]string{}
	for _, k := range s.Stats().Skipped {
		skipped[strings.TrimPrefix(k.First, path+", ")] = k.Reason
	}
	missingText := syscall.ENOENT.Error()
	for where, reason := range map[string]string{
		"bad.wacz": "the zip file is cut off or damaged: it has no directory", "gone.wacz": missingText,
		"../1.wacz":                "a WACZ file outside the folder of the list",
		"https://a.example/3.wacz": "a WACZ file on a server; download it first",
	} {
		t.Run(where, func(t *testing.T) {
			if skipped[where] != reason {
				t.Errorf("%s: %q, want %q", where, skipped[where], reason)
			}
		})
	}
	if len(skipped) != 4 {
		t.Errorf("skipped %v", skipped)
	}
}

func TestMultiWACZWithoutFiles(t *testing.T) {
	path := collection(t, `{"profile": "multi-wacz-package", "resources": [{"path": "gone.wacz"}]}`)
	if _, err := Open("", path); err == nil ||
		!strings.Contains(err.Error(), "no WACZ file in the list can be read: "+path+", gone.wacz: ") {
		t.Error(err)
	}
	for _, text := range []string{"", "{", "[]", `{"profile": "data-package"}`, `{"profile": 1}`,
		`{"log": {}, "profile": ["multi-wacz-package"]}`} {
		t.Run(text, func(t *testing.T) {
			if path := collection(t, text); warc.IsWACZ(path) {
				t.Errorf("%q is taken for a list of WACZ files", text)
			}
		})
	}
}

// TestRepeatedWACZ: a list that names a file many times opens it once.
func TestRepeatedWACZ(t *testing.T) {
	s, err := Open("", collection(t, `{"profile": "multi-wacz-package", "resources": [`+
		strings.Repeat(`{"path": "1.wacz"}, {"path": "./more/../1.wacz"}, `, 15_000)+`{"path": "1.wacz"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Stats(); got.Files != 1 || got.Kept != 1 {
		t.Errorf("%+v", got)
	}
	sourcetest.LookupOne(t, s, "http://a/1")
}
