package export

import (
	"testing"
)

func TestIsLocal(t *testing.T) {
	for url, want := range map[string]bool{
		"file:///C|/Users/ann/x.html": true, "file://server/x": true, "FILE:/x": true,
		"http://localhost:8080/": true, "http://intranet/": true, "http://printer.local/": true, "http://a.internal./": true,
		"http://127.0.0.1/": true, "http://10.1.2.3:80/": true, "http://192.168.0.1/": true, "http://169.254.1.1/": true,
		"http://[::1]:8080/": true, "http://[fd00::1]/": true, "http://0.0.0.0/": true,
		"http://127.1/": true, "http://0300.0250.0.1/": true, "http://0x7f.1/": true, "http://2130706433/": true,
		"http://100.64.1.1/": true, "http://nas.lan/": true, "http://a.home.arpa/": true, "http://wiki.corp/": true,
		"http://100.128.1.1/": false, "http://home.example.org/": false,
		"http://ann@example.org/": true, "ftp://ann:secret@example.org/": true,
		"http://example.org/": false, "https://example.org:8080/": false, "http://93.184.216.34/": false,
		"http://[2001:db8::1]/": false, "http://local.example.org/": false, "http://example.org/@ann": false,
	} {
		t.Run(url, func(t *testing.T) {
			if got := IsLocal(url); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
