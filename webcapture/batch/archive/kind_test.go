package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

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

// Compressed files are read, and zip entries that webcap cannot read have a reason.
func TestCompression(t *testing.T) {
	headless := storedZip(t, file{"a", pdf("a")}, file{"b", pdf("b")})
	i := strings.LastIndex(headless, "PK\x03\x04")
	headless = headless[:i] + "PK.." + headless[i+4:]
	for _, tt := range []struct {
		name, file, data string
		want             []string
	}{
		{"PDF by gzip", "x.pdf.gz", gz(pdf("a")), []string{"x.pdf.gz!x.pdf=a"}},
		{"PDF by zstd", "x.pdf.zst", zst(pdf("a")), []string{"x.pdf.zst!x.pdf=a"}},
		{"PDF by gzip in a tar", "x", tarOf(t, file{"b.pdf.gz", gz(pdf("a"))}), []string{"x!b.pdf.gz!b.pdf=a"}},
		{"PDF by gzip, twice", "x.pdf.gz.gz", gz(gz(pdf("a"))), []string{"x.pdf.gz.gz!x.pdf.gz!x.pdf=a"}},
		{"PDF by gzip, twice under its name", "x.pdf.gz", gz(gz(pdf("a"))), []string{"x.pdf.gz!x.pdf!x.pdf=a"}},
		{"PDF by gzip in two members", "x.pdf.gz", gz(pdf("a")) + gz("b"), []string{"x.pdf.gz!x.pdf=ab"}},
		{"PDF by gzip and something else", "x.pdf.gz", gz(pdf("a")) + "\x00\x00else",
			[]string{"x.pdf.gz: the gzip data are cut off"}},
		{"damage in a long PDF by gzip", "x.pdf.gz", gz(pdf(random(2<<20))) + "something else",
			[]string{"x.pdf.gz!x.pdf: the gzip data are damaged"}},
		{"gzip, cut off", "x.pdf.gz", gz(pdf("a"))[:20],
			[]string{"x.pdf.gz: the gzip data are cut off"}},
		{"zip entry without a header", "x", headless, []string{"x!a=a",
			"x!b: the data of the zip entry are damaged"}},
		{"zip entry by no known method", "x", rawZip(t, "b", 77, "…", "…"),
			[]string{"x!b: compressed with method 77, which webcap cannot read; unpack the zip file"}},
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
		{"a.tar.xz", "\xfd7zXZ\x00\x00\x04", "an xz file"},
		{"a.bz2", "BZh91AY&SY", "a bzip2 file"},
		{"a.zip", "PK\x07\x08PK\x03\x04", "a split zip file"},
	} {
		t.Run(tt.what+" "+tt.name, func(t *testing.T) {
			want := []string{tt.name + ": not an archive that webcap can read; unpack it, or make it a zip or tar file"}
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
	for _, name := range []string{"a.tar", "a.warc", "a.pdf.gz", "a.tar.zst"} {
		t.Run(name, func(t *testing.T) {
			const reason = ": not an archive that webcap can read; unpack it, or make it a zip or tar file"
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
		{"PDF after the letters of zip", "x.pdf", "PK\x03\x04 ...........................\n" + pdf(""), PDF},
		{"PDF by its name that is a zip", "x.pdf", storedZip(t, file{"a", pdf("a")}), PDF},
		{"zip by its name", "x.zip", "PK\x03\x04 ...........................\n" + pdf(""), zipped},
		{"zip with a PDF in it", "x", storedZip(t, file{"a.pdf", "\n" + pdf("a")}), zipped},
		{"tar with a PDF in it", "x", tarOf(t, file{"a.pdf", pdf("a")}), tarred},
		{"WARC with a PDF in it", "x", capture(), warc},
		{"PDF before a zip file", "x", pdf("p") + whole, PDF},
		{"PDF with a zip file in it", "x", pdf("p") + whole + "\nendstream\n", PDF},
		{"text named zip", "x.zip", "text", zipped},
		{"PDF named zip", "x.zip", pdf(""), PDF},
		{"text named tar", "x.tar", "text", unread},
		{"text named tar.gz", "x.tar.gz", "text", unread},
		{"text named WARC", "x.warc.gz", "text", unread},
		{"text named PDF by gzip", "x.pdf.gz", "text", unread},
		{"nothing named zip", "x.zip", "", Other},
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

// Options.Other gets the name of each file that is not a member, with the reason.
func TestOther(t *testing.T) {
	records := reply("http://h/a", "", pdf("a")) + record("request", "http://h/b", "application/http", "PUT /b HTTP/1.1\r\n\r\n"+pdf("b")) +
		record("request", "http://h/c", "application/http", "GET /c HTTP/1.1\r\n\r\n") + record("revisit", "http://h/d", "", "") +
		reply("http://h/e", "Content-Encoding: foo\r\n", "foo") + reply("http://h/f", "Content-Encoding: foo\r\n", pdf("f"))
	data := zipOf(t, file{"a.pdf", pdf("a")}, file{"b.txt", "text"}, file{"in.tar", tarOf(t, file{"c.txt", "text"}, file{"d", "-> c.txt"}, file{"e.pdf", "=> c.txt"})}, file{"folder/", ""},
		file{"w.warc", records})
	var other []string
	opt := Options{Other: func(name string, why Skip) { other = append(other, name+": "+string(why)) }}
	for m := range Members("x", strings.NewReader(data), int64(len(data)), opt) {
		m.Close()
	}
	want := []string{"x!b.txt: not a PDF or an archive", "x!in.tar!c.txt: not a PDF or an archive",
		"x!in.tar!d: a symbolic link in an archive", "x!in.tar!e.pdf: a hard link in an archive",
		"x!w.warc!http://h/d: a revisit, whose data are in another record",
		"x!w.warc!http://h/e: incomplete, or in an unknown coding"}
	if !slices.Equal(other, want) {
		t.Errorf("other %q, want %q", other, want)
	}
}

var errDisk = errors.New("the disk fails")
