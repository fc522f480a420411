package source

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzSpool reads a cache of WWWOFFLE whose two files of a URL are any bytes: one has the URL,
// the other the reply.
func FuzzSpool(f *testing.F) {
	f.Add("http://h/a", "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nbody")
	f.Add("http://h/a?x", "HTTP/1.0 302 Found\r\nLocation: /b\r\nDate: Mon, 01 Jan 2001 00:00:00 GMT\r\n\r\n")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, url, reply string) {
		dir := t.TempDir()
		sum := md5.Sum([]byte(url))
		h := strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(sum[:]), "/", "-")
		write(t, url, dir, "http", "h", "U"+h)
		write(t, reply, dir, "http", "h", "D"+h)
		s, err := Open(WWWOFFLE, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stats := s.Stats()
		kept(s, url)
		kept(s, "http://h/a")
		if stats.Kept+skipped(stats) == 0 {
			t.Errorf("neither kept nor skipped: %+v", stats)
		}
	})
}

func skipped(s Stats) (n int) {
	for _, k := range s.Skipped {
		n += k.Count
	}
	return n
}

// FuzzFolder looks up any URL in a folder that has files of all kinds of names: what it finds
// stands in that folder.
func FuzzFolder(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"h/index.html", "h/a", "h/a.1", "h/a.orig", "h/b?c=d", "h/b@c=d.html", "h/%2e%2e/x", "h:80/x"} {
		if err := os.MkdirAll(filepath.Join(dir, "in", filepath.Dir(name)), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "in", name), nil, 0o644); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "outside"), nil, 0o644); err != nil {
		f.Fatal(err)
	}
	s, err := Open(Folder, filepath.Join(dir, "in"), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	for _, url := range []string{"http://h/", "http://h/a", "http://h/b?c=d", "http://h/../../outside", "file:///outside", "http://h:80/x", "http://../outside", "http://h/\x00"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		for c, err := range s.Lookup(url) {
			if err == nil && (c.URL != url || strings.Contains(c.Where, "outside") || len(c.Bodies) == 0) {
				t.Errorf("%q is found: %+v", url, c)
			}
		}
	})
}

// FuzzManifest reads a list of files that is any text, and looks up all that it names.
func FuzzManifest(f *testing.F) {
	f.Add("http://h/a\ta.html\ttext/html\nhttp://h/b\tnone\n")
	f.Add(byteOrderMark + "# list\r\n\r\nhttp://h/a\t../x\r\nhttp://h/a\t\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write(t, "body", dir, "a.html")
		s, err := openManifest(write(t, text, dir, "list"))
		if err != nil {
			return
		}
		defer s.Close()
		found := 0
		for _, list := range s.(*manifest).entries {
			for _, e := range list {
				kept(s, e.url)
				found++
			}
		}
		if kept := s.Stats().Kept; found < kept {
			t.Errorf("%d files are found, %d were kept", found, kept)
		}
	})
}

// FuzzCDX reads a WACZ file whose index is any text: what is found has the URL that was asked for.
func FuzzCDX(f *testing.F) {
	data := zipped{"archive/data.warc.gz", packings[1].pack(waczRecords), false}
	f.Add(waczIndex(cdxjLine))
	f.Add(" CDX N b a m s k r M S V g\n" + strings.Repeat("h)/ 20200101000000 http://h/ text/html 200 A - - 10 0 data.warc.gz\n", 2))
	f.Add("h)/ 2020 {\"url\": \"http://h/\", \"offset\": -1, \"length\": \"9223372036854775807\", \"filename\": \"data.warc.gz\"}\n")
	f.Fuzz(func(t *testing.T, index string) {
		s, err := openWACZ(archiveFile(t, "a.wacz", zipFile(t, data, zipped{"indexes/index.cdxj", []byte(index), false})), Options{})
		if err != nil {
			return
		}
		defer s.Close()
		for url := range waczWant {
			for c, err := range s.Lookup(url) {
				if err == nil && key(c.URL) != key(url) {
					t.Errorf("%s leads to %s", url, c.URL)
				}
			}
		}
	})
}

