package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// tree makes a folder with files. Data of the form "-> NAME" make a symbolic link to NAME.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		target, link := strings.CutPrefix(data, "-> ")
		if !link {
			sourcetest.WriteFile(t, data, dir, name)
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil { // on Windows it takes a privilege
			t.Skip(err)
		}
	}
	return dir
}

// waczFile packs records with an index that lists them.
func waczFile(t *testing.T, name string, urls ...string) string {
	t.Helper()
	var records []string
	for _, url := range urls {
		records = append(records, sourcetest.PageRecord(url, "body of "+url))
	}
	index, at := "", 0
	for i, url := range urls {
		index += fmt.Sprintf("k 20200101000000 {\"url\": %q, \"offset\": %d, \"filename\": %q}\n", url, at, name)
		at += len(sourcetest.Gzip(records[i]))
	}
	return string(sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/" + name, Data: sourcetest.Packings[1].Pack(records), Deflated: false},
		sourcetest.ZipEntry{Name: "indexes/index.cdxj", Data: []byte(index), Deflated: true}))
}

const aHAR = `{"log": {"entries": [{"request": {"url": "http://har.example/"}, "response": {"status": 200, ` +
	`"content": {"text": "body of http://har.example/"}}}]}}`

const aMHTML = "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: image/gif\r\nContent-Transfer-Encoding: binary\r\nContent-Location: " +
	"http://mht.example/\r\n\r\nbody of http://mht.example/\r\n--b--\r\n"

// TestFoldersOfPrograms reads folders in the layouts of various programs.
func TestFoldersOfPrograms(t *testing.T) {
	rec := func(urls ...string) string {
		var b []byte
		for _, url := range urls {
			b = append(b, sourcetest.Gzip(sourcetest.PageRecord(url, "body of "+url))...)
		}
		return string(b)
	}
	cut := rec("http://a.example/open", "http://a.example/2")
	for name, row := range map[string]struct {
		files   map[string]string
		found   string
		skipped string
		urls    string
	}{
		"pywb": {map[string]string{
			"config.yaml": "x", "templates/base.html": "<html>", "static/a.css": "a {}",
			"collections/c/archive/a.warc.gz": rec("http://a.example/1"),
			"collections/c/archive/sub/b.warc": sourcetest.PageRecord("http://a.example/2",
				"body of http://a.example/2"),
			"collections/c/metadata.yaml": "title: x",
		}, "2 records in 2 WARC files", "", "http://a.example/1 http://a.example/2"},
		"Heritrix": {map[string]string{
			"latest": "-> 20200101000000", "crawler-beans.cxml": "<x/>",
			"20200101000000/warcs/WEB-20200101000000000-00000-1~h~8443.warc.gz":      rec("http://a.example/1"),
			"20200101000000/warcs/WEB-20200101000001000-00001-1~h~8443.warc.gz.open": cut[:len(cut)-9],
			"20200101000000/arcs/x.arc.gz.open": string(sourcetest.Gzip("" +
				"http://a.example/arc 1.1.1.1 20200101000000 text/html 28\n" +
				"body of http://a.example/arc\n")),
			"20200101000000/logs/crawl.log":           "x",
			"20200101000000/reports/seeds-report.txt": "x",
		}, "4 records in 2 WARC files, 1 ARC file", "1 × the file is cut off",
			"http://a.example/1 http://a.example/open http://a.example/arc"},
		"Browsertrix": {map[string]string{
			"collections/c/archive/rec-x-1-0.warc.gz": rec("http://a.example/1"),
			"collections/c/archive/rec-x-2-0.warc.gz": rec("http://a.example/2"),
			"collections/c/c_0.warc.gz":               rec("http://a.example/1") + rec("http://a.example/2"),
			"collections/c/c.wacz": string(sourcetest.Zip(t,
				sourcetest.ZipEntry{Name: "archive/rec-x-1-0.warc.gz", Data: []byte(rec("http://a.example/1")),
					Deflated: false})),
			"collections/c/pages/pages.jsonl": "{}", "collections/c/crawls/x.yaml": "x",
		}, "2 records in 2 WARC files",
			"1 × a WACZ file whose archive files are also in the folder|1 × a copy of the files in the folder " +
				"archive", "http://a.example/1 http://a.example/2"},
		"ArchiveBox 0.7": {map[string]string{
			"archive/1700000000.5/warc/1700000000.warc.gz": rec("http://a.example/1"),
			"archive/1700000000.5/singlefile.html": "<html><!--\n Page saved with SingleFile \n url: " +
				"http://www.example.com/page \n saved date: x\n-->",
			"archive/1700000000.5/www.example.com/i/a.png": "body of http://www.example.com/i/a.png",
			"archive/1700000000.5/index.json":              "{}", "archive/1700000000.5/output.pdf": "%PDF-",
		}, "1 record in 1 WARC file; 4 files found by name", "", "http://a.example/1 http://www.example.com/i/a.png"},
		"ArchiveBox 0.9": {map[string]string{
			"archive/1700000000": "-> users/u/snapshots/20200101/a.example/uuid",
			"archive/users/u/snapshots/20200101/a.example/uuid/wget/warc/1.warc.gz": rec("http://a.example/1"),
			"archive/users/u/snapshots/20200101/a.example/uuid/archivewebpage/a.wacz": waczFile(t, "d.warc.gz",
				"http://a.example/2"),
			"archive/users/u/snapshots/20200101/a.example/uuid/chrome_mhtml/snapshot.mhtml": aMHTML,
		}, "3 records in 1 WARC file, 1 WACZ file, 1 MHTML file", "",
			"http://a.example/1 http://a.example/2 http://mht.example/"},
		"folder of WACZ": {map[string]string{
			"a.wacz":   waczFile(t, "d.warc.gz", "http://a.example/1"),
			"b/b.WACZ": waczFile(t, "d.warc.gz", "http://a.example/2", "http://a.example/3"),
		}, "3 records in 2 WACZ files", "", "http://a.example/1 http://a.example/2 http://a.example/3"},
		"mixed": {map[string]string{
			"x.har": aHAR, "y/z.mht": aMHTML, "w/www.example.com/a.png": "body of http://www.example.com/a.png",
			"broken.har": `{"log": {"entries": [{"requ`, "no.wacz": "PK",
		}, "2 records in 1 HAR file, 1 MHTML file; 1 file found by name",
			"1 × an unreadable HAR file|1 × an unreadable WACZ file",
			"http://har.example/ http://mht.example/ http://www.example.com/a.png"},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, "", tree(t, row.files))
			if got := s.Stats().Found; got != row.found {
				t.Errorf("found %q, want %q", got, row.found)
			}
			if got := strings.Join(sourcetest.SkipList(s), "|"); got != row.skipped {
				t.Errorf("skipped %q, want %q", got, row.skipped)
			}
			for _, url := range strings.Fields(row.urls) {
				if c := sourcetest.LookupOne(t, s, url); sourcetest.MustRead(t, c.Bodies[0]) != "body of "+url ||
					c.Uncertain {
					t.Errorf("%s: %q, uncertain %v", url, sourcetest.MustRead(t, c.Bodies[0]), c.Uncertain)
				}
			}
		})
	}
}

