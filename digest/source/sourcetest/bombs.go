package sourcetest

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// Bomb is a hostile source that could require much more work than its size suggests. A look-up in a bomb must still
// take time in proportion to the size. Bombs are written when they are needed, and are not stored.
type Bomb struct {
	Name  string // description of the contents
	Kind  string // end of the name of its file
	Write func(w io.Writer) error
	Code  int // exit code of an audit; 3 if the audit cannot see all data
}

// BombURL is the URL to look up in a bomb.
const BombURL = "http://bomb.example/"

// Bombs returns all bombs.
func Bombs() []Bomb {
	return []Bomb{
		{"a WACZ file of 2000 empty entries", "wacz", zipBomb(2000), 0},
		{"a WACZ file of 25000 empty entries", "wacz", zipBomb(25_000), 0},
		{"500000 parts of one URL", "mhtml",
			mhtmlBomb("Content-Type: image/gif\r\nContent-Location: "+BombURL, 500_000), 3},
		{"500000 parts of one URL and one identifier", "mhtml",
			mhtmlBomb("Content-Type: image/gif\r\nContent-ID: <a@b>\r\nContent-Location: "+BombURL, 500_000), 3},
		{"100000 captures of one URL", "warc",
			repeated("", record("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<img src=%06d.gif>"), 100_000, ""),
			3},
		{"100000 revisits of one record", "warc", repeated(
			fmt.Sprintf(record("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%06d"), 0),
			"WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Date: "+day+"\r\nWARC-Target-URI: "+BombURL+
				"\r\nWARC-Payload-Digest: sha1:ONE\r\n"+
				"X: %d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
			100_000, ""), 3},
		{"100000 redirects of one URL", "warc",
			repeated("", record("HTTP/1.1 301 Moved\r\nLocation: /%06d\r\n\r\n"), 100_000, ""), 3},
		{"60000 URLs that redirect to one of 64 MB", "warc", redirectsToOne, 0},
		{"a WACZ file of 60000 empty entries", "wacz", zipBomb(60_000), 2},
		{"9 million records in 8 MB", "warc.gz", packedRecords, 3},
		{"20000 records in one member", "warc.gz", oneMember, 3},
		{"a HAR file of one entry of 315 MB", "har", harBomb(`"%s"`, 315<<20), 2},
		{"a HAR file of an entry with a list of 315 MB", "har", harBomb(`"","_messages":[0%s]`, 315<<20), 2},
		{"300000 HAR entries of one URL", "har",
			repeated(`{"log":{"entries":[{}`, harEntry(BombURL, `"%d"`), 300_000, "]}}"), 3},
		{"2 million HAR entries", "har",
			repeated(`{"log":{"entries":[{}`, `,{"request":{"url":"http://a/%d"},"response":{"content":{"text":"x"}}}`,
				2_000_000, "]}}"), 0},
	}
}

// repeated returns a function that writes start, then text n times, each with another number in it, and then end.
func repeated(start, text string, n int, end string) func(io.Writer) error {
	return func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		b.WriteString(start)
		for i := range n {
			fmt.Fprintf(b, text, i)
		}
		b.WriteString(end)
		return b.Flush()
	}
}

// record returns a record with a response for BombURL.
func record(reply string) string { return recordOf(BombURL, len(fmt.Sprintf(reply, 0)), reply) }

// recordOf returns a WARC record with a response for a URL. reply may be a format; length is the number of bytes of
// the finished response.
func recordOf(url string, length int, reply string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Payload-Digest: sha1:ONE\r\nWARC-Date: %s\r\n"+
		"WARC-Target-URI: %s\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n", day, url,
		length) + reply + "\r\n\r\n"
}

func mhtmlBomb(header string, n int) func(io.Writer) error {
	return repeated("From: <Saved by test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n",
		"--b\r\n"+header+"\r\n\r\n%d\r\n", n, "--b--\r\n")
}

