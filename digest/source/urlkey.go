package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
)

// key returns the form in which URLs are compared: canonical by ISO
// 32000-2:2020, 14.10.3.2, and as programs write what people give otherwise:
// with a slash for an empty path, without the default port of https, and with
// escapes for what no URL can have.
func key(url string) string {
	k := canon.PDF2.Append(nil, withEscapes(url))
	start := bytes.Index(k, []byte("://"))
	if start < 0 {
		return string(k)
	}
	start += len("://")
	end := len(k)
	if i := bytes.IndexAny(k[start:], "/?"); i >= 0 {
		end = start + i
	}
	if port := []byte(":443"); string(k[:start]) == "https://" && bytes.HasSuffix(k[:end], port) {
		k = slices.Delete(k, end-len(port), end)
		end -= len(port)
	}
	if end == len(k) || k[end] == '?' {
		k = slices.Insert(k, end, '/')
	}
	return string(k)
}

// withEscapes returns a URL with escapes for octets that it cannot have. Which
// of them they leave as they are is where programs differ.
func withEscapes(url string) []byte {
	b := make([]byte, 0, len(url))
	for _, c := range []byte(url) {
		if plainURL(rune(c)) {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}

func plainURL(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", r)
}

// resolve returns the URL that ref, in a document at base, stands for.
func resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}
