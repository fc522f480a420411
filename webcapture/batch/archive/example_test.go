package archive_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"log"

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
)

// Members are files with the header or the name of a PDF. Other files are skipped: here a list of links.
func Example() {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range map[string]string{"links.txt": "http://a.example/", "pages/a": "%PDF-1.7\n…"} {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	r := bytes.NewReader(packed.Bytes())
	for m := range archive.Members("site.zip", r, r.Size(), archive.Options{}) {
		if err := m.Load(); err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Name, m.Data.Size(), "bytes")
		m.Close()
	}
	// Output: site.zip!pages/a 12 bytes
}