// TestFolderNamesWhatIsBroken: a damaged file is reported with the place of the damage.
func TestFolderNamesWhatIsBroken(t *testing.T) {
	dir := tree(t, map[string]string{"a.har": aHAR, "b.har": `{"log": {"entries": [{"requ`})
	s := opened(t, "", dir)
	skipped := s.Stats().Skipped
	if want := filepath.Join(dir, "b.har") + ": at offset "; len(skipped) != 1 ||
		!strings.HasPrefix(skipped[0].First, want) {
		t.Errorf("%+v, want %q", skipped, want)
	}
}

// Files that are often mistaken for sources are named next to real sources; downloads from a host are not.
func TestFolderNamesWhatIsNotRead(t *testing.T) {
	const xz = "\xfd7zXZ\x00\x00"
	s := opened(t, "", tree(t, map[string]string{
		"a.har": aHAR, "b.warc.xz": xz, "notes.txt.xz": xz, "other.zip": emptyZip(t, "readme.txt"),
		"warcs.zip":                 emptyZip(t, "x.warc"),
		"www.example.com/c.warc.xz": xz,
	}))
	var got []string
	for _, k := range s.Stats().Skipped {
		got = append(got, fmt.Sprintf("%d %s", k.Count, filepath.Base(k.First)))
	}
	slices.Sort(got)
	if want := []string{"1 b.warc.xz", "1 warcs.zip"}; !slices.Equal(got, want) {
		t.Errorf("named are %q, want %q", got, want)
	}
}

