package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// file is a member of an archive that a test makes.
type file struct {
	name string
	data string
}

func zipOf(t *testing.T, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, f.data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// storedZip is zipOf without compression.
func storedZip(t *testing.T, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, f.data)
	}
	z.Close()
	return b.String()
}

func tarOf(t *testing.T, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data)), Typeflag: tar.TypeReg}
		if target, ok := strings.CutPrefix(f.data, "-> "); ok {
			h.Typeflag, h.Linkname, h.Size, f.data = tar.TypeSymlink, target, 0, ""
		}
		if target, ok := strings.CutPrefix(f.data, "=> "); ok {
			h.Typeflag, h.Linkname, h.Size, f.data = tar.TypeLink, target, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, f.data)
	}
	w.Close()
	return b.String()
}

func gz(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zst(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

// reply is a WARC record of a reply.
func reply(url, header, body string) string {
	message := "HTTP/1.1 200 OK\r\n" + header + "\r\n" + body
	return record("response", url, "application/http;msgtype=response", message)
}

func record(kind, url, media, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, url, media, len(block), block)
}

// pdf returns the text of something that begins as a PDF does.
func pdf(s string) string { return "%PDF-1.4\n" + s }

// contents returns the names of all members, each with its data or the reason why it has none.
func contents(t *testing.T, name, data string) []string {
	t.Helper()
	h := strings.NewReader(data)
	var list []string
	var open []*Member
	for m := range Members(name, h, int64(len(data)), Options{}) {
		m.Load()
		open = append(open, m)
	}
	// They are read after the last one.
	for _, m := range open {
		if m.Err != nil {
			list = append(list, m.Name+": "+m.Err.Error())
		} else {
			text, _ := io.ReadAll(io.NewSectionReader(m.Data, 0, m.Data.Size()))
			list = append(list, m.Name+"="+strings.TrimPrefix(string(text), "%PDF-1.4\n"))
		}
		m.Close()
	}
	return list
}

// loaded returns the data of a member.
func loaded(m *Member) (*Data, error) {
	err := m.Load()
	return m.Data, err
}

// capture returns a WARC file with PDF files, and others.
func capture() string {
	return record("warcinfo", "", "application/warc-fields", "software: x\r\n") +
		reply("http://a.example/a.pdf", "Content-Type: application/pdf\r\n", pdf("a")) +
		reply("http://a.example/", "Content-Type: text/html\r\n", "<html>") +
		reply("http://a.example/octets", "Content-Type: application/octet-stream\r\n", pdf("o")) +
		reply("http://a.example/gz", "Content-Type: application/pdf\r\nContent-Encoding: gzip\r\n", gz(pdf("z"))) +
		reply("http://a.example/chunks", "Content-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n",
			"a\r\n"+pdf("c")+"\r\n0\r\n\r\n") +
		record("resource", "urn:pdf:http://a.example/", "application/pdf", pdf("page")) +
		record("revisit", "http://b.example/a.pdf", "application/http",
			"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n") +
		record("response", "http://a.example/gone.pdf", "application/http",
			"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nno")
}

func TestMembers(t *testing.T) {
	files := []file{{"a.pdf", pdf("a")}, {"notes.txt", "text"}, {"folder/b", "\n\n" + pdf("b")},
		{"folder/c.PDF", "not one"}}
	want := []string{"x!a.pdf=a", "x!folder/b=\n\n%PDF-1.4\nb", "x!folder/c.PDF=not one"}
	warc := capture()
	captured := []string{
		"x!http://a.example/a.pdf=a", "x!http://a.example/octets=o", "x!http://a.example/gz=z",
		"x!http://a.example/chunks=c", "x!urn:pdf:http://a.example/=page",
	}
	arc := "filedesc://x 0.0.0.0 20200101000000 text/plain 10\n1 0 x\nURL\n\n" +
		fmt.Sprintf("http://a.example/a.pdf 1.2.3.4 20200101000000 application/pdf %d\nHTTP/1.0 200 OK\r\nContent-Type: application/pdf\r\n\r\n%s\n", len(pdf("a"))+50, pdf("a"))
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"zip", zipOf(t, files...), want},
		{"zip without compression", storedZip(t, files...), want},
		{"tar", tarOf(t, files...), want},
		{"tar.gz", gz(tarOf(t, files...)), want},
		{"tar.zst", zst(tarOf(t, files...)), want},
		{"WARC", warc, captured},
		{"WARC, compressed", gz(warc), captured},
		{"ARC", arc, []string{"x!http://a.example/a.pdf=a"}},
		{"WACZ", storedZip(t, file{"archive/data.warc.gz", gz(warc)}, file{"pages/pages.jsonl", "{}"}),
			replaced(captured, "x!", "x!archive/data.warc.gz!")},
		{"archives in archives", zipOf(t, file{"in.tar.gz", gz(tarOf(t, file{"in.zip", zipOf(t, files...)}))}),
			replaced(want, "x!", "x!in.tar.gz!in.zip!")},
		{"too deep", zipOf(t, file{"1.zip", zipOf(t, file{"2.zip", zipOf(t, file{"3.zip", zipOf(t, files...)})})}),
			[]string{"x!1.zip!2.zip!3.zip: " + errDepth.Error()}},
		{"one name more than once", tarOf(t, file{"a.pdf", pdf("1")}, file{"a.pdf", pdf("2")}, file{"a.pdf", pdf("3")}),
			[]string{"x!a.pdf=1", "x!a.pdf (2)=2", "x!a.pdf (3)=3"}},
		{"a name that a number makes",
			tarOf(t, file{"a.pdf", pdf("1")}, file{"a.pdf", pdf("2")}, file{"a.pdf (2)", pdf("3")}),
			[]string{"x!a.pdf=1", "x!a.pdf (2)=2", "x!a.pdf (2) (2)=3"}},
		{"tar files that were put together", tarOf(t, file{"a.pdf", pdf("1")}) + tarOf(t, file{"b.pdf", pdf("2")}),
			[]string{"x!a.pdf=1", "x: " + errAfterTar.Error()}},
		{"tar files that were put together, compressed",
			gz(tarOf(t, file{"a.pdf", pdf("1")}) + strings.Repeat("\x00", 9<<10) +
				tarOf(t, file{"b.pdf", pdf("2")})), []string{"x!a.pdf=1", "x: " + errAfterTar.Error()}},
		{"a tar with zeros after it", tarOf(t, file{"a.pdf", pdf("1")}) + strings.Repeat("\x00", 1000),
			[]string{"x!a.pdf=1"}},
		{"a tar with something after it", tarOf(t, file{"a.pdf", pdf("1")}) + "junk",
			[]string{"x!a.pdf=1", "x: " + errAfterTar.Error()}},
		{"a tar cut off after a member", tarOf(t, file{"a.pdf", pdf("1")})[:1024],
			[]string{"x!a.pdf=1", "x: " + errNoTarEnd.Error()}},
		{"a tar cut off between two members", tarOf(t, file{"a.pdf", pdf("1")}, file{"b.pdf", pdf("2")})[:1024],
			[]string{"x!a.pdf=1", "x: " + errNoTarEnd.Error()}},
		{"a tar cut off in the padding of a member", gz(tarOf(t, file{"a.pdf", pdf("1")})[:1000]),
			[]string{"x!a.pdf=1", "x: " + errNoTarEnd.Error()}},
		{"hard links", tarOf(t, file{"a.pdf", pdf("1")}, file{"b.pdf", "=> a.pdf"}),
			[]string{"x!a.pdf=1"}},
		{"a zip after another one", storedZip(t, file{"a.pdf", pdf("1")}) + storedZip(t, file{"b.pdf", pdf("2")}, file{"c", ""}),
			[]string{"x!b.pdf=2"}},
		{"another number of entries", strings.ReplaceAll(storedZip(t, file{"a.pdf", pdf("1")}), "PK\x05\x06\x00\x00\x00\x00\x01\x00\x01",
			"PK\x05\x06\x00\x00\x00\x00\x02\x00\x02"),
			[]string{"x: " + errZip.Error()}},
		{"a 64-bit directory past the end", "PK\x03\x04" + strings.Repeat(" ", 100) +
			"PK\x06\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00\x00" + // at 1<<40
			"PK\x05\x06\x00\x00\x00\x00" + strings.Repeat("\xff", 12) + "\x00\x00",
			[]string{"x: " + errZip.Error()}},
		{"names that are paths elsewhere",
			zipOf(t, file{"../../etc/a.pdf", pdf("1")}, file{"/etc/b.pdf", pdf("2")}, file{`C:\c.pdf`, pdf("3")}),
			[]string{"x!../../etc/a.pdf=1", "x!/etc/b.pdf=2", `x!C:\c.pdf=3`}},
		{"links are nothing", tarOf(t, file{"l.pdf", "-> /etc/passwd"}, file{"a.pdf", pdf("1")}),
			[]string{"x!a.pdf=1"}},
		{"nothing", zipOf(t, file{"a.txt", "text"}), nil},
		{"an empty zip", zipOf(t), nil},
		{"not an archive", "text", []string{"x: not an archive that webcap can read; unpack it, or make it a zip or tar file"}},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04",
			[]string{"x: not an archive that webcap can read; unpack it, or make it a zip or tar file"}},
		{"a 7z in a zip", zipOf(t, file{"b.7z", "7z\xbc\xaf\x27\x1c\x00\x04"}, file{"c.pdf", pdf("c")}),
			[]string{"x!b.7z: not an archive that webcap can read; unpack it, or make it a zip or tar file",
				"x!c.pdf=c"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(t, "x", tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("members\n%q, want\n%q", got, tt.want)
			}
		})
	}
}

