package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
)

// Each cap lets through what just fits, and says what does not.

func TestMaxRecordHeader(t *testing.T) {
	header := func(size int) string {
		r := page("http://a/1", "one")
		end := strings.Index(r, "\r\n\r\n")
		const name = "\r\nX: "
		return r[:end] + name + strings.Repeat("x", size-end-len(name)-len("\r\n\r\n")) + r[end:]
	}
	for size, want := range map[int]string{maxRecordHeader: "", maxRecordHeader + 1: "1 a record whose header does not end within 65536 bytes"} {
		for _, pack := range packings[:2] {
			s := openBytes(t, "a.warc", pack.pack([]string{page("http://a/0", "zero"), header(size), page("http://a/2", "two")}))
			if got := len(found(t, s, "http://a/1")) == 1; got != (want == "") || reasons(s) != want {
				t.Errorf("%s: a header of %d bytes: found %v, skipped %q", pack.name, size, got, reasons(s))
			}
			for _, k := range s.Stats().Skipped {
				if !k.Capped {
					t.Errorf("%s: a cap is not said to be one: %+v", pack.name, k)
				}
			}
			if want == "" {
				equal(t, "body", forms(t, one(t, s, "http://a/1")), []string{"as stored: one"})
			}
			one(t, s, "http://a/2")
		}
	}
}

func TestMaxCodings(t *testing.T) {
	for _, n := range []int{maxCodings, maxCodings + 1} {
		stored := "body"
		for range n {
			stored = coded(t, "gzip", stored)
		}
		list := headerOf(t, "Content-Encoding: "+strings.Repeat("gzip, ", n)+"\n\n").bodies(stringOpener(stored))
		if n > maxCodings {
			if _, err := slurp(list[1]); err != errCodings || !list[0].Coded || list[1].Coded {
				t.Errorf("%d codings: %v, want %v", n, err, errCodings)
			}
		} else if got := read(t, list[n]); got != "body" {
			t.Errorf("%d codings: %q", n, got)
		}
	}
}

// A zstd body that takes more memory than the zstd program would is an error.
func TestMaxWindow(t *testing.T) {
	for window, fits := range map[int]bool{maxWindow: true, 2 * maxWindow: false} {
		body := headerOf(t, "Content-Encoding: zstd\n\n").bodies(stringOpener(zstdFrame(window, "body")))[1]
		if got, err := slurp(body); (err == nil && string(got) == "body") != fits {
			t.Errorf("a body with a window of %d bytes: %q, %v", window, got, err)
		}
		s := openBytes(t, "a.warc.zst", append(zst(nil, []string{page("http://a/1", "one")}), zstdFrame(window, page("http://a/2", "two"))...))
		if got := len(found(t, s, "http://a/2")) == 1; got != fits || (reasons(s) == "") != fits {
			t.Errorf("a frame with a window of %d bytes: found %v, skipped %q", window, got, reasons(s))
		}
	}
}

// zstdFrame returns a frame with one raw block, and a window that is a power of two
// (RFC 8878, 3.1.1).
func zstdFrame(window int, data string) string {
	exponent := 0
	for ; 1<<(10+exponent) < window; exponent++ {
	}
	b := append([]byte(magics[zstdFrames]), 0, byte(exponent<<3))
	block := uint32(len(data))<<3 | 1
	return string(append(b, byte(block), byte(block>>8), byte(block>>16))) + data
}

// A dictionary that is cut, or grows too much, is not used; records that do not need
// one are found all the same.
func TestMaxDict(t *testing.T) {
	frame := func(size uint32) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(dictMagic), size), make([]byte, 16)...)
	}
	for name, data := range map[string][]byte{
		"more than the file has": frame(1 << 31),
		"more than may be":       skippable(zst(nil, []string{strings.Repeat("\x00", maxDict+1)})),
		"not a dictionary":       frame(16),
	} {
		if s, err := Open(WARC, archiveFile(t, "a.warc.zst", append(data, zst(nil, []string{page("http://a/", "one")})...)), Options{}); err == nil {
			t.Errorf("%s: %+v", name, s.Stats())
		}
	}
}

