package folder

import (
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
)

// TestHostFolders: the folder of a host is always in the spool. A URL without a host, or with another protocol, has
// none.
func TestHostFolders(t *testing.T) {
	for url, want := range map[string]string{
		"http://h/x": "http/h", "https://me:pw@h:81/x": "https/h:81 https/h!81", "ftp://h": "ftp/h",
		"finger://h/": "finger/h",
		"http:///x":   "", "gopher://h/": "", "h/x": "", `http://a\b/`: "", "http://../": "", "http://": "",
		"://h/": "",
	} {
		t.Run(url, func(t *testing.T) {
			if runtime.GOOS == "windows" { // no name has a colon there
				want = strings.TrimPrefix(want, "https/h:81 ")
			}
			if got := strings.Join(hostFolders(url), " "); got != want {
				t.Errorf("hostFolders(%q) = %q, want %q", url, got, want)
			}
		})
	}
	if got := canon.CacheName([]byte("http://h/")); !cacheName.MatchString(got) {
		t.Errorf("%q is not the name of a file of a spool", got)
	}
}
