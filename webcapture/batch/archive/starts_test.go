package archive

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ulikunitz/xz/lzma"

	"github.com/webcap-tools/webcap/digest/source"
)

// checkStarts fails unless is returns true for each of these beginnings of files, and false for those in not.
func checkStarts(t *testing.T, is func([]byte) bool, yes, no []string) {
	t.Helper()
	for i, start := range slices.Concat(yes, no) {
		if got := is([]byte(start)); got != (i < len(yes)) {
			t.Errorf("%q: %v", start, got)
		}
	}
}

// A header of tar has a magic, or only the sum of its bytes, in which the sum itself counts as spaces.
func TestIsTar(t *testing.T) {
	whole, old := tarOf(t, file{"a", ""})[:tarBlock], seventh(t, file{"a", ""})[:tarBlock]
	wrong := old[:200] + "x" + old[201:]
	noName := strings.Replace(tarOf(t, file{"a", ""})[:tarBlock], "ustar", "xxxxx", 1)
	noSum := whole[:tarSumAt] + "zzzzzzzz" + whole[tarSumEnd:]
	checkStarts(t, isTar, []string{whole, old, whole + "more", noSum, old + "more"},
		[]string{"", whole[:tarBlock-1], old[:tarBlock-1], wrong, noName, "\x00" + old[1:], strings.Repeat("\x00", 600),
			strings.Repeat("x", 512)})
	checkStarts(t, hasTarSum, []string{whole, old}, []string{wrong, noSum, strings.Repeat("x", 512)})
}

func TestIsBzip2(t *testing.T) {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	checkStarts(t, isBzip2, []string{"BZh1" + block, "BZh9" + end, "BZh5" + block + "x"},
		[]string{"", "BZh", "BZh1", "BZh1" + block[:5], "BZh0" + block, "BZh:" + block, "BZh1" + "x" + block, "BZha" + end})
}

func TestCodecOf(t *testing.T) {
	for start, want := range map[string]string{"\x1f\x8b\x08": "gzip", "\x1f\x8b\x07": "", "\x1f\x8b": "",
		zstdMagic: "zstd",
		zstdDict:  "zstd", "BZh91AY&SY": "bzip2", "BZh9": "", xzMagic: "xz", xzMagic[:5]: "", "": ""} {
		t.Run(want, func(t *testing.T) {
			got := ""
			if c := codecOf([]byte(start)); c != nil {
				got = c.name
			}
			if got != want {
				t.Errorf("codec of %q is %q, want %q", start, got, want)
			}
		})
	}
}

// A header of a PDF follows an end of line, white space alone, or data that are not text.
func TestPDFHeader(t *testing.T) {
	for before, want := range map[string]bool{"": true, "x\n": true, "x\r": true, "x": false, " \t": true,
		"\xef\xbb\xbf":  true,
		"\xef\xbb\xbf ": true, "\xef\xbb\xbfx": false, "x\x00": true, "x\x1f": true, "x\t": false, "x ": false, "x\xff": true,
		"x\u00e9": false, "\xff\u00e9": true, "x\x7f": false, "x\x80": true, "%PDF-x\n": true, "%PDF-": false} {
		t.Run(before, func(t *testing.T) {
			at := -1
			if want {
				at = len(before)
			}
			if got := pdfHeader([]byte(before + "%PDF-1")); got != at {
				t.Errorf("after %q, the header is at %d, want %d", before, got, at)
			}
		})
	}
	long := strings.Repeat("\n", headerEnd)
	for text, want := range map[string]int{long + "%PDF-1.4": headerEnd, long + "\n%PDF-1.4": -1, "%PDF-": -1,
		"%PDF-/": -1,
		"%PDF-:": -1, "%PDF-0": 0, "%PDF-9": 0, "%PDF-x\n%PDF-1": 7, "": -1} {
		if got := pdfHeader([]byte(text)); got != want {
			t.Errorf("%.20q: the header is at %d, want %d", text, got, want)
		}
	}
}