// zipBomb returns a function that writes a zip file with n empty archive files, and one with a record.
func zipBomb(n int) func(io.Writer) error {
	return func(w io.Writer) error {
		z := zip.NewWriter(w)
		for i := range n {
			if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("archive/%d.warc", i)}); err != nil {
				return err
			}
		}
		entry, err := z.CreateHeader(&zip.FileHeader{Name: "archive/last.warc"})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(entry, record("HTTP/1.1 200 OK\r\n\r\n%06d"), 1); err != nil {
			return err
		}
		return z.Close()
	}
}

// harEntry returns a further entry of a HAR file, with a comma before it.
func harEntry(url, text string) string {
	return `,{"startedDateTime":"` + day + `","request":{"method":"GET","url":"` + url +
		`"},"response":{"status":200,"headers":[],"content":{"size":-1,"mimeType":"text/html","text":` + text + `}}}`
}

// harBomb returns a function that writes a HAR file with one large entry. It replaces %s in text by about size bytes.
func harBomb(text string, size int) func(io.Writer) error {
	return func(w io.Writer) error {
		before, after, _ := strings.Cut(harEntry(BombURL, text), "%s")
		b := bufio.NewWriterSize(w, 1<<16)
		b.WriteString(`{"log":{"entries":[{}` + before)
		for range size / 2 {
			b.WriteString(",0")
		}
		b.WriteString(after + "]}}")
		return b.Flush()
	}
}

// redirectsToOne writes a page that refers to 60000 URLs. All of these URLs redirect to the same resource.
func redirectsToOne(w io.Writer) error {
	const n, size = 60_000, 64 << 20
	b := bufio.NewWriterSize(w, 1<<16)
	writePage(b, n, func(i int) string { return fmt.Sprintf("r%d", i) })
	for i := range n {
		const reply = "HTTP/1.1 301 Moved\r\nLocation: /big\r\n\r\n"
		b.WriteString(recordOf(BombURL+fmt.Sprintf("r%d", i), len(reply), reply))
	}
	const reply = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	b.WriteString(recordOf(BombURL+"big", len(reply)+size, reply+strings.Repeat("<p>.", size/4)))
	return b.Flush()
}

// writePage writes a record of a page at BombURL that refers to n files.
func writePage(w io.Writer, n int, name func(int) string) {
	var page strings.Builder
	page.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
	for i := range n {
		fmt.Fprintf(&page, "<img src=%s>\n", name(i))
	}
	io.WriteString(w, recordOf(BombURL, page.Len(), page.String()))
}

// oneMember writes a page that refers to 20000 files. The page and all files are in one compressed member.
func oneMember(w io.Writer) error {
	const n, size = 20_000, 5_000
	z := gzip.NewWriter(w)
	writePage(z, n, func(i int) string { return fmt.Sprintf("f%d", i) })
	for i := range n {
		const reply = "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n"
		io.WriteString(z, recordOf(BombURL+fmt.Sprintf("f%d", i), len(reply)+size, reply+strings.Repeat("x", size)))
	}
	return z.Close()
}

// packedRecords writes records that compress so well that one byte contains more than one record.
func packedRecords(w io.Writer) error {
	one := "WARC/1.0\nWARC-Type:resource\nWARC-Target-URI:" + BombURL + "\nContent-Length:0\n\n\n\n"
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	block := []byte(strings.Repeat(one, 10_000))
	for range 900 {
		if _, err := z.Write(block); err != nil {
			return err
		}
	}
	return z.Close()
}

// Clean writes an undamaged source of a kind and returns its path. The source has about size bytes.
func Clean(folder, kind string, size int64) (path string, err error) {
	const each = 10_000 // size of each body
	body := make([]byte, each)
	random := rand.NewChaCha8([32]byte{})
	n := int(1 + size/(each+each/3))
	list := make([]Resource, n)
	for i := range list {
		random.Read(body)
		list[i] = Resource{URL: fmt.Sprintf("%s%d", BombURL, i), MediaType: "image/gif", Body: bytes.Clone(body)}
	}
	list[0].URL = BombURL
	return Write(folder, kind, list)
}
