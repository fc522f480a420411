// Package sourcetest writes sources of every kind, for tests of look-ups in them. The code that writes a source shares
// nothing with the package that reads it.
package sourcetest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Resource is one capture of a URL.
type Resource struct {
	URL       string // absolute and canonical
	MediaType string
	Body      []byte
}

// writers are the functions that Write uses, one for each kind. Each writes resources to a path.
var writers = []struct {
	name  string
	write func(path string, list []Resource) error
}{
	{"folder", files},
	{"tsv", urlList},
	{"warc", inOneFile(func(list []Resource) ([]byte, error) { return warc(list, false), nil })},
	{"warc.gz", inOneFile(func(list []Resource) ([]byte, error) { return warc(list, true), nil })},
	{"arc", inOneFile(arc)},
	{"wacz", inOneFile(wacz)},
	{"har", inOneFile(har)},
	{"mhtml", inOneFile(mhtml)},
	{"wwwoffle", spool},
}

// Kinds returns the names of the kinds of sources that Write can write. Each is written in the style of a real program.
func Kinds() []string {
	var names []string
	for _, w := range writers {
		names = append(names, w.name)
	}
	return names
}

// Write writes resources as a source of a kind into an existing folder. It returns the path of the source.
func Write(folder, kind string, list []Resource) (path string, err error) {
	path = filepath.Join(folder, "source."+kind)
	for _, w := range writers {
		if w.name == kind {
			return path, w.write(path, list)
		}
	}
	return "", fmt.Errorf("sourcetest: no kind %q", kind)
}

// inOneFile returns a writer of one file, given a function that returns the data of the file.
func inOneFile(data func([]Resource) ([]byte, error)) func(string, []Resource) error {
	return func(path string, list []Resource) error {
		b, err := data(list)
		if err != nil {
			return err
		}
		return os.WriteFile(path, b, 0o666)
	}
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// HostName returns the folder name that wget uses for a host, with or without a port, on this system.
func HostName(host string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(host, ":", "+")
	}
	return host
}

// SpoolName returns the folder name that WWWOFFLE uses for a host, with or without a port, on this system.
func SpoolName(host string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(host, ":", "!")
	}
	return host
}

// files writes resources to the same files as wget -x.
func files(root string, list []Resource) error {
	for _, r := range list {
		u, err := url.Parse(r.URL)
		if err != nil {
			return err
		}
		name := u.Path
		if name == "" || strings.HasSuffix(name, "/") {
			name += "/index.html"
		}
		if u.RawQuery != "" {
			name += "?" + u.RawQuery
		}
		name = HostName(u.Host) + "/" + strings.TrimPrefix(name, "/")
		if err := writeFile(filepath.Join(root, filepath.FromSlash(name)), r.Body); err != nil {
			return err
		}
	}
	return nil
}

// urlList writes a list of URLs and files, and the files next to the list.
func urlList(path string, list []Resource) error {
	var b strings.Builder
	for i, r := range list {
		name := fmt.Sprintf("%d.data", i)
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), r.Body, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s\t%s\n", r.URL, name)
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// reply returns the HTTP response for a resource.
func reply(r Resource) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", r.MediaType, len(r.Body),
		r.Body)
}

const day = "2024-01-02T10:00:00Z"

// warc returns the data of a WARC file with one record for each resource.
func warc(list []Resource, compressed bool) []byte {
	var b bytes.Buffer
	for i, r := range list {
		body := reply(r)
		record := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: "+
			"<urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Date: %s\r\nWARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n",
			i, day, r.URL, len(body), body)
		if compressed {
			z := gzip.NewWriter(&b)
			z.Write([]byte(record))
			z.Close()
		} else {
			b.WriteString(record)
		}
	}
	return b.Bytes()
}

func arc(list []Resource) ([]byte, error) {
	var b bytes.Buffer
	const version = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
	fmt.Fprintf(&b, "filedesc://source.arc 0.0.0.0 20240102100000 text/plain %d\n%s\n", len(version), version)
	for _, r := range list {
		body := reply(r)
		mediaType, _, _ := strings.Cut(r.MediaType, ";")
		fmt.Fprintf(&b, "%s 127.0.0.1 20240102100000 %s %d\n%s\n", r.URL, mediaType, len(body), body)
	}
	return b.Bytes(), nil
}

func wacz(list []Resource) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"archive/data.warc.gz", warc(list, true)},
		{"datapackage.json", []byte(`{"profile": "data-package", "resources": [{"path": "archive/data.warc.gz"}]}`)},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

func har(list []Resource) ([]byte, error) {
	type object = map[string]any
	var entries []object
	for _, r := range list {
		entries = append(entries, object{
			"startedDateTime": day,
			"request":         object{"method": "GET", "url": r.URL},
			"response": object{
				"status": 200, "statusText": "OK", "redirectURL": "",
				"headers": []object{{"name": "Content-Type", "value": r.MediaType}},
				"content": object{"size": len(r.Body), "mimeType": r.MediaType, "encoding": "base64",
					"text": base64.StdEncoding.EncodeToString(r.Body)},
			},
		})
	}
	return json.Marshal(object{"log": object{"version": "1.2", "creator": object{"name": "test", "version": "1"},
		"entries": entries}})
}

func mhtml(list []Resource) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("From: <Saved by test>\r\nSubject: page\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/related; type=\"text/html\"; boundary=\"--test--\"\r\n\r\n")
	for _, r := range list {
		fmt.Fprintf(&b, "----test--\r\nContent-Type: %s\r\nContent-Transfer-Encoding: base64\r\nContent-Location: "+
			"%s\r\n\r\n", r.MediaType, r.URL)
		for text := base64.StdEncoding.EncodeToString(r.Body); text != ""; {
			n := min(76, len(text))
			b.WriteString(text[:n] + "\r\n")
			text = text[n:]
		}
	}
	b.WriteString("----test----\r\n")
	return b.Bytes(), nil
}

// spool writes a cache of WWWOFFLE. The URLs of the resources must already be in the form of WWWOFFLE; this is the case
// for URLs without user, escapes, and default port.
func spool(root string, list []Resource) error {
	for _, r := range list {
		u, err := url.Parse(r.URL)
		if err != nil {
			return err
		}
		name := spoolFile(r.URL)
		folder := filepath.Join(root, u.Scheme, SpoolName(u.Host))
		if err := writeFile(filepath.Join(folder, "U"+name), []byte(r.URL)); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(folder, "D"+name), []byte(reply(r))); err != nil {
			return err
		}
	}
	return nil
}

// spoolFile returns the name of the files of a URL in a cache of WWWOFFLE, without the letter D or U.
func spoolFile(url string) string {
	sum := md5.Sum([]byte(url))
	return strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(sum[:]), "/", "-")
}

// StorePage stores a reply in a folder of a cache of WWWOFFLE; if folder is empty, in the folder of its host. It
// returns the name of the files, without the letter D or U.
func StorePage(t testing.TB, spool, folder, url, reply string) (name string) {
	t.Helper()
	if folder == "" {
		protocol, rest, _ := strings.Cut(url, "://")
		host, _, _ := strings.Cut(rest, "/")
		folder = protocol + "/" + SpoolName(host[strings.LastIndexByte(host, '@')+1:])
	}
	name = spoolFile(url)
	WriteFile(t, url, spool, folder, "U"+name)
	WriteFile(t, reply, spool, folder, "D"+name)
	return name
}