func TestMaxSpooledURL(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{maxSpooledURL, maxSpooledURL + 1} {
		url := "http://h/"
		url += strings.Repeat("x", size-len(url))
		storePage(t, dir, "", url, "HTTP/1.0 200 OK\r\n\r\n"+fmt.Sprint(size))
	}
	s := opened(t, WWWOFFLE, dir)
	if got := s.Stats(); got.Kept != 1 || got.Files != 2 {
		t.Errorf("%+v", got)
	}
	equal(t, "skipped", skips(s), []string{"1 × a U file that holds another URL than its name says"})
}

func TestMaxPathEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, "x", dir, "x.txt")
	s := opened(t, Folder, dir)
	for _, n := range []int{maxPathEnds, maxPathEnds + 1} {
		url := "file:///" + strings.Repeat("d/", n-1) + "x.txt"
		if got := len(found(t, s, url)) == 1; got != (n == maxPathEnds) {
			t.Errorf("%d ends of a path: found %v", n, got)
		}
	}
}

func TestMaxManifestLine(t *testing.T) {
	dir := t.TempDir()
	write(t, "x", dir, "x")
	for _, size := range []int{maxManifestLine - 1, maxManifestLine} {
		s := opened(t, Folder, write(t, "http://h/x\tx\n#"+strings.Repeat("x", size-1)+"\nhttp://h/y\tx\n", dir, "list"))
		one(t, s, "http://h/x")
		if fits := size < maxManifestLine; (len(found(t, s, "http://h/y")) == 1) != fits || (s.Stats().Skipped == nil) != fits {
			t.Errorf("a line of %d bytes: %+v", size, s.Stats())
		}
	}
}

func TestMaxNested(t *testing.T) {
	for n, skipped := range map[int]int{maxNested: 0, maxNested + 1: 1} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
			if i == 0 {
				b.WriteString("Content-Location: http://h/\n\nfirst\n--b0\n")
			}
		}
		s := opened(t, MHTML, write(t, b.String()+"Content-Location: http://h/deep\n\ndeep\n", t.TempDir(), "x"))
		one(t, s, "http://h/")
		got := 0
		for _, k := range s.Stats().Skipped {
			if strings.HasPrefix(k.Reason, "more than 32 multiparts") {
				got = k.Count
			}
		}
		if got != skipped || (len(found(t, s, "http://h/deep")) == 1) != (skipped == 0) {
			t.Errorf("%d multiparts in one another: %+v", n, s.Stats())
		}
	}
}

// A zip can say of its entries what it likes. What cannot be is left out, and the
// rest is read.
func TestWACZThatLies(t *testing.T) {
	good := []byte(page("http://a/", "one"))
	raw := func(h zip.FileHeader, data []byte) zipEntry {
		return zipEntry{data, func(z *zip.Writer) (io.Writer, error) { return z.CreateRaw(&h) }}
	}
	reason := func(h zip.FileHeader, data string) string {
		size := uint64(len(good))
		s := openBytes(t, "a.wacz", zipOf(t, []zipEntry{
			raw(h, []byte(data)), raw(zip.FileHeader{Name: "archive/a.warc", CompressedSize64: size, UncompressedSize64: size}, good)}))
		expect(t, s, "http://a/", "http://a/ (text/html) as stored \"one\"\n")
		return reasons(s)
	}
	const name = "archive/0.warc"
	for _, row := range []struct {
		h    zip.FileHeader
		want string
	}{
		{zip.FileHeader{Name: name, CompressedSize64: 4, UncompressedSize64: 5}, "1 a size in the zip that is wrong"},
		{zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: MaxBody + 4*maxRatio + 1}, "1 a size in the zip that is wrong"},
		{zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: MaxBody + 4*maxRatio}, "1 an entry of the zip that is damaged"},
		{zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: 1 << 63}, "1 a size in the zip that is wrong"},
		{zip.FileHeader{Name: name, Method: 12, CompressedSize64: 4, UncompressedSize64: 5}, "1 an entry of the zip that cannot be read"},
		{zip.FileHeader{Name: name, CompressedSize64: 4, UncompressedSize64: 4}, "1 bytes that are not a record"},
	} {
		if got := reason(row.h, "data"); got != row.want {
			t.Errorf("%+v: skipped %q, want %q", row.h, got, row.want)
		}
	}
	if got := reason(zip.FileHeader{Name: "pages/0.warc", CompressedSize64: 4, UncompressedSize64: 5}, "data"); got != "" {
		t.Errorf("what is not an archive file: skipped %q", got)
	}
}