// The first entry of an archive begins after the header of the archive, as far as that is known.
func TestFirstEntry(t *testing.T) {
	local := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x05\x01\x02\x03"
	warcs := capture()
	for _, tt := range []struct {
		name, start string
		kind        Kind
		want        int
	}{
		{"zip", local, zipped, 30 + 0x105 + 0x302}, {"a short header", local[:29], zipped, 0},
		{"an empty zip", "PK\x05\x06" + local, zipped, 0}, {"tar", tarOf(t), tarred, 512}, {"tar.gz", gz("x"), tarred, 0},
		{"WARC", warcs, warc, strings.Index(warcs, "\r\n\r\n") + 4}, {"WARC by gzip", gz(warcs), warc, 0},
		{"unread", "Rar!", unread, 4}, {"compressed", gz("x"), compressed, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := firstEntry([]byte(tt.start), tt.kind); got != tt.want {
				t.Errorf("firstEntry = %d, want %d", got, tt.want)
			}
		})
	}
	if at := source.HeaderSize([]byte(warcs)); at != strings.Index(warcs, "\r\n\r\n")+4 {
		t.Errorf("source.HeaderSize = %d", at)
	}
}

// The name of a compressed file tells the name of the file in it.
func TestInnerName(t *testing.T) {
	for name, want := range map[string]string{"a.pdf.gz": "a.pdf", "a.tgz": "a.tar", "A.TBZ2": "A.tar", "a.txz": "a.tar",
		"a.tzst": "a.tar", "a.tbz": "a.tar", ".gz": ".gz", "a.gz": "a", "a.pdf": "a.pdf", "x.zip!b.pdf.xz": "b.pdf",
		"f/g.gz/a.pdf.bz2": "a.pdf", `c:\f\a.pdf.zst`: "a.pdf", "x!": "."} {
		t.Run(name, func(t *testing.T) {
			if got := innerName(name); got != want {
				t.Errorf("innerName = %q, want %q", got, want)
			}
		})
	}
}

// Some names are those of archives, and some mean that a file has to be one. The end of a URL proves nothing.
func TestArchiveNames(t *testing.T) {
	for name, want := range map[string][2]bool{ // isArchiveName, isNamedArchive
		"a.ZIP": {true, true}, "a.wacz": {true, true}, "a.tar": {true, true}, "a.tgz": {true, true}, "a.gz": {true, false},
		"a.pdf.gz": {true, true}, "a.warc.gz": {true, true}, "a.arc": {true, true}, "a.warc.open": {true, true},
		"a.txt": {}, "a.pdf": {}, "http://h/a.zip": {true, false}, "x.warc!http://h/a.pdf.gz": {true, false},
		"http://h/x!a.zip": {true, true}, "zip": {},
	} {
		t.Run(name, func(t *testing.T) {
			if got := [2]bool{isArchiveName(name), isNamedArchive(name)}; got != want {
				t.Errorf("archive name, named archive: %v, want %v", got, want)
			}
		})
	}
}

// The type decides whether a record claims to be a PDF. If the type is unspecific, the last part of the URL decides.
func TestClaimsPDF(t *testing.T) {
	for _, tt := range []struct {
		media, url string
		want       bool
	}{
		{"application/pdf", "http://h/", true}, {" Application/X-PDF ; q=1", "http://h/a", true},
		{"text/html", "http://h/a.pdf", false},
		{"application/octet-stream", "http://h/a.pdf?q=/b", true}, {"binary/octet-stream;x", "http://h/a.PDF#x", true},
		{"application/octet-stream", "http://h/a.pdf/b", false}, {"", "http://h/a.pdf", false},
		{"application/octet-stream", "urn:x/a.pdf", true}, {"application/octet-stream", "http://h/%zz/a.pdf", true},
		{"application/octet-stream", "http://h/?a.pdf", false},
	} {
		t.Run(tt.media+" "+tt.url, func(t *testing.T) {
			if got := claimsPDF(tt.media, fileName(tt.url)); got != tt.want {
				t.Errorf("claims to be a PDF: %v, want %v", got, tt.want)
			}
		})
	}
}

