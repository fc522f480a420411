package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCodecOf(t *testing.T) {
	for start, want := range map[string]string{"\x1f\x8b\x08": "gzip", "\x1f\x8b\x07": "", "\x1f\x8b": "",
		zstdMagic: "zstd",
		zstdDict:  "zstd", "": ""} {
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

// The name of a compressed file tells the name of the file in it.
func TestInnerName(t *testing.T) {
	for name, want := range map[string]string{"a.pdf.gz": "a.pdf", "A.TGZ": "A.tar",
		"a.tzst": "a.tar", ".gz": ".gz", "a.gz": "a", "a.pdf": "a.pdf", "x.zip!b.pdf.gz": "b.pdf",
		"f/g.gz/a.pdf.gz": "a.pdf", `c:\f\a.pdf.zst`: "a.pdf", "x!": "."} {
		t.Run(name, func(t *testing.T) {
			if got := innerName(name); got != want {
				t.Errorf("innerName = %q, want %q", got, want)
			}
		})
	}
}

// Some names mean that a file has to be an archive.
func TestArchiveNames(t *testing.T) {
	for name, want := range map[string]bool{"a.ZIP": true, "a.wacz": true, "a.tar": true, "a.tgz": true, "a.gz": false,
		"a.pdf.gz": true, "a.warc.gz": true, "a.arc": true, "a.txt": false, "a.pdf": false, "http://h/x!a.zip": true,
		"zip": false} {
		t.Run(name, func(t *testing.T) {
			if got := isArchiveName(name); got != want {
				t.Errorf("archive name: %v, want %v", got, want)
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

// zeroCounter counts zeros at the end, for any size of reads.
func TestZeroCounter(t *testing.T) {
	for data, want := range map[string]int{"": 0, "\x00\x00\x00": 3, "a\x00\x00": 2, "\x00\x00a": 0, "\x00a\x00": 1} {
		for _, one := range []bool{false, true} {
			var in io.Reader = strings.NewReader(data)
			if one {
				in = iotest.OneByteReader(in)
			}
			z := &zeroCounter{Reader: in}
			if io.Copy(io.Discard, z); z.zeros != int64(want) {
				t.Errorf("%q, byte by byte %v: %d zeros, want %d", data, one, z.zeros, want)
			}
		}
	}
}

// Only entries of files have data. Other entries are told, except folders.
func TestTarEntriesWithoutData(t *testing.T) {
	for kind, want := range map[byte]string{tar.TypeLink: string(HardLink), tar.TypeSymlink: string(InnerLink),
		tar.TypeChar: string(NotPDF), tar.TypeBlock: string(NotPDF), tar.TypeFifo: string(NotPDF), tar.TypeDir: "",
		tar.TypeReg: "data", tar.TypeCont: "data"} {
		t.Run(string(kind), func(t *testing.T) {
			var b bytes.Buffer
			h := &tar.Header{Name: "n.pdf", Typeflag: kind, Format: tar.FormatUSTAR, Linkname: "x"}
			if w := tar.NewWriter(&b); errors.Join(w.WriteHeader(h), w.Close()) != nil {
				t.Fatal("the archive cannot be written")
			}
			got := ""
			opt := Options{Other: func(name string, why Skip) { got = string(why) }}
			for m := range Members("x", bytes.NewReader(b.Bytes()), int64(b.Len()), opt) {
				got = "data"
				m.Close()
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
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

// Errors of libraries get a text for users. Others stay what they are.
func TestDamageOf(t *testing.T) {
	_, inflating := io.ReadAll(flate.NewReader(strings.NewReader("\xff\xff")))
	for err, want := range map[error]string{zip.ErrFormat: "the data of the zip entry are damaged",
		zip.ErrChecksum: "the data of the zip entry are damaged: the checksum is wrong",
		tar.ErrHeader:   "the headers of the tar file are damaged", io.ErrUnexpectedEOF: "the data are cut off",
		inflating: "the data of the zip entry are damaged", errDisk: errDisk.Error()} {
		t.Run(want, func(t *testing.T) {
			if got := damageOf(err); got.Error() != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if damageOf(nil) != nil {
		t.Error("no error is damage")
	}
}
