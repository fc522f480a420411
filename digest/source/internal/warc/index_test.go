package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestSavedIndexOfEveryPacking(t *testing.T) {
	for _, p := range sourcetest.Packings {
		path := sourcetest.ArchiveFile(t, "a.warc", p.Pack(sourcetest.SampleArchive.Records))
		o := capture.Options{Indexes: t.TempDir()}
		for range 2 {
			s := open(t, path, o)
			for url, want := range sourcetest.SampleArchive.Want {
				sourcetest.ExpectLookup(t, s, url, want)
			}
			if got := sourcetest.SkipLine(s); got != sourcetest.SampleArchive.Skips {
				t.Errorf("%s: skipped %s", p.Name, got)
			}
		}
		file, identity, name := savedIndex(t, path, o)
		if _, err := loadScan(file, identity, name); err != nil {
			t.Errorf("%s: the index is not used: %v", p.Name, err)
		}
	}
}

// TestDamagedIndexIsRebuilt flips each bit of an index, and cuts it off anywhere.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc",
		[]byte(sourcetest.PageRecord("http://a/1", "one")+"noise\n"+sourcetest.PageRecord("http://a/2", "two")))
	o := capture.Options{Indexes: t.TempDir()}
	want := open(t, path, o).Stats()
	p, identity, name := savedIndex(t, path, o)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	load := func(data []byte) error {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := loadScan(p, identity, name)
		return err
	}
	if err := load(good); err != nil {
		t.Fatal(err)
	}
	for i := range len(good) {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if load(bad) == nil {
			t.Errorf("a bit of byte %d flipped: taken", i)
		}
		if load(good[:i]) == nil {
			t.Errorf("cut off at %d: taken", i)
		}
	}
	if load(append(good, 0)) == nil {
		t.Error("a byte more: taken")
	}
	s := open(t, path, o)
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 (text/html) as stored \"two\"\n")
	if s.Stats().Kept != want.Kept {
		t.Errorf("%+v, want %+v", s.Stats(), want)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(again, good) {
		t.Errorf("the index was not written again: %v", err)
	}
}

// TestAllOfASecond: second yields all entries of one second.
func TestAllOfASecond(t *testing.T) {
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	var list entries
	for i, ms := range []int64{-1, 0, 500, 999, 1000} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			list.add(entry{url: 7, time: at.UnixMicro() + ms*1000, position: position{member: int64(i)}})
		})
	}
	var got []int64
	for e := range newIndex(list).second(7, at.Add(time.Millisecond)) {
		if got = append(got, e.member); len(got) == 2 {
			break
		}
	}
	for e := range newIndex(list).second(7, at) {
		got = append(got, e.member)
	}
	sourcetest.Equal(t, "records", got, []int64{1, 2, 1, 2, 3})
}

// TestPartsEndWhereTheyEnded: data appended to a file after it was opened are not read.
func TestPartsEndWhereTheyEnded(t *testing.T) {
	const data, size = "as it was, and more", 9
	p := &Part{Path: sourcetest.WriteFile(t, data, t.TempDir(), "x"), Size: size}
	for at := range int64(len(data)) {
		r, err := newMemberReader(p, position{member: at}, (64 << 10))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		if want := data[min(at, size):size]; string(got) != want || err != nil {
			t.Errorf("from %d on: %q, %v, want %q", at, got, err, want)
		}
	}
}

// savedIndex returns an archive file, its identity, and the file that has its index.
func savedIndex(t *testing.T, path string, o capture.Options) (p *Part, identity []byte, name string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	p = &Part{Path: path, Size: info.Size()}
	if name, err = p.indexFile(o.Indexes); err != nil {
		t.Fatal(err)
	}
	if identity, err = p.identity(); err != nil {
		t.Fatal(err)
	}
	return p, identity, name
}

// TestIndexThatShrinks: an index file that becomes shorter while it is read is rejected.
func TestIndexThatShrinks(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(sourcetest.PageRecord("http://a/1", "one")))
	o := capture.Options{Indexes: t.TempDir()}
	open(t, path, o)
	p, saved, name := savedIndex(t, path, o)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	identity := len(saved)
	for n := identity; n < len(data)-4; n++ {
		r := indexReader{r: bufio.NewReader(bytes.NewReader(data[identity:n])), left: int64(len(data) - identity)}
		if r.scan(p); !r.failed {
			t.Errorf("%d bytes of %d: read as a whole", n, len(data))
		}
	}
}

// TestIndexFile: a saved index is read back unchanged. Impossible values are rejected, even if the checksum is right.
func TestIndexFile(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(strings.Join(sourcetest.SampleArchive.Records, "")))
	o := capture.Options{Indexes: t.TempDir()}
	open(t, path, o)
	p, identity, name := savedIndex(t, path, o)
	got, err := loadScan(p, identity, name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := scanPart(p)
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Equal(t, "entries", got.entries.blocks[0], want.entries.blocks[0])
	if got.records != want.records || fmt.Sprint(got.Total()) != fmt.Sprint(want.Total()) {
		t.Errorf("%d records, %+v, want %d, %+v", got.records, got.Total(), want.records, want.Total())
	}

	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	count := len(data) - 4 - got.entries.len()*entrySize - 8
	skips := len(identity) + 1
	for _, row := range []struct {
		at int
		n  uint64
	}{
		{count, 1 << 63}, {count, 1<<64 - 1}, {count, 1 << 61}, {count, uint64(got.entries.len()) + 1},
		{count, uint64(got.entries.len()) - 1},
		{skips, 1 << 63}, {skips, 1 << 40}, {skips + 8, 1 << 63}, {skips + 8, 1 << 40},
	} {
		t.Run(fmt.Sprint(row.at), func(t *testing.T) {
			bad := bytes.Clone(data[:len(data)-4])
			binary.LittleEndian.PutUint64(bad[row.at:], row.n)
			bad = binary.LittleEndian.AppendUint32(bad, crc32.Checksum(bad, castagnoli))
			if err := os.WriteFile(name, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := loadScan(p, identity, name); err != errIndex {
				t.Errorf("%d at byte %d: %v", row.n, row.at, err)
			}
		})
	}
	for n := len(identity); n < len(data)-4; n++ {
		bad := binary.LittleEndian.AppendUint32(bytes.Clone(data[:n]), crc32.Checksum(data[:n], castagnoli))
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadScan(p, identity, name); err != errIndex {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}