// peekReader reads what the buffer can hold, without taking it, and knows whether the buffer was too small.
func TestPeekReader(t *testing.T) {
	for _, tt := range []struct {
		data  string
		fails bool // the source fails after data
		want  string
		err   error
		ended bool
	}{
		{"", false, "", nil, false}, {"0123456789", false, "0123456789", nil, false},
		{"0123456789abcdef", false, "0123456789abcdef", io.ErrUnexpectedEOF, true},
		{"0123456789abcdefg", false, "0123456789abcdef", io.ErrUnexpectedEOF, true}, {"0123", true, "0123", errDisk, false},
	} {
		t.Run(tt.data, func(t *testing.T) {
			var from io.Reader = strings.NewReader(tt.data)
			if tt.fails {
				from = io.MultiReader(from, iotest.ErrReader(errDisk))
			}
			in := bufio.NewReaderSize(from, 16)
			p := &peekReader{in: in}
			got, err := io.ReadAll(iotest.OneByteReader(p))
			if string(got) != tt.want || err != tt.err || p.ended != tt.ended {
				t.Errorf("%q, %v, ended %v; want %q, %v, %v", got, err, p.ended, tt.want, tt.err, tt.ended)
			}
			if left, _ := io.ReadAll(in); string(left) != tt.data {
				t.Errorf("%q is left, want everything", left)
			}
		})
	}
}

// Zeros may follow a tar file, and then another tar file.
func TestNextTar(t *testing.T) {
	zeros, files := strings.Repeat("\x00", 3*tarBlock), tarOf(t, file{"a", "b"})
	for name, tt := range map[string]struct {
		in   io.Reader
		more bool
		err  error
	}{
		"nothing": {strings.NewReader(""), false, nil}, "zeros": {strings.NewReader(zeros), false, nil},
		"some zeros":         {strings.NewReader(zeros[:700]), false, nil},
		"a tar file":         {strings.NewReader(zeros + files), true, nil},
		"a tar file at once": {strings.NewReader(files), true, nil},
		"other data":         {strings.NewReader(zeros + "x"), false, errAfterTar},
		"text":               {strings.NewReader(strings.Repeat("x", 2000)), false, errAfterTar},
		"a failing disk":     {io.MultiReader(strings.NewReader(zeros), iotest.ErrReader(errDisk)), false, errDisk},
		"one that fails later": {io.MultiReader(strings.NewReader(zeros[:10]), iotest.ErrReader(errDisk)), false,
			errDisk},
	} {
		t.Run(name, func(t *testing.T) {
			more, err := nextTar(bufio.NewReader(tt.in))
			if more != tt.more || err != tt.err {
				t.Errorf("%v, %v; want %v, %v", more, err, tt.more, tt.err)
			}
		})
	}
}

// zeroCounter counts zeros at the end, for any size of reads.
func TestZeroCounter(t *testing.T) {
	for data, want := range map[string]int{"": 0, "\x00\x00\x00": 3, "a\x00\x00": 2, "\x00\x00a": 0, "\x00a\x00": 1} {
		for _, one := range []bool{false, true} {
			var in io.Reader = strings.NewReader(data)
			if one {
				in = iotest.OneByteReader(in)
			}
			z := &zeroCounter{Reader: in}
			if io.Copy(io.Discard, z); z.zeros != want {
				t.Errorf("%q, byte by byte %v: %d zeros, want %d", data, one, z.zeros, want)
			}
		}
	}
}

