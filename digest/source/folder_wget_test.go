package source

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// wgetSite has the paths on the server of TestWgetNames. The first page has links to all of them.
var wgetSite = []string{
	"/", "/d/p%2525q.html", "/d/e/Page.html?x=1&y=2", "/dir/", "/dir/deep/", "/i/A.gif", "/j/A.gif", "/show.php?id=3",
	"/noext", "/d/p%20q", "/s.css", "/UPPER/Case.HTML", "/d/a%40b", "/d/caf%C3%A9",
}

// wgetOthers are paths that the server of TestWgetNames does not have, but that files of other paths may match.
var wgetOthers = []string{"/d/p%25q.html", "/d/p%q.html", "/d/p%252525q.html", "/d/p%2520q",
	"/show.php@id=3", "/show.php%3Fid=3", "/d/caf%25C3%25A9"}

func wgetServer(t *testing.T) (url string, body func(string) string) {
	body = func(uri string) string {
		if uri != "/" {
			return "this is " + uri
		}
		var b strings.Builder
		for _, s := range wgetSite {
			fmt.Fprintf(&b, "<a href=%q>", s)
		}
		return b.String()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case strings.HasSuffix(r.URL.Path, ".gif"):
			w.Header().Set("Content-Type", "image/gif")
		case strings.HasSuffix(r.URL.Path, ".css"):
			w.Header().Set("Content-Type", "text/css")
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, body(r.RequestURI))
	}))
	t.Cleanup(server.Close)
	return server.URL, body
}

// For any options of wget about names, its files are found by their URLs, and no other file is certain to have
// these URLs.
func TestWgetNames(t *testing.T) {
	wget := webcapturetest.Program(t, "wget")
	site, body := wgetServer(t)
	// lost has the URLs whose files were overwritten. changed has those whose only copy has changed links.
	for _, row := range []struct{ options, lost, changed, locale string }{
		{options: "-r"},
		// In this locale wget decodes %2525 before it asks the server.
		{options: "-r", locale: "C", lost: "/d/p%2525q.html"},
		{options: "-r --restrict-file-names=ascii", locale: "C", lost: "/d/p%2525q.html"},
		{options: "-r --restrict-file-names=windows", locale: "C", lost: "/d/p%2525q.html"},
		{options: "-r --protocol-directories"},
		{options: "-r -nd"},
		{options: "-r -nH"},
		{options: "-r --cut-dirs=1", lost: "/i/A.gif /"},
		{options: "-r -nH --cut-dirs=2", lost: "/i/A.gif / /dir/"},
		{options: "-r --default-page=home.htm"},
		{options: "-r -nd --default-page=start"},
		{options: "-r --restrict-file-names=lowercase"},
		{options: "-r --restrict-file-names=uppercase"},
		{options: "-r --restrict-file-names=windows,lowercase"},
		{options: "-r -E"},
		{options: "-r -E -k", changed: "/"},
		{options: "-r -E -k -K"},
		{options: "-r -k -K"},
		{options: "-r -nd -E -k -K"},
	} {
		locale := cmp.Or(row.locale, "C.UTF-8") // names depend on it
		t.Run(row.options+" "+locale, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			arg := append([]string{"--no-config", "--no-proxy", "-nv", "-P", dir}, strings.Fields(row.options)...)
			c := exec.Command(wget, append(arg, site+"/")...)
			c.Env = append(os.Environ(), "LANG="+locale, "LC_ALL="+locale)
			if out, err := c.CombinedOutput(); err != nil && !strings.Contains(string(out), "404") {
				t.Fatalf("wget: %v\n%s", err, out)
			}
			s := opened(t, "", dir)
			for _, uri := range wgetSite {
				ok := false
				var got []string
				for c, err := range Find(s, site+uri) {
					if err != nil {
						t.Fatal(err)
					}
					text := sourcetest.MustRead(t, c.Bodies[0])
					ok = ok || text == body(uri)
					if text != body(uri) && !c.Uncertain && (row.locale == "C" || !contains(row.lost+" "+row.changed, uri)) {
						t.Errorf("%s: certain that it is %q in %s", uri, text, c.Where)
					}
					got = append(got, c.Where)
				}
				if want := !contains(row.lost+" "+row.changed, uri); ok != want {
					t.Errorf("%s: found %v, want %v; tried %q", uri, ok, want, got)
				}
			}
			for _, uri := range wgetOthers {
				for c, err := range Find(s, site+uri) {
					if err != nil {
						t.Fatal(err)
					}
					if !c.Uncertain {
						t.Errorf("%s: certain that it is in %s", uri, c.Where)
					}
				}
			}
		})
	}
}

// contains reports whether list, a list of words, contains word.
func contains(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

// TestDoubtfulFiles has files in a folder that cannot prove a mismatch, and an image that can.
func TestDoubtfulFiles(t *testing.T) {
	for _, row := range []struct {
		name  string
		files []string // name and content
		want  []string
	}{
		{"an image", []string{"a.gif", "GIF"}, []string{"a.gif"}},
		{"an empty file", []string{"a.gif", ""}, []string{"a.gif: the file is empty"}},
		{"a page", []string{"a.html", "page"}, []string{"a.html: wget -k may have changed its links; with -K, wget also keeps the original"}},
		{"an original page", []string{"a.html", "page", "a.html.orig", "original"}, []string{"a.html.orig",
			"a.html: wget -k may have changed its links; with -K, wget also keeps the original"}},
		{"an image that was retrieved again", []string{"a.gif", "GIF", "a.gif.1", "GIF 1", "a.gif.2", "GIF 2"},
			[]string{"a.gif?", "a.gif.1?", "a.gif.2?"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			for i := 0; i < len(row.files); i += 2 {
				sourcetest.WriteFile(t, row.files[i+1], dir, "h.example", row.files[i])
			}
			var got []string
			for c, err := range opened(t, Folder, dir).Lookup("http://h.example/" + row.files[0]) {
				if err != nil {
					t.Fatal(err)
				}
				say := filepath.Base(c.Where)
				if c.Uncertain && c.Doubt == nil {
					say += "?"
				} else if c.Doubt != nil {
					say += ": " + c.Doubt.Reason
				}
				got = append(got, say)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
