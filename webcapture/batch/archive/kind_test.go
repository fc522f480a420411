package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

func xzOf(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, s)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bzip2B is pdf("b"), compressed with bzip2.
const bzip2B = "BZh91AY&SYW\xb2t.\x00\x00\x00\xdf\x00\x00\x10\x02\x03$\x00\x05\x00@\x00\x10\x00 \x00\"\x00i\xea\x10" +
	"\x03\x0c9j\x00\xf1w$S\x85\t\x05{'B\xe0"

// rawZip returns a zip file of one entry with data. packed are these data, compressed by a method.
func rawZip(t *testing.T, name string, method uint16, packed, data string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE([]byte(data)),
		CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(data))}
	w, err := z.CreateRaw(h)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, packed)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// All kinds of compression are recognized by the same probe, and entries by all methods that webcap reads.
func TestCompression(t *testing.T) {
	tarBzip2, err := os.ReadFile("testdata/pages.tar.bz2")
	if err != nil {
		t.Fatal(err)
	}
	headless := storedZip(t, file{"a", pdf("a")}, file{"b", pdf("b")})
	i := strings.LastIndex(headless, "PK\x03\x04")
	headless = headless[:i] + "PK.." + headless[i+4:]
	for _, tt := range []struct {
		name, file, data string
		want             []string
	}{
		{"tar.bz2 of one long block", "x", string(tarBzip2), []string{"x!a.pdf=a"}},
		{"tar.bz2 in a zip", "x", storedZip(t, file{"in.tar.bz2", string(tarBzip2)}), []string{"x!in.tar.bz2!a.pdf=a"}},
		{"tar.xz", "x", xzOf(t, tarOf(t, file{"a.pdf", pdf("a")})), []string{"x!a.pdf=a"}},
		{"PDF by gzip", "x.pdf.gz", gz(pdf("a")), []string{"x.pdf.gz!x.pdf=a"}},
		{"PDF by zstd", "x.pdf.zst", zst(pdf("a")), []string{"x.pdf.zst!x.pdf=a"}},
		{"PDF by bzip2", "x.pdf.bz2", bzip2B, []string{"x.pdf.bz2!x.pdf=b"}},
		{"PDF by xz", "x.pdf.xz", xzOf(t, pdf("a")), []string{"x.pdf.xz!x.pdf=a"}},
		{"PDF by gzip in a tar", "x", tarOf(t, file{"b.pdf.gz", gz(pdf("a"))}), []string{"x!b.pdf.gz!b.pdf=a"}},
		{"PDF by gzip, twice", "x.pdf.gz.gz", gz(gz(pdf("a"))), []string{"x.pdf.gz.gz!x.pdf.gz!x.pdf=a"}},
		{"PDF by gzip, twice under its name", "x.pdf.gz", gz(gz(pdf("a"))), []string{"x.pdf.gz!x.pdf!x.pdf=a"}},
		{"PDF by gzip in two members", "x.pdf.gz", gz(pdf("a")) + gz("b"), []string{"x.pdf.gz!x.pdf=ab"}},
		{"PDF by gzip and zeros", "x.pdf.gz", gz(pdf("a")) + strings.Repeat("\x00", 512), []string{"x.pdf.gz!x.pdf=a"}},
		{"PDF by gzip and something else", "x.pdf.gz", gz(pdf("a")) + "\x00\x00else",
			[]string{"x.pdf.gz: the gzip data are damaged"}},
		{"damage in a long PDF by gzip", "x.pdf.gz", gz(pdf(random(2<<20))) + "something else",
			[]string{"x.pdf.gz!x.pdf: the gzip data are damaged"}},
		{"WARC by xz", "x", xzOf(t, reply("http://a.example/a", "", pdf("a"))), []string{"x!x!http://a.example/a=a"}},
		{"gzip, cut off", "x.pdf.gz", gz(pdf("a"))[:20],
			[]string{"x.pdf.gz: the gzip data are cut off"}},
		{"zip entry by bzip2", "x", rawZip(t, "b.pdf", 12, bzip2B, pdf("b")), []string{"x!b.pdf=b"}},
		{"zip entry by bzip2 without a name", "x", rawZip(t, "b", 12, bzip2B, pdf("b")), []string{"x!b=b"}},
		{"zip entry by xz", "x", rawZip(t, "b.pdf", 95, xzOf(t, pdf("b")), pdf("b")), []string{"x!b.pdf=b"}},
		{"damaged zip entry by bzip2", "x", rawZip(t, "b.pdf", 12, "…", pdf("b")),
			[]string{"x!b.pdf: the bzip2 data are damaged"}},
		{"damaged zip entry by xz", "x", rawZip(t, "b.pdf", 95, "………………", pdf("b")),
			[]string{"x!b.pdf: the xz data are damaged"}},
		{"damaged zip entry by zstd", "x", rawZip(t, "b.pdf", 93, "………………", pdf("b")),
			[]string{"x!b.pdf: the zstd data are damaged"}},
		{"zip entry without a header", "x", headless, []string{"x!a=a",
			"x: cannot look into an entry: b: the zip entry is damaged: it has no header"}},
		{"zip entry by deflate64", "x", rawZip(t, "b.pdf", 9, "…", "…"),
			[]string{"x!b.pdf: compressed with deflate64, which webcap cannot read"}},
		{"zip entry by lzma without a name", "x", rawZip(t, "b", 14, "…", "…"),
			[]string{"x: cannot look into an entry: b: compressed with lzma, which webcap cannot read"}},
		{"zip entry by no known method", "x", rawZip(t, "b.pdf", 77, "…", "…"),
			[]string{"x!b.pdf: compressed with method 77, which webcap cannot read"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(t, tt.file, tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("members\n%q, want\n%q", got, tt.want)
			}
			if k := kindOf(t, tt.data, tt.file); !k.IsArchive() {
				t.Errorf("kind %v", k)
			}
		})
	}
}

