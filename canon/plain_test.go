package canon

import "testing"

// TestMostURLsNeedAQuickLookOnly has URLs of the common kind, and URLs that only look like it. If plain rejected a
// common one, results would be the same, but several times as slow.
func TestMostURLsNeedAQuickLookOnly(t *testing.T) {
	for _, row := range []struct {
		url      string
		capitals string // up to the last capital in the host
		ok       bool
	}{
		{"http://www.example.com/", "", true},
		{"https://www.example.com/a/b.html?c=D/e", "", true},
		{"http://www.example.com/a/b/c/d/e/f/g/h/i/j/k/l/m.html", "", true},
		{"http://h.exam/ab", "", true},
		{"http://WWW.example.com/A/b", "http://WWW", true},
		{"https://www.Example.com/Abc", "https://www.E", true},
		{"https://aaaaaaaaaaaaaaaaaaaaaaaaaaaZ/aaaaaaaa", "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaZ", true},
		{"http://h.exam/a", "", false}, // too short
		{"http://a.example/", "", false},
		{"http://www.example.com", "", false},
		{"ftp://ftp.example.com/abcdef", "", false},
		{"HTTP://www.example.com/abcdef", "", false},
		{"http://www.example.com:80/abcd", "", false},
		{"http://joe@example.com/abcdef", "", false},
		{"http://[::1]/abcdefghij", "", false},
		{"http://www.example?a/bcdef", "", false},
		{"http://www.example.com/a/../b", "", false},
		{"http://www.example.com/a/b/c/d/e/f/g/h/i/j/k/.l", "", false},
	} {
		t.Run(row.url, func(t *testing.T) {
			capitals, ok := plain([]byte(row.url))
			if ok != row.ok || ok && row.url[:capitals] != row.capitals {
				t.Errorf("plain(%q) = %q, %v, want %q, %v", row.url, row.url[:capitals], ok, row.capitals, row.ok)
			}
		})
	}
}