// FuzzIndexFile loads an index with any content, whose checksum is right. Only one that would
// be written like that is believed.
func FuzzIndexFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.warc")
	if err := os.WriteFile(path, []byte(strings.Join(sample.records, "")), 0o600); err != nil {
		f.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		f.Fatal(err)
	}
	p := &part{path: path, size: info.Size()}
	identity, err := p.identity()
	if err != nil {
		f.Fatal(err)
	}
	o := Options{Indexes: f.TempDir()}
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
		s, err := loadScan(&p, identity, write(t, string(file), t.TempDir(), "index"))
		if err == nil && s.Kept > len(content)/entrySize {
			t.Errorf("%d entries in %d bytes", s.Kept, len(content))
		}
	})
}

// FuzzCodings takes any codings off any body.
func FuzzCodings(f *testing.F) {
	f.Add("gzip", gz("body"))
	f.Add("deflate, br", []byte("x\x9c"))
	f.Add("gzip", []byte("\x1f\x8b"))
	f.Add("zstd,gzip", []byte("\x28\xb5\x2f\xfd"))
	f.Add("gzip, gzip, gzip, gzip, gzip", gz(string(gz("x"))))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		stored := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		r, err := decoded(stored, codingsOf(header))()
		if err != nil {
			return
		}
		defer r.Close()
		io.Copy(io.Discard, io.LimitReader(r, MaxBody))
	})
}

// FuzzHTTrack reads a mirror whose cache has one entry of any name, with any header and data, and one octet of the
// cache is any other. What is kept is found, and nothing outside of the mirror is.
func FuzzHTTrack(f *testing.F) {
	const meta = "HTTP/1.1 200 OK\r\nX-In-Cache: 1\r\nX-Size: 4\r\n"
	f.Add("http://h/", meta, "page", 1<<20, byte(0))
	f.Add("h/a", "HTTP/1.1 200 OK\r\nX-In-Cache: 0\r\nX-Size: 6\r\nX-Save: ../secret\r\n", "", 1<<20, byte(0))
	f.Add("http://h/a", "HTTP/1.1 302 Found\r\nLocation: /\r\n", "", 28, byte(0xff))
	dir := f.TempDir()
	write(f, "secret", dir, "secret")
	f.Fuzz(func(t *testing.T, name, meta, data string, at int, octet byte) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Extra: []byte(meta)})
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(w, data)
		}
		if err != nil || z.Close() != nil {
			return
		}
		if at >= 0 && at < b.Len() {
			b.Bytes()[at] = octet
		}
		s, err := openHTTrack(write(t, b.String(), dir, "m", "hts-cache", "new.zip"), Options{})
		if err != nil {
			return
		}
		defer s.Close()
		n := 0
		for c, err := range All(s) {
			if n++; err != nil {
				continue
			}
			for _, body := range c.Bodies {
				if data, err := slurp(body); err == nil && string(data) == "secret" && strings.Contains(c.Where, "in the file") {
					t.Errorf("%s is outside of the mirror", c.Where)
				}
			}
			if kept(s, c.URL) == "" {
				t.Errorf("%q is not found", c.URL)
			}
		}
		if n != s.Stats().Kept || n == 0 {
			t.Errorf("%d of %d are listed", n, s.Stats().Kept)
		}
	})
}

// FuzzAlike takes any two URLs: those that are equal in canonical form are alike.
func FuzzAlike(f *testing.F) {
	for _, line := range alikeURLs {
		f.Add(line[0], line[len(line)-1])
	}
	f.Add("./V:", "V:")
	f.Fuzz(func(t *testing.T, a, b string) {
		alike := Alike(a)
		if got := Alike(key(a)); got != alike && key(key(a)) == key(a) { // ./V: becomes V:, which has a scheme
			t.Errorf("Alike(%q) = %q, and %q of its canonical form", a, alike, got)
		}
		if key(a) == key(b) && alike != Alike(b) {
			t.Errorf("%q and %q are equal, and not alike", a, b)
		}
	})
}
