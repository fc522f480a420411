package warc

import (
	"iter"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

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
		{"dictionary", sourcetest.Packings[7].Pack([]string{record}), true}, {"blank", []byte("\r\n" + record), true},
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

// checkFound compares the entries that a look-up yields with those of all for which is returns true.
func checkFound(t *testing.T, what string, found iter.Seq[*entry], all []entry, is func(entry) bool) {
	t.Helper()
	var got, want []int64
	for e := range found {
		got = append(got, e.member)
	}
	for _, e := range all {
		if is(e) {
			want = append(want, e.member)
		}
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	n := 0
	for range found {
		if n++; n == 2 {
			break
		}
	}
	if n != min(2, len(want)) {
		t.Errorf("%s: %d entries before a stop", what, n)
	}
}

// TestIndexLookups: look-ups in an index give the same entries as a search through all entries, and stop when asked to.
func TestIndexLookups(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var list entries
	var all []entry
	for i := range 300 {
		e := entry{url: uint64(r.Intn(6)), time: int64(r.Intn(8)) * 500_000, id: uint64(r.Intn(5)),
			payload: uint64(r.Intn(5)), revisit: r.Intn(3) == 0, position: position{member: int64(i)}}
		if r.Intn(5) == 0 {
			e.useless = []uselessness{continuation, damagedRecord, unusable, 1}[r.Intn(4)]
		}
		all = append(all, e)
		list.add(e)
	}
	x := newIndex(list)
	check := func(what string, found iter.Seq[*entry], is func(entry) bool) {
		t.Helper()
		checkFound(t, what, found, all, is)
	}
	for h := range uint64(7) {
		is := func(e entry) bool { return e.useless == 0 && h != 0 }
		check("URL", x.url(h, oldest), func(e entry) bool { return e.url == h })
		check("URL from a time on", x.url(h, 1_500_000), func(e entry) bool { return e.url == h && e.time >= 1_500_000 })
		check("URL in a second", x.second(h, time.UnixMicro(1_500_000)), func(e entry) bool {
			return e.url == h && e.time/1_000_000 == 1
		})
		check("identifier", x.at(x.byID(), h, idOf), func(e entry) bool { return is(e) && !e.revisit && e.id == h })
		check("payload", x.at(x.byPayload(), h, payloadOf), func(e entry) bool {
			return is(e) && !e.revisit && e.payload == h
		})
		check("revisit", x.at(x.revisits(), h, idOf), func(e entry) bool { return is(e) && e.revisit && e.id == h })
		check("segment", x.at(x.segments(), h, idOf), func(e entry) bool {
			return e.useless == continuation && e.id == h && h != 0
		})
	}
	var times []int64
	for e := range x.url(1, oldest) {
		times = append(times, e.time)
	}
	if !slices.IsSorted(times) {
		t.Errorf("not in order of time: %v", times)
	}
}