// TestFolderCountsFilesOnce: a file counts once, even if links give it several names.
func TestFolderCountsFilesOnce(t *testing.T) {
	outside := sourcetest.WriteFile(t, sourcetest.PageRecord("http://a/out", "out"), t.TempDir(), "x.warc")
	s := opened(t, "", tree(t, map[string]string{
		"a.warc": sourcetest.PageRecord("http://a/", "1"), "b.warc": "-> a.warc", "sub/c.warc": "-> ../a.warc",
		"d.warc": "-> " + outside, "e.warc": "-> " + outside,
	}))
	if got := s.Stats(); got.Found != "2 records in 2 WARC files" {
		t.Errorf("%+v", got)
	}
	sourcetest.LookupOne(t, s, "http://a/")
	sourcetest.LookupOne(t, s, "http://a/out")
}

// TestFolderKeepsWhatIsNotACopy: files that only look like copies are read.
func TestFolderKeepsWhatIsNotACopy(t *testing.T) {
	s := opened(t, "", tree(t, map[string]string{
		"c/archive/a.warc": sourcetest.PageRecord("http://a/1", "1"),
		"c/c_0.warc":       sourcetest.PageRecord("http://a/2", strings.Repeat("2", 200<<10)),
		"d/d_0.warc":       sourcetest.PageRecord("http://a/3", "3"),
		"e/archive/a.warc": sourcetest.PageRecord("http://a/4", "4"),
		"e/e.wacz":         waczFile(t, "other.warc.gz", "http://a/5"),
	}))
	if got := s.Stats(); got.Found != "5 records in 4 WARC files, 1 WACZ file" || got.Skipped != nil {
		t.Errorf("%+v", got)
	}
}

// TestFolderOfNothing: a folder without usable files gives an error of one line that names the expected files.
func TestFolderOfNothing(t *testing.T) {
	for name, row := range map[string]struct {
		kind  Kind
		files map[string]string
		want  string
	}{
		"text": {"", map[string]string{"notes.txt": "x", "a/b.docx": "x"},
			"the folder has no usable files: no WARC, ARC, WACZ, HAR or MHTML file"},
		"empty": {"", map[string]string{"notes.txt": "-> gone"}, "nothing in the folder can be read: "},
		"broken": {"", map[string]string{"a.warc": "no record", "b.har": "{"},
			"nothing in the folder can be read: "},
		"compressed": {"", map[string]string{"notes.txt": "x", "a.warc.xz": "\xfd7zXZ\x00\x00"},
			"nothing in the folder can be read: "},
		"no WACZ file": {WACZ, map[string]string{"a.har": aHAR}, "there is no WACZ file in the folder"},
		"no HAR file": {HAR, map[string]string{"a.warc": sourcetest.PageRecord("http://a/", "1")},
			"there is no HAR file in the folder"},
		"no MHTML file":    {MHTML, map[string]string{"a.html": "x"}, "there is no MHTML file in the folder"},
		"no WARC file":     {WARC, map[string]string{"a.har": aHAR}, "there is no WARC file in the folder"},
		"broken HAR files": {HAR, map[string]string{"a.har": "{"}, "no HAR file in the folder can be read: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, row.files)
			s, err := Open(row.kind, dir, Options{})
			if err == nil {
				s.Close()
				t.Errorf("%s: opens", name)
			} else if msg := err.Error(); !strings.Contains(msg, row.want) || !strings.Contains(msg, dir) ||
				strings.Contains(msg, "\n") {
				t.Errorf("%s: %q, want %q in it", name, msg, row.want)
			}
		})
	}
	if got := opened(t, Folder, tree(t, map[string]string{"notes.txt": "x"})).Stats(); got.Found != "" ||
		got.Kept != 1 {
		t.Errorf("a folder that is named as one: %+v", got)
	}
}

// TestFolderOfOneKind: if a kind is given, only files of this kind in the folder are read.
func TestFolderOfOneKind(t *testing.T) {
	dir := tree(t, map[string]string{
		"x.har": aHAR, "y/y.mhtml": aMHTML, "z.wacz": waczFile(t, "d.warc.gz", "http://wacz.example/"),
		"w/w.warc": sourcetest.PageRecord("http://warc.example/", "body of http://warc.example/"),
	})
	for kind, url := range map[Kind]string{HAR: "http://har.example/", MHTML: "http://mht.example/",
		WACZ: "http://wacz.example/", WARC: "http://warc.example/"} {
		t.Run(string(kind), func(t *testing.T) {
			s := opened(t, kind, dir)
			if got := s.Stats(); got.Kept != 1 || got.Skipped != nil || !strings.HasPrefix(got.Found, "1 record in 1 ") {
				t.Errorf("%s: %+v", kind, got)
			}
			sourcetest.LookupOne(t, s, url)
		})
	}
	dir = tree(t, map[string]string{"archive/d.warc": sourcetest.PageRecord("http://a/", "1"),
		"gone.warc": "-> nowhere"})
	sourcetest.WriteFile(t, string(sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/d.warc", Data: []byte(sourcetest.PageRecord("http://a/", "1")),
			Deflated: false})), dir, "copy.wacz")
	s := opened(t, WACZ, dir)
	if got := s.Stats(); got.Found != "1 record in 1 WACZ file" || got.Skipped != nil {
		t.Errorf("a copy of a skipped file, next to a broken link of another kind: %+v", got)
	}
	sourcetest.LookupOne(t, s, "http://a/")
}