func replaced(list []string, old, new string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = strings.Replace(out[i], old, new, 1)
	}
	return out
}

// A damaged archive has a member with the error, and the members before the damage are found.
func TestDamagedArchives(t *testing.T) {
	noise := make([]byte, 10_000) // which does not become smaller
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := pdf(string(noise) + "5678")
	files := []file{{"a.pdf", pdf("a")}, {"b.pdf", long}, {"c.pdf", pdf("c")}}
	warc := reply("http://a.example/a.pdf", "Content-Type: application/pdf\r\n",
		pdf("a")) + reply("http://a.example/b.pdf", "Content-Type: application/pdf\r\n", long)
	whole := tarOf(t, files...)
	zipped := zipOf(t, files...)
	for _, tt := range []struct {
		name, data string
		first      string   // the first member
		last       []string // of what the last one says, which is of the archive or the rest of it
	}{
		{"a tar that is cut off", whole[:len(whole)/2], "x!a.pdf=a", []string{"x: ", "cut off"}},
		{"a tar.gz that is cut off", gz(whole)[:5000], "x!a.pdf=a", []string{"x: ", "cut off"}},
		{"a WARC that is cut off", warc[:len(warc)-100], "x!http://a.example/a.pdf=a", []string{"x: ", "cut off"}},
		{"a zip without its directory", zipped[:len(zipped)-10], "", []string{"x: the zip file is cut off or damaged"}},
		{"a zip entry that is damaged", strings.Replace(storedZip(t, files...), "5678", "____", 1), "x!a.pdf=a",
			[]string{"x!c.pdf=c"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := contents(t, "x", tt.data)
			if len(got) == 0 || tt.first != "" && got[0] != tt.first {
				t.Fatalf("members %.200q, want %q first", got, tt.first)
			}
			for _, s := range tt.last {
				if !strings.Contains(got[len(got)-1], s) {
					t.Errorf("the last of %.200q does not say %q", got, s)
				}
			}
		})
	}
}

