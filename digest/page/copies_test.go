package page_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
)

// crawl writes a WARC file of a page with 36 images of 4 MB, and returns the identifier of the page. If digests is
// true, the records have payload digests.
func crawl(b *testing.B, path string, digests bool) digest.ID {
	random := rand.NewChaCha8([32]byte{})
	var warc, html bytes.Buffer
	var files []digest.Auxiliary
	put := func(url, mediaType string, body []byte) {
		sum, field := sha1.Sum(body), ""
		if digests {
			field = "WARC-Payload-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
		}
		reply := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", mediaType, body)
		fmt.Fprintf(&warc, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: "+
			"application/http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", url, field, len(reply), reply)
	}
	for i := range 36 {
		body := make([]byte, 4_000_000)
		random.Read(body)
		name := fmt.Sprintf("%d.gif", i)
		put(site+name, "image/gif", body)
		fmt.Fprintf(&html, "<img src=%s>", name)
		files = append(files, digest.Auxiliary{Name: name, ID: sum(string(body))})
	}
	put(site, "text/html", html.Bytes())
	if err := os.WriteFile(path, warc.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	src, err := digest.NewSource(&html)
	if err != nil {
		b.Fatal(err)
	}
	return src.Page(files, digest.Raw)
}

// BenchmarkCopies searches the identifier of a page, and another identifier, in one file and in 80 copies of it. It
// measures look-ups, reading, and hashing, but not indexing.
func BenchmarkCopies(b *testing.B) {
	for _, digests := range []bool{true, false} {
		for _, n := range []int{1, 80} {
			path := filepath.Join(b.TempDir(), "0.warc")
			id := crawl(b, path, digests)
			// As a folder, each file would count once, under any of its names.
			var copies []source.Source
			for i := range n {
				name := path
				if i > 0 {
					name = filepath.Join(b.TempDir(), fmt.Sprintf("%d.warc", i))
					if err := os.Link(path, name); err != nil {
						b.Fatal(err)
					}
				}
				one, err := source.Open(source.WARC, name)
				if err != nil {
					b.Fatal(err)
				}
				copies = append(copies, one)
			}
			src := source.Join(copies...)
			defer src.Close()
			for name, id := range map[string]digest.ID{"found": id, "not found": {}} {
				if n > 1 && !digests && name == "not found" {
					continue // without digests, all copies are read
				}
				b.Run(fmt.Sprintf("%d copies, payload digests %v, %s", n, digests, name), func(b *testing.B) {
					for b.Loop() {
						s := page.FromSource(src)
						ok := false
						for f := range s.Find(site) {
							data, err := f.Data()
							if err != nil {
								b.Fatal(err)
							}
							if _, ok = page.New(data, f.MediaType, site, s.Find).Match(id); ok {
								break
							}
						}
						if ok != (name == "found") {
							b.Fatal(ok)
						}
					}
				})
			}
		}
	}
}
