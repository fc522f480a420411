package archive

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// For any archive, names of members begin with its own name, and each member has data or a reason.
func FuzzMembers(f *testing.F) {
	t := &testing.T{}
	files := []file{{"a.pdf", pdf("a")}, {"b/c", pdf(strings.Repeat("x", 3000))}, {"d.txt", "text"}}
	warc := reply("http://a.example/a.pdf", "Content-Type: application/pdf\r\nContent-Encoding: gzip\r\n",
		gz(pdf("a"))) +
		record("resource", "urn:pdf:x", "application/pdf", pdf("b"))
	for _, seed := range []string{
		zipOf(t, files...), storedZip(t, files...), tarOf(t, files...), gz(tarOf(t, files...)), zst(tarOf(t, files...)),
		warc, gz(warc),
		storedZip(t, file{"archive/a.warc.gz", gz(warc)}),
		zipOf(t, file{"a.zip", zipOf(t, file{"b.tar.gz", gz(tarOf(t, files...))})}),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		left := int64(8 << 20)
		for m := range Members("x", bytes.NewReader(data), int64(len(data)), Options{}) {
			if m.Name != "x" && !strings.HasPrefix(m.Name, "x"+Separator) {
				t.Errorf("a member is called %q", m.Name)
			}
			if left > 0 { // beyond that, the test would take too long
				d, err := loaded(m)
				if (d == nil) == (err == nil) {
					t.Errorf("%q: data %v and error %v", m.Name, d, err)
				}
				if err == nil {
					n, err := io.Copy(io.Discard, io.NewSectionReader(d, 0, d.Size()))
					if err != nil || n != d.Size() {
						t.Errorf("%q: %d bytes and %v, want %d", m.Name, n, err, d.Size())
					}
					left -= n
				}
			}
			m.Close()
		}
		if _, err := KindOf(bytes.NewReader(data), int64(len(data)), "x"); err != nil {
			t.Error(err)
		}
	})
}
