package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
)

// undecidedGzip returns a gzip file whose first MiB holds no data.
func undecidedGzip(s string) string {
	var b bytes.Buffer
	b.WriteString("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	b.WriteString(strings.Repeat("\x00\x00\x00\xff\xff", 1<<18)) // empty blocks
	w, _ := flate.NewWriter(&b, 6)
	io.WriteString(w, s)
	w.Close()
	end := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(s)))
	b.Write(binary.LittleEndian.AppendUint32(end, uint32(len(s))))
	return b.String()
}

// others returns the members of an archive and what is said of other files.
func others(t *testing.T, data string) (list []string) {
	t.Helper()
	opt := Options{Other: func(name string, why Skip) { list = append(list, name+" is "+string(why)) }}
	for m := range Members("x", strings.NewReader(data), int64(len(data)), opt) {
		text := m.Name
		if err := m.Load(); err != nil {
			text += ": " + err.Error()
		}
		list = append(list, text)
		m.Close()
	}
	return list
}

// TestEachFileIsTold: a file is a member, or Options.Other gets it with the reason.
func TestEachFileIsTold(t *testing.T) {
	const url = "http://h/a.pdf"
	identified := func(kind, id, more string) string {
		return withField(withField(record(kind, url, "application/http", "HTTP/1.1 200 OK\r\n"+more+"\r\n\r\n"),
			"WARC-Payload-Digest: sha1:"+id), "X: y")
	}
	revisit := func(of string) string {
		return withField(record("revisit", url, "application/http",
			"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"),
			"WARC-Payload-Digest: sha1:"+of)
	}
	original := withField(reply("http://h/o.pdf", "Content-Type: application/pdf\r\n", pdf("o")),
		"WARC-Payload-Digest: sha1:1")
	request := withField(record("request", "http://h/q", "application/http", "PUT /q HTTP/1.1\r\n\r\n"+pdf("q")),
		"WARC-Payload-Digest: sha1:1")
	const is = " is not a PDF or an archive"
	const again = " is a revisit, whose data are in another record"
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"an empty file in a zip", storedZip(t, file{"empty", ""}, file{"folder/", ""}), []string{"x!empty" + is}},
		{"text in a WARC", reply("http://h/t", "", "text"), []string{"x!http://h/t" + is}},
		{"a part of a text", message("http://h/t", "206 Partial Content", "text"),
			[]string{"x!http://h/t is incomplete, or in an unknown coding"}},
		{"text that is found late to be text", zipOf(t, file{"a.gz", undecidedGzip("text")}), []string{"x!a.gz" + is}},
		{"a PDF that is found late", storedZip(t, file{"a.gz", undecidedGzip(pdf("a"))}), []string{"x!a.gz!a"}},
		{"revisits", original + revisit("1") + revisit("9") + revisit("1"),
			[]string{"x!http://h/o.pdf", "x!" + url + again, "x!" + url + again, "x!" + url + again}},
		{"a revisit of a request", request + revisit("1"),
			[]string{"x!" + url + again}},
		{"a revisit of a revisit", identified("revisit", "1", "Content-Type: text/html") + revisit("1"),
			[]string{"x!" + url + again, "x!" + url + again}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := others(t, tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("members and others\n%q, want\n%q", got, tt.want)
			}
		})
	}
}

// TestMoreKinds: some kinds of files that the first bytes and the name tell only together.
func TestMoreKinds(t *testing.T) {
	whole := zipOf(t, file{"a.pdf", pdf("a")})
	for _, tt := range []struct {
		name, file, data string
		want             Kind
	}{
		{"a dictionary of zstd, as only WARC files have", "x", zstdDict + "\x00\x00\x00\x00", warc},
		{"text named as a PDF, by gzip", "x.pdf.gz", gz("text"), compressed},
		{"text by gzip, twice", "x", gz(gz("text")), compressed},
		{"text before a zip file, named zip", "x.zip", "text" + whole, zipped},
		{"text before a zip file, named tar", "x.tar", "text" + whole, unread},
		{"text before a zip file", "x", "text" + whole, Other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kindOf(t, tt.data, tt.file); got != tt.want {
				t.Errorf("kind %#x, want %#x", got, tt.want)
			}
		})
	}
}

