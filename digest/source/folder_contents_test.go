package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// tree makes a folder with files. Data of the form "-> NAME" make a symbolic link to NAME.
func tree(t testing.TB, files map[string]string) string {
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

// waczFile packs records.
func waczFile(t *testing.T, name string, urls ...string) string {
	t.Helper()
	var records []string
	for _, url := range urls {
		records = append(records, sourcetest.PageRecord(url, "body of "+url))
	}
	return string(sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/" + name, Data: sourcetest.Packings[1].Pack(records)}))
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
		}, "2 of 2", "", "http://a.example/1 http://a.example/2"},
		"Heritrix": {map[string]string{
			"latest": "-> 20200101000000", "crawler-beans.cxml": "<x/>",
			"20200101000000/warcs/WEB-20200101000000000-00000-1~h~8443.warc.gz":      rec("http://a.example/1"),
			"20200101000000/warcs/WEB-20200101000001000-00001-1~h~8443.warc.gz.open": cut[:len(cut)-9],
			"20200101000000/arcs/x.arc.gz.open": string(sourcetest.Gzip("" +
				"http://a.example/arc 1.1.1.1 20200101000000 text/html 28\n" +
				"body of http://a.example/arc\n")),
			"20200101000000/logs/crawl.log":           "x",
			"20200101000000/reports/seeds-report.txt": "x",
		}, "3 of 3", "1 × a compressed member that is damaged or cut off",
			"http://a.example/1 http://a.example/open http://a.example/arc"},
		"Browsertrix": {map[string]string{
			"collections/c/archive/rec-x-1-0.warc.gz": rec("http://a.example/1"),
			"collections/c/archive/rec-x-2-0.warc.gz": rec("http://a.example/2"),
			"collections/c/c_0.warc.gz":               rec("http://a.example/1") + rec("http://a.example/2"),
			"collections/c/c.wacz": string(sourcetest.Zip(t,
				sourcetest.ZipEntry{Name: "archive/rec-x-1-0.warc.gz", Data: []byte(rec("http://a.example/1"))})),
			"collections/c/pages/pages.jsonl": "{}", "collections/c/crawls/x.yaml": "x",
		}, "5 of 4", "", ""}, // copies count, because nothing proves that they are copies
		"ArchiveBox 0.7": {map[string]string{
			"archive/1700000000.5/warc/1700000000.warc.gz": rec("http://a.example/1"),
			"archive/1700000000.5/singlefile.html": "<html><!--\n Page saved with SingleFile \n url: " +
				"http://www.example.com/page \n saved date: x\n-->",
			"archive/1700000000.5/www.example.com/i/a.png": "body of http://www.example.com/i/a.png",
			"archive/1700000000.5/index.json":              "{}", "archive/1700000000.5/output.pdf": "%PDF-",
		}, "5 of 5", "", "http://a.example/1 http://www.example.com/i/a.png"},
		"ArchiveBox 0.9": {map[string]string{
			"archive/1700000000": "-> users/u/snapshots/20200101/a.example/uuid",
			"archive/users/u/snapshots/20200101/a.example/uuid/wget/warc/1.warc.gz": rec("http://a.example/1"),
			"archive/users/u/snapshots/20200101/a.example/uuid/archivewebpage/a.wacz": waczFile(t, "d.warc.gz",
				"http://a.example/2"),
			"archive/users/u/snapshots/20200101/a.example/uuid/chrome_mhtml/snapshot.mhtml": aMHTML,
		}, "3 of 3", "",
			"http://a.example/1 http://a.example/2 http://mht.example/"},
		"folder of WACZ": {map[string]string{
			"a.wacz":   waczFile(t, "d.warc.gz", "http://a.example/1"),
			"b/b.WACZ": waczFile(t, "d.warc.gz", "http://a.example/2", "http://a.example/3"),
		}, "3 of 2", "", "http://a.example/1 http://a.example/2 http://a.example/3"},
		"mixed": {map[string]string{
			"x.har": aHAR, "y/z.mht": aMHTML, "w/www.example.com/a.png": "body of http://www.example.com/a.png",
			"broken.har": `{"log": {"entries": [{"requ`, "no.wacz": "PK",
		}, "3 of 3",
			"1 × a file that cannot be read|1 × an unreadable WACZ file",
			"http://har.example/ http://mht.example/ http://www.example.com/a.png"},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, "", tree(t, row.files))
			if got := fmt.Sprintf("%d of %d", s.Stats().Kept, s.Stats().Files); got != row.found {
				t.Errorf("found %q, want %q", got, row.found)
			}
			if got := strings.Join(sourcetest.SkipList(s), "|"); got != row.skipped {
				t.Errorf("skipped %q, want %q", got, row.skipped)
			}
			for _, url := range strings.Fields(row.urls) {
				if c := sourcetest.LookupOne(t, s, url); sourcetest.MustRead(t, c) != "body of "+url {
					t.Errorf("%s: %q", url, sourcetest.MustRead(t, c))
				}
			}
		})
	}
}

// Files that are often mistaken for sources are named next to real sources; downloads from a host are not.
func TestFolderNamesWhatIsNotRead(t *testing.T) {
	const xz = "\xfd7zXZ\x00\x00"
	s := opened(t, "", tree(t, map[string]string{
		"a.har": aHAR, "b.warc.xz": xz, "notes.txt.xz": xz, "warcs.zip": "PK", "page.webarchive": "bplist00",
		"www.example.com/c.warc.xz": xz,
	}))
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"3 × a file in a format that webcap does not read; unpack or convert it"})
}

// TestFolderOfNothing: a folder without usable files gives an error of one line that names the expected files.
func TestFolderOfNothing(t *testing.T) {
	for name, row := range map[string]struct {
		kind  Kind
		files map[string]string
		want  string
	}{
		"text": {"", map[string]string{"notes.txt": "x", "a/b.docx": "x"},
			": no WARC, ARC, WACZ, HAR, or MHTML file"},
		"empty": {"", map[string]string{"notes.txt": "-> gone"}, ": no WARC"},
		"broken": {"", map[string]string{"a.warc": "no record", "b.har": "{"},
			"b.har: the JSON does not have the structure of a HAR file"},
		"compressed": {"", map[string]string{"notes.txt": "x", "a.warc.xz": "\xfd7zXZ\x00\x00"},
			"a file in a format that webcap does not read"},
		"a folder of one kind": {WACZ, map[string]string{"a.har": aHAR}, "a folder, whose sources may be of any kind"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, row.files)
			s, err := Open(row.kind, dir)
			if err == nil {
				s.Close()
				t.Errorf("%s: opens", name)
			} else if msg := err.Error(); !strings.Contains(msg, row.want) || !strings.Contains(msg, dir) ||
				strings.Contains(msg, "\n") {
				t.Errorf("%s: %q, want %q in it", name, msg, row.want)
			}
		})
	}
	if got := opened(t, Folder, tree(t, map[string]string{"notes.txt": "x"})).Stats(); got.Kept != 1 {
		t.Errorf("a folder that is named as one: %+v", got)
	}
}
