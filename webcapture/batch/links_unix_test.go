//go:build unix

package batch

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFollowedLinks: folders are visited once, also through links in circles, and broken links are inputs.
func TestFollowedLinks(t *testing.T) {
	dir := write(t, map[string][]byte{"a/1.pdf": nil, "b/2.pdf": nil, "b/c/3.pdf": nil, "x.txt": []byte("text")})
	for link, target := range map[string]string{"a/up": "..", "b/again": "c", "file.pdf": "x.txt", "z.pdf": "gone",
		"zz": "gone", "b/x": "../x.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	const link = " is a symbolic link"
	checkPaths(t, dir, []pathTest{
		{"followed", PathOptions{Links: true}, []string{dir}, []string{"a/1.pdf", "b/2.pdf", "b/again/3.pdf",
			"b/x is not a PDF or an archive", "file.pdf", "x.txt is not a PDF or an archive", "z.pdf", "zz"}},
		{"not followed", PathOptions{}, []string{dir}, []string{"a/1.pdf", "a/up" + link, "b/2.pdf", "b/again" + link,
			"b/c/3.pdf", "b/x" + link, "file.pdf" + link, "x.txt is not a PDF or an archive", "z.pdf" + link, "zz" + link}},
		{"a pattern, followed", PathOptions{Links: true}, []string{"**/*.pdf"}, []string{"a/1.pdf", "b/2.pdf",
			"b/again/3.pdf", "file.pdf", "z.pdf"}},
		{"a pattern, not followed", PathOptions{}, []string{"**/[f123]*.pdf"}, []string{"a/1.pdf", "b/2.pdf", "b/c/3.pdf",
			"file.pdf" + link}},
		{"named", PathOptions{}, []string{"file.pdf", "a/up/b/c"}, []string{"file.pdf", "a/up/b/c/3.pdf"}},
	})
}
