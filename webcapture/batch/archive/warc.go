package archive

import (
	"io"

	"github.com/webcap-tools/webcap/digest/source"
)

// warc yields the PDF files of a WARC or ARC file, by their URLs.
func (w *walk) warc(at place, r io.ReaderAt, size int64) error {
	for c, err := range source.PDFs(r, size, at.name) {
		if err != nil {
			return err
		}
		m := at.member(c.URL, -1)
		m.data = func() (*Data, error) { return bodyData(c.Bodies[0]) }
		if w.give(m); w.ended {
			return nil
		}
	}
	return nil
}

func bodyData(b source.Body) (*Data, error) {
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return dataOf(r, -1)
}
