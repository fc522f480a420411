package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestARCWithLongURL: an ARC record is found even if its URL is very long.
func TestARCWithLongURL(t *testing.T) {
	for _, n := range []int{100, 2 << 10, 3 << 10, 60 << 10} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			url := "http://a/" + strings.Repeat("u", n)
			record := func(url, body string) string {
				reply := "HTTP/1.1 200 OK\r\n\r\n" + body
				return fmt.Sprintf("%s 127.0.0.1 20200101000000 text/html %d\n%s\n", url, len(reply), reply)
			}
			s := openBytes(t, "a.arc", []byte(record("http://a/1", "one")+record(url, "long")+record("http://a/2", "two")))
			for _, u := range []string{"http://a/1", url, "http://a/2"} {
				sourcetest.LookupOne(t, s, u)
			}
			if got := sourcetest.SkipLine(s); got != "" {
				t.Errorf("a URL of %d bytes: skipped %s", n, got)
			}
		})
	}
}