// What all entries of a zip are unpacked to, those of zips in it too, is bounded together; what fits is read.
func TestWACZUnpacksSoMuch(t *testing.T) {
	one, two := []byte(page("http://a/", "one")), []byte(page("http://b/", "two"))
	inner := zipFile(t, zipped{"archive/b.warc", two, true})
	name := write(t, string(zipFile(t, zipped{"archive/a.warc", one, true}, zipped{"b.wacz", inner, false})), t.TempDir(), "a.wacz")
	for more, want := range map[int]string{0: "", -1: "1 " + reasonBomb} {
		file, err := openZip(name, maxZipDirectory)
		if err != nil {
			t.Fatal(err)
		}
		z := newWACZ(file)
		z.unpacked.most = int64(len(one) + len(two) + more)
		a, err := z.archive(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := reasons(a); got != want || want != "" && !a.stats.Skipped[0].Capped {
			t.Errorf("%d bytes more than there are: skipped %q, want %q", more, got, want)
		}
		expect(t, a, "http://a/", "http://a/ (text/html) as stored \"one\"\n")
		a.zip = z
		a.Close()
	}
}

// Two entries of a zip with the same bytes are one too many: a file of a megabyte
// could have gigabytes to read.
func TestWACZWithBytesTwice(t *testing.T) {
	data := page("http://a/", "one")
	var list []zipped
	for i := range 3 {
		list = append(list, zipped{fmt.Sprintf("archive/%d.warc", i), []byte(data), false})
	}
	b := zipFile(t, list...)
	// In the central directory the second and third entry get the place of the first,
	// and as many bytes as the file has.
	const offsetAt, compressedAt, sizeAt = 42, 20, 24
	directory := bytes.Index(b, []byte("PK\x01\x02"))
	for at := directory; at >= 0; {
		next := bytes.Index(b[at+4:], []byte("PK\x01\x02"))
		binary.LittleEndian.PutUint32(b[at+offsetAt:], 0)
		binary.LittleEndian.PutUint32(b[at+compressedAt:], uint32(len(b)/2))
		binary.LittleEndian.PutUint32(b[at+sizeAt:], uint32(len(b)/2))
		if next < 0 {
			break
		}
		at += 4 + next
	}
	s := openBytes(t, "a.wacz", b)
	if got := reasons(s); !strings.Contains(got, "1 bytes that the zip names twice") {
		t.Errorf("skipped %q", got)
	}
	if got := s.Stats().Files; got != 2 {
		t.Errorf("%d files, want 2", got)
	}
}

// A URL of a file of another spool is not looked for outside.
func TestHostFolders(t *testing.T) {
	for url, want := range map[string]string{
		"http://h/x": "http/h", "https://me:pw@h:81/x": "https/h:81 https/h!81", "ftp://h": "ftp/h", "finger://h/": "finger/h",
		"http:///x": "", "gopher://h/": "", "h/x": "", `http://a\b/`: "", "http://../": "", "http://": "", "://h/": "",
	} {
		if got := strings.Join(hostFolders(url), " "); got != want {
			t.Errorf("hostFolders(%q) = %q, want %q", url, got, want)
		}
	}
	if got := canon.CacheName([]byte("http://h/")); !cacheName.MatchString(got) {
		t.Errorf("%q is not the name of a file of a spool", got)
	}
}