func TestEncryptedMembers(t *testing.T) {
	data := []byte(storedZip(t, file{"a.pdf", pdf("a")}, file{"b.pdf", pdf("b")}))
	at := bytes.Index(data, []byte("PK\x01\x02"))
	data[at+8] |= 1 // the flag of the first entry in the directory
	want := []string{"x!a.pdf: encrypted in the archive", "x!b.pdf=b"}
	if got := contents(t, "x", string(data)); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// An entry that cannot be opened may be a PDF, so it is reported.
func TestClosedEntries(t *testing.T) {
	data := []byte(storedZip(t, file{"paper", pdf("a")}, file{"crawl.wacz", storedZip(t)}, file{"c.pdf", pdf("c")}))
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		at += i + 4
		if !bytes.HasPrefix(data[at+42:], []byte("c.pdf")) {
			data[at+4] |= 1
		}
	}
	want := []string{"x!paper: encrypted in the archive", "x!crawl.wacz: encrypted in the archive", "x!c.pdf=c"}
	if got := contents(t, "x", string(data)); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// A panic while an archive is read becomes a member with the error. A panic of the caller does not.
func TestPanicsOfArchives(t *testing.T) {
	n := 0
	for m := range Members("x", panickingFile{}, 100, Options{}) {
		n++
		if _, ok := errors.AsType[*report.PanicError](m.Err); !ok || m.Name != "x" {
			t.Errorf("member %+v", m)
		}
		m.Close()
	}
	if n != 1 {
		t.Errorf("%d members, want one with the panic", n)
	}
	defer func() {
		if v := recover(); v != "the caller's" {
			t.Errorf("recovered %v", v)
		}
	}()
	data := zipOf(t, file{"a.pdf", pdf("a")})
	for range Members("x", strings.NewReader(data), int64(len(data)), Options{}) {
		panic("the caller's")
	}
}

type panickingFile struct{}

func (panickingFile) ReadAt([]byte, int64) (int, error) { panic("of the reader") }

// shared returns a zip file of two entries with the first one listed several times.
func shared(data string, times int) string {
	at := strings.Index(data, "PK\x01\x02")
	end := strings.Index(data[at+4:], "PK\x01\x02") + at + 4
	entry, last := data[at:end], data[end:strings.Index(data, "PK\x05\x06")]
	directory := strings.Repeat(entry, times) + last
	tail := []byte(data[strings.Index(data, "PK\x05\x06"):])
	tail[8], tail[10] = byte(times+1), byte(times+1) // entries
	tail[12], tail[13] = byte(len(directory)), byte(len(directory)>>8)
	return data[:at] + directory + string(tail)
}

// A small archive cannot be made to fill the disk. Members that are no bombs are read all the same, if they can be
// reached; others have a record.
func TestBombs(t *testing.T) {
	zeros, small := pdf(strings.Repeat("\x00", 1<<20)), file{"small.pdf", pdf("s")}
	text := pdf(random(500) + strings.Repeat(" ", 250_000))
	bomb := ": " + errBomb.Error()
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"zip", zipOf(t, file{"a.pdf", zeros}, file{"b.pdf", zeros}, small),
			[]string{"x!a.pdf" + bomb, "x!b.pdf" + bomb, "x!small.pdf=s"}},
		{"zip whose entries share their bytes", shared(zipOf(t, file{"a.pdf", text}, small), 3),
			[]string{"x!a.pdf=" + text[9:], "x!a.pdf (2)" + bomb, "x!a.pdf (3)" + bomb, "x!small.pdf=s"}},
		{"zip in a zip", zipOf(t, file{"in.zip", zipOf(t, file{"a.pdf", zeros}, small)}, small),
			[]string{"x!in.zip!a.pdf" + bomb, "x!in.zip!small.pdf=s", "x!small.pdf=s"}},
		{"tar", gz(tarOf(t, small, file{"in.zip", zipOf(t, small)}, file{"a.pdf", zeros}, small)),
			[]string{"x!small.pdf=s", "x!in.zip!small.pdf=s", "x!a.pdf" + bomb, "x" + bomb}},
		{"tar with other files", gz(tarOf(t, small, file{"a", zeros[9:]}, small)),
			[]string{"x!small.pdf=s", "x" + bomb}},
		{"zeros after a tar", gz(tarOf(t, small) + zeros[9:]), []string{"x!small.pdf=s", "x" + bomb}},
		{"zip that is a bomb itself", zipOf(t, file{"in.zip", storedZip(t, file{"a.pdf", zeros})}, small),
			[]string{"x!in.zip" + bomb, "x!small.pdf=s"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			w := walk{free: 100_000}
			w.yield = func(m *Member) bool {
				if d, err := loaded(m); err != nil {
					got = append(got, m.Name+": "+err.Error())
				} else {
					text, _ := io.ReadAll(io.NewSectionReader(d, 0, d.Size()))
					got = append(got, m.Name+"="+strings.TrimPrefix(string(text), "%PDF-1.4\n"))
				}
				m.Close()
				return true
			}
			w.archive(&place{name: "x", ratio: maxRatio}, strings.NewReader(tt.data),
				int64(len(tt.data)))
			if !slices.Equal(got, tt.want) {
				t.Errorf("members %.300q, want %q", got, tt.want)
			}
		})
	}
}

