package warc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestIs: a file is an archive by its name, or by its first bytes, compressed or not. A folder never is.
func TestIs(t *testing.T) {
	record := sourcetest.PageRecord("http://a/", "one")
	dir := t.TempDir()
	for _, row := range []struct {
		name string
		data []byte
		want bool
	}{
		{"a.warc", nil, true}, {"a.arc.gz", []byte("text"), true}, {"plain", []byte(record), true},
		{"gzip", sourcetest.Gzip(record), true}, {"zstd", sourcetest.Zstd(nil, []string{record}), true},
		{"dictionary", sourcetest.Packings[6].Pack([]string{record}), true}, {"blank", []byte("\r\n" + record), true},
		{"broken dictionary", []byte(dictMagic + "\x08\x00\x00\x00" + magics[zstdFrames] + "\xff\xff\xff\xff"), false},
		{"text", []byte("text"), false}, {"gzip of text", sourcetest.Gzip("text"), false}, {"empty", nil, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := Is(sourcetest.WriteFile(t, string(row.data), dir, row.name)); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
	if Is(filepath.Join(dir, "missing")) || Is(filepath.Join(dir, "missing.warc")) {
		t.Error("a missing file is an archive")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.warc"), 0o700); err != nil || Is(filepath.Join(dir, "folder.warc")) {
		t.Errorf("a folder is an archive; %v", err)
	}
}
