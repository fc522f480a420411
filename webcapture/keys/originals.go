package keys

import (
	"fmt"
	"iter"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// An Original is the address of a capture that is not proven, in the Wayback Machine of the Internet Archive.
type Original struct {
	URL     string // URL of the capture, as stored
	Address string // address of the bytes that were archived at the time nearest to the capture; empty without a date
}

// Originals yields the captures whose ID is not proven, in the order of the catalog. It skips captures with URLs that
// no web archive has: those of other schemes than http, https, and ftp.
func (l *List) Originals() iter.Seq2[*Original, error] {
	return func(yield func(*Original, error) bool) {
		c, err := catalog.New(l.file, l.db)
		if err != nil {
			yield(nil, err)
			return
		}
		for capture, err := range c.Captures() {
			if err != nil {
				yield(nil, err)
				return
			}
			if l.isProven(capture.Object) || !isArchived(string(capture.URL)) {
				continue
			}
			o := &Original{URL: string(capture.URL)}
			if !capture.Captured.IsZero() {
				o.Address = "https://web.archive.org/web/" + capture.Captured.Format("20060102150405") + "id_/" + escape(o.URL)
			}
			if !yield(o, nil) {
				return
			}
		}
	}
}

func isArchived(url string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(url), "://")
	return scheme == "http" || scheme == "https" || scheme == "ftp"
}

// escape returns a URL with escapes for bytes that do not belong in a list of addresses.
func escape(url string) string {
	var b strings.Builder
	for _, c := range []byte(url) {
		if c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
