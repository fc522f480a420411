package warc

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// FuzzIndexFile loads an index with any content and a correct checksum. An accepted index must not have more entries
// than fit into its content.
func FuzzIndexFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.warc")
	if err := os.WriteFile(path, []byte(strings.Join(sourcetest.SampleArchive.Records, "")), 0o600); err != nil {
		f.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		f.Fatal(err)
	}
	p := &Part{Path: path, Size: info.Size()}
	identity, err := p.identity()
	if err != nil {
		f.Fatal(err)
	}
	o := capture.Options{Indexes: f.TempDir()}
	open(f, path, o)
	name, err := p.indexFile(o.Indexes)
	if err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[len(identity) : len(data)-crc32.Size])
	f.Fuzz(func(t *testing.T, content []byte) {
		file := append(bytes.Clone(identity), content...)
		file = binary.LittleEndian.AppendUint32(file, crc32.Checksum(file, castagnoli))
		p := *p
		s, err := loadScan(&p, identity, sourcetest.WriteFile(t, string(file), t.TempDir(), "index"))
		if err == nil && s.Kept > len(content)/entrySize {
			t.Errorf("%d entries in %d bytes", s.Kept, len(content))
		}
	})
}
