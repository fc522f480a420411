package source

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestPlainFilesOfCompressedReplies: compressed data in records do not make an uncompressed file count as compressed,
// even if the file begins with noise or an incomplete header.
func TestPlainFilesOfCompressedReplies(t *testing.T) {
	for _, noise := range []string{"", "\r\n", "noise\n", "WARC/1.0\r\nWARC-Type: response\r\n"} {
		t.Run(noise, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(noise+sourcetest.PageRecord("http://a/1",
				"\x1f\x8b\x08 body")+sourcetest.PageRecord("http://a/2", string(sourcetest.Gzip("two")))))
			if len(sourcetest.Lookup(t, s, "http://a/1")) != 1 || len(sourcetest.Lookup(t, s, "http://a/2")) != 1 {
				t.Errorf("after %q: %s", noise, sourcetest.SkipLine(s))
			}
		})
	}
}

func TestIsRetrieved(t *testing.T) {
	for url, want := range map[string]bool{
		"http://a/": true, "HTTPS://a/": true, "ftp://a/": true, "dns:a": false, "metadata://a/": false,
		"whois://a": false, "": false, "httpx://a": false,
	} {
		t.Run(url, func(t *testing.T) {
			if got := urlkey.IsRetrieved([]byte(url)); got != want {
				t.Errorf("isRetrieved(%q) = %v", url, got)
			}
		})
	}
}

// TestTinyBlocks: a block that is shorter than a method name or a status line does not disturb other records.
func TestTinyBlocks(t *testing.T) {
	for _, block := range []string{"", "P", "H", "HTTP", "HTTP/1.1", "HTTP/1.1 206"} {
		t.Run(block, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("request", "http://a/", block,
				"Content-Type: application/http")+
				sourcetest.WARCRecord("response", "http://a/x", block,
					"Content-Type: application/http")+sourcetest.PageRecord("http://a/", "one")))
			sourcetest.ExpectLookup(t, s, "http://a/", "http://a/ (text/html) as stored \"one\"\n")
		})
	}
}