// random returns bytes that cannot be compressed.
func random(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return string(b)
}

func kindOf(t *testing.T, data, name string) Kind {
	t.Helper()
	k, err := KindOf(strings.NewReader(data), int64(len(data)), name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Archives that webcap cannot read have a reason.
func TestUnreadKinds(t *testing.T) {
	for _, tt := range []struct{ name, data, what string }{
		{"a.7z", "7z\xbc\xaf\x27\x1c\x00\x04", "a 7z archive"},
		{"a.rar", "Rar!\x1a\x07\x01\x00", "a RAR archive"},
		{"a.rar", "RE~^\x07\x00", "a RAR archive"},
		{"a.lz", "LZIP\x01\x0c", "an lzip file"},
		{"a.lz4", "\x04\x22\x4d\x18\x64", "an lz4 file"},
		{"a.cab", "MSCF\x00\x00\x00\x00", "a cabinet file"},
		{"a.pdf.Z", "\x1f\x9d\x90", "a file compressed with compress (.Z)"},
		{"a.zip", "PK\x07\x08PK\x03\x04", "a split zip file"},
		{"a.deb", "!<arch>\ndebian-binary   ", "a Debian package"},
		{"a.rpm", "\xed\xab\xee\xdb\x03", "an RPM package"},
		{"a.cpio", "070701", "a cpio archive"},
	} {
		t.Run(tt.what+" "+tt.name, func(t *testing.T) {
			want := []string{tt.name + ": " + tt.what +
				", which webcap cannot read; unpack it, or make it a zip or tar file"}
			if got := contents(t, tt.name, tt.data); !slices.Equal(got, want) ||
				!kindOf(t, tt.data, tt.name).IsArchive() {
				t.Errorf("members %q, want %q", got, want)
			}
			nested := []string{strings.Replace(want[0], tt.name, "x!"+tt.name, 1)}
			if got := contents(t, "x", storedZip(t, file{tt.name, tt.data})); !slices.Equal(got, nested) {
				t.Errorf("in a zip, members %q, want %q", got, nested)
			}
		})
	}
}

// Files that are archives by their names alone have a reason.
func TestMisnamedFiles(t *testing.T) {
	for _, name := range []string{"a.zip", "a.tar", "a.warc", "a.pdf.gz", "a.tar.xz"} {
		t.Run(name, func(t *testing.T) {
			reason := ": not an archive, although its name ends in " + path.Ext(name)
			if got, want := contents(t, name, "text"), []string{name + reason}; !slices.Equal(got, want) {
				t.Errorf("members %q, want %q", got, want)
			}
			for _, in := range []string{storedZip(t, file{name, "text"}), tarOf(t, file{name, "text"})} {
				if got, want := contents(t, "x", in), []string{"x!" + name + reason}; !slices.Equal(got, want) {
					t.Errorf("in an archive, members %q, want %q", got, want)
				}
			}
		})
	}
}

// A header of a PDF is at the start of a line, and followed by a version.
func TestKindOf(t *testing.T) {
	whole := zipOf(t, file{"a.pdf", pdf("a")})
	for _, tt := range []struct {
		name, file, data string
		want             Kind
	}{
		{"PDF", "x", pdf(""), PDF},
		{"PDF after bytes", "x", strings.Repeat("\n", 1024) + pdf(""), PDF},
		{"PDF too late", "x", strings.Repeat("\n", 1025) + pdf(""), Other},
		{"PDF after a byte order mark", "x", "\xef\xbb\xbf" + pdf(""), PDF},
		{"PDF after bytes without an end of line", "x", "junk" + pdf(""), Other},
		{"PDF after NULs", "x", strings.Repeat("\x00", 512) + pdf(""), PDF},
		{"PDF after the header of MacBinary", "x", "\x00\x05a.pdf" + strings.Repeat("\x00", 121) + pdf(""), PDF},
		{"PDF after blank lines", "x", " \r\n\t\n  " + pdf(""), PDF},
		{"PDF after the mark of UTF-16", "x", "\xff\xfe" + pdf(""), PDF},
		{"PDF with half a version", "x", "%PDF-1.\n", PDF},
		{"text after a tab", "x", "A header:\t%PDF-1.4\n", Other},
		{"text in quotation marks", "x", "It begins with \u201c%PDF-1.4\u201d.\n", Other},
		{"program text", "x", "const mark = \"%PDF-1.4\"\n", Other},
		{"a header without a version", "x", "%PDF-x.y\n", Other},
		{"fuzz corpus", "x", "go test fuzz v1\n[]byte(\"%PDF-1.4\\n1 0 obj\")\n", Other},
		{"WARC after an end of line", "x", "\r\n" + capture(), warc},
		{"WARC in lower case", "x", "warc/1.0" + strings.TrimPrefix(capture(), "WARC/1.0"), warc},
		{"ARC without a record about itself", "x",
			"http://a.example/ 1.2.3.4 20200101000000 text/html 5\nhello\n", warc},
		{"PDF with the letters of tar", "x", pdf(strings.Repeat(" ", 248) + "ustar" + strings.Repeat("\n", 300)), PDF},
		{"PDF after the letters of WARC", "x", "WARC/ is not the header of a record\n" + pdf(""), PDF},
		{"PDF after the letters of zip", "x.pdf", "PK\x03\x04 ...........................\n" + pdf(""), PDF},
		{"PDF by its name that is a zip", "x.pdf", storedZip(t, file{"a", pdf("a")}), PDF},
		{"zip by its name", "x.zip", "PK\x03\x04 ...........................\n" + pdf(""), zipped},
		{"zip with a PDF in it", "x", storedZip(t, file{"a.pdf", "\n" + pdf("a")}), zipped},
		{"tar with a PDF in it", "x", tarOf(t, file{"a.pdf", pdf("a")}), tarred},
		{"WARC with a PDF in it", "x", capture(), warc},
		{"PDF before a zip file", "x", pdf("p") + whole, PDF},
		{"PDF with a zip file in it", "x", pdf("p") + whole + "\nendstream\n", PDF},
		{"text named zip", "x.zip", "text", misnamed},
		{"PDF named zip", "x.zip", pdf(""), PDF},
		{"text named tar", "x.tar", "text", misnamed},
		{"text named tar.gz", "x.tar.gz", "text", misnamed},
		{"text named WARC", "x.warc.gz.open", "text", misnamed},
		{"text named PDF by gzip", "x.pdf.gz", "text", misnamed},
		{"nothing named zip", "x.zip", "", Other},
		{"a URL of a zip", "x.warc!http://h/x.zip", "text", Other},
		{"program", "x.exe", "MZ" + strings.Repeat("x", 5000), Other},
		{"text by gzip", "x.txt.gz", gz("text"), Other},
		{"something else", "x", "text", Other},
		{"nothing", "x", "", Other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kindOf(t, tt.data, tt.file); got != tt.want {
				t.Errorf("kind %#x, want %#x", got, tt.want)
			}
		})
	}
}

// A PDF that is also an archive is audited as a PDF.
func TestMembersThatAreBoth(t *testing.T) {
	both := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\xff\x00\x00\x00\n" + pdf("h") +
		storedZip(t, file{"in.pdf", pdf("i")})
	record := "WARC/1.0\r\n\r\n" + pdf("w")
	for name, data := range map[string]string{"zip": storedZip(t, file{"a", both}, file{"w.pdf", record}),
		"tar": tarOf(t, file{"a", both}, file{"w.pdf", record})} {
		t.Run(name, func(t *testing.T) {
			if got, want := contents(t, "x", data), []string{"x!a=" + both, "x!w.pdf=" + record}; !slices.Equal(got, want) {
				t.Errorf("members\n%q, want\n%q", got, want)
			}
		})
	}
}

// An entry with the name of a folder may have data.
func TestFolderEntriesWithData(t *testing.T) {
	data := storedZip(t, file{"dir.pdf", pdf("d")})
	data = strings.ReplaceAll(data, "dir.pdf", "dir\x2epd/")
	want := []string{"x!dir.pd/=d"}
	if got := contents(t, "x", data); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// Options.Other gets the name of each file that is not a member, with the reason.
func TestOther(t *testing.T) {
	records := reply("http://h/a", "", pdf("a")) + record("request", "http://h/b", "application/http", "PUT /b HTTP/1.1\r\n\r\n"+pdf("b")) +
		record("request", "http://h/c", "application/http", "GET /c HTTP/1.1\r\n\r\n") + record("revisit", "http://h/d", "", "") +
		reply("http://h/e", "Content-Encoding: foo\r\n", "foo") + reply("http://h/f", "Content-Encoding: foo\r\n", pdf("f"))
	data := zipOf(t, file{"a.pdf", pdf("a")}, file{"b.txt", "text"}, file{"c.HAR", "{}"}, file{"d.mht", "From: d"},
		file{"in.tar", tarOf(t, file{"c.txt", "text"}, file{"d", "-> c.txt"}, file{"e.pdf", "=> c.txt"})}, file{"folder/", ""},
		file{"w.warc", records})
	var other []string
	opt := Options{Other: func(name string, why Skip) { other = append(other, name+": "+string(why)) }}
	for m := range Members("x", strings.NewReader(data), int64(len(data)), opt) {
		m.Close()
	}
	want := []string{"x!b.txt: not a PDF or an archive", "x!c.HAR: HAR or MHTML, which webcap reads with --source only",
		"x!d.mht: HAR or MHTML, which webcap reads with --source only", "x!in.tar!c.txt: not a PDF or an archive",
		"x!in.tar!d: a symbolic link in an archive", "x!in.tar!e.pdf: a revisit or hard link, which repeats another member",
		"x!w.warc!http://h/b: a PDF in a request", "x!w.warc!http://h/d: a revisit or hard link, which repeats another member",
		"x!w.warc!http://h/e: incomplete, or in an unknown coding"}
	if !slices.Equal(other, want) {
		t.Errorf("other %q, want %q", other, want)
	}
}

// brokenEnd has no bytes beyond the first few kilobytes: the disk fails there.
type brokenEnd struct{ io.ReaderAt }

func (b brokenEnd) ReadAt(p []byte, at int64) (int, error) {
	if at > startSize {
		return 0, errDisk
	}
	return b.ReaderAt.ReadAt(p, at)
}

var errDisk = errors.New("the disk fails")

// TestEndCannotBeRead: if the end of a file cannot be read, KindOf returns the error.
func TestEndCannotBeRead(t *testing.T) {
	for name, start := range map[string]string{"a.zip": "MZ"} {
		t.Run(name, func(t *testing.T) {
			data := start + strings.Repeat("\x00", 1<<20)
			k, err := KindOf(brokenEnd{strings.NewReader(data)}, int64(len(data)), name)
			if err != errDisk {
				t.Errorf("kind %v, error %v", k, err)
			}
		})
	}
}