// Large members are in temporary files, which are removed when the members are closed.
func TestLargeMembers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	large := pdf(strings.Repeat("0123456789", inMemory/10))
	for name, data := range map[string]string{"zip": zipOf(t, file{"a.pdf", large}),
		"tar": tarOf(t, file{"a.pdf", large})} {
		t.Run(name, func(t *testing.T) {
			for m := range Members("x", strings.NewReader(data), int64(len(data)), Options{}) {
				d, err := loaded(m)
				if err != nil || d.File == nil || d.Size() != int64(len(large)) {
					t.Fatalf("data %+v, %v; want a file of %d bytes", d, err, len(large))
				}
				text, err := io.ReadAll(d.File)
				if err != nil || string(text) != large {
					t.Errorf("the file has other data: %d bytes, %v", len(text), err)
				}
				m.Close()
			}
			left, _ := filepath.Glob(filepath.Join(dir, "*"))
			if len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

// A member may have the name that a member of another archive in the archive has, or one that was
// given to another member: their Names differ.
func TestNamesAreUnique(t *testing.T) {
	inner := zipOf(t, file{"b.pdf", pdf("1")})
	data := zipOf(t, file{"in.zip", inner}, file{"in.zip!b.pdf", pdf("2")}, file{"in.zip%21b.pdf", pdf("3")},
		file{"in.zip!b.pdf", pdf("4")})
	want := []string{"x!in.zip!b.pdf=1", "x!in.zip%21b.pdf=2", "x!in.zip%21b.pdf (2)=3", "x!in.zip%21b.pdf (3)=4"}
	if got := contents(t, "x", data); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// What is not wanted is neither read nor looked into.
func TestWantedMembers(t *testing.T) {
	files := []file{{"a.pdf", pdf("a")}, {"in.tar", tarOf(t, file{"b.pdf", pdf("b")})},
		{"other.zip", zipOf(t, file{"c.pdf", pdf("c")})}, {"d.pdf", pdf("d")}}
	data := tarOf(t, files...)
	var asked, got []string
	h := strings.NewReader(data)
	for m := range Members("x", h, int64(len(data)), Options{Wanted: func(name string) bool {
		asked = append(asked, name)
		return strings.HasPrefix("x!in.tar!b.pdf", name)
	}}) {
		got = append(got, m.Name)
		m.Close()
	}
	if want := []string{"x!a.pdf", "x!in.tar", "x!in.tar!b.pdf", "x!other.zip", "x!d.pdf"}; !slices.Equal(asked,
		want) || !slices.Equal(got, want[2:3]) {
		t.Errorf("asked for %q, got %q", asked, got)
	}
}

// brokenFile is a file that cannot be read.
type brokenFile struct{}

func (brokenFile) ReadAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

func TestUnreadableArchive(t *testing.T) {
	n := 0
	for m := range Members("x", brokenFile{}, 100, Options{}) {
		if n++; m.Name != "x" || !errors.Is(m.Err, fs.ErrPermission) {
			t.Errorf("member %+v", m)
		}
		m.Close()
	}
	if n != 1 {
		t.Errorf("%d members, want one that says why", n)
	}
}