// zipWith returns a zip file of one entry for each header, whose data are a PDF with its name.
func zipWith(t *testing.T, headers ...zip.FileHeader) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, h := range headers {
		w, err := z.CreateHeader(&h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, pdf(h.Name))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUnusualArchives: archives that are not as programs usually write them.
func TestUnusualArchives(t *testing.T) {
	a, b := file{"a.pdf", pdf("a")}, file{"b.pdf", pdf("b")}
	extra := zip.FileHeader{Name: "a.pdf", Extra: []byte("\x99\x99\x03\x00xyz")}
	full := file{"a.pdf", pdf(strings.Repeat("x", tarBlock-len(pdf(""))))}
	warcs := file{"w.warc", reply("http://h/1", "", pdf("1")) + reply("http://h/2", "", pdf("w")) + reply("http://h/3", "", pdf("3"))}
	twoTars := []byte(tarOf(t, a, b))
	twoTars[1024] ^= 1
	late := []byte(storedZip(t, a, b))
	binary.LittleEndian.PutUint32(late[bytes.LastIndex(late, []byte("PK\x01\x02"))+42:], uint32(len(late)-10))
	for _, tt := range []struct {
		name, file, data string
		want             []string
	}{
		{"extra fields", "x", zipWith(t, extra, zip.FileHeader{Name: "b.pdf"}), []string{"x!a.pdf=a.pdf", "x!b.pdf=b.pdf"}},
		{"text before a zip file", "x.zip", "some text" + storedZip(t, a, b), []string{"x.zip!a.pdf=a", "x.zip!b.pdf=b"}},
		{"an entry beyond the end", "x", string(late), []string{"x!a.pdf=a",
			"x!b.pdf: the data of the zip entry are cut off"}},
		{"a wrong checksum", "x", strings.Replace(storedZip(t, a, b), pdf("a"), pdf("c"), 1),
			[]string{"x!a.pdf: the data of the zip entry are damaged: the checksum is wrong", "x!b.pdf=b"}},
		{"a WARC file with a wrong checksum", "x", strings.Replace(storedZip(t, warcs), pdf("w"), pdf("v"), 1),
			[]string{"x!w.warc!http://h/1=1", "x!w.warc!http://h/2=v", "x!w.warc!http://h/3=3",
				"x!w.warc: the data of the zip entry are damaged: the checksum is wrong"}},
		{"a tar file with half an end", "x", tarOf(t, full)[:3*tarBlock], []string{"x!a.pdf=" + full.data[len(pdf("")):]}},
		{"a tar file with a damaged header", "x", string(twoTars), []string{"x!a.pdf=a",
			"x: the headers of the tar file are damaged"}},
		{"gzip members", "x.pdf.gz", gz(pdf("a")) + gz("b") + gz("c"), []string{"x.pdf.gz!x.pdf=abc"}},
		{"the beginning of gzip", "x.pdf.gz", gz("x")[:5], []string{"x.pdf.gz: the gzip data are cut off"}},
		{"text named as a PDF, by gzip", "x.pdf.gz", gz("text"), []string{"x.pdf.gz!x.pdf=text"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(t, tt.file, tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("members\n%q, want\n%q", got, tt.want)
			}
		})
	}
}

// TestRatiosOfNestedArchives: members of nested archives may grow as much as others, in relation to what is stored.
func TestRatiosOfNestedArchives(t *testing.T) {
	text := pdf(strings.Repeat(" ", 8000)) // takes about 30 bytes
	in := zipOf(t, file{"a.pdf", text})
	for name, data := range map[string]string{
		"zip": storedZip(t, file{"in.zip", in}), "deflated": zipOf(t, file{"in.zip", in}),
		"tar": tarOf(t, file{"in.zip", in}), "tar.gz": gz(tarOf(t, file{"in.zip", in})),
		"WARC": reply("http://h/in.zip", "", in), "deep": storedZip(t, file{"in.zip", storedZip(t, file{"in.zip", in})}),
	} {
		t.Run(name, func(t *testing.T) {
			w, got := walk{free: 1000}, []string(nil)
			w.yield = func(m *Member) bool {
				d, err := loaded(m)
				if err == nil {
					err = fmt.Errorf("%d bytes", d.Size())
				}
				got = append(got, err.Error())
				m.Close()
				return true
			}
			w.archive(&place{name: "x", ratio: maxRatio}, strings.NewReader(data), int64(len(data)))
			if want := []string{fmt.Sprintf("%d bytes", len(text))}; !slices.Equal(got, want) {
				t.Errorf("members of %q, want %q", got, want)
			}
		})
	}
}
