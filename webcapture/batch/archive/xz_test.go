package archive

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// xzWith is xzOf with settings.
func xzWith(t *testing.T, c xz.WriterConfig, s string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, s)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hungry returns an xz file whose last block needs a dictionary of 192 MiB.
func hungry(data string) string {
	b := []byte(data)
	header := b[12:24] // of the first block; all are the same
	at := bytes.LastIndex(b, header)
	b[at+4] = 31
	binary.LittleEndian.PutUint32(b[at+8:], crc32.ChecksumIEEE(b[at:at+8]))
	return string(b)
}

// No block of an xz file gets a dictionary over the limit, in whichever stream it is.
func TestXZDictionaries(t *testing.T) {
	one := xzOf(t, pdf("a"))
	blocks := xzWith(t, xz.WriterConfig{BlockSize: 5}, pdf("a"))
	for name, data := range map[string]string{
		"first block":                 hungry(one),
		"second block":                hungry(blocks),
		"second stream":               one + hungry(one),
		"second stream after padding": one + "\x00\x00\x00\x00" + hungry(one),
	} {
		for in, test := range map[string]struct{ file, data, member string }{
			"": {"x.pdf.xz", data, "x.pdf.xz"}, " in a zip": {"x", rawZip(t, "b.pdf", 95, data, pdf("a")), "x!b.pdf"},
		} {
			t.Run(name+in, func(t *testing.T) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				got := contents(t, test.file, test.data)
				runtime.ReadMemStats(&after)
				if size := after.TotalAlloc - before.TotalAlloc; size > maxWindow {
					t.Errorf("%d bytes of memory for a file of %d bytes", size, len(test.data))
				}
				want := ": the xz data need a dictionary of more than 134217728 bytes"
				if len(got) != 1 || !strings.HasSuffix(got[0], want) || !strings.HasPrefix(got[0], test.member) {
					t.Errorf("members %q, want %q", got, test.member+want)
				}
			})
		}
	}
}

// All streams and blocks are read, with any check. Truncated and damaged data are errors.
func TestXZ(t *testing.T) {
	a, b := xzOf(t, pdf("a")), xzOf(t, "b")
	blocks := xzWith(t, xz.WriterConfig{BlockSize: 5}, pdf("a"))
	const name = "x.pdf.xz"
	const read, cut, damaged = name + "!x.pdf=", name + "!x.pdf: the xz data are cut off", name +
		"!x.pdf: the xz data are damaged"
	for _, tt := range []struct{ name, data, want string }{
		{"two streams", a + b, read + "ab"},
		{"padding", a + "\x00\x00\x00\x00\x00\x00\x00\x00" + b + "\x00\x00\x00\x00", read + "ab"},
		{"blocks", blocks, read + "a"},
		{"no check", xzWith(t, xz.WriterConfig{NoCheckSum: true}, pdf("a")), read + "a"},
		{"CRC-32", xzWith(t, xz.WriterConfig{CheckSum: xz.CRC32}, pdf("a")), read + "a"},
		{"CRC-64", xzWith(t, xz.WriterConfig{CheckSum: xz.CRC64}, pdf("a")), read + "a"},
		{"SHA-256", xzWith(t, xz.WriterConfig{CheckSum: xz.SHA256}, pdf("a")), read + "a"},
		{"cut off in the footer", a[:len(a)-1], cut},
		{"cut off in the second stream", a + b[:30], cut},
		{"another byte", strings.Replace(a, "%PDF-1.4\na", "%PDF-1.4\nb", 1), damaged},
		{"another byte in a block header", a[:16] + "\x15" + a[17:], damaged},
		{"something after a stream", a + "junk that is longer than a header", damaged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := contents(t, name, tt.data)
			for i := range got { // what the beginning shows is said of the archive, without a member
				got[i] = strings.Replace(got[i], name+": ", name+"!x.pdf: ", 1)
			}
			if !slices.Equal(got, []string{tt.want}) {
				t.Errorf("members %q, want %q", got, tt.want)
			}
		})
	}
}
