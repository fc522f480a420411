package report

import "testing"

func TestRelative(t *testing.T) {
	for _, tt := range []struct {
		name, path, base, want string
		ok                     bool
	}{
		{"relative", "a/b.pdf", "/srv/site", "a/b.pdf", true},
		{"dot", "./a//b.pdf", "/srv/site", "a/b.pdf", true},
		{"absolute", "/srv/site/a/b.pdf", "/srv/site", "a/b.pdf", true},
		{"there and back", "../site/a/../b.pdf", "/srv/site", "b.pdf", true},
		{"base with a slash", "/srv/site/b.pdf", "/srv/site/", "b.pdf", true},
		{"base itself", "/srv/site/.", "/srv/site", ".", true},
		{"root", "/b.pdf", "/", "b.pdf", true},
		{"root itself", "/", "/", ".", true},
		{"outside", "../b.pdf", "/srv/site", "/srv/b.pdf", false},
		{"same beginning", "/srv/site2/b.pdf", "/srv/site", "/srv/site2/b.pdf", false},
		{"above the root", "../../../../b.pdf", "/srv/site", "/b.pdf", false},
		{"no base", "./a.pdf", "", "a.pdf", true},
		{"no base, above", "../../a.pdf", "", "a.pdf", true},
		{"no base, absolute", "/a.pdf", "", "/a.pdf", false},
		{"backslash in a name", `a\b.pdf`, "/srv", `a\b.pdf`, true},
		{"case counts", "/SRV/b.pdf", "/srv", "/SRV/b.pdf", false},
		{"bytes", "a\xff\n.pdf", "/srv", "a\xff\n.pdf", true},
		{"empty", "", "/srv", ".", true},
		{"a colon after what is not a letter", "1:/b.pdf", "", "1:/b.pdf", true},
		{"a colon after a bracket", "{:/b.pdf", "", "{:/b.pdf", true},

		{"Windows, relative", `a\b.pdf`, `C:\site`, "a/b.pdf", true},
		{"Windows, slashes", "a/b.pdf", `C:\site`, "a/b.pdf", true},
		{"Windows, absolute", `c:\Site\a\b.pdf`, `C:\site`, "a/b.pdf", true},
		{"Windows, outside", `D:\b.pdf`, `C:\site`, "D:/b.pdf", false},
		{"Windows, above", `..\b.pdf`, `C:\site`, "C:/b.pdf", false},
		{"Windows, drive as base", `C:\b.pdf`, `C:\`, "b.pdf", true},
		{"Windows, a drive itself", `C:\`, "", "C:/", false},
		{"Windows, no base", `C:\b.pdf`, "", "C:/b.pdf", false},
		{"Windows, share", `\\host\share\b.pdf`, `C:\site`, "//host/share/b.pdf", false},
		{"Windows, share as base", `a\b.pdf`, `\\host\share`, "a/b.pdf", true},
		{"Windows, share, no base", `\\host\share\b.pdf`, "", "//host/share/b.pdf", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Relative(tt.path, tt.base)
			if got != tt.want || ok != tt.ok {
				t.Errorf("%s: Relative(%q, %q) = %q, %v, want %q, %v", tt.name, tt.path, tt.base, got, ok, tt.want, tt.ok)
			}
		})
	}
}

// The roots of file systems, drives, and shares, and the case of drives.
func TestRelativeToRoots(t *testing.T) {
	for _, tt := range []struct{ root, path, want string }{
		{"/a/b", "/a/b/c/d.pdf", "c/d.pdf"},
		{"/a/b", "/a/b", "."},
		{"/a/b", "/a/bc/d.pdf", "/a/bc/d.pdf"},
		{"/a/b", "/a/d.pdf", "/a/d.pdf"},
		{"/", "/a/d.pdf", "a/d.pdf"},
		{"/", "/", "."},
		{"C:/a", "c:/a/d.pdf", "d.pdf"},
		{"c:/a", "C:/a/b/d.pdf", "b/d.pdf"},
		{"C:/", "c:/d.pdf", "d.pdf"},
		{"C:/a", "D:/a/d.pdf", "D:/a/d.pdf"},
		{`\\host\share`, `\\host\share\a\d.pdf`, "a/d.pdf"},
		{`\\host\share`, `\\other\share\d.pdf`, "//other/share/d.pdf"},
	} {
		t.Run(tt.root, func(t *testing.T) {
			if got, _ := Relative(tt.path, tt.root); got != tt.want {
				t.Errorf("Relative(%q, %q) = %q, want %q", tt.path, tt.root, got, tt.want)
			}
		})
	}
}