// Only entries of files have data. Other entries are told, except folders.
func TestTarEntriesWithoutData(t *testing.T) {
	for kind, want := range map[byte]string{tar.TypeLink: string(Repeated), tar.TypeSymlink: string(InnerLink),
		tar.TypeChar: string(NotPDF), tar.TypeBlock: string(NotPDF), tar.TypeFifo: string(NotPDF), tar.TypeDir: "",
		tar.TypeReg: "data", tar.TypeCont: "data", tar.TypeGNUSparse: "data"} {
		t.Run(string(kind), func(t *testing.T) {
			got := ""
			h := &tar.Header{Name: "n", Typeflag: kind}
			if hasData(h) {
				got = "data"
			} else {
				w := &walk{opt: Options{Other: func(name string, why Skip) { got = string(why) }}}
				w.link(&place{name: "x"}, h)
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if hasData(&tar.Header{Typeflag: tar.TypeXGlobalHeader}) {
		t.Error("a global header has data")
	}
}

// The header of an xz block names optional sizes, one filter, and its dictionary.
func TestXZDictionary(t *testing.T) {
	size, _ := lzma.DecodeDictCap(22)
	for _, tt := range []struct {
		name, header string
		want         int
		err          error
	}{
		{"LZMA2", "\x02\x00\x21\x01\x16", int(size), nil}, {"with sizes", "\x02\xc0\x81\x01\x05\x21\x01\x16", int(size), nil},
		{"with one size", "\x02\x40\x05\x21\x01\x16", int(size), nil},
		{"with the other", "\x02\x80\x05\x21\x01\x16", int(size), nil},
		{"more filters", "\x02\x01\x21\x01\x16", 0, errXZFilter}, {"another filter", "\x02\x00\x04\x01\x16", 0, errXZFilter},
		{"reserved flags", "\x02\x04\x21\x01\x16", 0, errXZ}, {"more properties", "\x02\x00\x21\x02\x16", 0, errXZ},
		{"cut off", "\x02\x00\x21\x01", 0, errXZ}, {"cut off in a size", "\x02\x40\x85", 0, errXZ},
		{"an impossible dictionary", "\x02\x00\x21\x01\x29", 0, errXZ},
		{"the largest dictionary", "\x02\x00\x21\x01\x1e", maxWindow, nil},
		{"a larger dictionary", "\x02\x00\x21\x01\x1f", 0, errXZMemory},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := xzDictionary([]byte(tt.header)); got != tt.want || err != tt.err {
				t.Errorf("%d, %v; want %d, %v", got, err, tt.want, tt.err)
			}
		})
	}
	for size, want := range map[int64]int{0: 0, 1: 3, 2: 2, 3: 1, 4: 0, 5: 3} {
		if got := xzPadding(size); got != want {
			t.Errorf("padding of %d bytes: %d, want %d", size, got, want)
		}
	}
}

// An end record of a zip file with a directory of size bytes at offset, and a comment of n bytes.
func zipEndOf(size, offset, n int) string {
	end := []byte(zipEnd + strings.Repeat("\x00", zipEndSize-4))
	binary.LittleEndian.PutUint32(end[12:], uint32(size))
	binary.LittleEndian.PutUint32(end[16:], uint32(offset))
	binary.LittleEndian.PutUint16(end[20:], uint16(n))
	return string(end)
}

// The directory ends where the end record begins. Its offset shows how many bytes come before the zip file.
func TestZipBase(t *testing.T) {
	const entry = zipEntryHeader + "0123456789"
	for _, tt := range []struct {
		name, data string
		base       int64
		directory  bool // hasDirectory
	}{
		{"nothing", "", 0, false}, {"text", "text", 0, false},
		{"a zip file", entry + zipEndOf(14, 0, 0), 0, true},
		{"after other data", "12345" + entry + zipEndOf(14, 0, 0), 5, true},
		{"after one byte", "1" + entry + zipEndOf(14, 0, 0), 1, true},
		{"with offsets from the start", "12345" + entry + zipEndOf(14, 5, 0), 0, true},
		{"with a comment", "12345" + entry + zipEndOf(14, 0, 7) + "comment", 5, true},
		{"before other data", "12345" + entry + zipEndOf(14, 0, 0) + "other", 5, true},
		{"without a directory", "12345" + "xxxxxxxxxxxxxx" + zipEndOf(14, 0, 0), 0, true},
		{"without a directory, before other data", "xxxxxxxxxxxxxx" + zipEndOf(14, 0, 0) + "other", 0, false},
		{"of 64 bits, before other data", "xxxx" + zip64Locator + strings.Repeat("x", 16) + zipEndOf(14, 0, 0) + "other", 0,
			true},
		{"with a directory that is too large", "x" + zipEndOf(99, 0, 0) + "other", 0, false},
		{"cut off", entry + zipEndOf(14, 0, 0)[:21], 0, false},
		{"a directory at the start, before other data", entry + zipEndOf(14, 0, 0) + "other", 0, true},
		{"with other offsets", "12345" + entry + zipEndOf(14, 9, 0), 0, true},
		{"an empty zip", zipEndOf(0, 0, 0), 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, size := strings.NewReader(tt.data), int64(len(tt.data))
			base, err := zipBase(r, size)
			has, err2 := hasDirectory(r, size)
			if err := errors.Join(err, err2); err != nil {
				t.Error(err)
			}
			if base != tt.base || has != tt.directory {
				t.Errorf("base %d, directory %v; want %d, %v", base, has, tt.base, tt.directory)
			}
		})
	}
}

// An allowance is used up first alone, then with others. What is too much is not taken at all.
func TestAllowance(t *testing.T) {
	free := int64(10)
	a := &allowance{own: 5, free: &free}
	for _, tt := range []struct {
		n         int64
		has       bool
		own, free int64
	}{{2, true, 3, 10}, {3, true, 0, 10}, {0, true, 0, 10}, {11, false, 0, 10}, {4, true, 0, 6}, {7, false, 0, 6},
		{6, true, 0, 0}, {1, false, 0, 0}} {
		took := a.take(tt.n)
		if took != tt.has || a.own != tt.own || free != tt.free {
			t.Errorf("%d bytes: took %v; %d own and %d free bytes are left, want %+v", tt.n, took, a.own, free, tt)
		}
	}
	a.own = 5
	free = 0
	if a.take(6) || a.own != 5 || free != 0 {
		t.Errorf("too much was taken: %d own and %d free bytes are left", a.own, free)
	}
	at := place{ratio: 2.5}
	if a := at.allowance(10, &free); a.own != 25 {
		t.Errorf("the allowance is %d bytes, want 25", a.own)
	}
	b := &boundedReader{strings.NewReader("0123456789"), &allowance{own: 4, free: &free}, errBomb}
	if got, err := io.ReadAll(iotest.OneByteReader(b)); string(got) != "0123" || err != errBomb {
		t.Errorf("read %q, %v; want 4 bytes", got, err)
	}
}

// Up to the limit, the directory of a zip file is read; later reads are free.
func TestDirectoryLimit(t *testing.T) {
	d := &directory{ReaderAt: strings.NewReader("text")}
	p := make([]byte, 4)
	if _, err := d.ReadAt(p, -1); err != zip.ErrFormat {
		t.Errorf("before the beginning: %v", err)
	}
	d.read = maxDirectory - 4
	if n, err := d.ReadAt(p, 0); n != 4 || err != nil {
		t.Errorf("at the limit: %d, %v", n, err)
	}
	if _, err := d.ReadAt(p[:1], 0); err != errDirectory {
		t.Errorf("beyond the limit: %v", err)
	}
	d.known = true
	if n, err := d.ReadAt(p, 0); n != 4 || err != nil {
		t.Errorf("after the directory: %d, %v", n, err)
	}
}

// An error of entries counts them, and has the first.
func TestEntriesError(t *testing.T) {
	var e EntriesError
	if e.err() != nil {
		t.Error("no entry is an error")
	}
	e.add("a", io.ErrUnexpectedEOF)
	if got, want := e.err().Error(), "cannot look into an entry: a: the data are cut off"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.add("b", errDisk)
	if got, want := e.Error(), "cannot look into 2 entries, the first: a: the data are cut off"; got != want ||
		!errors.Is(e.err(), io.ErrUnexpectedEOF) || e.Count != 2 {
		t.Errorf("%q, want %q", got, want)
	}
}

// Errors of libraries get a text for users, and stay what they are.
func TestDamageOf(t *testing.T) {
	_, block := io.ReadAll(bzip2.NewReader(strings.NewReader("BZh9 something else")))
	_, inflating := io.ReadAll(flate.NewReader(strings.NewReader("\xff\xff")))
	for err, want := range map[error]string{
		zip.ErrFormat:   "the zip file is cut off or damaged: it has no directory",
		zip.ErrChecksum: "the zip entry is damaged: wrong checksum",
		tar.ErrHeader:   "the tar file is damaged: a header is wrong", io.ErrUnexpectedEOF: "the data are cut off",
		inflating: "the deflated data are damaged", block: "the bzip2 data are damaged", errDisk: errDisk.Error(),
	} {
		t.Run(want, func(t *testing.T) {
			if got := damageOf(err); got.Error() != want || !errors.Is(got, err) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if damageOf(nil) != nil {
		t.Error("no error is damage")
	}
	if _, err := openBzip2(bytes.NewReader(nil)); err != nil {
		t.Error(err)
	}
}
