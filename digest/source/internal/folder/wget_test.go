package folder

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestWgetName has the names that wget 1.21.3 writes on Unix, and with --restrict-file-names=windows, which is what it
// does on Windows.
func TestWgetName(t *testing.T) {
	for _, row := range []struct{ url, unix, windows string }{
		{"http://H.example", "h.example/index.html", ""},
		{"http://u:p@h:8080/a/", "h:8080/a/index.html", "h+8080/a/index.html"},
		{"https://h:443/a", "h/a", ""},
		{"http://[::1]:81/a", "::1:81/a", "::1+81/a"},
		{"http://h/a%2Fb", "h/a%2Fb", ""},
		{"http://h/q?x=1&y=a/b", "h/q?x=1&y=a%2Fb", "h/q@x=1&y=a%2Fb"},
		{"http://h/q?x=%2F%3F", "h/q?x=%2F?", "h/q@x=%2F%3F"},
		{"http://h/sp%20ace", "h/sp ace", ""},
		{"http://h/e?", "h/e?", "h/e@"},
		{"http://h?k", "h/index.html?k", "h/index.html@k"},
		{"http://h/%E2%82%AC%7F%01", "h/€%7F%01", ""},
		{"http://h/a//b", "h/a/b", ""},
		{"http://h/x/../y", "h/y", ""},
		{"http://h/%2e%2e/zz", "h/%2E%2E/zz", ""},
		{"http://h/x;p=1:2*", "h/x;p=1:2*", "h/x;p=1%3A2%2A"},
		{"http://h/t%5Cu%7Cv", "h/t\\u|v", "h/t%5Cu%7Cv"},
		{"http://h/k%25zz", "h/k%zz", ""},
	} {
		t.Run(row.url, func(t *testing.T) {
			want := row.unix
			if runtime.GOOS == "windows" && row.windows != "" {
				want = row.windows
			}
			if host, name, ok := wgetName(row.url); !ok || path.Join(host, name) != want {
				t.Errorf("%s in %s, %v, want %s", name, host, ok, want)
			}
		})
	}
}

// TestWgetNameIsLocal: no URL leads out of the folder of its host.
func TestWgetNameIsLocal(t *testing.T) {
	for _, url := range []string{
		"http://../x", "http://..:80/x", "http://a@../x", "http://.../x", "http://./../x", "http://h/../../x",
		"http://h/%2e%2e%2f..", "http://[..]/..", "..://../..",
		"http:///x", "http://h/\x00", "http://h/%00", "file:///etc/passwd", "http://h/..\\..\\x", "//h/x", "x",
	} {
		t.Run(url, func(t *testing.T) {
			host, name, ok := wgetName(url)
			if ok && (!filepath.IsLocal(host) || !filepath.IsLocal(name) ||
				strings.ContainsRune(host+name, 0)) {
				t.Errorf("%q in %q", name, host)
			}
		})
	}
}