// Pages saved by a browser are found by the URL in them, and the files next to them by their names; both are always
// uncertain.
func TestSavedPages(t *testing.T) {
	s := opened(t, "", tree(t, map[string]string{
		"Title.html": "<!DOCTYPE html>\n<!-- saved from url=(0030)http://www.example.com/d/page?1 " +
			"-->\n<html>",
		"Title_files/logo.png":    "logo",
		"Title_files/logo(1).png": "other logo",
		"Title_files/style.css":   "style",
		"Seite-Dateien/bild.png":  "bild",
		"Seite.htm":               "<html>",
		"sub/Single.html": "<html><!--\n Page saved with SingleFile \n url: http://www.example.com/single " +
			"\n-->",
		"utf16.htm": "\xff\xfe" +
			strings.Join(strings.Split("<!-- saved from url=(0023)http://u.example/ -->", ""), "\x00") + "\x00",
		"mirrored.html": "<!-- Mirrored from www.example.com/m.html by HTTrack Website Copier/3.x [XR&CO'2014], Sat " +
			"-->",
		"none.html": "<!-- saved from url=(0014)about:internet -->",
		"late.html": strings.Repeat(" ",
			4<<10) + "<!-- saved from url=(0030)http://www.example.com/late -->",
		"www.example.org/mirror/x.html": "<!-- saved from url=(0030)http://www.example.com/inside -->",
	}))
	for _, row := range []struct{ url, want string }{
		{"http://www.example.com/d/page?1", "Title.html?"},
		{"https://www.example.com/d/page?1", "Title.html?, found as http://www.example.com/d/page?1"},
		{"http://www.example.com/i/logo.png", "logo.png?, found by its name|logo(1).png?, found by its name"},
		{"http://www.example.com/s/style.css?v=3", "style.css?, found by its name"},
		{"http://b.example/bild.png", "bild.png?, found by its name"},
		{"http://www.example.com/single", "Single.html?"},
		{"http://u.example/", "utf16.htm?"},
		{"http://www.example.com/m.html", "mirrored.html?"},
		{"http://www.example.com/late", ""},
		{"http://www.example.com/inside", ""},
	} {
		t.Run(row.url, func(t *testing.T) {
			var got []string
			for c, err := range Find(s, row.url) {
				if err != nil {
					t.Fatal(err)
				}
				where, how, _ := strings.Cut(c.Where, ", ")
				text := filepath.Base(where)
				if c.Uncertain {
					text += "?"
				}
				if how != "" {
					text += ", " + how
				}
				got = append(got, text)
			}
			if strings.HasPrefix(row.want, "late") || !strings.HasPrefix(strings.Join(got, "|"), row.want) ||
				row.want == "" && strings.Contains(strings.Join(got, "|"), "found as") {
				t.Errorf("%s: %q, want %q", row.url, got, row.want)
			}
		})
	}
}

// TestNamesKeepToHosts: a file in the folder of a host never matches a URL of another host.
func TestNamesKeepToHosts(t *testing.T) {
	s := opened(t, "", tree(t, map[string]string{
		"www.example.com/i/logo.png": "1", "page_files/logo.png": "2",
		"backup/" + sourcetest.HostName("www.example.org:81") + "/logo.png": "3",
		"i/logo.png": "4",
	}))
	for _, row := range []struct{ url, want string }{
		{"http://www.example.com/x/logo.png", "2?, found by its name"},
		{"http://www.example.com/x/i/logo.png", "1?, found by its name|2?, found by its name"},
		{"http://b.example/i/logo.png", "4?|2?, found by its name"},
		{"http://www.example.org:81/x/logo.png", "3?, found by its name|2?, found by its name"},
		{"http://www.example.org:81/logo.png", "3"},
		{"http://www.example.org/logo.png", "2?, found by its name"},
	} {
		t.Run(row.url, func(t *testing.T) {
			if got := strings.Join(looked(t, s, row.url), "|"); got != row.want {
				t.Errorf("%s: %q, want %q", row.url, got, row.want)
			}
		})
	}
}
